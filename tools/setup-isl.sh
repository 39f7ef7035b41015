#!/bin/sh
# Installs isl, which the sets of @sconv/presburger are compared with, from Debian's packages: its headers, and a C compiler.
# May be run again; does nothing where they are there. Needs apt-get and root. Exits with 3 where isl is not there and
# cannot be installed.
set -eu

have_isl() { echo '#include <isl/set.h>' | cc -E -x c - >/dev/null 2>&1; }

if have_isl; then echo 'isl is installed.'; exit 0; fi
why='it takes root and apt-get to install it'
if command -v apt-get >/dev/null 2>&1 && [ "$(id -u)" -eq 0 ]; then
  why='apt-get cannot install libisl-dev and gcc'
  export DEBIAN_FRONTEND=noninteractive
  if apt-get update -qq && apt-get install -qq -y --no-install-recommends libisl-dev gcc libc6-dev >/dev/null; then
    echo 'isl is installed.'
    exit 0
  fi
fi
echo "isl is not installed: $why." >&2
exit 3
