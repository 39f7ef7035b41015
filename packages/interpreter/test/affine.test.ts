import { affineExpr, evaluate } from '@sconv/affine';
import { i1 } from '@sconv/ir';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { NumberArray } from '../src/element.ts';
import { memref } from '../src/index.ts';
import { failure, run } from './run.ts';

it.each<[string, string, unknown[], unknown[]]>([
  [
    'apply, min and max',
    `func.func @f(%i: index, %n: index) -> (index, index, index) {
      %0 = affine.apply affine_map<(d0)[s0] -> ((d0 floordiv 3) * s0 + d0 mod 3)>(%i)[%n]
      %1 = affine.min affine_map<(d0)[s0] -> (d0, s0, 12)>(%i)[%n]
      %2 = affine.max affine_map<(d0)[s0] -> (d0, s0, 12)>(%i)[%n]
      return %0, %1, %2 : index, index, index
    }`,
    [7, 20],
    [41, 7, 20],
  ],
  [
    'delinearize_index',
    `func.func @f(%i: index) -> (index, index, index) {
      %a = arith.constant 4 : index
      %b = arith.constant 3 : index
      %c = arith.constant 5 : index
      %0:3 = affine.delinearize_index %i into (%a, %b, %c) : index, index, index
      return %0#0, %0#1, %0#2 : index, index, index
    }`,
    [38],
    [2, 1, 3],
  ],
  [
    'for with bounds of several results',
    `func.func @f(%n: index) -> index {
      %c0 = arith.constant 0 : index
      %0 = affine.for %i = max affine_map<(d0) -> (2, d0 - 100)>(%n) to min affine_map<(d0) -> (d0, 9)>(%n) step 3 iter_args(%s = %c0) -> (index) {
        %1 = arith.addi %s, %i : index
        affine.yield %1 : index
      }
      return %0 : index
    }`,
    [20],
    [15],
  ],
  [
    'if without another branch, and with one that is taken',
    `func.func @f(%i: index, %m: memref<3xindex>) -> (index, index, index) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      affine.if affine_set<(d0)[s0] : (d0 - s0 >= 0)>(%i)[%c2] {
        memref.store %i, %m[%c0] : memref<3xindex>
      }
      affine.if affine_set<(d0) : (d0 - 5 >= 0)>(%i) {
        memref.store %i, %m[%c1] : memref<3xindex>
      }
      affine.if affine_set<(d0) : (d0 - 1 == 0)>(%i) {
        memref.store %i, %m[%c1] : memref<3xindex>
      } else {
        memref.store %i, %m[%c2] : memref<3xindex>
      }
      %0 = affine.load %m[0] : memref<3xindex>
      %1 = affine.load %m[1] : memref<3xindex>
      %2 = affine.load %m[2] : memref<3xindex>
      affine.prefetch %m[0], read, locality<3>, data : memref<3xindex>
      return %0, %1, %2 : index, index, index
    }`,
    [3, memref([3], new Float64Array(3), { elementType: { kind: 'index' } })],
    [3, 0, 3],
  ],
  [
    'if with an integer set',
    `func.func @f(%i: index) -> index {
      %0 = affine.if affine_set<(d0) : (d0 - 3 >= 0, d0 mod 2 == 0)>(%i) -> index {
        %c1 = arith.constant 1 : index
        affine.yield %c1 : index
      } else {
        %c0 = arith.constant 0 : index
        affine.yield %c0 : index
      }
      return %0 : index
    }`,
    [4],
    [1],
  ],
])('%s', (_, text, values, expected) => {
  expect(run(text, values as never)).toEqual(expected);
});

it('load and store', () => {
  const data = new Float32Array([1, 2, 3, 4, 5, 6]);
  const text = `func.func @f(%m: memref<2x3xf32>) {
    affine.for %i = 0 to 2 {
      affine.for %j = 0 to 2 {
        %0 = affine.load %m[%i, %j + 1] : memref<2x3xf32>
        affine.store %0, %m[-%i + 1, %j] : memref<2x3xf32>
      }
    }
    return
  }`;
  run(text, [memref([2, 3], data)]);
  expect([...data]).toEqual([3, 6, 3, 2, 3, 6]);
});

