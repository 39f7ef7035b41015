/** Runs commands in this process, and creates files for them. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { Console } from '../../src/console.ts';

export interface Captured {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

type Main = (words: readonly string[], output: Console) => Promise<number>;

/** Runs a command; returns its exit code and output. */
export const capture = async (main: Main, ...words: readonly string[]): Promise<Captured> => {
  let [out, err] = ['', ''];
  const code = await main(words, {
    out: (text) => (out += text),
    err: (text) => (err += text),
    isTerminal: false,
  });
  return { code, out, err };
};

/** A folder that is removed after the test. */
export const temporaryFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'sconv-test-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  return folder;
};

/** A file with this content; returns its path. */
export const fileWith = (content: string | Uint8Array, name = 'input.mlir'): string => {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, content);
  return path;
};

/** A file of the repository's examples. */
export const example = (name: string): string =>
  fileURLToPath(new URL(`../../../../examples/${name}`, import.meta.url));

/** A payload of one convolution; sizes may be `?`. */
export const payload = (
  input = '1x3x9x9',
  filters = '5x3x3x3',
  output = '1x5x7x7',
  element = 'f32',
): string => {
  const [i, f, o] = [input, filters, output].map((sizes) => `tensor<${sizes}x${element}>`);
  return `func.func @conv(%in: ${i}, %filters: ${f}, %out: ${o}) -> ${o} {
  %0 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%in, %filters : ${i}, ${f}) outs(%out : ${o}) -> ${o}
  return %0 : ${o}
}
`;
};

/** A payload that divides by zero if it is called again with what it has written. */
export const failsLater = `func.func @f(%m: memref<1xi32>) -> i32 {
  %i = arith.constant 0 : index
  %c1 = arith.constant 1 : i32
  %c9 = arith.constant 9 : i32
  %old = memref.load %m[%i] : memref<1xi32>
  %isNine = arith.cmpi eq, %old, %c9 : i32
  memref.store %c9, %m[%i] : memref<1xi32>
  %c0 = arith.constant 0 : i32
  %d = arith.select %isNine, %c0, %c1 : i32
  %r = arith.divsi %c1, %d : i32
  return %r : i32
}
`;

/** A schedule that slices every convolution, with these attributes. */
export const slicing = (
  attributes = 'mk_info = [4, 2]',
): string => `module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %convs = transform.structured.match ops{["linalg.conv_2d_nchw_fchw"]} in %root
      : (!transform.any_op) -> !transform.op<"linalg.conv_2d_nchw_fchw">
    %kernels, %loops = transform.structured.sconv %convs {${attributes}}
      : (!transform.op<"linalg.conv_2d_nchw_fchw">) -> (!transform.op<"linalg.generic">, !transform.any_op)
    transform.yield
  }
}
`;
