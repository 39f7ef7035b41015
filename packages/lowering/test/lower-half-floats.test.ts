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

/** An integer, as `%y`, which is bf16. */
const wide = (type: string, value: bigint, sign = 's'): string =>
  `%0 = arith.constant ${value} : ${type}\n %y = arith.${sign}itofp %0 : ${type} to bf16`;

/** The number `%y` of type bf16, from `x * y + z`. */
const fused = (name: string, type: string, x: number, z: number, y = x): string => {
  const splat = (value: string): string => (type === 'bf16' ? value : `dense<${value}>`);
  const text = (value: number): string => value.toExponential(20);
  const computed = `%0 = arith.constant ${splat(text(x))} : ${type}
    %1 = arith.constant ${splat(text(y))} : ${type}
    %2 = arith.constant ${splat(text(z))} : ${type}`;
  if (type === 'bf16') return `${computed}\n %y = ${name} %0, %1, %2 : ${type}`;
  return `${computed}\n %3 = ${name} %0, %1, %2 : ${type}\n %y = vector.extract %3[1] : bf16 from ${type}`;
};

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
  // Beside a tie by the last bit, on both sides of 0 and without a sign; all bits; and two conversions wide.
  ['of wide integers', wide('i64', 2n ** 62n + 2n ** 54n + 1n)],
  ['of wide integers below 0', wide('i64', -(2n ** 62n) - 2n ** 54n - 1n)],
  ['of wide integers above a tie', wide('i64', 2n ** 62n + 3n * 2n ** 54n - 1n)],
  ['of wide integers without sign', wide('i64', 2n ** 63n + 2n ** 55n + 1n, 'u')],
  ['of the greatest integer', wide('i64', 2n ** 63n - 1n)],
  ['of integers of 54 bits', wide('i54', 2n ** 52n + 2n ** 44n + 1n)],
  ['of very wide integers', wide('i128', 2n ** 126n + 2n ** 118n + 1n)],
  ['of a product and little more', fused('math.fma', 'bf16', 1.0625, 1e-12)],
  ['of a product and hardly less', fused('math.fma', 'bf16', 1.0625, -(2 ** -100), 1.1875)],
  ['of negative products', fused('math.fma', 'bf16', 1.1875, -(2 ** -100), -1.1875)],
  ['of vectors, fused', fused('vector.fma', 'vector<2xbf16>', 1.0625, 1e-12)],
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

it.each([
  ['<add>, %v : vector<4xbf16> into bf16', 'reduction'],
  ['<mul>, %u, %x : vector<4xbf16> into bf16', 'reduction'],
  ['<maxnumf>, %v : vector<4xbf16> into bf16', 'reduction'],
  ['<add>, %m, %x [0, 1] : vector<2x4xbf16> to bf16', 'multi_reduction'],
  ['<add>, %m, %p [1] : vector<2x4xbf16> to vector<2xbf16>', 'multi_reduction'],
  ['<mul>, %m, %v [0] : vector<2x4xbf16> to vector<4xbf16>', 'multi_reduction'],
  ['%p, %v : vector<2xbf16>, vector<4xbf16>', 'outerproduct'],
  ['%p, %v, %m : vector<2xbf16>, vector<4xbf16>', 'outerproduct'],
  ['%v, %x, %v : vector<4xbf16>, bf16', 'outerproduct'],
  [
    '{indexing_maps = [affine_map<(i, j, k) -> (k, i)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (j, i)>], iterator_types = ["parallel", "parallel", "reduction"]} %m, %n, %c : vector<2x4xbf16>, vector<3x2xbf16> into vector<3x4xbf16>',
    'contract',
  ],
  [
    '{indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> (k)>, affine_map<(k) -> ()>], iterator_types = ["reduction"]} %v, %v, %x : vector<4xbf16>, vector<4xbf16> into bf16',
    'contract',
  ],
])('each term of a sum is rounded, as in the interpreter: %s', (text, name) => {
  const last = /(\S+)$/.exec(text)![1]!;
  const type = name !== 'outerproduct' ? last : last === 'bf16' ? 'vector<4xbf16>' : 'vector<2x4xbf16>';
  const shape = (/<(.*)xbf16/.exec(type)?.[1] ?? '1').split('x').map(Number);
  const zeros = shape.map(() => '%z').join(', ');
  const buffer = `memref<${shape.join('x')}xbf16>`;
  const module = parse(`func.func @f(%to: ${buffer}) {
    %z = arith.constant 0 : index
    %x = arith.constant 1.0078125 : bf16
    %p = arith.constant dense<[1.0625, 3.015625]> : vector<2xbf16>
    %v = arith.constant dense<[1.0, 0.00390625, 0.00390625, 0.0078125]> : vector<4xbf16>
    %u = arith.constant dense<[1.0625, 1.1875, 1.0625, 1.1875]> : vector<4xbf16>
    %m = arith.constant dense<[[1.0, 0.00390625, 0.00390625, -1.0703125], [0.5, 0.00390625, 1.25, 0.0078125]]> : vector<2x4xbf16>
    %n = arith.constant dense<[[1.0078125, -1.0], [0.71875, 0.3359375], [1.0625, 1.0625]]> : vector<3x2xbf16>
    %c = arith.constant dense<1.0> : vector<3x4xbf16>
    %y = vector.${name} ${text}
    ${type === 'bf16' ? `memref.store %y, %to[%z] : ${buffer}` : `vector.store %y, %to[${zeros}] : ${buffer}, ${type}`}
    return
  }`);
  const { after, refused } = lowered(module);
  expect(refused).toEqual([]);
  expect(verify(after, registry)).toEqual([]);
  const size = shape.reduce((all, each) => all * each);
  const [before, halves] = [new Float32Array(size), new Int16Array(size)];
  unwrap(interpret(module, 'f', [memref(shape, before, { elementType: bf16 })]));
  unwrap(interpret(after, 'f', [memref(shape, halves, { elementType: integerType(16) })]));
  expect(fromUpperHalves(halves)).toEqual([...before]);
}); // prettier-ignore

