import { unwrap } from '@sconv/diagnostics';
import { interpret, memref } from '@sconv/interpreter';
import type { Module } from '@sconv/ir';
import { edit, i1, operationsIn, verify } from '@sconv/ir';
import { expect, it } from 'vitest';
import { isRightUpstream, lowerTransfers } from '../src/index.ts';
import { names, parse, registry } from './support.ts';

/** The module after, whether LLVM's conversions lower all of it, and what was lowered. */
const lowered = (module: Module): { readonly after: Module; readonly isRight: boolean } => {
  const { module: after, results: isRight } = edit(module, { registry }, (rewriter) => {
    lowerTransfers(rewriter, rewriter.root);
    return rewriter.walk(rewriter.root).every((operation) => isRightUpstream(operation));
  });
  expect(verify(after, registry)).toEqual([]);
  return { after, isRight };
};

/** What is in the buffers after a call: 6 by 5 numbers, and 12 others. */
const memoryAfter = (module: Module, i: number, j: number): readonly number[] => {
  const [m, r] = [Float32Array.from({ length: 30 }, (_, k) => k + 1), new Float32Array(12).fill(-1)];
  const bits = Uint8Array.from({ length: 12 }, (_, k) => (k % 3 === 0 ? 1 : 0));
  const given = [memref([6, 5], m), memref([12], r), memref([12], bits, { elementType: i1 }), i, j];
  unwrap(interpret(module, 'f', given));
  return [...m, ...r, ...bits];
};

/** Places of a row, of a column, and of both: other indices are in the buffer. */
const inRow = [[0, 0], [2, -2], [5, 4], [3, -9], [1, 2]] as const; // prettier-ignore
const inColumn = inRow.map(([i, j]) => [j, i % 5] as const);
const anywhere = [...inRow, ...inColumn, [-1, -1], [5, -1]] as const;

const map = (results: string): string => `permutation_map = affine_map<(d0, d1) -> (${results})>`;
const source = '%m[%i, %j]';
const type = 'memref<6x5xf32>';

it.each([
  ['a row, read', `%v = vector.transfer_read ${source}, %p : ${type}, vector<4xf32>`, '4', inRow],
  ['rows', `%v = vector.transfer_read ${source}, %p {in_bounds = [false, true]} : ${type}, vector<2x1xf32>`, '2x1', inColumn],
  ['a column', `%v = vector.transfer_read ${source}, %p {${map('d0')}} : ${type}, vector<4xf32>`, '4', inColumn],
  ['columns as rows', `%v = vector.transfer_read ${source}, %p {${map('d1, d0')}} : ${type}, vector<3x2xf32>`, '3x2', anywhere],
  ['a row, repeated', `%v = vector.transfer_read ${source}, %p {${map('0, d1')}, in_bounds = [true, false]} : ${type}, vector<2x3xf32>`, '2x3', inRow],
  [
    'a mask in the order of the buffer',
    `%k = vector.constant_mask [1, 2] : vector<2x3xi1>
     %v = vector.transfer_read ${source}, %p, %k {${map('d1, d0')}} : ${type}, vector<3x2xf32>`,
    '3x2', anywhere,
  ],
  [
    'a mask around it',
    `%k = vector.create_mask %j : vector<4xi1>
     %v = vector.mask %k { vector.transfer_read ${source}, %p {in_bounds = [false]} : ${type}, vector<4xf32> } : vector<4xi1> -> vector<4xf32>`,
    '4', inRow,
  ],
  ['rows, loaded', `%v = vector.load ${source} : ${type}, vector<2x3xf32>`, '2x3', [[0, 0], [2, 1], [4, 2]]],
] as const)('reads as before: %s', (_, read, shape, places) => {
  const module = parse(`func.func @f(%m: ${type}, %r: memref<12xf32>, %b: memref<12xi1>, %i: index, %j: index) {
    %p = arith.constant 9.0 : f32
    %z = arith.constant 0 : index
    ${read}
    %w = vector.shape_cast %v : vector<${shape}xf32> to vector<${shape.split('x').reduce((n, each) => n * Number(each), 1)}xf32>
    vector.transfer_write %w, %r[%z] {in_bounds = [true]} : vector<${shape.split('x').reduce((n, each) => n * Number(each), 1)}xf32>, memref<12xf32>
    return
  }`);
  const { after, isRight } = lowered(module);
  expect(isRight).toBe(true);
  for (const [i, j] of places) expect(memoryAfter(after, i, j)).toEqual(memoryAfter(module, i, j));
}); // prettier-ignore

