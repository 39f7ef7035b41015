import { describe, expect, it } from 'vitest';
import { backendsOf, buffersAfter } from './differential.ts';
import { disassemble } from './disassemble.ts';
import { emitted, failureOf } from './emit.ts';
import { expectSame, vectorProgram } from './vector-program.ts';

const integerKinds = ['add', 'mul', 'minsi', 'minui', 'maxsi', 'maxui', 'and', 'or', 'xor'];
const floatKinds = ['add', 'mul', 'minnumf', 'maxnumf', 'minimumf', 'maximumf'];

describe.each([
  ['i8', integerKinds],
  ['i64', integerKinds],
  ['index', ['add', 'minsi', 'maxsi']],
  ['i1', ['and', 'or', 'xor']],
  ['f32', floatKinds],
  ['f64', floatKinds],
])('of %s', (element, kinds) => {
  it.each(kinds)('%s', (kind) => {
    const e = element;
    expectSame(
      vectorProgram(
        [`5x${e}`, `3x4x${e}`, `4x${e}`, `3x${e}`, `5xi1`, `3x4xi1`],
        `%n = vector.extract %v2[0] : ${e} from vector<4x${e}>
         %r0 = vector.reduction <${kind}>, %v0 : vector<5x${e}> into ${e}
         %r1 = vector.reduction <${kind}>, %v0, %n : vector<5x${e}> into ${e}
         %r2 = vector.multi_reduction <${kind}>, %v1, %v2 [0] : vector<3x4x${e}> to vector<4x${e}>
         %r3 = vector.multi_reduction <${kind}>, %v1, %n [0, 1] : vector<3x4x${e}> to ${e}
         %r4 = vector.mask %v4 { vector.reduction <${kind}>, %v0 : vector<5x${e}> into ${e} } : vector<5xi1> -> ${e}
         %r5 = vector.mask %v5 { vector.multi_reduction <${kind}>, %v1, %v3 [1] : vector<3x4x${e}> to vector<3x${e}> } : vector<3x4xi1> -> vector<3x${e}>
         %r6, %r7 = vector.scan <${kind}>, %v1, %v2 {inclusive = true, reduction_dim = 0 : i64} : vector<3x4x${e}>, vector<4x${e}>
         %r8, %r9 = vector.scan <${kind}>, %v1, %v3 {inclusive = false, reduction_dim = 1 : i64} : vector<3x4x${e}>, vector<3x${e}>`,
        [
          `number ${e}`, `number ${e}`, `4x${e}`, `number ${e}`, `number ${e}`, `3x${e}`,
          `3x4x${e}`, `4x${e}`, `3x4x${e}`, `3x${e}`,
        ], // prettier-ignore
      ),
    );
  });
});

it('a sum is that of one element after the other', () => {
  const text = vectorProgram(['11xf32'], '%r0 = vector.reduction <add>, %v0 : vector<11xf32> into f32', [
    'number f32',
  ]);
  const { onWasm, interpreted } = buffersAfter(text, 3);
  expect(onWasm).toEqual(interpreted);
});

const contraction = (lhs: string, rhs: string, acc: string): string =>
  `{indexing_maps = [affine_map<(m, n, k) -> (${lhs})>, affine_map<(m, n, k) -> (${rhs})>, affine_map<(m, n, k) -> (${acc})>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}`;

