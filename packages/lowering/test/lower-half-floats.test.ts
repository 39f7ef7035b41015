import { unwrap } from '@sconv/diagnostics';
import { interpret, memref } from '@sconv/interpreter';
import type { Module } from '@sconv/ir';
import { bf16, edit, integerType, printModule, verify } from '@sconv/ir';
import { expect, it } from 'vitest';
import { lowerHalfFloats } from '../src/index.ts';
import { parse, registry } from './support.ts';

const lowered = (module: Module): { readonly after: Module; readonly refused: readonly string[] } => {
  const { module: after, results: refused } = edit(module, { registry }, (rewriter) =>
    lowerHalfFloats(rewriter, rewriter.root).map(({ name }) => name),
  );
  return { after, refused };
};

// Halfway, just beside that in f64 only, too large, subnormal, infinite, and none.
const numbers = [
  ...[0, -0, 1, -2.5, 1 + 2 ** -8, 1 + 3 * 2 ** -8, 1 + 2 ** -8 + 2 ** -40, 1 + 3 * 2 ** -8 - 2 ** -40],
  ...[3.3895e38, 3.4e38, 1e300, -1e300, 2 ** -133, 3 * 2 ** -135, 2 ** -134 + 2 ** -170, 1e-300],
  ...[Infinity, -Infinity, NaN, 65519.99, 65520, 2 ** -25, 2 ** -25 + 2 ** -60, -(2 ** -24)],
];

const single = new Float32Array(1);
const bits = new Uint32Array(single.buffer);

/** The upper halves of numbers that are bf16. */
const upperHalves = (values: ArrayLike<number>): Int16Array =>
  Int16Array.from(values, (value) => {
    single[0] = value;
    return bits[0]! >>> 16;
  });

const fromUpperHalves = (halves: Int16Array): readonly number[] =>
  Array.from(halves, (half) => {
    bits[0] = half << 16;
    return single[0]!;
  });

const { length: count } = numbers;

it.each([
  ['f64, rounded once', '%y = arith.truncf %x : f64 to bf16'],
  ['sums', '%0 = arith.truncf %x : f64 to bf16\n %1 = arith.constant 0.34375 : bf16\n %y = arith.addf %0, %1 : bf16'],
  ['negated', '%0 = arith.truncf %x : f64 to bf16\n %1 = arith.extf %0 : bf16 to f64\n %2 = arith.negf %1 : f64\n %y = arith.truncf %2 : f64 to bf16'],
  ['chosen', '%0 = arith.truncf %x : f64 to bf16\n %1 = arith.constant -1.5 : bf16\n %c = arith.cmpf olt, %0, %1 : bf16\n %y = arith.select %c, %0, %1 : bf16'],
  [
    'of vectors, through a condition',
    `%0 = vector.broadcast %x : f64 to vector<3xf64>
     %1 = arith.truncf %0 : vector<3xf64> to vector<3xbf16>
     %2 = arith.constant dense<[1.0, 2.0, -0.5]> : vector<3xbf16>
     %c = arith.constant true
     %3 = scf.if %c -> (vector<3xbf16>) {
       %4 = arith.mulf %1, %2 : vector<3xbf16>
       scf.yield %4 : vector<3xbf16>
     } else {
       scf.yield %2 : vector<3xbf16>
     }
     %y = vector.extract %3[2] : bf16 from vector<3xbf16>`,
  ],
  ['as their bits, and back', '%0 = arith.truncf %x : f64 to bf16\n %1 = arith.bitcast %0 : bf16 to i16\n %y = arith.bitcast %1 : i16 to bf16'],
  ['of integers', '%0 = arith.constant 16777217 : i32\n %1 = arith.sitofp %0 : i32 to bf16\n %2 = arith.extf %1 : bf16 to f64\n %3 = arith.addf %2, %x : f64\n %y = arith.truncf %3 : f64 to bf16'],
])('bf16 computes as before: %s', (_, body) => {
  const module = parse(`func.func @f(%from: memref<${count}xf64>, %to: memref<${count}xbf16>) {
    affine.for %i = 0 to ${count} {
      %x = affine.load %from[%i] : memref<${count}xf64>
      ${body}
      affine.store %y, %to[%i] : memref<${count}xbf16>
    }
    return
  }`);
  const { after, refused } = lowered(module);
  expect(refused).toEqual([]);
  expect(verify(after, registry)).toEqual([]);
  expect(printModule(after, { registry })).not.toContain('bf16');
  const from = memref([count], Float64Array.from(numbers));
  const [before, halves] = [new Float32Array(count), upperHalves(new Float32Array(count))];
  unwrap(interpret(module, 'f', [from, memref([count], before, { elementType: bf16 })]));
  unwrap(interpret(after, 'f', [from, memref([count], halves, { elementType: integerType(16) })]));
  expect(fromUpperHalves(halves)).toEqual([...before]);
}); // prettier-ignore

