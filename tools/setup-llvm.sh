#!/bin/sh
# Installs what the checks against LLVM 19 need, from Debian's packages: mlir-opt-19, mlir-translate-19 and clang-19, and
# OpenBLAS, whose kernels code for them calls.
# May be run again; does nothing where they are there. Needs apt-get and root. Exits with 3 where it cannot be done.
set -eu

have() { command -v "$1" >/dev/null 2>&1; }

have_openblas() { ls /usr/lib/*/libopenblas.so.0 >/dev/null 2>&1; }

if have mlir-opt-19 && have clang-19 && have_openblas; then
  echo "LLVM 19 is installed: $(mlir-opt-19 --version | sed -n 's/.*version /version /p' | head -n 1)"
  exit 0
fi
if ! have apt-get || [ "$(id -u)" -ne 0 ]; then
  echo 'LLVM 19 is not installed, and it takes root and apt-get to install it.' >&2
  exit 3
fi
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq || { echo 'apt-get cannot reach its sources.' >&2; exit 3; }
if ! apt-cache show mlir-19-tools clang-19 >/dev/null 2>&1; then
  echo 'The sources of apt-get have no LLVM 19 (Debian 13, or 12 with backports).' >&2
  exit 3
fi
apt-get install -qq -y --no-install-recommends mlir-19-tools clang-19 libopenblas0 >/dev/null
mlir-opt-19 --version | head -n 3
