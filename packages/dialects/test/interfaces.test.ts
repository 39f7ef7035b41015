import { describe, expect, it } from 'vitest';
import { unwrap } from '@sconv/diagnostics';
import { effectsOf, modelOf, walk } from '@sconv/ir';
import type { Operation } from '@sconv/ir';
import { loopLike, viewLike } from '../src/index.ts';
import { inFunction, parse, registry } from './support.ts';

/** The last op of this name in a function of buffers and tensors. */
const find = (lines: string, name: string): Operation => {
  const text = inFunction(
    '%m: memref<4x8xf32>, %n: memref<4x8xf32>, %t: tensor<4x8xf32>, %i: index, %x: f32, %v: vector<8xf32>, %bytes: memref<128xi8>, %shape: memref<2xindex>',
    lines,
  );
  return [...walk(unwrap(parse(text)).root)].findLast((operation) => operation.name === name)!;
};
/** `read %m`, with the operands in the order of the op. */
const effects = (lines: string, name: string): readonly string[] | undefined => {
  const operation = find(lines, name);
  const place = (id: number | undefined): string => {
    const operand = operation.operands.findIndex((value) => value.id === id);
    return operand >= 0
      ? `operand ${operand}`
      : `result ${operation.results.findIndex((value) => value.id === id)}`;
  };
  return effectsOf(registry, operation)?.map(({ kind, value }) => `${kind} ${place(value?.id)}`);
};

describe('memory effects', () => {
  it.each<[name: string, lines: string, expected: readonly string[] | undefined]>([
    ['memref.load', '%0 = memref.load %m[%i, %i] : memref<4x8xf32>', ['read operand 0']],
    ['memref.store', 'memref.store %x, %m[%i, %i] : memref<4x8xf32>', ['write operand 1']],
    [
      'memref.copy',
      'memref.copy %m, %n : memref<4x8xf32> to memref<4x8xf32>',
      ['read operand 0', 'write operand 1'],
    ],
    ['memref.alloc', '%0 = memref.alloc() : memref<4xf32>', ['allocate result 0']],
    ['memref.alloca', '%0 = memref.alloca() : memref<4xf32>', ['allocate result 0']],
    ['memref.dealloc', 'memref.dealloc %m : memref<4x8xf32>', ['free operand 0']],
    [
      'memref.atomic_rmw',
      '%0 = memref.atomic_rmw addf %x, %m[%i, %i] : (f32, memref<4x8xf32>) -> f32',
      ['read operand 1', 'write operand 1'],
    ],
    [
      'memref.generic_atomic_rmw',
      '%0 = memref.generic_atomic_rmw %m[%i, %i] : memref<4x8xf32> {\n^bb0(%old: f32):\n memref.atomic_yield %old : f32\n}',
      ['read operand 0', 'write operand 0'],
    ],
    ['affine.load', '%0 = affine.load %m[0, 0] : memref<4x8xf32>', ['read operand 0']],
    ['affine.store', 'affine.store %x, %m[0, 0] : memref<4x8xf32>', ['write operand 1']],
    [
      'affine.vector_load',
      '%0 = affine.vector_load %m[0, 0] : memref<4x8xf32>, vector<8xf32>',
      ['read operand 0'],
    ],
    [
      'affine.vector_store',
      'affine.vector_store %v, %m[0, 0] : memref<4x8xf32>, vector<8xf32>',
      ['write operand 1'],
    ],
    [
      'linalg.exp',
      'linalg.exp ins(%m : memref<4x8xf32>) outs(%n : memref<4x8xf32>)',
      ['read operand 0', 'read operand 1', 'write operand 1'],
    ],
    [
      'linalg.exp',
      '%0 = linalg.exp ins(%t : tensor<4x8xf32>) outs(%t : tensor<4x8xf32>) -> tensor<4x8xf32>',
      [],
    ],
    [
      'linalg.map',
      'linalg.map ins(%m : memref<4x8xf32>) outs(%n : memref<4x8xf32>) (%e: f32) {\n memref.assume_alignment %m, 8 : memref<4x8xf32>\n linalg.yield %e : f32\n}',
      undefined,
    ],
    [
      'scf.for',
      'scf.for %k = %i to %i step %i {\n memref.store %x, %m[%i, %i] : memref<4x8xf32>\n}',
      ['write result -1'],
    ],
    ['memref.assume_alignment', 'memref.assume_alignment %m, 8 : memref<4x8xf32>', undefined],
  ])('of %s: %#', (name, lines, expected) => {
    expect(effects(lines, name)).toEqual(expected);
  });
});

