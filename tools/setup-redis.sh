#!/bin/sh
# Installs what the tests of packages/tuning-bullmq start: redis-server, from Debian's packages, without its service.
# May be run again; does nothing where it is there. Needs apt-get and root. Exits with 3 where it cannot be done.
set -eu

if command -v redis-server >/dev/null 2>&1; then
  echo "Redis is installed: $(redis-server --version)"
  exit 0
fi
if ! command -v apt-get >/dev/null 2>&1 || [ "$(id -u)" -ne 0 ]; then
  echo 'Redis is not installed, and it takes root and apt-get to install it.' >&2
  exit 3
fi
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq || { echo 'apt-get cannot reach its sources.' >&2; exit 3; }
# The service would listen on this machine for nobody.
if [ ! -e /etc/systemd/system/redis-server.service ]; then
  mkdir -p /etc/systemd/system
  ln -s /dev/null /etc/systemd/system/redis-server.service
fi
apt-get install -qq -y --no-install-recommends redis-server >/dev/null
redis-server --version