it.each([
  ['a row', '%v = vector.load %r[%z] : memref<12xf32>, vector<4xf32>', `vector.transfer_write %v, ${source} : vector<4xf32>, ${type}`, inRow],
  ['columns', '%v = vector.load %r[%z] : memref<12xf32>, vector<4xf32>', `vector.transfer_write %v, ${source} {${map('d0')}} : vector<4xf32>, ${type}`, inColumn],
  [
    'masked rows',
    `%w = vector.load %r[%z] : memref<12xf32>, vector<6xf32>
     %v = vector.shape_cast %w : vector<6xf32> to vector<2x3xf32>
     %k = vector.constant_mask [2, 1] : vector<2x3xi1>`,
    `vector.transfer_write %v, ${source}, %k : vector<2x3xf32>, ${type}`, anywhere,
  ],
  [
    'rows, stored',
    `%w = vector.load %r[%z] : memref<12xf32>, vector<6xf32>
     %v = vector.shape_cast %w : vector<6xf32> to vector<2x3xf32>`,
    `vector.store %v, ${source} : ${type}, vector<2x3xf32>`, [[0, 0], [2, 1], [4, 2]],
  ],
  ['bits', '%v = vector.load %b[%z] : memref<12xi1>, vector<4xi1>', 'vector.store %v, %b[%o] : memref<12xi1>, vector<4xi1>', inRow],
  [
    'masked bits',
    `%k = vector.constant_mask [3] : vector<4xi1>
     %v = vector.maskedload %b[%z], %k, %k : memref<12xi1>, vector<4xi1>, vector<4xi1> into vector<4xi1>`,
    'vector.maskedstore %b[%o], %v, %k : memref<12xi1>, vector<4xi1>, vector<4xi1>', inRow,
  ],
] as const)('writes as before: %s', (_, made, write, places) => {
  const module = parse(`func.func @f(%m: ${type}, %r: memref<12xf32>, %b: memref<12xi1>, %i: index, %j: index) {
    %z = arith.constant 0 : index
    %o = arith.constant 7 : index
    ${made}
    ${write}
    return
  }`);
  const { after, isRight } = lowered(module);
  expect(isRight).toBe(true);
  for (const [i, j] of places) expect(memoryAfter(after, i, j)).toEqual(memoryAfter(module, i, j));
}); // prettier-ignore

it('what is complete stays, and what would be too much code', () => {
  const module = parse(`func.func @f(%m: memref<100x100xf32>, %p: f32, %i: index) {
    %0 = vector.transfer_read %m[%i, %i], %p {in_bounds = [true, true]} : memref<100x100xf32>, vector<4x4xf32>
    %1 = vector.transfer_read %m[%i, %i], %p {permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : memref<100x100xf32>, vector<80x80xf32>
    return
  }`);
  const { after, isRight } = lowered(module);
  expect(isRight).toBe(false);
  expect(names(after)).toEqual(names(module));
});

it.each([
  ['one vector', '%0 = vector.load %m[%i] : memref<4xvector<2xf32>>, vector<2xf32>', true],
  ['one vector, by a transfer', '%0 = vector.transfer_read %m[%i], %p : memref<4xvector<2xf32>>, vector<2xf32>', true],
  ['several', '%0 = vector.transfer_read %m[%i], %p {in_bounds = [true]} : memref<4xvector<2xf32>>, vector<4x2xf32>', false],
  ['several, beyond the buffer', '%0 = vector.transfer_read %m[%i], %p : memref<4xvector<2xf32>>, vector<4x2xf32>', false],
  ['several, written', 'vector.transfer_write %v, %m[%i] {in_bounds = [true]} : vector<4x2xf32>, memref<4xvector<2xf32>>', false],
] as const)('of a buffer of vectors, %s: whether LLVM takes it', (_, access, isRight) => {
  const module = parse(`func.func @f(%m: memref<4xvector<2xf32>>, %p: vector<2xf32>, %v: vector<4x2xf32>, %i: index) {
    ${access}
    return
  }`);
  expect(lowered(module).isRight).toBe(isRight);
}); // prettier-ignore

it('rows that are loaded or stored together are so one by one', () => {
  const module = parse(`func.func @f(%m: ${type}, %i: index) {
    %v = vector.load %m[%i, %i] : ${type}, vector<2x3xf32>
    vector.store %v, %m[%i, %i] : ${type}, vector<2x3xf32>
    return
  }`);
  const all = operationsIn(lowered(module).after.root).map(({ name }) => name);
  const accesses = all.filter((name) => /^vector\.(load|store)$/.test(name));
  expect(accesses).toEqual(['vector.load', 'vector.load', 'vector.store', 'vector.store']);
});