it('a parallel nest runs over its box', () => {
  const data = new Float32Array(6);
  const text = `func.func @f(%m: memref<2x3xf32>, %x: f32) {
    affine.parallel (%i, %j) = (0, 1) to (2, 3) step (1, 1) {
      affine.store %x, %m[%i, %j] : memref<2x3xf32>
    }
    return
  }`;
  run(text, [memref([2, 3], data), 7]);
  expect([...data]).toEqual([0, 7, 7, 0, 7, 7]);
});

it('the bounds of a parallel nest may be the greatest and the least of several, by symbols', () => {
  const data = new Float32Array(12);
  const text = `func.func @f(%m: memref<3x4xf32>, %x: f32, %n: index, %k: index) {
    affine.parallel (%i, %j) = (max(%k, 1), 0) to (3, min(%n + 2, 4, %k * 3)) step (1, 2) {
      affine.store %x, %m[%i, %j] : memref<3x4xf32>
    }
    return
  }`;
  run(text, [memref([3, 4], data), 7, 5, 1]);
  expect([...data]).toEqual([0, 0, 0, 0, 7, 0, 7, 0, 7, 0, 7, 0]);
});

const arrays: Readonly<Record<string, { readonly from: (values: readonly number[]) => NumberArray }>> = {
  f32: Float32Array,
  f64: Float64Array,
  i1: Uint8Array,
  i8: Int8Array,
  i16: Int16Array,
  i32: Int32Array,
};

it.each<[string, string, readonly (number | bigint)[], number | bigint, number | bigint]>([
  // Kind, type, elements, their combination, that of none.
  ['addf', 'f32', [1, 2, 4], 7, 0],
  ['mulf', 'f64', [3, 5, -2], -30, 1],
  ['maximumf', 'f32', [-7, -3, -5], -3, -Infinity],
  ['minimumf', 'f32', [7, NaN, 5], NaN, Infinity],
  ['maxnumf', 'f32', [7, NaN, 5], 7, NaN],
  ['minnumf', 'f64', [NaN, 9, NaN], 9, NaN],
  ['addi', 'i8', [100, 27, 2], -127, 0],
  ['muli', 'i64', [2n ** 40n, 2n ** 22n, 3n], -(2n ** 62n), 1n],
  ['maxs', 'i32', [-7, -3, -5], -3, -(2 ** 31)],
  ['maxs', 'i64', [-7n, -3n, -5n], -3n, -(2n ** 63n)],
  ['mins', 'i8', [7, 3, 5], 3, 127],
  ['maxu', 'i32', [7, -3, 5], -3, 0],
  ['minu', 'i32', [-1, -3, -2], -3, -1],
  ['ori', 'i16', [1, 4, 16], 21, 0],
  ['andi', 'i1', [1, 1, 1], 1, 1],
])('a parallel nest combines what it yields: %s of %s', (kind, type, elements, all, none) => {
  const text = `func.func @f(%m: memref<1x3x${type}>, %n: index) -> ${type} {
    %0 = affine.parallel (%i, %j) = (0, 0) to (1, %n) reduce ("${kind}") -> (${type}) {
      %x = affine.load %m[%i, %j] : memref<1x3x${type}>
      affine.yield %x : ${type}
    }
    return %0 : ${type}
  }`;
  const data =
    type === 'i64' ? BigInt64Array.from(elements as bigint[]) : arrays[type]!.from(elements as number[]);
  const given = memref([1, 3], data, type === 'i1' ? { elementType: i1 } : {});
  expect([3, 0].map((count) => run(text, [given, count])[0])).toEqual([all, none]);
});

