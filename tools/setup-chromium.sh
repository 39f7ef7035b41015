#!/bin/sh
# Installs what the checks of pages need, from Debian's packages: chromium. May be run again; does nothing where it is there.
# Needs apt-get and root. Exits with 3 where it cannot be done.
set -eu

if [ -x /usr/bin/chromium ]; then
  echo "Chromium is installed: $(/usr/bin/chromium --version)"
  exit 0
fi
if ! command -v apt-get >/dev/null 2>&1 || [ "$(id -u)" -ne 0 ]; then
  echo 'Chromium is not installed, and it takes root and apt-get to install it.' >&2
  exit 3
fi
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq || { echo 'apt-get cannot reach its sources.' >&2; exit 3; }
if ! apt-cache show chromium >/dev/null 2>&1; then
  echo 'The sources of apt-get have no chromium.' >&2
  exit 3
fi
apt-get install -qq -y --no-install-recommends chromium >/dev/null
/usr/bin/chromium --version
