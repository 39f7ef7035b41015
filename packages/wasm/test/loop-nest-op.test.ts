import { describe, expect, it } from 'vitest';
import { buffersAfter } from './differential.ts';

/** A function whose structured operation accumulates into the first element of %o. */
const reduction = (
  body: string,
  changes: { readonly before?: string; readonly input?: string; readonly output?: string } = {},
): string => {
  const { before = '', input = '%x : memref<5xf32>', output = '%o : memref<2xf32>' } = changes;
  return `func.func @f(%x: memref<5xf32>, %o: memref<2xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %t = arith.constant true
    ${before}
    linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (0)>], iterator_types = ["reduction"]}
      ins(${input}) outs(${output}) {
      ^bb0(%a: f32, %s: f32):
        ${body}
        linalg.yield %r : f32
    }
    return
  }`;
};

const add = '%r = arith.addf %s, %a : f32';
const addOld = '%q = arith.addf %s, %a : f32\n%r = arith.addf %q, %old : f32';

describe('an output that stands still in the innermost loop', () => {
  it.each<[string, string]>([
    ['is added up', reduction(add)],
    ['need not be read', reduction('%r = arith.addf %a, %a : f32')],
    ['is seen by a load of the body', reduction(`%old = memref.load %o[%c0] : memref<2xf32>\n${addOld}`)],
    [
      'is seen by a load in a branch of the body',
      reduction(`%old = scf.if %t -> (f32) {
        %l = memref.load %o[%c0] : memref<2xf32>
        scf.yield %l : f32
      } else {
        scf.yield %a : f32
      }
      ${addOld}`),
    ],
    [
      'is seen by a load of a view',
      reduction(`%old = memref.load %v[%c0] : memref<1xf32, strided<[1]>>\n${addOld}`, {
        before: '%v = memref.subview %o[0] [1] [1] : memref<2xf32> to memref<1xf32, strided<[1]>>',
      }),
    ],
    [
      'is an element of the input',
      reduction(add, {
        before: '%v = memref.subview %x[3] [2] [1] : memref<5xf32> to memref<2xf32, strided<[1], offset: 3>>',
        output: '%v : memref<2xf32, strided<[1], offset: 3>>',
      }),
    ],
    ['is changed by a store of the body', reduction(`memref.store %a, %o[%c1] : memref<2xf32>\n${add}`)],
    [
      'is changed by a store of the body, and seen by a load',
      reduction(`%d = arith.addf %a, %a : f32
        memref.store %d, %o[%c0] : memref<2xf32>
        %old = memref.load %o[%c0] : memref<2xf32>\n${addOld}`),
    ],
  ])('%s', (_, text) => {
    const { onWasm, interpreted } = buffersAfter(text);
    expect(onWasm).toEqual(interpreted);
  });

  it.each([
    ['the innermost', '(d0, d1, d2) -> (d0, d1)', '2x3', ['parallel', 'parallel', 'reduction']],
    ['the inner two', '(d0, d1, d2) -> (d0)', '2', ['parallel', 'reduction', 'reduction']],
    ['all', '(d0, d1, d2) -> ()', '', ['reduction', 'reduction', 'reduction']],
    ['the one in between', '(d0, d1, d2) -> (d0, d2)', '2x4', ['parallel', 'reduction', 'parallel']],
    ['the outermost', '(d0, d1, d2) -> (d1, d2)', '3x4', ['reduction', 'parallel', 'parallel']],
  ])('of %s of three', (_, map, size, iterators) => {
    const output = `memref<${size === '' ? '' : `${size}x`}f32>`;
    const text = `func.func @f(%x: memref<2x3x4xf32>, %y: memref<4xf32>, %o: ${output}, %p: ${output}) {
      linalg.generic {
        indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d2)>, affine_map<${map}>, affine_map<${map}>],
        iterator_types = [${iterators.map((each) => `"${each}"`).join(', ')}]
      } ins(%x, %y : memref<2x3x4xf32>, memref<4xf32>) outs(%o, %p : ${output}, ${output}) {
        ^bb0(%a: f32, %b: f32, %s: f32, %t: f32):
          %m = arith.mulf %a, %b : f32
          %r = arith.addf %s, %m : f32
          %n = arith.maximumf %t, %a : f32
          linalg.yield %r, %n : f32, f32
      }
      return
    }`;
    const { onWasm, interpreted } = buffersAfter(text);
    expect(onWasm).toEqual(interpreted);
  });

  it('two outputs that are one buffer are written one after the other', () => {
    const text = `func.func @f(%x: memref<5xf32>, %o: memref<2xf32>) {
      %v = memref.subview %o[0] [1] [1] : memref<2xf32> to memref<1xf32, strided<[1]>>
      linalg.generic {
        indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (0)>, affine_map<(d0) -> (0)>],
        iterator_types = ["reduction"]
      } ins(%x : memref<5xf32>) outs(%o, %v : memref<2xf32>, memref<1xf32, strided<[1]>>) {
        ^bb0(%a: f32, %s: f32, %t: f32):
          %r = arith.addf %s, %a : f32
          %n = arith.addf %t, %r : f32
          linalg.yield %r, %n : f32, f32
      }
      return
    }`;
    const { onWasm, interpreted } = buffersAfter(text);
    expect(onWasm).toEqual(interpreted);
  });
});
