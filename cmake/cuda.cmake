# Sets SLIMBAND_HAS_CUDA, and what code nvcc makes of a source: for Ampere, Hopper and Blackwell, and PTX for what comes
# after. A third of its time and more goes into PTX, so Hopper's code and Blackwell's is made of Ampere's, or, in sources that use
# what Hopper added (SLIMBAND_NVCC_HOPPER), Blackwell's of Hopper's, since no kernel asks for what came after it. Set
# CMAKE_CUDA_ARCHITECTURES to build for one device only.
set(SLIMBAND_HAS_CUDA OFF)
if(SLIMBAND_CUDA)
  set(SLIMBAND_NVCC_ANY "")
  set(SLIMBAND_NVCC_HOPPER -DSB_FOR_HOPPER)
  if(NOT CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES OFF)
    set(SLIMBAND_NVCC_ANY --generate-code=arch=compute_80,code=[sm_80,sm_90,sm_100,compute_80])
    list(APPEND SLIMBAND_NVCC_HOPPER --generate-code=arch=compute_80,code=[sm_80]
         --generate-code=arch=compute_90,code=[sm_90,sm_100,compute_90])
  endif()
  include(CheckLanguage)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    enable_language(CUDA)
    find_package(CUDAToolkit REQUIRED)
    set(CMAKE_CUDA_STANDARD 17)
    set(CMAKE_CUDA_STANDARD_REQUIRED ON)
    set(CMAKE_CUDA_VISIBILITY_PRESET hidden)
    set(SLIMBAND_HAS_CUDA ON)
    # For programs that link the static library without CMake.
    set(SLIMBAND_CUDA_LIBS "-L${CUDAToolkit_LIBRARY_DIR} -lcudart_static -lstdc++ -ldl -lrt -lpthread")
  elseif(NOT SLIMBAND_CUDA STREQUAL "AUTO")
    message(FATAL_ERROR "SLIMBAND_CUDA is ON, but no nvcc that works was found")
  endif()
endif()
