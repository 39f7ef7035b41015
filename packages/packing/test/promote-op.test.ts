import { firstDifference } from '@sconv/interpreter/testing';
import { scriptTester } from '@sconv/transform/testing';
import { describe, expect, it } from 'vitest';
import { transforms } from '../src/transforms.ts';

const apply = scriptTester(transforms, { difference: firstDifference });
/** For payloads that test data do not run. */
const applyUnchecked = scriptTester(transforms);
const one = '!transform.any_op';
const script = (attributes = '', op = 'linalg.generic'): string => `
%t = transform.structured.match ops{["${op}"]} in %root : (${one}) -> ${one}
%0 = transform.structured.promote %t ${attributes} : (${one}) -> ${one}`;

/** A loop over 6 elements, 4 at a time, that computes a sum. */
const sum = (body = 'arith.addf %s, %x : f32', type = 'f32'): string => `
#size = affine_map<(d0) -> (4, -d0 + 6)>
func.func @f(%a: memref<6x${type}>, %out: memref<${type}>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  scf.for %i = %c0 to %c6 step %c4 {
    %n = affine.min #size(%i)
    %v = memref.subview %a[%i] [%n] [1] : memref<6x${type}> to memref<?x${type}, strided<[1], offset: ?>>
    linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]}
        ins(%v : memref<?x${type}, strided<[1], offset: ?>>) outs(%out : memref<${type}>) {
    ^bb0(%x: ${type}, %s: ${type}):
      %0 = ${body}
      linalg.yield %0 : ${type}
    }
  }
  return
}`;

/** A loop over 6 of 8 elements, 4 at a time, that writes to each from two others, and what is beyond the 6. */
const sums = (size = '%n', window = '%n'): string => `
#map = affine_map<(d0, d1) -> (d0)>
#size = affine_map<(d0) -> (4, -d0 + 6)>
#window = affine_map<(d0) -> (6, -d0 + 8)>
func.func @f(%a: memref<10xf32>, %b: memref<10xf32>, %c: memref<10xf32>, %k: memref<3xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  scf.for %i = %c0 to %c6 step %c4 {
    %n = affine.min #size(%i)
    %w = affine.min #window(%i)
    %s = memref.subview %a[%i] [${window}] [1] : memref<10xf32> to memref<?xf32, strided<[1], offset: ?>>
    %t = memref.subview %b[%i] [${size}] [1] : memref<10xf32> to memref<?xf32, strided<[1], offset: ?>>
    %u = memref.subview %c[%i] [%n] [1] : memref<10xf32> to memref<?xf32, strided<[1], offset: ?>>
    linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (${window === '%n' ? 'd0' : 'd0 + d1'})>, #map, affine_map<(d0, d1) -> (d1)>, #map],
                    iterator_types = ["parallel", "reduction"]}
        ins(%s, %t, %k : memref<?xf32, strided<[1], offset: ?>>, memref<?xf32, strided<[1], offset: ?>>, memref<3xf32>)
        outs(%u : memref<?xf32, strided<[1], offset: ?>>) {
    ^bb0(%x: f32, %y: f32, %z: f32, %r: f32):
      %0 = arith.mulf %x, %y : f32
      %1 = arith.mulf %0, %z : f32
      %2 = arith.subf %r, %1 : f32
      linalg.yield %2 : f32
    }
  }
  return
}`;

