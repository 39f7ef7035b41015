import { describe, expect, it } from 'vitest';
import { tensor } from '../src/index.ts';
import { failure, run } from './run.ts';

/** `%a op %b` at a type. */
const binary = (name: string, type: string): string => `
  func.func @f(%a: ${type}, %b: ${type}) -> ${type} {
    %0 = ${name} %a, %b : ${type}
    return %0 : ${type}
  }`;

const unary = (name: string, from: string, to: string): string => `
  func.func @f(%a: ${from}) -> ${to} {
    %0 = ${name} %a : ${from} to ${to}
    return %0 : ${to}
  }`;

describe('integers', () => {
  it.each<[string, string, number | bigint, number | bigint, number | bigint]>([
    ['arith.addi', 'i8', 127, 1, -128],
    ['arith.addi', 'i32', 2147483647, 1, -2147483648],
    ['arith.addi', 'i64', 2n ** 63n - 1n, 1n, -(2n ** 63n)],
    ['arith.addi', 'i1', 1, 1, 0],
    ['arith.addi', 'index', 2 ** 52, 5, 2 ** 52 + 5],
    ['arith.subi', 'i16', -32768, 1, 32767],
    ['arith.muli', 'i32', 65537, 65537, 131073],
    ['arith.muli', 'i8', 16, 17, 16],
    ['arith.muli', 'i64', 2n ** 62n, 3n, -(2n ** 62n)],
    ['arith.muli', 'index', -3, 0, 0],
    ['arith.divsi', 'i32', -7, 2, -3],
    ['arith.remsi', 'i32', -7, 2, -1],
    ['arith.floordivsi', 'i32', -7, 2, -4],
    ['arith.ceildivsi', 'i32', -7, 2, -3],
    ['arith.ceildivsi', 'i64', 7n, 2n, 4n],
    ['arith.floordivsi', 'i64', -7n, 2n, -4n],
    ['arith.divui', 'i8', -1, 2, 127],
    ['arith.remui', 'i8', -1, 16, 15],
    ['arith.ceildivui', 'i8', -1, 2, -128],
    ['arith.andi', 'i32', 12, 10, 8],
    ['arith.ori', 'i64', 12n, 10n, 14n],
    ['arith.xori', 'i1', 1, 1, 0],
    ['arith.shli', 'i8', 1, 7, -128],
    ['arith.shrsi', 'i8', -128, 7, -1],
    ['arith.shrui', 'i8', -128, 7, 1],
    ['arith.maxsi', 'i8', -1, 1, 1],
    ['arith.maxui', 'i8', -1, 1, -1],
    ['arith.minsi', 'i1', 1, 0, 1],
    ['arith.minui', 'i1', 1, 0, 0],
  ])('%s : %s of %s and %s is %s', (name, type, a, b, expected) => {
    expect(run(binary(name, type), [a, b])).toEqual([expected]);
  });

  it.each<[string, string, number | bigint, number | bigint, number]>([
    ['eq', 'i32', 3, 3, 1],
    ['ne', 'i64', 3n, 3n, 0],
    ['slt', 'i8', -1, 0, 1],
    ['ult', 'i8', -1, 0, 0],
    ['ult', 'i8', -2, -1, 1],
    ['uge', 'index', -1, 5, 1],
    ['sle', 'index', 5, 5, 1],
    ['ugt', 'i64', -1n, 5n, 1],
    ['slt', 'i1', 1, 0, 1],
    ['ult', 'i1', 1, 0, 0],
  ])('arith.cmpi %s : %s of %s and %s is %i', (predicate, type, a, b, expected) => {
    const text = `func.func @f(%a: ${type}, %b: ${type}) -> i1 {
      %0 = arith.cmpi ${predicate}, %a, %b : ${type}
      return %0 : i1
    }`;
    expect(run(text, [a, b])).toEqual([expected]);
  });

  it.each(['divsi', 'divui', 'remsi', 'remui', 'floordivsi', 'ceildivsi', 'ceildivui'])(
    'arith.%s by zero is an error',
    (name) => {
      expect(failure(binary(`arith.${name}`, 'i32'), [1, 0]).code).toBe('interpreter/division-by-zero');
      expect(failure(binary(`arith.${name}`, 'i64'), [1n, 0n]).code).toBe('interpreter/division-by-zero');
    },
  );

  it('an index beyond 2^53 is an error', () => {
    expect(failure(binary('arith.muli', 'index'), [2 ** 30, 2 ** 30])).toMatchObject({
      code: 'interpreter/overflow',
      message: expect.stringContaining('beyond 2^53') as string,
    });
  });
});

