#!/bin/sh
# Installs what runs code of other processors, from Debian's packages: qemu for programs of Linux, the C libraries and linkers that
# static programs for POWER and Arm take, and Bochs for AVX-512; LLVM 19 is tools/setup-llvm.sh's. May be run again; does nothing where all is there. Needs
# apt-get and root. Exits with 3 where it cannot be done.
set -eu

have() { command -v "$1" >/dev/null 2>&1; }
there() { for file; do [ -e "$file" ] && return 0; done; return 1; }

packages=''
have qemu-ppc64le && have qemu-aarch64 || packages='qemu-user'
there /usr/powerpc64le-linux-gnu/lib/libc.a || packages="$packages libc6-dev-ppc64el-cross gcc-12-powerpc64le-linux-gnu"
there /usr/aarch64-linux-gnu/lib/libc.a || packages="$packages libc6-dev-arm64-cross gcc-12-aarch64-linux-gnu"
have bochs || packages="$packages bochs bochs-term vgabios"
if [ -z "$packages" ]; then
  echo "qemu and Bochs are installed: qemu $(qemu-ppc64le --version | sed -n 's/.*version /version /p')"
  exit 0
fi
if ! have apt-get || [ "$(id -u)" -ne 0 ]; then
  echo 'qemu, what it runs, or Bochs is not installed, and it takes root and apt-get to install it.' >&2
  exit 3
fi
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq || { echo 'apt-get cannot reach its sources.' >&2; exit 3; }
# shellcheck disable=SC2086 # a list of names
if ! apt-cache show $packages >/dev/null 2>&1; then
  echo "The sources of apt-get have not all of: $packages" >&2
  exit 3
fi
# shellcheck disable=SC2086
apt-get install -qq -y --no-install-recommends $packages >/dev/null
qemu-ppc64le --version | head -n 1
