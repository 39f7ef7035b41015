/** Canonicalization of masks, and of operations under them. */
import { stays, testPatterns } from './support/rows.ts';

testPatterns('canonicalization', [
  [
    'a mask of constant bounds',
    '() -> vector<2x3xi1>',
    '%r = vector.create_mask %c1, %c2 : vector<2x3xi1>',
    'constant_mask',
    'constant_mask [1, 2]',
  ],
  [
    'a mask of bounds that are too large',
    '() -> vector<2x3xi1>',
    '%r = vector.create_mask %c1, %c9 : vector<2x3xi1>',
    'constant_mask',
    'constant_mask [1, 3]',
  ],
  [
    'a mask of a bound that is 0',
    '() -> vector<2x3xi1>',
    '%r = vector.create_mask %c1, %c0 : vector<2x3xi1>',
    'constant_mask',
    'constant_mask [0, 0]',
  ],
  [
    'a mask of a negative bound',
    '() -> vector<2x3xi1>',
    `%n = arith.constant -2 : index
    %r = vector.create_mask %c1, %n : vector<2x3xi1>`,
    'constant_mask',
    'constant_mask [0, 0]',
  ],
  [
    'a mask of which one bound is constant',
    '(%n: index) -> vector<2x3xi1>',
    '%r = vector.create_mask %c1, %n : vector<2x3xi1>',
    stays,
  ],
  [
    'a mask around nothing',
    '(%m: vector<4xi1>, %v: vector<4xf32>) -> vector<4xf32>',
    '%r = vector.mask %m { vector.yield %v : vector<4xf32> } : vector<4xi1> -> vector<4xf32>',
    '',
    'return %arg1',
  ],
  [
    'a mask of all',
    '(%a: memref<4xf32>) -> vector<4xf32>',
    `%m = vector.constant_mask [4] : vector<4xi1>
    %r = vector.mask %m { vector.transfer_read %a[%c0], %f7 {in_bounds = [true]} : memref<4xf32>, vector<4xf32> } : vector<4xi1> -> vector<4xf32>`,
    'transfer_read',
  ],
  [
    'a mask of some',
    '(%a: memref<4xf32>) -> vector<4xf32>',
    `%m = vector.constant_mask [3] : vector<4xi1>
    %r = vector.mask %m { vector.transfer_read %a[%c0], %f7 {in_bounds = [true]} : memref<4xf32>, vector<4xf32> } : vector<4xi1> -> vector<4xf32>`,
    stays,
  ],
  [
    'a load of all',
    '(%a: memref<4xf32>, %v: vector<4xf32>) -> vector<4xf32>',
    `%m = arith.constant dense<true> : vector<4xi1>
    %r = vector.maskedload %a[%c0], %m, %v : memref<4xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>`,
    'load',
    'vector.load %arg0',
  ],
  [
    'a load of nothing',
    '(%a: memref<4xf32>, %v: vector<4xf32>) -> vector<4xf32>',
    `%m = arith.constant dense<false> : vector<4xi1>
    %r = vector.maskedload %a[%c0], %m, %v : memref<4xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>`,
    '',
    'return %arg1',
  ],
  [
    'a load of some',
    '(%a: memref<4xf32>, %v: vector<4xf32>) -> vector<4xf32>',
    `%m = arith.constant dense<[true, false, true, true]> : vector<4xi1>
    %r = vector.maskedload %a[%c0], %m, %v : memref<4xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>`,
    stays,
  ],
  [
    'an expanding load of all',
    '(%a: memref<4xf32>, %v: vector<4xf32>) -> vector<4xf32>',
    `%m = vector.constant_mask [4] : vector<4xi1>
    %r = vector.expandload %a[%c0], %m, %v : memref<4xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>`,
    'load',
  ],
  [
    'an expanding load of nothing',
    '(%a: memref<4xf32>, %v: vector<4xf32>) -> vector<4xf32>',
    `%m = vector.constant_mask [0] : vector<4xi1>
    %r = vector.expandload %a[%c0], %m, %v : memref<4xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>`,
    '',
  ],
  [
    'an expanding load of some',
    '(%a: memref<4xf32>, %v: vector<4xf32>) -> vector<4xf32>',
    `%m = vector.constant_mask [3] : vector<4xi1>
    %r = vector.expandload %a[%c0], %m, %v : memref<4xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>`,
    stays,
  ],
  [
    'a store of all',
    '(%a: memref<4xf32>, %v: vector<4xf32>)',
    `%m = arith.constant dense<true> : vector<4xi1>
    vector.maskedstore %a[%c0], %m, %v : memref<4xf32>, vector<4xi1>, vector<4xf32>`,
    'store',
  ],
  [
    'a store of nothing',
    '(%a: memref<4xf32>, %v: vector<4xf32>)',
    `%m = vector.create_mask %c0 : vector<4xi1>
    vector.maskedstore %a[%c0], %m, %v : memref<4xf32>, vector<4xi1>, vector<4xf32>`,
    '',
  ],
  [
    'a store of some',
    '(%a: memref<4xf32>, %v: vector<4xf32>, %n: index)',
    `%m = vector.create_mask %n : vector<4xi1>
    vector.maskedstore %a[%c0], %m, %v : memref<4xf32>, vector<4xi1>, vector<4xf32>`,
    stays,
  ],
  [
    'a compressing store of all',
    '(%a: memref<4xf32>, %v: vector<4xf32>)',
    `%m = vector.constant_mask [4] : vector<4xi1>
    vector.compressstore %a[%c0], %m, %v : memref<4xf32>, vector<4xi1>, vector<4xf32>`,
    'store',
  ],
  [
    'a compressing store of nothing',
    '(%a: memref<4xf32>, %v: vector<4xf32>)',
    `%m = vector.constant_mask [0] : vector<4xi1>
    vector.compressstore %a[%c0], %m, %v : memref<4xf32>, vector<4xi1>, vector<4xf32>`,
    '',
  ],
  [
    'a gather of nothing',
    '(%a: memref<8xf32>, %i: vector<4xi32>, %v: vector<4xf32>) -> vector<4xf32>',
    `%m = vector.constant_mask [0] : vector<4xi1>
    %r = vector.gather %a[%c0] [%i], %m, %v : memref<8xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>`,
    '',
    'return %arg2',
  ],
  [
    'a gather of some',
    '(%a: memref<8xf32>, %v: vector<4xf32>) -> vector<4xf32>',
    `%i = arith.constant dense<[3, 1, 4, 1]> : vector<4xi32>
    %m = vector.constant_mask [3] : vector<4xi1>
    %r = vector.gather %a[%c0] [%i], %m, %v : memref<8xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>`,
    stays,
  ],
  [
    'a scatter of nothing',
    '(%a: memref<8xf32>, %i: vector<4xi32>, %v: vector<4xf32>)',
    `%m = vector.constant_mask [0] : vector<4xi1>
    vector.scatter %a[%c0] [%i], %m, %v : memref<8xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32>`,
    '',
  ],
  [
    'a scatter of some',
    '(%a: memref<8xf32>, %v: vector<4xf32>)',
    `%i = arith.constant dense<[3, 1, 4, 1]> : vector<4xi32>
    %m = vector.constant_mask [3] : vector<4xi1>
    vector.scatter %a[%c0] [%i], %m, %v : memref<8xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32>`,
    stays,
  ],
]);
