import { describe, expect, it } from 'vitest';
import { bufferizeModule } from '@sconv/bufferization';
import { unwrap } from '@sconv/diagnostics';
import { interpret, memref } from '@sconv/interpreter';
import { printModule } from '@sconv/ir';
import type { Module } from '@sconv/ir';
import { emitModule, instantiate } from '@sconv/wasm';
import type { Case, ConvolutionShape } from './support/convolutions.ts';
import { cases, listing1, outputOf } from './support/convolutions.ts';
import { hasMlirOpt, mlirOpt } from './support/mlir-opt.ts';
import { registry } from './support/registry.ts';
import type { Data } from './support/stages.ts';
import { dataOf, firstMismatch, stagesOfCase } from './support/stages.ts';
import { isThorough } from './support/thorough.ts';

/** Each geometry under one schedule; thoroughly, under both. */
const some = cases.filter((_, i) => isThorough || i % 2 === Math.floor(i / 2) % 2);

const bufferized = (each: Case): Module =>
  unwrap(bufferizeModule(stagesOfCase(each).at(-1)!.module, { registry }));

/** The interpreter's final contents of the output buffer. */
const interpretOnBuffers = (module: Module, shape: ConvolutionShape, data: Data): Float32Array => {
  const { batch, inputChannels, inputHeight, inputWidth, filters, filterHeight, filterWidth } = shape;
  const output = data.initial.slice();
  unwrap(
    interpret(module, 'conv', [
      memref([batch, inputChannels, inputHeight, inputWidth], data.input),
      memref([filters, inputChannels, filterHeight, filterWidth], data.filters),
      memref([batch, filters, ...outputOf(shape)], output),
    ]),
  );
  return output;
};

const runOnWasm = (module: Module, data: Data): Float32Array => {
  const output = data.initial.slice();
  instantiate(unwrap(emitModule(module, { registry }))).run('conv', data.input, data.filters, output);
  return output;
};

describe('bufferized', () => {
  it.each(some)('$name', (each) => {
    const data = dataOf(each.shape);
    const actual = interpretOnBuffers(bufferized(each), each.shape, data);
    expect(firstMismatch(actual, data.expected)).toBeUndefined();
  });

  it.skipIf(!hasMlirOpt)('is what mlir-opt-19 reads, verifies and prints', () => {
    const printed = [...cases, ...listing1].map((each) => printModule(bufferized(each), { registry }).trim());
    expect(mlirOpt(printed).map((text) => text.trim())).toEqual(printed);
  });
});

describe('on wasm', () => {
  it.each([...cases, ...listing1])('$name', (each) => {
    const data = dataOf(each.shape);
    expect(firstMismatch(runOnWasm(bufferized(each), data), data.expected)).toBeUndefined();
  });
});