it('f64 is rounded to f16 once', () => {
  const module = parse(`func.func @f(%from: memref<${count}xf64>, %to: memref<${count}xf16>) {
    affine.for %i = 0 to ${count} {
      %x = affine.load %from[%i] : memref<${count}xf64>
      %y = arith.truncf %x : f64 to f16
      affine.store %y, %to[%i] : memref<${count}xf16>
    }
    return
  }`);
  const [before, after] = [module, lowered(module).after].map((each) => {
    const to = memref([count], new Float32Array(count), { elementType: { kind: 'float', name: 'f16' } });
    unwrap(interpret(each, 'f', [memref([count], Float64Array.from(numbers)), to]));
    return [...(to.allocation.data as Float32Array)];
  });
  expect(after).toEqual(before);
  expect(printModule(lowered(module).after, { registry })).not.toMatch(/f64 to f16/);
});

it('intrinsics keep their types, and what computes with bf16 in itself is named', () => {
  const { after } = lowered(
    parse(`func.func @f(%m: memref<8xbf16>, %i: index) {
      %0 = vector.load %m[%i] : memref<8xbf16>, vector<8xbf16>
      %1 = llvm.call_intrinsic "llvm.vector.reverse.v8bf16"(%0) : (vector<8xbf16>) -> vector<8xbf16>
      vector.store %1, %m[%i] : memref<8xbf16>, vector<8xbf16>
      return
    }`),
  );
  expect(verify(after, registry)).toEqual([]);
  const text = printModule(after, { registry });
  expect(text).toContain('arith.bitcast %0 : vector<8xi16> to vector<8xbf16>');
  expect(text).toContain('(vector<8xbf16>) -> vector<8xbf16>');
  expect(text).toContain('arith.bitcast %2 : vector<8xbf16> to vector<8xi16>');
  const { refused } = lowered(
    parse(`func.func @f(%m: memref<8xbf16>, %x: bf16, %i: index, %v: vector<4xbf16>, %k: vector<4xi1>) -> bf16 {
      %0 = memref.atomic_rmw addf %x, %m[%i] : (bf16, memref<8xbf16>) -> bf16
      %1 = vector.mask %k { vector.reduction <add>, %v : vector<4xbf16> into bf16 } : vector<4xi1> -> bf16
      return %1 : bf16
    }`),
  );
  expect(refused).toEqual(['memref.atomic_rmw', 'vector.reduction']);
});

it('bits become other halves, and other halves bits', () => {
  const { after } = lowered(
    parse(`func.func @f(%x: bf16, %y: f16) -> (f16, bf16) {
      %0 = arith.bitcast %x : bf16 to f16
      %1 = arith.bitcast %y : f16 to bf16
      return %0, %1 : f16, bf16
    }`),
  );
  expect(verify(after, registry)).toEqual([]);
  const text = printModule(after, { registry });
  expect(text).toContain('arith.bitcast %arg0 : i16 to f16');
  expect(text).toContain('arith.bitcast %arg1 : f16 to i16');
});

it('numbers and types in lists and names become those of bits', () => {
  const { after, refused } = lowered(
    parse(`func.func @f(%x: f32) attributes {
      one = [1.0 : bf16, bf16, 3 : i8], two = {inner = [2.0 : bf16], none = 1.0 : f32}, three = [1.0 : f32], four = {a = 1 : i8}
    } { return }`),
  );
  expect(refused).toEqual([]);
  const text = printModule(after, { registry });
  expect(text).not.toContain('bf16');
  for (const each of [
    'one = [16256 : i16, i16, 3 : i8]',
    'two = {inner = [16384 : i16], none = 1.000000e+00 : f32}',
    'three = [1.000000e+00 : f32]',
    'four = {a = 1 : i8}',
  ])
    expect(text).toContain(each);
});