it('a parallel nest has results of several kinds', () => {
  const text = `func.func @f() -> (i32, i32) {
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %0:2 = affine.parallel (%i) = (0) to (5) reduce ("addi", "muli") -> (i32, i32) {
      affine.yield %one, %two : i32, i32
    }
    return %0#0, %0#1 : i32, i32
  }`;
  expect(run(text)).toEqual([5, 32]);
});

it('vectors are loaded and stored at places that maps give', () => {
  const data = Float32Array.from({ length: 12 }, (_, i) => i);
  const text = `func.func @f(%m: memref<3x4xf32>, %i: index) -> vector<2xf32> {
    %0 = affine.vector_load %m[%i * 2, %i + 1] : memref<3x4xf32>, vector<2xf32>
    affine.vector_store %0, %m[%i, symbol(%i) - 1] : memref<3x4xf32>, vector<2xf32>
    return %0 : vector<2xf32>
  }`;
  expect(run(text, [memref([3, 4], data), 1])).toEqual([[[2], [10, 11]]]);
  expect([...data]).toEqual([0, 1, 2, 3, 10, 11, 6, 7, 8, 9, 10, 11]);
  expect(failure(text, [memref([3, 4], data), 2]).code).toBe('interpreter/out-of-bounds');
});

it('products of symbols are terms as others', () => {
  const text = `func.func @f(%a: index, %s: index) -> index {
    %0 = affine.apply affine_map<(d0)[s0] -> (d0 * s0 - (d0 + s0 * 2) floordiv (s0 + 1) + 5)>(%a)[%s]
    return %0 : index
  }`;
  expect(run(text, [7, 3])).toEqual([21 - 3 + 5]);
});

it('an expression has the value that @sconv/affine gives it', () => {
  const leaf = fc.oneof(
    fc.constantFrom('d0', 'd1', 's0'),
    fc.integer({ min: -9, max: 9 }).map((value) => `(${value})`),
  );
  const divisor = fc.integer({ min: 1, max: 7 });
  const { text } = fc.letrec<{ text: string }>((tie) => ({
    text: fc.oneof(
      { maxDepth: 4 },
      leaf,
      fc.tuple(tie('text'), tie('text')).map(([a, b]) => `(${a} + ${b})`),
      fc.tuple(tie('text'), fc.integer({ min: -5, max: 5 })).map(([a, b]) => `(${a} * ${b})`),
      fc
        .tuple(tie('text'), fc.constantFrom('floordiv', 'ceildiv', 'mod'), divisor)
        .map(([a, op, b]) => `(${a} ${op} ${b})`),
    ),
  }));
  const point = fc.integer({ min: -50, max: 50 });
  fc.assert(
    fc.property(text, point, point, point, (expression, a, b, s) => {
      const source = `func.func @f(%a: index, %b: index, %s: index) -> index {
        %0 = affine.apply affine_map<(d0, d1)[s0] -> (${expression})>(%a, %b)[%s]
        return %0 : index
      }`;
      const expected = evaluate(affineExpr(expression), [a, b], [s]);
      expect(run(source, [a, b, s])).toEqual([expected]);
    }),
    { numRuns: 200 },
  );
});

it('a divisor that is not positive is an error', () => {
  const text = `func.func @f(%i: index, %n: index) -> index {
    %0 = affine.apply affine_map<(d0)[s0] -> (d0 mod s0)>(%i)[%n]
    return %0 : index
  }`;
  expect(failure(text, [7, 0]).code).toBe('interpreter/division-by-zero');
});

it.each([
  [7, 1, 7],
  [7, 2, 3],
  [-7, 2, -4],
])('%i floordiv a symbol that is %i is %i', (value, divisor, quotient) => {
  const text = `func.func @f(%a: index, %s: index) -> index {
    %0 = affine.apply affine_map<(d0)[s0] -> (d0 floordiv s0)>(%a)[%s]
    return %0 : index
  }`;
  expect(run(text, [value, divisor])).toEqual([quotient]);
});
