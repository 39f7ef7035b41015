#!/bin/sh
# Installs what the checks against LLVM 19 need, from Debian's packages: mlir-opt-19, mlir-translate-19 and clang-19, and
# OpenBLAS, whose kernels code for them calls; without it only the tests of these kernels are skipped.
# May be run again; does nothing where they are there. Needs apt-get and root. Exits with 3 where LLVM 19 is not there
# and cannot be installed.
set -eu

have() { command -v "$1" >/dev/null 2>&1; }

have_llvm() { have mlir-opt-19 && have mlir-translate-19 && have clang-19; }

have_openblas() { ls /usr/lib/*/libopenblas.so.0 >/dev/null 2>&1; }

# Installs packages; sets `why` where that cannot be done.
install() {
  why="apt-get cannot install $*"
  if ! have apt-get || [ "$(id -u)" -ne 0 ]; then why='it takes root and apt-get to install it'; return 1; fi
  export DEBIAN_FRONTEND=noninteractive
  if ! apt-get update -qq; then why='apt-get cannot reach its sources'; return 1; fi
  for package; do
    if ! apt-cache show "$package" >/dev/null 2>&1; then why="the sources of apt-get have no $package"; return 1; fi
  done
  apt-get install -qq -y --no-install-recommends "$@" >/dev/null
}

if ! have_llvm && ! install mlir-19-tools clang-19; then
  echo "LLVM 19 (Debian 13, or 12 with backports) is not installed: $why." >&2
  exit 3
fi
echo "LLVM 19 is installed: $(mlir-opt-19 --version | sed -n 's/.*version /version /p' | head -n 1)"
if ! have_openblas && ! install libopenblas0; then
  echo "OpenBLAS is not installed, so the tests that call it are skipped: $why." >&2
fi