describe('floats', () => {
  it.each<[string, string, number, number, number]>([
    ['arith.addf', 'f32', 0.1, 0.2, Math.fround(Math.fround(0.1) + Math.fround(0.2))],
    ['arith.addf', 'f64', 0.1, 0.2, 0.1 + 0.2],
    ['arith.addf', 'f16', 2048, 1, 2048],
    ['arith.mulf', 'bf16', 257, 1, 256],
    ['arith.mulf', 'f32', 16777217, 1, 16777216],
    ['arith.subf', 'f32', 1, 2 ** -30, 1],
    ['arith.divf', 'f32', 1, 3, Math.fround(1 / 3)],
    ['arith.remf', 'f32', -7, 4, -3],
    ['arith.maximumf', 'f32', NaN, 1, NaN],
    ['arith.maxnumf', 'f32', NaN, 1, 1],
    ['arith.minimumf', 'f32', -0, 0, -0],
    ['arith.minnumf', 'f32', 2, NaN, 2],
  ])('%s : %s of %d and %d is %d', (name, type, a, b, expected) => {
    const held = type === 'f32' ? [Math.fround(a), Math.fround(b)] : [a, b];
    expect(run(binary(name, type), held)).toEqual([expected]);
  });

  it.each<[string, number, number, number]>([
    ['oeq', 1, 1, 1],
    ['oeq', NaN, NaN, 0],
    ['ueq', NaN, 1, 1],
    ['olt', 1, 2, 1],
    ['uge', NaN, 2, 1],
    ['oge', NaN, 2, 0],
    ['one', NaN, 2, 0],
    ['une', NaN, 2, 1],
    ['ord', 1, 2, 1],
    ['uno', 1, NaN, 1],
    ['ule', 2, 1, 0],
  ])('arith.cmpf %s of %d and %d is %i', (predicate, a, b, expected) => {
    const text = `func.func @f(%a: f32, %b: f32) -> i1 {
      %0 = arith.cmpf ${predicate}, %a, %b : f32
      return %0 : i1
    }`;
    expect(run(text, [a, b])).toEqual([expected]);
  });
});

describe('conversions', () => {
  it.each<[string, string, string, number | bigint, number | bigint]>([
    ['arith.extsi', 'i1', 'i32', 1, -1],
    ['arith.extui', 'i1', 'i32', 1, 1],
    ['arith.extsi', 'i8', 'i64', -1, -1n],
    ['arith.extui', 'i8', 'i64', -1, 255n],
    ['arith.trunci', 'i64', 'i8', 511n, -1],
    ['arith.trunci', 'i32', 'i1', 2, 0],
    ['arith.index_cast', 'index', 'i32', 2 ** 32 + 5, 5],
    ['arith.index_cast', 'i64', 'index', -3n, -3],
    ['arith.index_castui', 'i8', 'index', -1, 255],
    ['arith.sitofp', 'i8', 'f32', -1, -1],
    ['arith.uitofp', 'i8', 'f32', -1, 255],
    ['arith.sitofp', 'i32', 'f32', 16777217, 16777216],
    ['arith.fptosi', 'f32', 'i32', -2.75, -2],
    ['arith.fptoui', 'f32', 'i8', 255.5, -1],
    ['arith.fptosi', 'f64', 'i64', 2 ** 60, 2n ** 60n],
    ['arith.extf', 'f32', 'f64', 0.5, 0.5],
    ['arith.truncf', 'f64', 'f32', 0.1, Math.fround(0.1)],
    ['arith.truncf', 'f32', 'f16', 2049, 2048],
    ['arith.bitcast', 'f32', 'i32', 1, 0x3f800000],
    ['arith.bitcast', 'f32', 'i32', -2.5, -0x3fe00000],
    ['arith.bitcast', 'i32', 'f32', 0x40490fdb, Math.fround(Math.PI)],
    ['arith.bitcast', 'i32', 'f32', -0x7f800000, -Math.fround(2 ** -126)],
    ['arith.bitcast', 'bf16', 'i16', -2.5, -0x3fe0],
    ['arith.bitcast', 'i16', 'bf16', 0x4049, 3.140625],
    ['arith.bitcast', 'f64', 'i64', -Math.PI, -0x3ff6de04abbbd2e8n],
    ['arith.bitcast', 'i64', 'f64', 0x400921fb54442d18n, Math.PI],
    ['arith.bitcast', 'i64', 'f64', 0x3ff0000000000000n, 1],
  ])('%s %s to %s of %s is %s', (name, from, to, value, expected) => {
    expect(run(unary(name, from, to), [value])).toEqual([expected]);
  });

  it.each([
    ['f32', 'i8', 128],
    ['f32', 'i32', NaN],
    ['f64', 'i64', 2 ** 63],
  ])('arith.fptosi %s to %s of %d is an error', (from, to, value) => {
    expect(failure(unary('arith.fptosi', from, to), [value]).code).toBe('interpreter/overflow');
  });
});

