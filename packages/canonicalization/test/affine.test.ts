/** Canonicalization of affine maps, loops and conditions. */
import { canonicalize } from '../src/index.ts';
import type { Row } from './support/table.ts';
import { testRows } from './support/table.ts';

const rows: readonly Row[] = [
  {
    name: 'maps of maps',
    arguments: '%a: index, %b: index',
    results: 'index',
    before: `
      %0 = affine.apply affine_map<(d0, d1) -> (d0 * 3 + d1)>(%a, %b)
      %1 = affine.apply affine_map<(d0) -> (d0 + 2)>(%0)
      return %1 : index`,
    after: `
      %0 = affine.apply affine_map<()[s0, s1] -> (s0 * 3 + s1 + 2)>()[%arg0, %arg1]
      return %0 : index`,
  },
  {
    name: 'constants in maps are numbers',
    arguments: '%a: index',
    results: 'index',
    before: `
      %c4 = arith.constant 4 : index
      %0 = affine.apply affine_map<(d0)[s0] -> (d0 * s0 + s0)>(%a)[%c4]
      return %0 : index`,
    after: `
      %0 = affine.apply affine_map<()[s0] -> (s0 * 4 + 4)>()[%arg0]
      return %0 : index`,
  },
  {
    name: 'constants in the indices of loads and stores are numbers',
    arguments: '%m: memref<9x9xf32>, %a: index',
    results: 'f32',
    before: `
      %c2 = arith.constant 2 : index
      %v = affine.load %m[%a + %c2, %c2] : memref<9x9xf32>
      affine.store %v, %m[%c2, %a] : memref<9x9xf32>
      return %v : f32`,
    after: `
      %0 = affine.load %arg0[symbol(%arg1) + 2, 2] : memref<9x9xf32>
      affine.store %0, %arg0[2, symbol(%arg1)] : memref<9x9xf32>
      return %0 : f32`,
  },
  {
    name: 'the smallest of the same twice',
    arguments: '%a: index',
    results: 'index',
    before: `
      %0 = affine.min affine_map<(d0)[s0] -> (d0 + 1, s0 + 1)>(%a)[%a]
      return %0 : index`,
    after: `
      %0 = affine.apply affine_map<()[s0] -> (s0 + 1)>()[%arg0]
      return %0 : index`,
  },
  {
    name: 'results in the order of their coefficients, where all are linear',
    arguments: '%a: index, %b: index',
    results: '(index, index)',
    before: `
      %0 = affine.max affine_map<(d0)[s0] -> (s0, d0 - s0, 7, d0)>(%a)[%b]
      %1 = affine.min affine_map<(d0)[s0] -> (s0 floordiv 3, d0)>(%a)[%b]
      return %0, %1 : index, index`,
    after: `
      %0 = affine.max affine_map<()[s0, s1] -> (-s0 + s1, 7, s1, s0)>()[%arg1, %arg0]
      %1 = affine.min affine_map<()[s0, s1] -> (s0 floordiv 3, s1)>()[%arg1, %arg0]
      return %0, %1 : index, index`,
  },
  {
    name: 'bounds of loops',
    arguments: '%m: memref<?xf32>, %n: index, %x: f32',
    before: `
      %c3 = arith.constant 3 : index
      %0 = affine.apply affine_map<(d0) -> (d0 + 1)>(%c3)
      affine.for %i = affine_map<(d0) -> (d0)>(%c3) to min affine_map<(d0) -> (d0, 7)>(%0) {
        affine.store %x, %m[%i - 3] : memref<?xf32>
      }
      return`,
    after: `
      affine.for %arg3 = 3 to 4 {
        affine.store %arg2, %arg0[%arg3 - 3] : memref<?xf32>
      }
      return`,
  },
  {
    name: 'a loop without iterations',
    arguments: '%m: memref<?xf32>, %x: f32',
    before: `
      affine.for %i = 4 to 4 {
        affine.store %x, %m[%i] : memref<?xf32>
      }
      return`,
    after: `
      return`,
  },
  {
    name: 'a condition that holds',
    arguments: '%m: memref<4xf32>, %x: f32',
    before: `
      %c3 = arith.constant 3 : index
      affine.if affine_set<(d0) : (d0 - 3 == 0)>(%c3) {
        affine.store %x, %m[0] : memref<4xf32>
      } else {
        affine.store %x, %m[1] : memref<4xf32>
      }
      return`,
    after: `
      affine.store %arg1, %arg0[0] : memref<4xf32>
      return`,
  },
];

testRows('affine', canonicalize(), rows);
