#!/bin/sh
# Makes the code of packages/onnx/onnx.proto. Needs protoc (Debian: protobuf-compiler) and npm.
set -eu
cd "$(dirname "$0")/../packages/onnx"
generator=$(mktemp -d)
trap 'rm -rf "$generator"' EXIT
npm install --silent --no-save --prefix "$generator" @bufbuild/protoc-gen-es@2.13.0
protoc --plugin="$generator/node_modules/.bin/protoc-gen-es" --es_out=src/generated \
  --es_opt=target=ts,import_extension=ts onnx.proto
# The descriptor in lines of bearable length.
node -e "
  const fs = require('node:fs');
  const file = 'src/generated/onnx_pb.ts';
  const lines = (text) => text.match(/.{1,100}/g).map((line) => \"    '\" + line + \"'\").join(' +\n');
  const split = (text) => text.replace(/fileDesc\(\s*[\"']([^\"']+)[\"']/, (_, bytes) => 'fileDesc(\n' + lines(bytes));
  fs.writeFileSync(file, split(fs.readFileSync(file, 'utf8')));
"
npx prettier --write src/generated/onnx_pb.ts
