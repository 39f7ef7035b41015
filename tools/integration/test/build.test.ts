/** The output of `sconv build`, linked into a C program, built and run. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { integerData, referenceConvolution } from '@sconv/interpreter';
import { findToolchain } from '@sconv/native';
import { afterAll, describe, expect, it } from 'vitest';

const toolchain = await findToolchain();
const folder = mkdtempSync(join(tmpdir(), 'sconv-build-'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});
const file = (name: string): string => join(folder, name);
const command = fileURLToPath(new URL('../../../packages/sconv/bin/sconv.js', import.meta.url));
const environment = { ...process.env, XDG_CACHE_HOME: file('cache') };

const build = (...words: readonly string[]): string =>
  execFileSync(process.execPath, [command, 'build', file('conv.mlir'), ...words], {
    encoding: 'utf8',
    env: environment,
    cwd: folder,
    stdio: 'pipe',
  });

const run = (program: string, ...words: readonly string[]): string =>
  execFileSync(program, [...words], { encoding: 'utf8', cwd: folder, stdio: 'pipe' });

const shape = {
  batch: 1,
  inputChannels: 3,
  inputHeight: 9,
  inputWidth: 9,
  filters: 5,
  filterHeight: 3,
  filterWidth: 3,
};

writeFileSync(
  file('conv.mlir'),
  `func.func @conv(%in: tensor<1x3x9x9xf32>, %filters: tensor<5x3x3x3xf32>, %out: tensor<1x5x7x7xf32>) -> tensor<1x5x7x7xf32> {
  %0 = linalg.conv_2d_nchw_fchw ins(%in, %filters : tensor<1x3x9x9xf32>, tensor<5x3x3x3xf32>)
    outs(%out : tensor<1x5x7x7xf32>) -> tensor<1x5x7x7xf32>
  return %0 : tensor<1x5x7x7xf32>
}
`,
);

const [input, filters] = [integerData(243, 1), integerData(135, 2)];
const list = (values: Float32Array): string => [...values].join(', ');

/** Calls it three times: without memory for packed filters, with memory to be filled, and with its contents reused. */
writeFileSync(
  file('main.c'),
  `#include <stdio.h>
#include "conv.h"
static const float input[] = { ${list(input)} }, filters[] = { ${list(filters)} };
static int8_t kept[sconv_conv_kept1_bytes] __attribute__((aligned(64)));
int main(void) {
  for (int state = 0; state < 3; state++) {
    float output[245] = { 0 };
    int32_t places[1] = { 9 };
    sconv_conv(input, filters, output, 0, 0, 0, state == 0 ? 0 : kept, state, places);
    if (places[0] != 2) return 1;
    for (int i = 0; i < 245; i++) printf("%g ", output[i]);
  }
}
`,
);

const expected = [...referenceConvolution(shape, input, filters, new Float32Array(245))];

/** The numbers that a program prints, per call. */
const printed = (program: string): readonly (readonly number[])[] => {
  const numbers = run(program).trim().split(' ').map(Number);
  return [0, 1, 2].map((call) => numbers.slice(245 * call, 245 * (call + 1)));
};

describe.skipIf(!('paths' in toolchain))('a C program', () => {
  const {
    clang,
    'mlir-opt': mlirOpt,
    'mlir-translate': mlirTranslate,
  } = 'paths' in toolchain ? toolchain.paths : { clang: '', 'mlir-opt': '', 'mlir-translate': '' };
  const linked = (...words: readonly string[]): string => {
    run(
      clang,
      '-O2',
      '-Wall',
      '-Werror',
      '-Wno-override-module',
      // clang 19's own complaint about -march=native on processors with AVX10.
      '-Wno-invalid-feature-combination',
      'main.c',
      ...words,
      '-lm',
      '-o',
      'program',
    );
    return file('program');
  };
  const implementation = '-DSCONV_IMPLEMENTATION';
  writeFileSync(file('conv.h'), build('--emit', 'header'));

  it('is linked with a shared library', () => {
    build();
    expect(printed(linked('conv.so', `-Wl,-rpath,${folder}`))).toEqual([expected, expected, expected]);
  });

  it('is linked with an object', () => {
    build('--emit', 'obj', '-o', file('code.o'));
    expect(printed(linked('code.o'))).toEqual([expected, expected, expected]);
  });

  it('is linked with LLVM IR', () => {
    writeFileSync(file('code.ll'), build('--emit', 'llvm-ir'));
    expect(printed(linked('code.ll', '-march=native', implementation))).toEqual([
      expected,
      expected,
      expected,
    ]);
  });

  it('is linked with MLIR, by the conversions that it names', () => {
    build('--emit', 'mlir', '-o', file('code.mlir'));
    const pipeline = /--pass-pipeline='([^']*)'/.exec(readFileSync(file('code.mlir'), 'utf8'))![1]!;
    run(mlirOpt, 'code.mlir', `--pass-pipeline=${pipeline}`, '-o', 'llvm.mlir');
    run(mlirTranslate, '--mlir-to-llvmir', 'llvm.mlir', '-o', 'from-mlir.ll');
    expect(printed(linked('from-mlir.ll', '-march=native', implementation))).toEqual([
      expected,
      expected,
      expected,
    ]);
  });
});

describe.skipIf(!('paths' in toolchain))('code', () => {
  it.each(['', 'relative'])('is cached at home where XDG_CACHE_HOME is %j', (named) => {
    const home = file(`home-${named}`);
    mkdirSync(home);
    const env = { ...environment, HOME: home, XDG_CACHE_HOME: named };
    execFileSync(process.execPath, [command, 'build', file('conv.mlir')], { cwd: home, env });
    expect(readdirSync(home).sort()).toEqual(['.cache', 'conv.so']);
  });
});
