/** Passes that are not part of canonicalization, executed. */
import { unwrap } from '@sconv/diagnostics';
import type { Pass } from '@sconv/ir';
import { passes } from '../src/passes.ts';
import { stays, testPass } from './support/rows.ts';

const passOf = (name: string): Pass =>
  unwrap(passes.find(({ definition }) => definition.name === name)!.definition.fromText({}));

testPass(passOf('test-decompose-affine-ops'), [
  [
    'a sum of what changes in other loops',
    '(%m: memref<64xindex>, %n: index)',
    `scf.for %i = %c0 to %c2 step %c1 {
      scf.for %j = %c0 to %c3 step %c1 {
        scf.for %k = %c0 to %c4 step %c1 {
          %a = affine.apply affine_map<(d0, d1, d2)[s0] -> (d2 * 5 + d0 + d1 * 7 + s0 * 2)>(%i, %j, %k)[%n]
          memref.store %a, %m[%k] : memref<64xindex>
        }
      }
    }`,
    '3 scf.for, 7 affine.apply, memref.store',
  ],
  [
    'a product',
    '(%n: index, %k: index) -> index',
    '%r = affine.apply affine_map<(d0)[s0] -> ((d0 + 1) * s0 * 3)>(%k)[%n]',
    '5 affine.apply',
  ],
  [
    'a sum of two',
    '(%n: index, %k: index) -> index',
    '%r = affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%k)[%n]',
    stays,
  ],
  [
    'a quotient',
    '(%n: index, %k: index) -> index',
    '%r = affine.apply affine_map<(d0)[s0] -> ((d0 + s0) floordiv 3)>(%k)[%n]',
    stays,
  ],
]);

testPass(passOf('affine-simplify-structures'), [
  [
    'maps that can be simpler',
    '(%n: index, %k: index, %m: memref<64xindex>) -> index',
    `%r = affine.apply affine_map<(d0, d1) -> ((d0 + d1) - d1 + 0 * d0)>(%n, %k)
    affine.for %i = 0 to affine_map<(d0) -> (d0 + 3 - d0)>(%n) {
      affine.store %r, %m[%i * 1 + 0] : memref<64xindex>
    }`,
    'affine.for, affine.store',
  ],
  [
    'a condition that always holds',
    '(%n: index, %m: memref<8xindex>)',
    `affine.for %i = 0 to 4 {
      affine.if affine_set<(d0) : (d0 - d0 + 1 >= 0)>(%i) {
        affine.store %n, %m[%i] : memref<8xindex>
      }
    }`,
    'affine.for, affine.store',
  ],
]);

testPass(passOf('expand-strided-metadata'), [
  [
    'the first element of an allocation',
    '(%x: f32, %y: f32) -> (f32, index)',
    `%m = memref.alloc() : memref<2x2xf32>
    memref.store %x, %m[%c0, %c0] : memref<2x2xf32>
    memref.store %y, %m[%c0, %c1] : memref<2x2xf32>
    %b, %o, %s:2, %t:2 = memref.extract_strided_metadata %m : memref<2x2xf32> -> memref<f32>, index, index, index, index, index
    %v = memref.load %b[] : memref<f32>
    return %v, %o : f32, index`,
    'memref.alloc, 2 memref.store, memref.reinterpret_cast, memref.load',
    'offset: [0], sizes: [], strides: []',
  ],
  [
    'the parts of an allocation',
    '(%n: index, %k: index) -> (index, index, index, index, index)',
    `%m = memref.alloc(%n, %k) : memref<?x3x?xf32>
    %b, %o, %s:3, %t:3 = memref.extract_strided_metadata %m : memref<?x3x?xf32> -> memref<f32>, index, index, index, index, index, index, index
    return %o, %s#0, %s#2, %t#0, %t#1 : index, index, index, index, index`,
    'affine.apply',
  ],
  [
    'the parts of a cast',
    '(%a: memref<?x4xf32>) -> (index, index, index)',
    `%m = memref.cast %a : memref<?x4xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
    %b, %o, %s:2, %t:2 = memref.extract_strided_metadata %m : memref<?x?xf32, strided<[?, 1], offset: ?>> -> memref<f32>, index, index, index, index, index
    return %o, %s#1, %t#0 : index, index, index`,
    '',
  ],
  [
    'the parts of another name',
    '(%a: memref<16xf32>, %k: index) -> (index, index, index, index)',
    `%m = memref.reinterpret_cast %a to offset: [%k], sizes: [2, 3], strides: [4, %c1] : memref<16xf32> to memref<2x3xf32, strided<[4, ?], offset: ?>>
    %b, %o, %s:2, %t:2 = memref.extract_strided_metadata %m : memref<2x3xf32, strided<[4, ?], offset: ?>> -> memref<f32>, index, index, index, index, index
    return %o, %s#1, %t#0, %t#1 : index, index, index, index`,
    '',
  ],
  [
    'the parts of a buffer without dimensions',
    '(%x: f32) -> (index, f32)',
    `%m = memref.alloc() : memref<f32>
    memref.store %x, %m[] : memref<f32>
    %b, %o = memref.extract_strided_metadata %m : memref<f32> -> memref<f32>, index
    %v = memref.load %b[] : memref<f32>
    return %o, %v : index, f32`,
    'memref.alloc, memref.store, memref.load',
  ],
]);

testPass(passOf('lower-affine'), [
  [
    'extremes',
    '(%n: index, %k: index) -> (index, index)',
    `%a = affine.min affine_map<(d0)[s0] -> (d0 + 2, s0 * 2, 7)>(%n)[%k]
    %b = affine.max affine_map<(d0)[s0] -> (d0 - 2, s0 * 2, 3)>(%n)[%k]
    return %a, %b : index, index`,
    '2 arith.addi, 2 arith.muli, 2 arith.minsi, 2 arith.maxsi',
  ],
  [
    'digits',
    '(%n: index, %k: index) -> (index, index, index)',
    `%m = arith.muli %n, %k : index
    %r:3 = affine.delinearize_index %m into (%c5, %c3, %c2) : index, index, index
    return %r#0, %r#1, %r#2 : index, index, index`,
    'arith.muli, 5 arith.cmpi, 4 arith.subi, 7 arith.select, 2 arith.divsi, 3 arith.remsi, 3 arith.addi',
  ],
  [
    'a condition of nothing',
    '(%m: memref<4xf32>, %x: f32)',
    `affine.if affine_set<() : (1 >= 0)>() {
      affine.store %x, %m[1] : memref<4xf32>
    }`,
    'arith.cmpi, scf.if, memref.store',
  ],
]);

testPass(passOf('affine-expand-index-ops'), [
  [
    'digits',
    '(%n: index, %k: index) -> (index, index, index)',
    `%m = arith.muli %n, %k : index
    %r:3 = affine.delinearize_index %m into (%c5, %c3, %c2) : index, index, index
    return %r#0, %r#1, %r#2 : index, index, index`,
    'arith.muli, 3 affine.apply',
  ],
]);
