import { affineMap } from '@sconv/affine';
import { describe, expect, it } from 'vitest';
import { affineMapAttribute, indexType, integerAttribute } from '@sconv/ir';
import type { Attribute, OpDefinition, Operation } from '@sconv/ir';
import { apply, delinearizeIndex, max, min } from '../src/affine.ts';
import { errorsOf, inFunction, reprint } from './support.ts';

const values = '%arg0: index, %arg1: index, %arg2: memref<8x8xf32>, %arg3: f32';

describe('text', () => {
  it.each([
    '%0 = affine.apply affine_map<(d0) -> (d0 * 2)>(%arg0)',
    '%0 = affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%arg0)[%arg1]',
    '%0 = affine.min affine_map<(d0) -> (16, -d0 + 75)>(%arg0)',
    '%0 = affine.max affine_map<()[s0] -> (0, s0 - 3)>()[%arg0]',
    '%0:2 = affine.delinearize_index %arg0 into (%arg0, %arg1) : index, index',
    '%0 = affine.load %arg2[%arg0 + 1, symbol(%arg1)] : memref<8x8xf32>',
    'affine.store %arg3, %arg2[%arg0, 0] : memref<8x8xf32>',
    '%0 = affine.vector_load %arg2[%arg0, %arg1] : memref<8x8xf32>, vector<4xf32>',
    'affine.prefetch %arg2[%arg0, 0], write, locality<2>, instr : memref<8x8xf32>',
    'affine.for %arg4 = 0 to 8 {\n}',
    'affine.for %arg4 = %arg0 to %arg1 step 2 {\n}',
    'affine.for %arg4 = max affine_map<(d0) -> (d0, 3)>(%arg0) to min affine_map<(d0)[s0] -> (d0, s0)>(%arg0)[%arg1] {\n}',
    `%0 = affine.for %arg4 = 0 to 8 iter_args(%arg5 = %arg3) -> (f32) {
  affine.yield %arg5 : f32
}`,
    'affine.if affine_set<(d0)[s0] : (d0 >= 0, -d0 + s0 - 1 >= 0)>(%arg0)[%arg1] {\n} else {\n}',
    'affine.parallel (%arg4, %arg5) = (0, max(%arg0, %arg1)) to (8, min(%arg0 + 1, 4)) step (1, 2) {\n}',
    'affine.parallel (%arg4, %arg5) = (symbol(%arg1), %arg0) to (symbol(%arg0), %arg1) {\n}',
    `%0 = affine.parallel (%arg4) = (0) to (8) reduce ("addf") -> (f32) {
  affine.yield %arg3 : f32
}`,
  ])('%s', (line) => {
    const text = inFunction(values, line);
    // Maps and sets are printed as aliases; expand them.
    const aliases = /^#(\w+) = (.*)$/gm;
    const printed = reprint(text);
    const written = [...printed.matchAll(aliases)].reverse();
    const inline = written.reduce(
      (all, [, name = '', map = '']) => all.replaceAll(new RegExp(`#${name}\\b`, 'g'), map),
      printed,
    );
    expect(inline.slice(inline.indexOf('module {'))).toBe(text);
  });
});

describe('verifier', () => {
  it.each([
    ['%0 = affine.apply affine_map<(d0) -> (d0, d0)>(%arg0)', 'mapping must produce one value'],
    ['%0 = affine.apply affine_map<(d0, d1) -> (d0)>(%arg0)', 'dimension or symbol index mismatch'],
    ['%0 = affine.load %arg2[%arg0] : memref<8x8xf32>', 'affine map num results must equal memref rank'],
    [
      'affine.for %arg4 = affine_map<(d0) -> (d0, 3)>(%arg0) to 8 {\n}',
      "lower loop bound affine map with multiple results requires 'max' prefix",
    ],
    [
      'affine.for %arg4 = 0 to 9223372036854775807 {\n}',
      '9223372036854775807 is outside the integers that a number holds exactly (2^53)',
    ],
    ['%0 = affine.delinearize_index %arg0 into () : index', 'basis should not be empty'],
  ])('%s', (line, message) => {
    expect(errorsOf(inFunction(values, line)).join('\n')).toContain(message);
  });
});

/** Folds an op with this map and operands 10, 11, …, constant as specified. */
const fold = (
  definition: OpDefinition,
  map: string,
  ...constants: readonly (number | undefined)[]
): unknown => {
  const operation: Operation = {
    id: 0,
    name: definition.name,
    operands: constants.map((_, i) => ({ id: 10 + i, type: indexType })),
    results: [{ id: 1, type: indexType }],
    attributes: { map: affineMapAttribute(affineMap(map)) },
    regions: [],
    successors: [],
    location: { kind: 'unknown' },
  };
  const known = constants.map((value): Attribute | undefined =>
    value === undefined ? undefined : integerAttribute(value, indexType),
  );
  return definition.fold?.(operation, known, () => undefined);
};
const index = (value: number): Attribute => integerAttribute(value, indexType);

