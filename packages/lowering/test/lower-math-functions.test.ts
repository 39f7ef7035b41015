import { unwrap } from '@sconv/diagnostics';
import { interpret, memref } from '@sconv/interpreter';
import type { Module } from '@sconv/ir';
import { edit } from '@sconv/ir';
import { describe, expect, it } from 'vitest';
import { lowerMathFunction } from '../src/index.ts';
import { lowered, names, parse, registry } from './support.ts';

const expanded = (module: Module): Module =>
  edit(module, { registry }, (rewriter) => {
    for (const operation of rewriter.walk(rewriter.root)) lowerMathFunction(rewriter, operation);
  }).module;

/** A function on all numbers of a buffer, eight at a time. */
const onVectors = (
  name: string,
  count: number,
): string => `func.func @f(%x: memref<${count}xf32>, %y: memref<${count}xf32>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %end = arith.constant ${count} : index
  scf.for %i = %c0 to %end step %c8 {
    %a = vector.load %x[%i] : memref<${count}xf32>, vector<8xf32>
    %b = math.${name} %a : vector<8xf32>
    vector.store %b, %y[%i] : memref<${count}xf32>, vector<8xf32>
  }
  return
}`;

const resultsOf = (module: Module, numbers: Float32Array): Float32Array => {
  const results = new Float32Array(numbers.length);
  const buffers = [numbers, results].map((each) => memref([each.length], each));
  unwrap(interpret(module, 'f', buffers, { registry }));
  return results;
};

/** How many numbers of f32 two are apart. */
const distance = (a: number, b: number): number => {
  const order = (value: number): number => {
    const [bits] = new Int32Array(Float32Array.of(value).buffer);
    return bits! < 0 ? -(2 ** 31) - bits! : bits!;
  };
  return Number.isNaN(a) && Number.isNaN(b) ? 0 : Math.abs(order(a) - order(b));
};

const all = 'exp exp2 expm1 log log2 log10 log1p tanh sinh cosh erf cbrt'.split(' ');

describe.each(all)('math.%s of f32', (name) => {
  const near = Array.from({ length: 200 }, (_, i) => (i - 100) / 23);
  const far = Array.from({ length: 280 }, (_, i) => (i % 2 === 0 ? 1 : -1.37) * 2 ** (i - 150));
  const numbers = Float32Array.of(...near, ...far);

  it('is the nearest number or the one beside it, by arithmetic alone', () => {
    const module = parse(onVectors(name, numbers.length));
    const [expected, actual] = [module, expanded(module)].map((each) => resultsOf(each, numbers));
    const wrong = [...numbers].flatMap((x, i) =>
      distance(actual![i]!, expected![i]!) <= 1 ? [] : [[x, actual![i], expected![i]]],
    );
    expect(wrong).toEqual([]);
    expect(names(expanded(module)).has(`math.${name}`)).toBe(false);
  });
});

it.each([
  ['exp', [1, 1, NaN, Infinity, 0, 1, 0, Infinity]],
  // The smallest numbers are multiples of 2^-149.
  ['erf', [0, -0, NaN, 1, -1, 80523 * 2 ** -149, -1, 1]],
  ['tanh', [0, -0, NaN, 1, -1, 1e-40, -1, 1]],
  ['log', [-Infinity, -Infinity, NaN, Infinity, NaN, Math.log(Math.fround(1e-40)), NaN, Math.log(89)]],
])('math.%s has the values that it should at the ends', (name, expected) => {
  const numbers = Float32Array.of(0, -0, NaN, Infinity, -Infinity, 1e-40, -104, 89);
  expect([...resultsOf(expanded(parse(onVectors(name, 8))), numbers)]).toEqual([
    ...Float32Array.from(expected),
  ]);
});

it('leaves what is of other types, has an instruction, or is no such function', () => {
  const module =
    parse(`func.func @f(%a: f64, %b: vector<4xf32>, %c: f16) -> (f64, vector<4xf32>, vector<4xf32>, f16) {
  %0 = math.exp %a : f64
  %1 = math.sqrt %b : vector<4xf32>
  %2 = math.rsqrt %b : vector<4xf32>
  %3 = math.tanh %c : f16
  return %0, %1, %2, %3 : f64, vector<4xf32>, vector<4xf32>, f16
}`);
  expect(expanded(module)).toBe(module);
});

it('is computed on the lanes of an elementwise op, with the bits of single numbers', () => {
  const text = `func.func @f(%x: memref<11xf32>, %y: memref<11xf32>) {
  %z = memref.alloc() : memref<11xf32>
  linalg.generic {
    indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]
  } ins(%x : memref<11xf32>) outs(%z : memref<11xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = math.erf %a : f32
    %1 = math.tanh %0 : f32
    linalg.yield %1 : f32
  }
  memref.copy %z, %y : memref<11xf32> to memref<11xf32>
  return
}`;
  const onLanes = lowered(parse(text));
  expect(names(onLanes)).toContain('vector.store');
  const numbers = Float32Array.from({ length: 11 }, (_, i) => (i - 5) / 3);
  expect(resultsOf(expanded(onLanes), numbers)).toEqual(resultsOf(expanded(parse(text)), numbers));
});
