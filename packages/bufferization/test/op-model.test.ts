import { render, unwrap } from '@sconv/diagnostics';
import { payloadDialects } from '@sconv/dialects';
import {
  anyTensor,
  anyType,
  attach,
  createRegistry,
  defineOp,
  one,
  parseModule,
  printModule,
  variadic,
  verify,
} from '@sconv/ir';
import { describe, expect, it } from 'vitest';
import type { BufferizeOptions, OpModel } from '../src/index.ts';
import { bufferizable, bufferizationInterfaces, bufferizeModule, viewOf } from '../src/index.ts';

const double = defineOp({
  name: 'own.double',
  summary: 'doubles a tensor in its place',
  operands: { input: one(anyType) },
  results: { result: variadic(anyTensor) },
});
const view = defineOp({
  name: 'own.view',
  summary: 'the same elements',
  operands: { input: one(anyType) },
  results: { result: one(anyType) },
});

const doubleModel: OpModel = {
  reads: () => true,
  writes: () => true,
  aliases: ({ operation }) => [{ value: operation.results[0]!, relation: 'same' }],
  bufferize: (operation, bufferizer) => {
    const operands = operation.operands.map((value) => bufferizer.buffer(value));
    const onBuffers = bufferizer.createLike(operation, { operands });
    bufferizer.replace(operation, [operands[0]!], [onBuffers]);
  },
};
const viewModel: OpModel = {
  ...viewOf('same'),
  bufferize: (operation, bufferizer) => {
    const operands = operation.operands.map((value) => bufferizer.buffer(value));
    const resultTypes = operands.map(({ type }) => type);
    const onBuffers = bufferizer.createLike(operation, { operands, resultTypes });
    bufferizer.replace(operation, onBuffers.results, [onBuffers]);
  },
};

const registry = createRegistry(
  [...payloadDialects, { name: 'own', operations: [double, view] }],
  [
    ...bufferizationInterfaces,
    attach(bufferizable, double.name, doubleModel),
    attach(bufferizable, view.name, viewModel),
  ],
);

/** The operations of a function with this body on `%t`, without the function. */
const bufferized = (body: string, options: BufferizeOptions): readonly string[] => {
  const text = `func.func @f(%t: tensor<4xf32>, %i: index) -> (tensor<4xf32>, f32) {\n${body}\n}`;
  const result = bufferizeModule(unwrap(parseModule(text, { registry })), {
    registry,
    bufferizeFunctionBoundaries: true,
    functionBoundaryTypeConversion: 'identity-layout-map',
    ...options,
  });
  const module = unwrap(result);
  expect(verify(module, registry).map((problem) => render(problem))).toEqual([]);
  return printModule(module, { registry })
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => !/^(module \{|func.func|\}|return|$)/.test(line));
};

describe.each([
  ['sound', { decisions: 'sound', dropEquivalentBufferResults: false }],
  ['upstream', { decisions: 'upstream' }],
] as const)('one model serves %s decisions', (_, options) => {
  it.each([
    [
      'in place',
      `%e = tensor.extract %t[%i] : tensor<4xf32>
      %0 = "own.double"(%t) : (tensor<4xf32>) -> tensor<4xf32>
      return %0, %e : tensor<4xf32>, f32`,
      ['%0 = memref.load %arg0[%arg1] : memref<4xf32>', '"own.double"(%arg0) : (memref<4xf32>) -> ()'],
    ],
    [
      'in a copy if the old value is read later',
      `%0 = "own.double"(%t) : (tensor<4xf32>) -> tensor<4xf32>
      %e = tensor.extract %t[%i] : tensor<4xf32>
      return %0, %e : tensor<4xf32>, f32`,
      [
        '%alloc = memref.alloc() {alignment = 64 : i64} : memref<4xf32>',
        'memref.copy %arg0, %alloc : memref<4xf32> to memref<4xf32>',
        '"own.double"(%alloc) : (memref<4xf32>) -> ()',
        '%0 = memref.load %arg0[%arg1] : memref<4xf32>',
      ],
    ],
    [
      'in place, and what is read later is a copy of the view',
      `%v = "own.view"(%t) : (tensor<4xf32>) -> tensor<4xf32>
      %0 = "own.double"(%t) : (tensor<4xf32>) -> tensor<4xf32>
      %e = tensor.extract %v[%i] : tensor<4xf32>
      return %0, %e : tensor<4xf32>, f32`,
      [
        '%0 = "own.view"(%arg0) : (memref<4xf32>) -> memref<4xf32>',
        '%alloc = memref.alloc() {alignment = 64 : i64} : memref<4xf32>',
        'memref.copy %0, %alloc : memref<4xf32> to memref<4xf32>',
        '"own.double"(%arg0) : (memref<4xf32>) -> ()',
        '%1 = memref.load %alloc[%arg1] : memref<4xf32>',
      ],
    ],
  ])('%s', (_name, body, expected) => {
    expect(bufferized(body, options)).toEqual(expected);
  });

  it('copies with the op that the options name', () => {
    const body = `%0 = "own.double"(%t) : (tensor<4xf32>) -> tensor<4xf32>
      %e = tensor.extract %t[%i] : tensor<4xf32>
      return %0, %e : tensor<4xf32>, f32`;
    expect(bufferized(body, { ...options, memcpyOp: 'linalg.copy' })).toContain(
      'linalg.copy ins(%arg0 : memref<4xf32>) outs(%alloc : memref<4xf32>)',
    );
  });
});