describe('fold', () => {
  it('evaluates maps of constants', () => {
    expect(fold(apply, '(d0)[s0] -> (d0 * 2 + s0)', 3, 4)).toEqual([index(10)]);
    expect(fold(min, '(d0) -> (16, 75 - d0)', 70)).toEqual([index(5)]);
    expect(fold(max, '(d0) -> (16, 75 - d0)', 70)).toEqual([index(16)]);
  });
  it('needs every operand', () => {
    expect(fold(apply, '(d0, d1) -> (d0 + d1)', 3, undefined)).toBeUndefined();
  });
  it('gives the operand that the map returns', () => {
    expect(fold(apply, '(d0, d1) -> (d1)', undefined, undefined)).toEqual([{ id: 11, type: indexType }]);
    expect(fold(min, '(d0)[s0] -> (s0)', undefined, undefined)).toEqual([{ id: 11, type: indexType }]);
  });
  it('leaves a division by zero alone', () => {
    expect(fold(apply, '(d0)[s0] -> (d0 mod s0)', 3, 0)).toBeUndefined();
  });
});

it('delinearize_index has a result for each basis element', () => {
  const value = { id: 1, type: indexType };
  const state = delinearizeIndex.state({ operands: { linearIndex: value, basis: [value, value] } });
  expect(state.resultTypes).toEqual([indexType, indexType]);
});

