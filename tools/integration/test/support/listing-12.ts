/** ST's Native Lowering (Listing 12), and programs that run its output with the OpenBLAS kernels. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { arch } from 'node:os';
import { join } from 'node:path';
import type { ConvolutionShape } from './convolutions.ts';
import { outputOf } from './convolutions.ts';

/** ST Listing 12 as printed, with x86 for `<target arch>`. */
export const listing12: readonly string[] = [
  '--one-shot-bufferize=bufferize-function-boundaries',
  '--convert-linalg-to-affine-loops',
  ...['--canonicalize', '--cse'],
  '--convert-vector-to-llvm=enable-x86vector',
  '--expand-strided-metadata',
  '--lower-affine',
  '--convert-scf-to-cf',
  '--normalize-memrefs',
  '--memref-expand',
  '--finalize-memref-to-llvm',
  '--lower-affine',
  '--convert-func-to-llvm',
  '--convert-arith-to-llvm',
  '--convert-cf-to-llvm',
  ...['--canonicalize', '--cse', '--symbol-dce'],
  '--llvm-legalize-for-export',
];

/** OpenBLAS cores by the features that they require. */
const features: Readonly<Record<string, readonly string[]>> = {
  SANDYBRIDGE: ['avx'],
  HASWELL: ['avx2', 'fma'],
  ZEN: ['avx2', 'fma'],
  SKYLAKEX: ['avx512f', 'avx512dq', 'avx512bw', 'avx512vl'],
};

const has = (() => {
  try {
    const text = readFileSync('/proc/cpuinfo', 'utf8');
    const flags = new Set((/^flags\s*:(.*)$/m.exec(text)?.[1] ?? '').split(/\s+/));
    return (feature: string) => arch() === 'x64' && flags.has(feature);
  } catch {
    return () => false;
  }
})();

export const runsCore = (core: string): boolean => (features[core] ?? []).every(has);

const library = '-l:libopenblas.so.0';

/** Whether LLVM's tools and OpenBLAS are installed; otherwise tests that need them are listed as skipped. */
export const hasOpenblas: boolean =
  ['mlir-opt-19', 'mlir-translate-19', 'clang-19'].every(
    (tool) => spawnSync(tool, ['--version']).status === 0,
  ) &&
  spawnSync('clang-19', ['-x', 'c', '-', library, '-o', '/dev/null'], {
    input: 'char *openblas_get_corename(void); int main(void) { return openblas_get_corename() == 0; }',
  }).status === 0;

const run = (tool: string, words: readonly string[], input?: string): void => {
  const { status, stderr, signal } = spawnSync(tool, words, { input, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (status !== 0) throw new Error(`${tool} ends with ${status ?? signal}: ${stderr.slice(0, 4000)}`);
};

/** A function of upstream's runner library: copies between buffers of any layout. */
const memrefCopy = `
struct unranked { int64_t rank; void *descriptor; };
struct buffer { char *allocated, *aligned; int64_t offset, sizes_and_strides[]; };
static void copy(const int64_t *sizes, const int64_t *from, const int64_t *to, int64_t rank, int64_t bytes, char *source, char *target) {
  if (rank == 0) { memcpy(target, source, bytes); return; }
  for (int64_t i = 0; i < sizes[0]; i++)
    copy(sizes + 1, from + 1, to + 1, rank - 1, bytes, source + i * from[0] * bytes, target + i * to[0] * bytes);
}
void memrefCopy(int64_t bytes, struct unranked *source, struct unranked *target) {
  struct buffer *a = source->descriptor, *b = target->descriptor;
  int64_t rank = source->rank;
  copy(a->sizes_and_strides, a->sizes_and_strides + rank, b->sizes_and_strides + rank, rank, bytes,
    a->aligned + a->offset * bytes, b->aligned + b->offset * bytes);
}`;

/** A convolution function called through its C interface. */
export interface ConvolutionFunction {
  readonly name: string;
  readonly shape: ConvolutionShape;
}

const shapesOf = (shape: ConvolutionShape): readonly (readonly number[])[] => {
  const { batch, inputChannels, inputHeight, inputWidth, filters, filterHeight, filterWidth } = shape;
  return [
    [batch, inputChannels, inputHeight, inputWidth],
    [filters, inputChannels, filterHeight, filterWidth],
    [batch, filters, ...outputOf(shape)],
  ];
};

const product = (sizes: readonly number[]): number => sizes.reduce((all, size) => all * size, 1);

/** A program that reads three operands from its input and writes the result of the function with the given number. */
const driver = (functions: readonly ConvolutionFunction[]): string => {
  const cases = functions.map(({ name, shape }, i) => {
    const buffers = shapesOf(shape).map((sizes, k) => {
      const strides = sizes.map((_, at) => product(sizes.slice(at + 1)));
      return `struct buffer4 b${k} = { take(${product(sizes)}), 0, 0, { ${sizes.join(', ')} }, { ${strides.join(', ')} } }; b${k}.aligned = b${k}.allocated;`;
    });
    return `  case ${i}: { ${buffers.join(' ')} struct buffer4 result; _mlir_ciface_${name}(&result, &b0, &b1, &b2); give(result.aligned + result.offset, ${product(shapesOf(shape)[2]!)}); return 0; }`;
  });
  return `#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct buffer4 { float *allocated, *aligned; int64_t offset, sizes[4], strides[4]; };
${functions.map(({ name }) => `void _mlir_ciface_${name}(struct buffer4 *, struct buffer4 *, struct buffer4 *, struct buffer4 *);`).join('\n')}
${memrefCopy}
static float *take(int64_t count) {
  float *data = aligned_alloc(64, (count * sizeof(float) + 63) / 64 * 64);
  if (fread(data, sizeof(float), count, stdin) != (size_t)count) exit(2);
  return data;
}
static void give(const float *data, int64_t count) { fwrite(data, sizeof(float), count, stdout); }
int main(int count, char **words) {
  switch (count > 1 ? atoi(words[1]) : -1) {
${cases.join('\n')}
  }
  return 3;
}
`;
};

/** Builds a program from functions in the LLVM dialect and OpenBLAS; returns its path. */
export const buildProgram = (
  folder: string,
  llvm: string,
  functions: readonly ConvolutionFunction[],
): string => {
  const file = (name: string): string => join(folder, name);
  writeFileSync(file('driver.c'), driver(functions));
  run('mlir-translate-19', ['--mlir-to-llvmir', '-', '-o', file('code.ll')], llvm);
  run('clang-19', [
    ...['-O2', '-Wno-override-module', file('code.ll'), file('driver.c')],
    ...[library, '-lm', '-o', file('program')],
  ]);
  return file('program');
};

/** The output of a program from `buildProgram` for a function. */
export const runProgram = (program: string, position: number, operands: readonly Float32Array[]): Buffer => {
  const input = Buffer.concat(
    operands.map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength)),
  );
  const { status, signal, stdout } = spawnSync(program, [String(position)], { input, maxBuffer: 1 << 28 });
  if (status !== 0) throw new Error(`the program ends with ${status ?? signal}`);
  return stdout;
};
