import { edit, operationsIn, verify } from '@sconv/ir';
import { expect, it } from 'vitest';
import { lowerStridedCopies } from '../src/index.ts';
import { parse, registry } from './support.ts';

it.each([
  ['contiguous', 'memref<2x3xf32>', 'memref<2x3xf32>', 'memref.copy'],
  ['contiguous, and dynamic', 'memref<?x3xf32>', 'memref<?x3xf32>', 'memref.copy'],
  ['the source a view', 'memref<2x3xf32, strided<[4, 1], offset: 2>>', 'memref<2x3xf32>', 'linalg.copy'],
  ['the target transposed', 'memref<2x3xf32>', 'memref<2x3xf32, strided<[1, 2]>>', 'linalg.copy'],
  [
    'strides that are not known',
    'memref<2x3xf32>',
    'memref<2x3xf32, strided<[?, ?], offset: ?>>',
    'linalg.copy',
  ],
  ['of one element', 'memref<f32, strided<[], offset: 3>>', 'memref<f32>', 'linalg.copy'],
  ['of unknown rank', 'memref<*xf32>', 'memref<2x3xf32>', 'memref.copy'],
])('buffers that are %s', (_, source, target, name) => {
  const module = parse(`func.func @f(%a: ${source}, %b: ${target}) {
    memref.copy %a, %b : ${source} to ${target}
    return
  }`);
  const after = edit(module, { registry }, (rewriter) => {
    lowerStridedCopies(rewriter, rewriter.root);
  }).module;
  expect(verify(after, registry)).toEqual([]);
  expect(operationsIn(after.root).map((each) => each.name)).toContain(name);
});