describe('dimensions and symbols', () => {
  const args = '%n: index, %m: memref<?xf32>, %t: tensor<?xf32>, %b: memref<?xmemref<?xf32>>';

  // As mlir-opt-19 accepts them.
  it.each<[string, string, string, string, boolean, boolean]>([
    ['an argument of the function', '', '%n', '', true, true],
    ['what is computed at the top', '%v = arith.addi %n, %n : index', '%v', '', true, true],
    [
      'what is computed in a loop',
      `scf.for %i = %n to %n step %n {
%v = arith.addi %n, %n : index`,
      '%v',
      '}',
      false,
      false,
    ],
    [
      'a constant in a loop',
      `scf.for %i = %n to %n step %n {
%v = arith.constant 1 : index`,
      '%v',
      '}',
      true,
      true,
    ],
    ['the variable of scf.for', 'scf.for %v = %n to %n step %n {', '%v', '}', false, false],
    ['the variable of affine.for', 'affine.for %v = 0 to 8 {', '%v', '}', true, false],
    [
      'a variable of affine.parallel',
      'affine.parallel (%i, %v) = (0, 0) to (8, 8) {',
      '%v',
      '}',
      true,
      false,
    ],
    [
      'what affine.for carries',
      '%0 = affine.for %i = 0 to 8 iter_args(%v = %n) -> (index) {',
      '%v',
      `affine.yield %v : index
}`,
      true,
      false,
    ],
    [
      'a map of a variable',
      `affine.for %i = 0 to 8 {
%v = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)`,
      '%v',
      '}',
      true,
      false,
    ],
    [
      'a map of arguments in a loop',
      `affine.for %i = 0 to 8 {
%v = affine.apply affine_map<(d0) -> (d0 + 1)>(%n)`,
      '%v',
      '}',
      true,
      true,
    ],
    [
      'a map of both',
      `affine.for %i = 0 to 8 {
%v = affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%i)[%n]`,
      '%v',
      '}',
      true,
      false,
    ],
    [
      'the size of an argument in a loop',
      `scf.for %i = %n to %n step %n {
%v = memref.dim %m, %n : memref<?xf32>`,
      '%v',
      '}',
      true,
      true,
    ],
    [
      'the size of a tensor in a loop',
      `scf.for %i = %n to %n step %n {
%v = tensor.dim %t, %n : tensor<?xf32>`,
      '%v',
      '}',
      true,
      true,
    ],
    [
      'the size of an allocation of a symbol',
      `scf.for %i = %n to %n step %n {
%a = memref.alloc(%n) : memref<?xf32>
%c = arith.constant 0 : index
%v = memref.dim %a, %c : memref<?xf32>`,
      '%v',
      '}',
      true,
      true,
    ],
    [
      'the size of an allocation of a variable',
      `scf.for %i = %n to %n step %n {
%a = memref.alloc(%i) : memref<?xf32>
%c = arith.constant 0 : index
%v = memref.dim %a, %c : memref<?xf32>`,
      '%v',
      '}',
      false,
      false,
    ],
    [
      'the size of a view of a symbol',
      `scf.for %i = %n to %n step %n {
%a = memref.subview %m[0] [%n] [1] : memref<?xf32> to memref<?xf32, strided<[1]>>
%c = arith.constant 0 : index
%v = memref.dim %a, %c : memref<?xf32, strided<[1]>>`,
      '%v',
      '}',
      true,
      true,
    ],
    [
      'the size of what is loaded',
      `scf.for %i = %n to %n step %n {
%a = memref.load %b[%n] : memref<?xmemref<?xf32>>
%c = arith.constant 0 : index
%v = memref.dim %a, %c : memref<?xf32>`,
      '%v',
      '}',
      false,
      false,
    ],
    [
      'the variable of a loop around another',
      `affine.for %v = 0 to 8 {
affine.for %j = 0 to 8 {`,
      '%v',
      `}
}`,
      true,
      false,
    ],
    [
      'a static size of an allocation',
      `scf.for %i = %n to %n step %n {
%a = memref.alloc(%i) : memref<4x?xf32>
%c = arith.constant 0 : index
%v = memref.dim %a, %c : memref<4x?xf32>`,
      '%v',
      '}',
      true,
      true,
    ],
    [
      'a constant of another dialect than arith',
      `scf.for %i = %n to %n step %n {
%v = index.constant 3`,
      '%v',
      '}',
      true,
      true,
    ],
    [
      'the size of an allocation, numbered by such a constant',
      `scf.for %i = %n to %n step %n {
%a = memref.alloc(%i, %n) : memref<?x?xf32>
%c = index.constant 1
%v = memref.dim %a, %c : memref<?x?xf32>`,
      '%v',
      '}',
      true,
      true,
    ],
    [
      'the second dynamic size, of a symbol',
      `scf.for %i = %n to %n step %n {
%a = memref.alloc(%i, %n) : memref<?x4x?xf32>
%c = arith.constant 2 : index
%v = memref.dim %a, %c : memref<?x4x?xf32>`,
      '%v',
      '}',
      true,
      true,
    ],
    [
      'the first, of a variable',
      `scf.for %i = %n to %n step %n {
%a = memref.alloc(%i, %n) : memref<?x4x?xf32>
%c = arith.constant 0 : index
%v = memref.dim %a, %c : memref<?x4x?xf32>`,
      '%v',
      '}',
      false,
      false,
    ],
    [
      'a size that is not there',
      `scf.for %i = %n to %n step %n {
%a = memref.alloc(%n) : memref<?xf32>
%c = arith.constant 1 : index
%v = memref.dim %a, %c : memref<?xf32>`,
      '%v',
      '}',
      false,
      false,
    ],
    [
      'a size that is not said',
      `scf.for %i = %n to %n step %n {
%a = memref.alloc(%n) : memref<?xf32>
%v = memref.dim %a, %n : memref<?xf32>`,
      '%v',
      '}',
      false,
      false,
    ],
    [
      'the size of an allocation that is cast',
      `scf.for %i = %n to %n step %n {
%a = memref.alloc(%n) : memref<?xf32>
%s = memref.cast %a : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
%c = arith.constant 0 : index
%v = memref.dim %s, %c : memref<?xf32, strided<[1], offset: ?>>`,
      '%v',
      '}',
      true,
      true,
    ],
    [
      'the size of a view of bytes',
      `scf.for %i = %n to %n step %n {
%a = memref.alloc() : memref<64xi8>
%s = memref.view %a[%i][%n] : memref<64xi8> to memref<?xf32>
%c = arith.constant 0 : index
%v = memref.dim %s, %c : memref<?xf32>`,
      '%v',
      '}',
      true,
      true,
    ],
    [
      'the size of a subview from a variable',
      `scf.for %i = %n to %n step %n {
%s = memref.subview %m[%i] [%n] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
%c = arith.constant 0 : index
%v = memref.dim %s, %c : memref<?xf32, strided<[1], offset: ?>>`,
      '%v',
      '}',
      true,
      true,
    ],
    [
      'the size of a tensor that is made in a loop',
      `scf.for %i = %n to %n step %n {
%s = tensor.empty(%n) : tensor<?xf32>
%c = arith.constant 0 : index
%v = tensor.dim %s, %c : tensor<?xf32>`,
      '%v',
      '}',
      false,
      false,
    ],
  ])('%s', (_, before, value, after, isDim, isSymbol) => {
    const errorsWith = (use: string) => errorsOf(inFunction(args, `${before}\n${use} {\n}\n${after}`));
    const asDim = errorsWith(`affine.if affine_set<(d0) : (d0 >= 0)>(${value})`);
    const asSymbol = errorsWith(`affine.if affine_set<()[s0] : (s0 >= 0)>()[${value}]`);
    expect(asDim).toEqual(isDim ? [] : ["'affine.if' op operand cannot be used as a dimension id"]);
    expect(asSymbol).toEqual(isSymbol ? [] : ["'affine.if' op operand cannot be used as a symbol"]);
  });
});
