import { firstDifference } from '@sconv/interpreter/testing';
import type { Module } from '@sconv/ir';
import { edit, operationsIn, printModule, verify } from '@sconv/ir';
import { describe, expect, it } from 'vitest';
import { collapseLoops } from '../src/index.ts';
import { parse, registry } from './support.ts';

const collapsed = (module: Module): Module => {
  const after = edit(module, { registry }, (rewriter) => {
    collapseLoops(rewriter, rewriter.root);
  }).module;
  expect(verify(after, registry)).toEqual([]);
  return after;
};

/** An op on buffers of these types, the last of which it writes. */
const payload = (
  maps: string,
  iterators: string,
  types: readonly string[],
  body = '%s = arith.addf %x, %y : f32',
): string => {
  const [x, y] = types.map((type) => `memref<${type}>`);
  return `func.func @f(%a: ${x}, %b: ${y}) {
    linalg.generic {indexing_maps = [${maps}], iterator_types = [${iterators}]} ins(%a : ${x}) outs(%b : ${y}) {
    ^bb0(%x: f32, %y: f32):
      ${body}
      linalg.yield %s : f32
    }
    return
  }`;
};
const map = (loops: string, results: string): string => `affine_map<(${loops}) -> (${results})>`;
const parallel = (count: number): string => Array(count).fill('"parallel"').join();

describe('collapsed loops', () => {
  it('are one loop on flat buffers', () => {
    const module = parse(
      payload(`${map('n, h, w', 'n, h, w')}, ${map('n, h, w', 'n, h, w')}`, parallel(3), [
        '2x3x5xf32',
        '2x3x5xf32',
      ]),
    );
    const after = collapsed(module);
    expect(printModule(after, { registry })).toMatchInlineSnapshot(`
      "#map = affine_map<(d0) -> (d0)>
      module {
        func.func @f(%arg0: memref<2x3x5xf32>, %arg1: memref<2x3x5xf32>) {
          %collapse_shape = memref.collapse_shape %arg0 [[0, 1, 2]] : memref<2x3x5xf32> into memref<30xf32>
          %collapse_shape_0 = memref.collapse_shape %arg1 [[0, 1, 2]] : memref<2x3x5xf32> into memref<30xf32>
          linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%collapse_shape : memref<30xf32>) outs(%collapse_shape_0 : memref<30xf32>) {
          ^bb0(%in: f32, %out: f32):
            %0 = arith.addf %in, %out : f32
            linalg.yield %0 : f32
          }
          return
        }
      }
      "
    `);
    expect(firstDifference(module, after)).toBeUndefined();
  });

  it('are not three of unit dimensions of which only neighbours fit', () => {
    const type = '2x1x1xf32, strided<[1, 7, 1]>';
    const identity = map('n, h, w', 'n, h, w');
    const module = parse(payload(`${identity}, ${identity}`, parallel(3), [type, type]));
    const after = collapsed(module);
    expect(printModule(after, { registry })).toContain('iterator_types = ["parallel", "parallel"]');
    expect(firstDifference(module, after)).toBeUndefined();
  });

  it.each([
    [
      'a bias of channels',
      map('c, h, w', 'c'),
      map('c, h, w', 'c, h, w'),
      parallel(3),
      ['2xf32', '2x3x5xf32'],
      2,
    ],
    [
      'a loop that is called one of sums',
      map('c, h', 'c, h'),
      map('c, h', 'c, h'),
      '"parallel", "reduction"',
      ['2x3xf32', '2x3xf32'],
      2,
    ],
    [
      'sums of planes',
      map('c, h, w', 'c, h, w'),
      map('c, h, w', 'c'),
      '"parallel", "reduction", "reduction"',
      ['2x3x5xf32', '2xf32'],
      2,
    ],
    [
      'sums of columns',
      map('h, w', 'h, w'),
      map('h, w', 'w'),
      '"reduction", "parallel"',
      ['3x5xf32', '5xf32'],
      2,
    ],
    ['a transpose', map('h, w', 'w, h'), map('h, w', 'h, w'), parallel(2), ['5x3xf32', '3x5xf32'], 2],
    [
      'rows with gaps',
      map('h, w', 'h, w'),
      map('h, w', 'h, w'),
      parallel(2),
      ['3x5xf32, strided<[8, 1]>', '3x5xf32'],
      2,
    ],
    [
      'planes with gaps',
      map('n, h, w', 'n, h, w'),
      map('n, h, w', 'n, h, w'),
      parallel(3),
      ['2x3x5xf32, strided<[20, 5, 1]>', '2x3x5xf32'],
      2,
    ],
  ])('of %s are as few as their buffers allow', (_, input, output, iterators, types, loops) => {
    const module = parse(payload(`${input}, ${output}`, iterators, types));
    const after = collapsed(module);
    const generic = operationsIn(after.root).find(({ name }) => name === 'linalg.generic')!;
    expect(generic.attributes['iterator_types']).toMatchObject({ elements: { length: loops } });
    // Data for arguments is contiguous.
    if (!types.join().includes('strided')) expect(firstDifference(module, after)).toBeUndefined();
  });

  it.each([
    ['of unknown sizes', ['?x5xf32', '?x5xf32'], undefined],
    [
      'whose body counts',
      ['3x5xf32', '3x5xf32'],
      '%i = linalg.index 1 : index\n%k = arith.index_cast %i : index to i32\n%s = arith.sitofp %k : i32 to f32',
    ],
  ])('are none %s', (_, types, body) => {
    const module = parse(payload(`${map('h, w', 'h, w')}, ${map('h, w', 'h, w')}`, parallel(2), types, body));
    expect(collapsed(module)).toBe(module);
  });
});