it('constants', () => {
  const text = `func.func @f() -> (i1, i32, i64, index, f32, tensor<2x2xf32>, tensor<3xi64>) {
    %0 = arith.constant true
    %1 = arith.constant -7 : i32
    %2 = arith.constant 9223372036854775807 : i64
    %3 = arith.constant 5 : index
    %4 = arith.constant 1.000000e-01 : f32
    %5 = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
    %6 = arith.constant dense<7> : tensor<3xi64>
    return %0, %1, %2, %3, %4, %5, %6 : i1, i32, i64, index, f32, tensor<2x2xf32>, tensor<3xi64>
  }`;
  expect(run(text)).toEqual([
    1,
    -7,
    2n ** 63n - 1n,
    5,
    Math.fround(0.1),
    [
      [2, 2],
      [1, 2, 3, 4],
    ],
    [[3], [7n, 7n, 7n]],
  ]);
});

it.each<[string, string, (number | bigint)[], number | bigint]>([
  ['math.erf', 'f32', [-1.5], Math.fround(-0.9661051464753108)],
  ['math.powf', 'f32', [1, NaN], 1],
  ['math.ctlz', 'i32', [1], 31],
  ['math.ctlz', 'i8', [0], 8],
  ['math.ctlz', 'i64', [-1n], 0n],
  ['math.cttz', 'i16', [40], 3],
  ['math.cttz', 'i64', [0n], 64n],
  ['math.cttz', 'index', [8], 3],
  ['math.ctpop', 'i8', [-1], 8],
  ['math.ctpop', 'i64', [(1n << 62n) + 5n], 3n],
  ['math.ctpop', 'i1', [1], 1],
  ['math.ipowi', 'i32', [-3, 3], -27],
  ['math.ipowi', 'i8', [2, 7], -128],
  ['math.ipowi', 'i64', [3n, (1n << 62n) + 1n], 3n],
  ['math.ipowi', 'i32', [7, 0], 1],
  ['math.ipowi', 'i32', [0, 0], 1],
  ['math.ipowi', 'i32', [2, -1], 0],
  ['math.ipowi', 'i32', [-1, -3], -1],
  ['math.ipowi', 'i32', [-1, -4], 1],
  ['math.sqrt', 'f32', [2], Math.fround(Math.SQRT2)],
  ['math.fma', 'f32', [2, 3, 4], 10],
  // Just above and below a tie of two neighbours.
  ['math.fma', 'f32', [1 + 2 ** -12, 1 + 2 ** -12, 2 ** -100], 1 + 2 ** -11 + 2 ** -23],
  ['math.fma', 'f32', [1 + 3 * 2 ** -12, 1 + 2 ** -12, -(2 ** -100)], 1 + 2 ** -10 + 2 ** -23],
  ['math.fma', 'bf16', [-1.0625, 1.0625, -(2 ** -100)], -1.1328125],
  ['math.fma', 'f32', [2 ** 127, 2, -(2 ** 127)], 2 ** 127],
  ['math.fma', 'f32', [Infinity, 2, 1], Infinity],
  ['math.roundeven', 'f32', [2.5], 2],
  ['math.roundeven', 'f32', [-3.5], -4],
  ['math.copysign', 'f64', [2, -0], -2],
  ['math.absi', 'i8', [-5], 5],
])('%s : %s of %o is %s', (name, type, values, expected) => {
  const types = values.map(() => type).join(', ');
  const parameters = values.map((_, i) => `%a${i}: ${type}`).join(', ');
  const text = `func.func @f(${parameters}) -> ${type} {
    %r = "${name}"(${values.map((_, i) => `%a${i}`).join(', ')}) : (${types}) -> ${type}
    return %r : ${type}
  }`;
  expect(run(text, values)).toEqual([expected]);
});