it.each([
  ['f64', '%y = arith.truncf %x : f64 to f16'],
  ['a product and little more', '%0 = arith.truncf %x : f64 to f16\n %1 = arith.constant 1.03125 : f16\n %2 = arith.constant 6.0e-8 : f16\n %3 = arith.addf %1, %0 : f16\n %y = math.fma %3, %1, %2 : f16'],
])('%s is rounded to f16 once', (_, body) => {
  const module = parse(`func.func @f(%from: memref<${count}xf64>, %to: memref<${count}xf16>) {
    affine.for %i = 0 to ${count} {
      %x = affine.load %from[%i] : memref<${count}xf64>
      ${body}
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
  expect(printModule(lowered(module).after, { registry })).not.toMatch(/f64 to f16|math.fma/);
}); // prettier-ignore

it('buffers of vectors have bits, too', () => {
  const { after, refused } = lowered(
    parse(`memref.global "private" constant @g : memref<1xvector<2xbf16>> = uninitialized
    func.func @f(%m: memref<4xvector<2xbf16>>, %i: index) -> vector<2xf32> {
      %0 = memref.load %m[%i] : memref<4xvector<2xbf16>>
      %1 = arith.addf %0, %0 : vector<2xbf16>
      memref.store %1, %m[%i] : memref<4xvector<2xbf16>>
      %2 = arith.extf %1 : vector<2xbf16> to vector<2xf32>
      return %2 : vector<2xf32>
    }`),
  );
  expect(refused).toEqual([]);
  expect(verify(after, registry)).toEqual([]);
  const text = printModule(after, { registry });
  expect(text).toContain('memref.load %arg0[%arg1] : memref<4xvector<2xi16>>');
  expect(text).not.toContain('bf16');
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
    parse(`func.func @f(%m: memref<8xbf16>, %x: bf16, %i: index, %v: vector<4xbf16>, %k: vector<4xi1>, %z: vector<bf16>, %w: vector<4097xbf16>) -> bf16 {
      %0 = memref.atomic_rmw addf %x, %m[%i] : (bf16, memref<8xbf16>) -> bf16
      %1 = vector.mask %k { vector.reduction <add>, %v : vector<4xbf16> into bf16 } : vector<4xi1> -> bf16
      %2:2 = vector.scan <add>, %v, %z {inclusive = true, reduction_dim = 0 : i64} : vector<4xbf16>, vector<bf16>
      %3 = vector.reduction <add>, %w : vector<4097xbf16> into bf16
      return %1 : bf16
    }`),
  );
  expect(refused).toEqual(['memref.atomic_rmw', 'vector.reduction', 'vector.scan', 'vector.reduction']);
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
