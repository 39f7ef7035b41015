import { describe, expect, it } from 'vitest';
import type { Attribute } from '@sconv/ir';
import {
  denseElementsAttribute,
  f32,
  floatAttribute,
  i1,
  i32,
  indexType,
  integerAttribute,
  integerType,
  tensorType,
} from '@sconv/ir';
import { arithDialect, constant } from '../src/arith.ts';
import { errorsOf, findOperation, inFunction, reprint } from './support.ts';

const numbers =
  '%arg0: i32, %arg1: i32, %arg2: f32, %arg3: f32, %arg4: i1, %arg5: index, %arg6: tensor<4xf32>';

describe('text', () => {
  it.each([
    '%0 = arith.addi %arg0, %arg1 : i32',
    '%0 = arith.addi %arg0, %arg1 overflow<nsw> : i32',
    '%0 = arith.muli %arg0, %arg1 overflow<nsw, nuw> {tag = 1 : i64} : i32',
    '%0 = arith.floordivsi %arg5, %arg5 : index',
    '%0 = arith.addf %arg2, %arg3 : f32',
    '%0 = arith.mulf %arg2, %arg3 fastmath<nnan,contract> : f32',
    '%0 = arith.mulf %arg6, %arg6 fastmath<fast> : tensor<4xf32>',
    '%0 = arith.negf %arg2 : f32',
    '%0 = arith.cmpi slt, %arg0, %arg1 : i32',
    '%0 = arith.cmpf oge, %arg2, %arg3 fastmath<nnan> : f32',
    '%0 = arith.cmpf ult, %arg6, %arg6 : tensor<4xf32>',
    '%0 = arith.select %arg4, %arg2, %arg3 : f32',
    '%0 = arith.index_cast %arg5 : index to i64',
    '%0 = arith.extsi %arg0 : i32 to i64',
    '%0 = arith.sitofp %arg0 : i32 to f32',
    '%0 = arith.extf %arg2 : f32 to f64',
    '%0 = arith.truncf %arg2 to_nearest_even : f32 to bf16',
    '%0 = arith.bitcast %arg0 : i32 to tf32',
    '%0 = arith.bitcast %arg2 : f32 to i32',
    '%low, %high = arith.mulsi_extended %arg0, %arg1 : i32',
    '%sum, %overflow = arith.addui_extended %arg0, %arg1 : i32, i1',
    '%c0 = arith.constant 0 : index',
    '%c-1_i32 = arith.constant -1 : i32',
    '%true = arith.constant true',
    '%cst = arith.constant 1.500000e+00 : f32',
    '%cst = arith.constant dense<[1, 2]> : tensor<2xi32>',
    '%cst = arith.constant dense_resource<w> : tensor<2xi32>',
  ])('%s', (line) => {
    const text = inFunction(numbers, line);
    expect(reprint(text)).toBe(text);
  });

  it('stores the defaults that upstream stores', () => {
    const generic = reprint(
      inFunction(numbers, '%0 = arith.addi %arg0, %arg1 : i32\n%1 = arith.addf %arg2, %arg3 : f32'),
      true,
    );
    expect(generic).toContain(
      '"arith.addi"(%arg0, %arg1) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32',
    );
    expect(generic).toContain(
      '"arith.addf"(%arg2, %arg3) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32',
    );
  });
});

describe('verifier', () => {
  it.each([
    [
      '"arith.addi"(%arg0, %arg5) : (i32, index) -> i32',
      'requires the same type for all operands and results',
    ],
    [
      '"arith.addf"(%arg0, %arg0) : (i32, i32) -> i32',
      "operand #0 must be floating-point-like, but got 'i32'",
    ],
    [
      '"arith.constant"() <{value = dense_resource<w> : tensor<2xi32>}> : () -> tensor<3xi32>',
      'all of {value, result} have same type',
    ],
    ['"arith.constant"() <{value = 1 : i32}> : () -> i64', 'all of {value, result} have same type'],
    [
      '"arith.cmpi"(%arg0, %arg1) <{predicate = 2 : i64}> : (i32, i32) -> i32',
      "result #0 must be bool-like, but got 'i32'",
    ],
    ['arith.extsi %arg0 : i32 to i16', 'are cast incompatible'],
    ['arith.extf %arg2 : f32 to f16', 'are cast incompatible'],
    ['arith.truncf %arg2 : f32 to tf32', 'are cast incompatible'],
    [
      '"arith.sitofp"(%arg0) : (i32) -> tensor<4xf32>',
      'requires the same shape for all operands and results',
    ],
  ])('%s', (line, message) => {
    expect(errorsOf(inFunction(numbers, `%0 = ${line}`)).join('\n')).toContain(message);
  });
});

const i8 = integerType(8);
const int = (value: number, type = i32): Attribute => integerAttribute(value, type);
const float = (value: number): Attribute => floatAttribute(value, f32);

/** Folds `name` of these constants to a value of `type`. */
const fold = (name: string, constants: readonly (Attribute | undefined)[], text: string): unknown => {
  const operation = findOperation(inFunction(numbers, text), name);
  const definition = arithDialect.operations.find((candidate) => candidate.name === name);
  return definition?.fold?.(operation, constants, () => undefined);
};

