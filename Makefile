# Thin over CMakePresets.json, which is the build system: each target names a preset and a tool.
PREFIX ?= /usr/local
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
# The build runs its own make: without ours, it takes its own number of jobs.
CMAKE := env -u MAKEFLAGS -u MAKELEVEL cmake

.PHONY: all check check-aarch64 demo install format clean

# build/slimband, build/libslimband.so, build/libslimband.a; only says what is missing
all:
	@tools/install-dependencies --dry-run build
	$(CMAKE) --preset release
	$(CMAKE) --build --preset release -j $(JOBS)

# Tests that fail are shown in full; the closing lines are ctest's summary.
check:
	@tools/install-dependencies check
	$(CMAKE) --preset check
	$(CMAKE) --build --preset check -j $(JOBS)
	ctest --preset check -j 2

# NEON's kernels under qemu, in build/aarch64; says so and does nothing where the tools are missing
check-aarch64:
	@JOBS=$(JOBS) tools/check-aarch64

demo:
	@tools/install-dependencies build
	$(CMAKE) --preset release
	$(CMAKE) --build --preset release -j $(JOBS)
	@examples/demo.sh

install: all
	$(CMAKE) --install build --prefix $(abspath $(PREFIX))

format:
	@tools/format

clean:
	rm -rf build