it.each<[string, string, number, number | bigint, number]>([
  ['f32', 'i32', -2, 3, -8],
  ['f64', 'i32', 2, -2, 0.25],
  ['f64', 'i64', -1, (1n << 60n) + 1n, -1],
  ['f64', 'i8', NaN, 0, 1],
  ['f64', 'i32', -0, -1, -Infinity],
  ['f32', 'index', 10, 2, 100],
])('math.fpowi : %s, %s of %d and %s is %d', (type, exponent, base, power, expected) => {
  const text = `func.func @f(%a: ${type}, %n: ${exponent}) -> (${type}, tensor<1x${type}>) {
    %0 = math.fpowi %a, %n : ${type}, ${exponent}
    %1 = tensor.from_elements %a : tensor<1x${type}>
    %2 = tensor.from_elements %n : tensor<1x${exponent}>
    %3 = math.fpowi %1, %2 : tensor<1x${type}>, tensor<1x${exponent}>
    return %0, %3 : ${type}, tensor<1x${type}>
  }`;
  expect(run(text, [base, power])).toEqual([expected, [[1], [expected]]]);
});

it('the power of zero by a negative integer divides by zero', () => {
  const text = `func.func @f(%a: i32, %n: i32) -> i32 {
    %0 = math.ipowi %a, %n : i32
    return %0 : i32
  }`;
  expect(failure(text, [0, -1]).code).toBe('interpreter/division-by-zero');
});

it('select chooses scalars and whole tensors by a scalar, and elements by a tensor', () => {
  const text = `func.func @f(%c: i1, %m: tensor<2xi1>, %a: tensor<2xf32>, %b: tensor<2xf32>, %x: i64, %y: i64)
      -> (i64, tensor<2xf32>, tensor<2xf32>) {
    %0 = arith.select %c, %x, %y : i64
    %1 = arith.select %c, %a, %b : tensor<2xf32>
    %2 = arith.select %m, %a, %b : tensor<2xi1>, tensor<2xf32>
    return %0, %1, %2 : i64, tensor<2xf32>, tensor<2xf32>
  }`;
  const [a, b] = [tensor([2], new Float32Array([1, 2])), tensor([2], new Float32Array([3, 4]))];
  const mask = tensor([2], new Uint8Array([0, 1]), { kind: 'integer', width: 1, signedness: 'signless' });
  expect(run(text, [0, mask, a, b, 5n, 6n])).toEqual([6n, [[2], [3, 4]], [[2], [3, 2]]]);
});

it('an operation on tensors is applied to their elements', () => {
  const text = `func.func @f(%a: tensor<2x2xf32>, %b: tensor<2x2xf32>) -> tensor<2x2xf32> {
    %0 = arith.mulf %a, %b : tensor<2x2xf32>
    %1 = arith.addf %0, %a : tensor<2x2xf32>
    return %1 : tensor<2x2xf32>
  }`;
  const [a, b] = [
    tensor([2, 2], new Float32Array([1, 2, 3, 4])),
    tensor([2, 2], new Float32Array([5, 6, 7, 8])),
  ];
  expect(run(text, [a, b])).toEqual([
    [
      [2, 2],
      [6, 14, 24, 36],
    ],
  ]);
});
