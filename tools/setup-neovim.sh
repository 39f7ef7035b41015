#!/bin/sh
# Installs the editor that the check of the language server starts, from Debian's packages: neovim. May be run again;
# does nothing where it is there. Needs apt-get and root. Exits with 3 where it cannot be done.
set -eu

if command -v nvim >/dev/null 2>&1; then
  echo "Neovim is installed: $(nvim --version | head -n 1)"
  exit 0
fi
if ! command -v apt-get >/dev/null 2>&1 || [ "$(id -u)" -ne 0 ]; then
  echo 'Neovim is not installed, and it takes root and apt-get to install it.' >&2
  exit 3
fi
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq || { echo 'apt-get cannot reach its sources.' >&2; exit 3; }
if ! apt-cache show neovim >/dev/null 2>&1; then
  echo 'The sources of apt-get have no neovim.' >&2
  exit 3
fi
apt-get install -qq -y --no-install-recommends neovim >/dev/null
nvim --version | head -n 1
