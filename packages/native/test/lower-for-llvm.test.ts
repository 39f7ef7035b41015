/** What is lowered for LLVM computes the same, and is of operations that LLVM takes. */
import { payloadDialects } from '@sconv/dialects';
import { unwrap } from '@sconv/diagnostics';
import { firstDifference } from '@sconv/interpreter/testing';
import type { Module } from '@sconv/ir';
import { createRegistry, edit, parseModule, printModule, verify, walk } from '@sconv/ir';
import { expect, it } from 'vitest';
import { lowerForLlvm } from '../src/lower-for-llvm.ts';

const registry = createRegistry(payloadDialects);

const lowered = (before: Module) => edit(before, { registry }, (rewriter) => lowerForLlvm(rewriter));

it.each([
  ['sums of numbers, and whether they overflow', 'arith.addui_extended', '(%a: i8, %b: i8) -> (i8, i1)', '%r:2 = arith.addui_extended %a, %b : i8, i1'],
  ['sums of vectors', 'arith.addui_extended', '(%a: vector<2x3xi8>, %b: vector<2x3xi8>) -> (vector<2x3xi8>, vector<2x3xi1>)', '%r:2 = arith.addui_extended %a, %b : vector<2x3xi8>, vector<2x3xi1>'],
  ['digits of an index', 'affine.delinearize_index', '(%a: index, %n: index) -> (index, index, index)', '%k = arith.addi %a, %n : index\n%m = arith.muli %k, %k : index\n%r:3 = affine.delinearize_index %m into (%c5, %c3, %c2) : index, index, index'],
  ['the bits of an index', 'none', '(%a: index, %v: vector<index>) -> (index, vector<index>)', '%r0 = math.ctpop %a : index\n%r1 = math.ctlz %v : vector<index>\n return %r0, %r1 : index, vector<index>'],
  ['elements at computed positions', 'vector.extract', '(%v: vector<5x5xf32>, %i: index, %j: index) -> (f32, f32, f32)', '%r0 = vector.extract %v[%i, %j] : f32 from vector<5x5xf32>\n%r1 = vector.extract %v[2, %j] : f32 from vector<5x5xf32>\n%r2 = vector.extract %v[%i, 1] : f32 from vector<5x5xf32>\n return %r0, %r1, %r2 : f32, f32, f32'],
  ['elements put at computed positions', 'vector.insert', '(%v: vector<5x5xf32>, %x: f32, %i: index, %j: index) -> (vector<5x5xf32>, vector<5x5xf32>)', '%r0 = vector.insert %x, %v[%i, %j] : f32 into vector<5x5xf32>\n%r1 = vector.insert %x, %v[%i, 3] : f32 into vector<5x5xf32>\n return %r0, %r1 : vector<5x5xf32>, vector<5x5xf32>'],
  ['an element put into what is read', 'vector.insert', '(%a: memref<2x3xf32>, %x: f32) -> vector<2x3xf32>', '%c0 = arith.constant 0 : index\n%v = vector.transfer_read %a[%c0, %c0], %x {in_bounds = [true, true]} : memref<2x3xf32>, vector<2x3xf32>\n%r = vector.insert %x, %v[1, 2] : f32 into vector<2x3xf32>'],
  ['a row put into what is read', 'vector.insert', '(%a: memref<2x3xf32>, %w: vector<3xf32>, %x: f32) -> vector<2x3xf32>', '%c0 = arith.constant 0 : index\n%v = vector.transfer_read %a[%c0, %c0], %x {in_bounds = [true, true]} : memref<2x3xf32>, vector<2x3xf32>\n%r = vector.insert %w, %v[1] : vector<3xf32> into vector<2x3xf32>'],
  ['roots of one element', 'none', '(%v: vector<f32>) -> vector<f32>', '%r = math.absf %v : vector<f32>'],
  ['products of bytes', 'none', '(%a: vector<2x3xi8>, %b: vector<3xi8>, %c: vector<2xi32>) -> vector<2xi32>', `%r = vector.contract {indexing_maps = [affine_map<(m, k) -> (m, k)>, affine_map<(m, k) -> (k)>, affine_map<(m, k) -> (m)>],
    iterator_types = ["parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %c : vector<2x3xi8>, vector<3xi8> into vector<2xi32>`],
  ['structured ops', 'linalg.copy', '(%a: memref<2x3xf32>, %b: memref<2x3xf32>)', 'linalg.copy ins(%a : memref<2x3xf32>) outs(%b : memref<2x3xf32>)\n return'],
  ['views', 'memref.subview', '(%a: memref<6x6xf32>, %i: i1) -> f32', `%j = arith.index_castui %i : i1 to index
    %s = memref.subview %a[%j, 1] [2, 1] [2, 1] : memref<6x6xf32> to memref<2xf32, strided<[12], offset: ?>>
    %r = memref.load %s[%j] : memref<2xf32, strided<[12], offset: ?>>`],
] as const)('%s', (_, gone, signature, body) => {
  const [, result = ''] = signature.split(/\) -> /);
  const types = result.replace(/^\((.*)\)$/, '$1');
  const values = /%r:(\d)/.exec(body)?.[1];
  const names = values === undefined ? '%r' : Array.from({ length: Number(values) }, (__, i) => `%r#${i}`).join(', ');
  const text = `func.func @f${signature} {
    %c5 = arith.constant 5 : index
    %c3 = arith.constant 3 : index
    %c2 = arith.constant 2 : index
    ${body}
    ${body.includes('return') ? '' : `return ${names} : ${types}`}
  }`;
  const before = unwrap(parseModule(text, { registry }));
  const { module: after, results: problems } = lowered(before);
  expect(problems).toEqual([]);
  expect(verify(after, registry)).toEqual([]);
  expect(firstDifference(before, after)).toBeUndefined();
  expect([...walk(after.root)].map(({ name }) => name)).not.toContain(gone);
}); // prettier-ignore

it.each([
  ['sums of floats', '<add>, %v : vector<2xf32> into f32', true],
  ['sums that begin with a number', '<add>, %v, %x : vector<2xf32> into f32', false],
  ['sums without a sign of zero', '<add>, %v fastmath<nsz> : vector<2xf32> into f32', false],
  ['fast sums', '<add>, %v fastmath<fast> : vector<2xf32> into f32', false],
  ['products', '<mul>, %v : vector<2xf32> into f32', false],
])('%s: whether -0.0 is added', (_, reduction, isAdded) => {
  const text = `func.func @f(%x: f32) -> f32 {
    %v = vector.splat %x : vector<2xf32>
    %r = vector.reduction ${reduction}
    return %r : f32
  }`;
  const { module } = lowered(unwrap(parseModule(text, { registry })));
  expect(printModule(module, { registry }).includes('arith.constant -0.0')).toBe(isAdded);
});
