# The flags that every target of ours gets.
add_library(slimband-options INTERFACE)
target_include_directories(slimband-options INTERFACE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/include)
target_compile_options(slimband-options INTERFACE $<$<COMPILE_LANGUAGE:C>:-Wall -Wextra -Wconversion>
                       $<$<AND:$<BOOL:${SLIMBAND_STRICT}>,$<COMPILE_LANGUAGE:C>>:-Werror>)
if(SLIMBAND_SANITIZE)
  # Asking whether pointers wrap around was a fifth of the time to compile; where they lead AddressSanitizer sees.
  target_compile_options(slimband-options INTERFACE -fsanitize=${SLIMBAND_SANITIZE} -fno-omit-frame-pointer -g
                         -fno-sanitize=pointer-overflow -fno-sanitize-recover=all -O1 $<$<C_COMPILER_ID:Clang>:-Wno-pass-failed>)
  target_compile_definitions(slimband-options INTERFACE SB_CHECKED)
  target_link_options(slimband-options INTERFACE -fsanitize=${SLIMBAND_SANITIZE})
endif()
if(SLIMBAND_COVERAGE)
  if(NOT CMAKE_C_COMPILER_ID MATCHES Clang)
    message(FATAL_ERROR "SLIMBAND_COVERAGE is clang's")
  endif()
  target_compile_options(slimband-options INTERFACE -fprofile-instr-generate -fcoverage-mapping)
  target_link_options(slimband-options INTERFACE -fprofile-instr-generate)
endif()
if(SLIMBAND_FUZZ)
  target_compile_options(slimband-options INTERFACE -fsanitize=fuzzer-no-link,address,undefined -g -O1
                         -Wno-pass-failed)
  target_compile_definitions(slimband-options INTERFACE SB_CHECKED)
  target_link_options(slimband-options INTERFACE -fsanitize=address,undefined)
endif()

# gcc: complex products without the NaN rescue, quotients by Smith's method; clang already falls back only on NaN.
set(SLIMBAND_KERNEL_FLAGS $<$<C_COMPILER_ID:GNU>:-fcx-fortran-rules>)

# What gcc takes long over on unrolled kernels: loads after register allocation (a fifth of its time; none of
# the kernels that were timed is slower without), and common subexpressions (another fifth, of `long`'s kernels two; own lines of
# AVX2 are 7 % slower without), where speed matters less and in `long`, whose kernels are not.
set(SLIMBAND_UNROLLED_FLAGS $<$<C_COMPILER_ID:GNU>:-fno-gcse-after-reload>)
set(SLIMBAND_PORTABLE_FLAGS $<$<C_COMPILER_ID:GNU>:-fno-gcse>)
set(SLIMBAND_LONG_FLAGS $<$<C_COMPILER_ID:GNU>:-fno-gcse>)

# Host code between kernels gets the usual warnings, but no pedantry about what nvcc generates. Device code is packed for size: the
# library is a third as large; drivers unpack it since CUDA 12.4's. Strict builds, which no GPU runs in CI, show that every source
# compiles for every architecture in a third of the time: nvcc leaves out what takes it long (it can since 13.0), and packs less.
set(SLIMBAND_NVCC_STRICT -Werror=all-warnings $<$<VERSION_GREATER_EQUAL:$<CUDA_COMPILER_VERSION>,13.0>:--Ofast-compile=mid>)
set(SLIMBAND_NVCC_FLAGS --threads=0 -Xcompiler=-Wall,-Wextra,-Wno-unknown-pragmas
    $<IF:$<BOOL:${SLIMBAND_STRICT}>,--compress-mode=default;${SLIMBAND_NVCC_STRICT},--compress-mode=size>)