describe('loops', () => {
  it.each<[name: string, lines: string, variables: number | undefined, isSequential?: boolean]>([
    ['scf.for', 'scf.for %a = %i to %i step %i {\n}', 1, true],
    ['scf.parallel', 'scf.parallel (%a, %b) = (%i, %i) to (%i, %i) step (%i, %i) {\n}', 2, false],
    [
      'scf.forall',
      '%0 = scf.forall (%a, %b) in (2, 3) shared_outs(%o = %t) -> (tensor<4x8xf32>) {\n}',
      2,
      false,
    ],
    ['affine.for', 'affine.for %a = 0 to 4 {\n}', 1, true],
    ['affine.parallel', 'affine.parallel (%a, %b, %c) = (0, 0, 0) to (4, 4, 4) {\n}', 3, false],
    [
      'scf.while',
      '%0 = scf.while (%a = %x) : (f32) -> f32 {\n %c = arith.constant true\n scf.condition(%c) %a : f32\n} do {\n^bb0(%b: f32):\n scf.yield %b : f32\n}',
      0,
      true,
    ],
    ['scf.if', '%c = arith.constant true\nscf.if %c {\n}', undefined],
  ])('%s: which variables count, and whether in sequence', (name, lines, variables, isSequential) => {
    const operation = find(lines, name);
    const loop = modelOf(registry, loopLike, operation);
    expect(loop?.isSequential).toBe(isSequential);
    const found = loop?.inductionVariables(operation);
    expect(found?.map(({ type }) => type.kind)).toEqual(
      variables === undefined ? undefined : Array.from({ length: variables }, () => 'index'),
    );
    const first = operation.regions[0]!.blocks[0]!.arguments;
    expect(found ?? []).toEqual(first.slice(0, variables ?? 0));
  });
});

it.each([
  [
    'memref.subview',
    '%0 = memref.subview %m[0, 0] [2, 8] [1, 1] : memref<4x8xf32> to memref<2x8xf32, strided<[8, 1]>>',
  ],
  ['memref.cast', '%0 = memref.cast %m : memref<4x8xf32> to memref<?x8xf32>'],
  ['memref.collapse_shape', '%0 = memref.collapse_shape %m [[0, 1]] : memref<4x8xf32> into memref<32xf32>'],
  [
    'memref.expand_shape',
    '%0 = memref.expand_shape %m [[0], [1, 2]] output_shape [4, 2, 4] : memref<4x8xf32> into memref<4x2x4xf32>',
  ],
  [
    'memref.transpose',
    '%0 = memref.transpose %m (i, j) -> (j, i) : memref<4x8xf32> to memref<8x4xf32, strided<[1, 8]>>',
  ],
  [
    'memref.reinterpret_cast',
    '%0 = memref.reinterpret_cast %m to offset: [0], sizes: [32], strides: [1] : memref<4x8xf32> to memref<32xf32>',
  ],
  ['memref.memory_space_cast', '%0 = memref.memory_space_cast %m : memref<4x8xf32> to memref<4x8xf32, 1>'],
  [
    'memref.reshape',
    '%0 = memref.reshape %m(%shape) : (memref<4x8xf32>, memref<2xindex>) -> memref<8x4xf32>',
  ],
  ['memref.view', '%0 = memref.view %bytes[%i][] : memref<128xi8> to memref<4x8xf32>'],
  [
    'memref.extract_strided_metadata',
    '%b, %o, %s:2, %d:2 = memref.extract_strided_metadata %m : memref<4x8xf32> -> memref<f32>, index, index, index, index, index',
  ],
])('%s is a view of its first operand', (name, lines) => {
  const operation = find(lines, name);
  expect(modelOf(registry, viewLike, operation)?.source(operation)).toBe(operation.operands[0]);
});
