import { describe, expect, it } from 'vitest';
import { failureOf } from './emit.ts';
import { expectSame, vectorProgram } from './vector-program.ts';

const elements = ['i1', 'i8', 'i16', 'i32', 'i64', 'f32', 'f64'];

/** A body that reads or writes `%m` of `memref<4x6xT>` before a result. */
const accessing = (element: string, body: string, result: string, constants = ''): string => {
  const of = (text: string): string => text.replaceAll(/\bT\b|(?<=x)T\b/g, element);
  return of(`func.func @f(%m: memref<4x6xT>, %o: memref<${result}>, %p: memref<T>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %cm = arith.constant -1 : index
    %z = memref.load %p[] : memref<T>
    ${constants}
    ${body}
    return
  }`);
};

describe.each(elements)('of %s', (element) => {
  it.each([
    ['in bounds', '[%c1, %c2], %z {in_bounds = [true]}', '3xT'],
    ['of two dimensions', '[%c1, %c2], %z {in_bounds = [true, true]}', '2x3xT'],
    ['behind the end', '[%c1, %c4], %z', '5xT'],
    ['before the start', '[%cm, %cm], %z', '3x4xT'],
    [
      'transposed',
      '[%c0, %c1], %z {in_bounds = [true, false], permutation_map = affine_map<(d0, d1) -> (d1, d0)>}',
      '3x5xT',
    ],
    ['along columns', '[%c2, %c1], %z {permutation_map = affine_map<(d0, d1) -> (d0)>}', '4xT'],
    [
      'repeated',
      '[%c1, %c1], %z {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (0, d1)>}',
      '3x2xT',
    ],
  ])('transfer_read %s', (_, access, result) => {
    const zeros = Array.from({ length: result.split('x').length - 1 }, () => '%c0').join(', ');
    const isIn = zeros.replaceAll('%c0', 'true');
    const body = `%v = vector.transfer_read %m${access} : memref<4x6xT>, vector<${result}>
      vector.transfer_write %v, %o[${zeros}] {in_bounds = [${isIn}]} : vector<${result}>, memref<${result}>`;
    expectSame(accessing(element, body, result));
  });

  it.each([
    ['in bounds', '[%c1, %c2] {in_bounds = [true]}', '3xT'],
    ['behind the end', '[%c2, %c4]', '3x5xT'],
    ['transposed', '[%c0, %c1] {permutation_map = affine_map<(d0, d1) -> (d1, d0)>}', '3x5xT'],
  ])('transfer_write %s', (_, access, type) => {
    const zeros = Array.from({ length: type.split('x').length - 1 }, () => '%c0').join(', ');
    const body = `%v = vector.transfer_read %o[${zeros}], %z : memref<${type}>, vector<${type}>
      vector.transfer_write %v, %m${access} : vector<${type}>, memref<4x6xT>`;
    expectSame(accessing(element, body, type));
  });

  const masks = `%some = vector.constant_mask [2] : vector<5xi1>
    %all = vector.constant_mask [5] : vector<5xi1>
    %odd = arith.constant dense<[false, true, false, true, true]> : vector<5xi1>
    %at = arith.constant dense<[3, 0, 7, 1, 5]> : vector<5xindex>`;
  it.each(['%some', '%all', '%odd'])('under a mask %s', (mask) => {
    const types = 'memref<4x6xT>, vector<5xi1>, vector<5xT>';
    const body = `%rest = vector.splat %z : vector<5xT>
      %a = vector.maskedload %m[%c1, %c0], ${mask}, %rest : ${types} into vector<5xT>
      %b = vector.expandload %m[%c1, %c1], ${mask}, %rest : ${types} into vector<5xT>
      %g = vector.gather %m[%c1, %c2] [%at], ${mask}, %rest : memref<4x6xT>, vector<5xindex>, vector<5xi1>, vector<5xT> into vector<5xT>
      %t = vector.mask ${mask}, %g { vector.transfer_read %m[%c1, %c2], %z : memref<4x6xT>, vector<5xT> } : vector<5xi1> -> vector<5xT>
      %u = vector.transfer_read %m[%c2, %c2], %z, ${mask} : memref<4x6xT>, vector<5xT>
      vector.maskedstore %o[%c0, %c1], ${mask}, %a : memref<6x7xT>, vector<5xi1>, vector<5xT>
      vector.compressstore %o[%c1, %c1], ${mask}, %b : memref<6x7xT>, vector<5xi1>, vector<5xT>
      vector.scatter %o[%c2, %c0] [%at], ${mask}, %g : memref<6x7xT>, vector<5xindex>, vector<5xi1>, vector<5xT>
      vector.mask ${mask} { vector.transfer_write %t, %o[%c4, %c4] : vector<5xT>, memref<6x7xT> } : vector<5xi1>
      vector.transfer_write %u, %m[%c0, %c4], ${mask} : vector<5xT>, memref<4x6xT>`;
    expectSame(accessing(element, body, '6x7xT', masks));
  });

  it('of buffers with strides known at run time only', () => {
    const type = 'memref<?x?xT, strided<[?, ?], offset: ?>>';
    const body = `%d = memref.subview %m[%c1, %c0] [2, 3] [%c1, %c2] : memref<4x6xT> to ${type.replace('?x?', '2x3')}
      %v = vector.transfer_read %d[%c0, %c1], %z : ${type.replace('?x?', '2x3')}, vector<2x3xT>
      vector.transfer_write %v, %o[%c0, %c0] : vector<2x3xT>, memref<2x3xT>`;
    expectSame(accessing(element, body, '2x3xT'));
  });
});

it.each([
  [
    'a tensor',
    '%t: tensor<8xf32>',
    'vector.transfer_read %t[%i], %z : tensor<8xf32>, vector<4xf32>',
    'bufferize it first',
  ],
  [
    'an operation under a mask',
    '%t: memref<8xf32>',
    'vector.mask %k { vector.load %t[%i] : memref<8xf32>, vector<4xf32> } : vector<4xi1> -> vector<4xf32>',
    'under a mask',
  ],
])('%s is refused', (_, parameter, operation, message) => {
  const text = `func.func @f(%i: index, ${parameter}) {
    %z = arith.constant 0.0 : f32
    %k = vector.constant_mask [2] : vector<4xi1>
    %v = ${operation}
    return
  }`;
  expect(failureOf(text).code).toBe('wasm/unsupported');
  expect(failureOf(text).message).toContain(message);
});

it('vectors that are read and written may be in one buffer', () => {
  expectSame(
    vectorProgram(
      ['8xf32'],
      `%z = arith.constant 0.0 : f32
    %a = vector.load %m0[%c1] : memref<8xf32>, vector<5xf32>
    vector.store %a, %m0[%c3] : memref<8xf32>, vector<5xf32>
    %r0 = vector.load %m0[%c2] : memref<8xf32>, vector<5xf32>`,
      ['5xf32'],
    ),
  );
});