describe.each(['i32', 'f32', 'f64'])('products of %s', (e) => {
  it('are summed', () => {
    expectSame(
      vectorProgram(
        [`3x4x${e}`, `4x5x${e}`, `3x5x${e}`, `3x${e}`, `5x${e}`, '3x5xi1'],
        `%r0 = vector.contract ${contraction('m, k', 'k, n', 'm, n')} %v0, %v1, %v2 : vector<3x4x${e}>, vector<4x5x${e}> into vector<3x5x${e}>
         %r1 = vector.outerproduct %v3, %v4, %v2 {kind = #vector.kind<add>} : vector<3x${e}>, vector<5x${e}>
         %r2 = vector.outerproduct %v3, %v4 : vector<3x${e}>, vector<5x${e}>
         %r3 = vector.mask %v5 { vector.outerproduct %v3, %v4, %v2 {kind = #vector.kind<mul>} : vector<3x${e}>, vector<5x${e}> } : vector<3x5xi1> -> vector<3x5x${e}>
         %s = vector.extract %v4[1] : ${e} from vector<5x${e}>
         %r4 = vector.outerproduct %v3, %s, %v3 {kind = #vector.kind<add>} : vector<3x${e}>, ${e}
         %a = vector.shape_cast %v0 : vector<3x4x${e}> to vector<12x${e}>
         %b = vector.shape_cast %v1 : vector<4x5x${e}> to vector<20x${e}>
         %r5 = vector.matrix_multiply %a, %b {lhs_rows = 3 : i32, lhs_columns = 4 : i32, rhs_columns = 5 : i32} : (vector<12x${e}>, vector<20x${e}>) -> vector<15x${e}>`,
        [`3x5x${e}`, `3x5x${e}`, `3x5x${e}`, `3x5x${e}`, `3x${e}`, `15x${e}`],
      ),
    );
  });
});

const dot = (factors: string, sum: string): string =>
  vectorProgram(
    [`5x${factors}`, sum],
    `%s = vector.extract %v1[] : ${sum} from vector<${sum}>
     %r0 = vector.contract {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> (k)>, affine_map<(k) -> ()>], iterator_types = ["reduction"], kind = #vector.kind<add>} %v0, %v0, %s : vector<5x${factors}>, vector<5x${factors}> into ${sum}`,
    [`number ${sum}`],
  );

it.each([
  ['i8', 'i32'],
  ['i16', 'i64'],
  ['f32', 'f64'],
])('factors of %s are extended to sums of %s', (factors, sum) => {
  expectSame(dot(factors, sum));
});

it.each([
  [
    'an outer product',
    '80',
    'vector.outerproduct %v, %v : vector<80xf32>, vector<80xf32>',
    'a vector of 6400 elements',
  ],
  [
    'a contraction',
    '4x1024',
    `vector.contract {indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> ()>], iterator_types = ["reduction", "reduction", "reduction"], kind = #vector.kind<add>} %v, %v, %z : vector<4x1024xf32>, vector<4x1024xf32> into f32`,
    'a sum of 4194304 products',
  ],
])('%s of vector<%sxf32> is refused where it is too large', (_, shape, operation, message) => {
  const indices = shape
    .split('x')
    .map(() => '%i')
    .join(', ');
  const text = `func.func @f(%m: memref<${shape}xf32>, %i: index, %z: f32) {
    %v = vector.load %m[${indices}] : memref<${shape}xf32>, vector<${shape}xf32>
    %r = ${operation}
    return
  }`;
  expect(failureOf(text).message).toContain(message);
});

it('a sum of narrower elements than its factors is refused', () => {
  expect(failureOf(dot('i32', 'i8'))).toMatchObject({ code: 'wasm/unsupported' });
});

describe('vector.fma', () => {
  const text = vectorProgram(['5xf32', '5xf32', '5xf32'], '%r0 = vector.fma %v0, %v1, %v2 : vector<5xf32>', [
    '5xf32',
  ]);

  it('rounds the product, and then the sum', () => {
    const x = 1 + 2 ** -12;
    const [a, c] = [new Float32Array(5).fill(x), new Float32Array(5).fill(-1 - 2 ** -11)];
    const result = new Float32Array(5);
    backendsOf(text).wasm.run('f', a, a, c, result);
    expect([...result]).toEqual(Array.from({ length: 5 }, () => Math.fround(x * x) + c[0]!));
    expect(result[0]).toBe(0);
  });

  it('is the instruction of relaxed SIMD where that is used', () => {
    const isUsed = (relaxed: boolean): boolean =>
      disassemble(emitted(text, { relaxed }).bytes).includes('relaxed_madd');
    expect([isUsed(false), isUsed(true)]).toEqual([false, true]);
  });
});