describe('transform.structured.promote', () => {
  it.each([
    [
      'the part that a view is',
      '',
      /outs\(%subview_\d+ : memref<\?xf32, strided<\[1\]>>\)|ins\(%subview_\d+ : memref<\?xf32/,
    ],
    ['all of the buffer, with zeros beyond', '{use_full_tiles_by_default}', /ins\(%view : memref<\?xf32>\)/],
    ['all for the operands that say so', '{use_full_tile_buffers = [true]}', /linalg.fill .*outs\(%view/],
    [
      'a part for those that do not',
      '{use_full_tile_buffers = [false], use_full_tiles_by_default}',
      /ins\(%subview_/,
    ],
    ['an aligned buffer', '{alignment = 64}', /memref.alloc\(\) \{alignment = 64 : i64\} : memref<16xi8>/],
    ['a buffer of the stack', '{use_alloca}', /memref.alloca\(\) : memref<16xi8>/],
    ['a buffer of another space', '{memory_space = 2}', /memref<16xi8, 2>/],
  ])('lets the op work on %s', (_, attributes, expected) => {
    const { text, diagnostics } = apply(sum(), script(attributes));
    expect(diagnostics).toBe('');
    expect(text).toMatch(expected);
    expect(text.includes('memref.dealloc')).toBe(!attributes.includes('alloca'));
  });

  it('makes constants of the numbers of a view, as upstream does', () => {
    const view = 'memref<4xf32, strided<[2], offset: 5>>';
    const payload = `func.func @f(%a: memref<16xf32>, %out: memref<f32>) {
      %v = memref.subview %a[5] [4] [2] : memref<16xf32> to ${view}
      linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]}
          ins(%v : ${view}) outs(%out : memref<f32>) {
      ^bb0(%x: f32, %s: f32):
        %0 = arith.addf %s, %x : f32
        linalg.yield %0 : f32
      }
      return
    }`;
    const { text, diagnostics } = apply(payload, script());
    expect(diagnostics).toBe('');
    for (const each of [5, 4, 2]) expect(text).toMatch(new RegExp(`arith.constant ${each} : index`));
  });

  // Elements that nobody has written are NaNs, which these would give as results.
  it.each([
    ['a sum of a part', sum(), ''],
    ['a sum of all', sum(), '{use_full_tiles_by_default}'],
    ['a product of a part', sum('arith.mulf %s, %x : f32'), ''],
    ['a maximum of a part', sum('arith.maximumf %s, %x : f32'), ''],
    ['products of parts', sums(), ''],
    ['a product of one part', sums(), '{operands_to_promote = [1]}'],
    ['products of all', sums(), '{use_full_tiles_by_default}'],
    ['products of windows', sums('%n', '%w'), '{use_full_tiles_by_default}'],
    ['a window of all', sums('%n', '%w'), '{operands_to_promote = [0], use_full_tiles_by_default}'],
    ['all of a window, and parts', sums('%n', '%w'), '{use_full_tile_buffers = [true, false, false, false]}'],
  ])('reads no elements beyond a partial tile: %s', (_, payload, attributes) => {
    const { text, diagnostics } = apply(payload, script(attributes));
    expect(diagnostics).toBe('');
    expect(text).toMatch(/memref\.view/);
  });

  it.each([
    ['the first alone', sums(), '{operands_to_promote = [0], use_full_tiles_by_default}'],
    ['the output alone', sums(), '{operands_to_promote = [3], use_full_tiles_by_default}'],
    ['not the second', sums(), '{use_full_tile_buffers = [true, false, false, true]}'],
    ['one of unknown size', sums('%m'), '{use_full_tiles_by_default}'],
    ['not the windows', sums('%n', '%w'), '{operands_to_promote = [1, 3], use_full_tiles_by_default}'],
  ])('refuses full tiles where others are partial: %s', (_, payload, attributes) => {
    const given = payload.replace('%k: memref<3xf32>)', '%k: memref<3xf32>, %m: index)');
    const applied = applyUnchecked(given, script(attributes));
    expect(applied.diagnostics).toContain('promote/partial');
  });

  it('copies back what it wrote', () => {
    const payload = `func.func @f(%m: memref<?x8xi8>, %x: i8) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %m, %c0 : memref<?x8xi8>
  %0 = memref.subview %m[0, 2] [%n, 1] [1, 1] : memref<?x8xi8> to memref<?xi8, strided<[8], offset: 2>>
  linalg.fill ins(%x : i8) outs(%0 : memref<?xi8, strided<[8], offset: 2>>)
  return
}`;
    const { text, diagnostics } = apply(payload, script('', 'linalg.fill'));
    expect(diagnostics).toBe('');
    expect(text).toMatch(/linalg.copy ins\(%subview_\d+ : .*\) outs\(%subview :/);
  });

  it.each([
    [
      'has no such view',
      sum(),
      '{operands_to_promote = [1]}',
      'linalg.generic',
      'failed to apply [promote/no-view]',
    ],
    ['is no structured op', sum(), '', 'scf.for', 'transform applied to the wrong op kind [promote/target]'],
    [
      'does not keep its output on zeros',
      sum('arith.mulf %s, %x : f32'),
      '{use_full_tiles_by_default}',
      'linalg.generic',
      'promote/value',
    ],
    [
      'has other elements',
      sum('vector.fma %s, %x, %x : vector<2xf32>', 'vector<2xf32>'),
      '',
      'linalg.generic',
      'promote/element',
    ],
    ['is for GPUs', sum(), '{mapping = [#gpu.memory_space<workgroup>]}', 'linalg.generic', 'not-implemented'],
  ])('refuses an op that %s', (_, payload, attributes, op, message) => {
    expect(apply(payload, script(attributes, op)).diagnostics).toContain(message);
  });
});