describe('fold', () => {
  it.each([
    ['addi', int(2), int(3), int(5)],
    ['addi', int(0x7fffffff), int(1), int(-0x80000000)],
    ['subi', int(2), int(3), int(-1)],
    ['muli', int(-4), int(3), int(-12)],
    ['divsi', int(-7), int(2), int(-3)],
    ['floordivsi', int(-7), int(2), int(-4)],
    ['ceildivsi', int(-7), int(2), int(-3)],
    ['divui', int(-2), int(2), int(0x7fffffff)],
    ['remsi', int(-7), int(2), int(-1)],
    ['remui', int(7), int(4), int(3)],
    ['shli', int(1), int(31), int(-0x80000000)],
    ['shrsi', int(-8), int(1), int(-4)],
    ['shrui', int(-1), int(28), int(15)],
    ['maxsi', int(-1), int(1), int(1)],
    ['maxui', int(-1), int(1), int(-1)],
    ['xori', int(6), int(3), int(5)],
  ])('%s', (mnemonic, a, b, result) => {
    expect(fold(`arith.${mnemonic}`, [a, b], `%0 = arith.${mnemonic} %arg0, %arg1 : i32`)).toEqual([result]);
  });

  it.each([
    ['division by zero', 'divsi', int(1), int(0)],
    ['the quotient that overflows', 'divsi', int(-0x80000000), int(-1)],
    ['a shift past the width', 'shli', int(1), int(32)],
    ['remainder of zero', 'remui', int(1), int(0)],
  ])('not %s', (_, mnemonic, a, b) => {
    expect(fold(`arith.${mnemonic}`, [a, b], `%0 = arith.${mnemonic} %arg0, %arg1 : i32`)).toBeUndefined();
  });

  it('rounds f32 sums once', () => {
    const text = '%0 = arith.addf %arg2, %arg3 : f32';
    expect(fold('arith.addf', [float(2 ** 24), float(1)], text)).toEqual([float(2 ** 24)]);
  });

  it('keeps x + 0.0, which is not x for -0.0, but drops x + -0.0', () => {
    const text = inFunction(numbers, '%0 = arith.addf %arg2, %arg3 : f32');
    const operation = findOperation(text, 'arith.addf');
    expect(fold('arith.addf', [undefined, float(0)], '%0 = arith.addf %arg2, %arg3 : f32')).toBeUndefined();
    expect(fold('arith.addf', [undefined, float(-0)], '%0 = arith.addf %arg2, %arg3 : f32')).toEqual([
      operation.operands[0],
    ]);
  });

  it('folds elementwise', () => {
    const type = tensorType([2], i32);
    const folded = fold(
      'arith.addi',
      [denseElementsAttribute([1n, 2n], type), denseElementsAttribute([10n], type)],
      '%cst = arith.constant dense<[1, 2]> : tensor<2xi32>\n%0 = arith.addi %cst, %cst : tensor<2xi32>',
    );
    expect(folded).toEqual([denseElementsAttribute([11n, 12n], type)]);
  });

  it('compares signed and unsigned', () => {
    const line = (predicate: string) => `%0 = arith.cmpi ${predicate}, %arg0, %arg1 : i32`;
    expect(fold('arith.cmpi', [int(-1), int(1)], line('slt'))).toMatchObject([{ value: 1n }]);
    expect(fold('arith.cmpi', [int(-1), int(1)], line('ult'))).toMatchObject([{ value: 0n }]);
  });

  it('selects by a constant, and what is the same either way', () => {
    const line = (whenFalse: string) => `%0 = arith.select %arg4, %arg0, ${whenFalse} : i32`;
    const operation = findOperation(inFunction(numbers, line('%arg1')), 'arith.select');
    const [, whenTrue, whenFalse] = operation.operands;
    const condition = (value: number) => integerAttribute(value, i1);
    expect(fold('arith.select', [condition(1)], line('%arg1'))).toEqual([whenTrue]);
    expect(fold('arith.select', [condition(0)], line('%arg1'))).toEqual([whenFalse]);
    expect(fold('arith.select', [undefined], line('%arg1'))).toBeUndefined();
    expect(fold('arith.select', [undefined], line('%arg0'))).toEqual([whenTrue]);
  });

  it('casts', () => {
    const index = integerAttribute(-5, indexType);
    expect(fold('arith.index_cast', [index], '%0 = arith.index_cast %arg5 : index to i32')).toEqual([
      int(-5),
    ]);
    expect(fold('arith.trunci', [int(300)], '%0 = arith.trunci %arg0 : i32 to i8')).toEqual([int(44, i8)]);
    expect(fold('arith.fptosi', [float(-2.5)], '%0 = arith.fptosi %arg2 : f32 to i32')).toEqual([int(-2)]);
    expect(fold('arith.fptosi', [float(1e20)], '%0 = arith.fptosi %arg2 : f32 to i32')).toBeUndefined();
  });
});

it('infers the type of a constant', () => {
  expect(constant.state({ attributes: { value: int(3) } }).resultTypes).toEqual([i32]);
});
