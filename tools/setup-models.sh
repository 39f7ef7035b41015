#!/bin/sh
# Installs the node cases of the ONNX standard, which packages/onnx/test/node-cases.test.ts runs. Debian, as root.
set -eu
apt-get install -y --no-install-recommends libonnx-testdata
