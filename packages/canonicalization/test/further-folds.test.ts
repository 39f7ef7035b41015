/** Canonicalization of integers, affine loops, insertions and packings, and small pattern sets. */
import type { PatternRow } from './support/rows.ts';
import { stays, testPatterns } from './support/rows.ts';

testPatterns('canonicalization', [
  [
    'bits of what is extended',
    '(%a: i8, %b: i8) -> i32',
    `%x = arith.extsi %a : i8 to i32
    %y = arith.extsi %b : i8 to i32
    %r = arith.xori %x, %y : i32`,
    'arith.xori, arith.extsi',
    'arith.xori %arg0, %arg1 : i8',
  ],
  [
    'bits of what is extended without sign',
    '(%a: i8, %b: i8) -> i32',
    `%x = arith.extui %a : i8 to i32
    %y = arith.extui %b : i8 to i32
    %r = arith.ori %x, %y : i32`,
    'arith.ori, arith.extui',
    'arith.ori %arg0, %arg1 : i8',
  ],
  [
    'bits of what is extended in two ways',
    '(%a: i8, %b: i8) -> i32',
    `%x = arith.extui %a : i8 to i32
    %y = arith.extsi %b : i8 to i32
    %r = arith.ori %x, %y : i32`,
    stays,
  ],
  [
    'extended twice',
    '(%a: i8) -> i32',
    `%x = arith.extsi %a : i8 to i16
    %r = arith.extsi %x : i16 to i32`,
    'arith.extsi',
  ],
  [
    'truncated twice',
    '(%a: i32) -> i8',
    `%x = arith.trunci %a : i32 to i16
    %r = arith.trunci %x : i16 to i8`,
    'arith.trunci',
  ],
  [
    'the same bits, and back',
    '(%a: i32) -> i32',
    `%x = arith.bitcast %a : i32 to f32
    %r = arith.bitcast %x : f32 to i32`,
    '',
  ],
  [
    'the same bits in two steps',
    '(%a: vector<2xf32>) -> vector<2xf32>',
    `%x = arith.bitcast %a : vector<2xf32> to vector<2xi32>
    %r = arith.bitcast %x : vector<2xi32> to vector<2xf32>`,
    '',
  ],
  [
    'a choice by a negation',
    '(%c: i1, %x: f32, %y: f32) -> f32',
    `%t = arith.constant true
    %n = arith.xori %c, %t : i1
    %r = arith.select %n, %x, %y : f32`,
    'arith.select',
    'select %arg0, %arg2, %arg1',
  ],
  [
    'a choice of a choice',
    '(%c: i1, %x: f32, %y: f32, %z: f32) -> f32',
    `%a = arith.select %c, %x, %y : f32
    %r = arith.select %c, %a, %z : f32`,
    'arith.select',
    'select %arg0, %arg1, %arg3',
  ],
  [
    'a choice besides a choice',
    '(%c: i1, %x: f32, %y: f32, %z: f32) -> f32',
    `%a = arith.select %c, %x, %y : f32
    %r = arith.select %c, %z, %a : f32`,
    'arith.select',
    'select %arg0, %arg3, %arg2',
  ],
  [
    'a choice of another choice',
    '(%c: i1, %d: i1, %x: f32, %y: f32, %z: f32) -> f32',
    `%a = arith.select %d, %x, %y : f32
    %r = arith.select %c, %a, %z : f32`,
    stays,
  ],
  [
    'an affine loop that does nothing',
    '(%m: memref<4xf32>)',
    `affine.for %i = 0 to 4 {
    }`,
    '',
  ],
  [
    'an affine loop that gives what it gets',
    '(%x: f32) -> f32',
    `%r = affine.for %i = 0 to 4 iter_args(%s = %x) -> f32 {
      affine.yield %s : f32
    }`,
    '',
    'return %arg0',
  ],
  [
    'an affine loop that gives what is outside',
    '(%x: f32, %y: f32) -> f32',
    `%r = affine.for %i = 0 to 4 iter_args(%s = %x) -> f32 {
      affine.yield %y : f32
    }`,
    '',
    'return %arg1',
  ],
  [
    'an affine loop that exchanges',
    '(%x: f32, %y: f32) -> (f32, f32)',
    `%a, %b = affine.for %i = 0 to 3 iter_args(%s = %x, %t = %y) -> (f32, f32) {
      affine.yield %t, %s : f32, f32
    }
    return %a, %b : f32, f32`,
    stays,
  ],
  [
    'an insertion of nothing',
    '(%t: tensor<4xf32>, %s: tensor<0xf32>) -> tensor<4xf32>',
    '%r = tensor.insert_slice %s into %t[2] [0] [1] : tensor<0xf32> into tensor<4xf32>',
    '',
    'return %arg0',
  ],
  [
    'an insertion of an unknown size of four',
    '(%t: tensor<8xf32>, %s: tensor<?xf32>) -> tensor<8xf32>',
    '%r = tensor.insert_slice %s into %t[2] [%c4] [1] : tensor<?xf32> into tensor<8xf32>',
    'tensor.cast, tensor.insert_slice',
    'tensor<4xf32> into tensor<8xf32>',
  ],
  [
    'an unpacking into what is written',
    '(%x: f32, %s: tensor<2x4xf32>, %t: tensor<8xf32>) -> tensor<8xf32>',
    `%0 = linalg.fill ins(%x : f32) outs(%t : tensor<8xf32>) -> tensor<8xf32>
    %r = tensor.unpack %s inner_dims_pos = [0] inner_tiles = [4] into %0 : tensor<2x4xf32> -> tensor<8xf32>`,
    'tensor.unpack',
  ],
  [
    'a packing of an unknown size that the result knows',
    '(%s: tensor<?x8xf32>, %d: tensor<4x2x4xf32>) -> tensor<4x2x4xf32>',
    '%r = tensor.pack %s inner_dims_pos = [1] inner_tiles = [4] into %d : tensor<?x8xf32> -> tensor<4x2x4xf32>',
    'tensor.cast, tensor.pack',
    'tensor<4x8xf32> -> tensor<4x2x4xf32>',
  ],
  [
    'a packing in another order, of an unknown size that the result knows',
    '(%s: tensor<?x8xf32>, %d: tensor<2x4x4xf32>) -> tensor<2x4x4xf32>',
    '%r = tensor.pack %s outer_dims_perm = [1, 0] inner_dims_pos = [1] inner_tiles = [4] into %d : tensor<?x8xf32> -> tensor<2x4x4xf32>',
    'tensor.cast, tensor.pack',
    'tensor<4x8xf32> -> tensor<2x4x4xf32>',
  ],
  [
    'an unpacking to an unknown size',
    '(%s: tensor<4x2x4xf32>, %d: tensor<?x8xf32>) -> tensor<?x8xf32>',
    '%r = tensor.unpack %s inner_dims_pos = [1] inner_tiles = [4] into %d : tensor<4x2x4xf32> -> tensor<?x8xf32>',
    '2 tensor.cast, tensor.unpack',
    '-> tensor<4x8xf32>',
  ],
  ...(
    [
      ['below 128', 'sitofp', 'olt', '128.0', 'true'],
      ['above 127.5', 'sitofp', 'ogt', '127.5', 'false'],
      ['from -129 on', 'sitofp', 'oge', '-129.0', 'true'],
      ['equal to -129', 'sitofp', 'oeq', '-129.0', 'false'],
      ['below 256', 'uitofp', 'olt', '256.0', 'true'],
      ['below 0', 'uitofp', 'ole', '-1.0', 'false'],
    ] as const
  ).map(([title, cast, predicate, number, result]): PatternRow => [
    `a byte as a float, ${title}, by ${cast}`,
    '(%a: i8) -> i1',
    `%f = arith.${cast} %a : i8 to f32
    %c = arith.constant ${number} : f32
    %r = arith.cmpf ${predicate}, %f, %c : f32`,
    '',
    `return %${result}`,
  ]),
]);

testPatterns('memref.alloc_to_alloca', [
  [
    'a small buffer of indices',
    '(%x: index, %i: i1) -> index',
    `%j = arith.index_castui %i : i1 to index
    %m = memref.alloc() : memref<2xindex>
    memref.store %x, %m[%c0] : memref<2xindex>
    memref.store %x, %m[%c1] : memref<2xindex>
    %r = memref.load %m[%j] : memref<2xindex>
    memref.dealloc %m : memref<2xindex>`,
    'arith.index_castui, memref.alloca, 2 memref.store, memref.load',
  ],
]);

testPatterns('tensor.fold_tensor_empty', [
  [
    'a packing of nothing',
    '(%d: tensor<2x4xf32>, %x: f32) -> tensor<2x4xf32>',
    `%e = tensor.empty() : tensor<8xf32>
    %0 = tensor.pack %e inner_dims_pos = [0] inner_tiles = [4] into %d : tensor<8xf32> -> tensor<2x4xf32>
    %r = linalg.fill ins(%x : f32) outs(%0 : tensor<2x4xf32>) -> tensor<2x4xf32>`,
    'linalg.fill',
  ],
  [
    'a packing of nothing, padded',
    '(%d: tensor<2x4xf32>, %x: f32) -> tensor<2x4xf32>',
    `%e = tensor.empty() : tensor<7xf32>
    %0 = tensor.pack %e padding_value(%x : f32) inner_dims_pos = [0] inner_tiles = [4] into %d : tensor<7xf32> -> tensor<2x4xf32>
    %r = linalg.fill ins(%x : f32) outs(%0 : tensor<2x4xf32>) -> tensor<2x4xf32>`,
    stays,
  ],
  [
    'an unpacking of nothing',
    '(%d: tensor<8xf32>, %x: f32) -> tensor<8xf32>',
    `%e = tensor.empty() : tensor<2x4xf32>
    %0 = tensor.unpack %e inner_dims_pos = [0] inner_tiles = [4] into %d : tensor<2x4xf32> -> tensor<8xf32>
    %r = linalg.fill ins(%x : f32) outs(%0 : tensor<8xf32>) -> tensor<8xf32>`,
    'linalg.fill',
  ],
  [
    'an expansion of an unknown size of nothing',
    '(%n: index, %x: f32) -> tensor<?x2xf32>',
    `%k = arith.addi %n, %n : index
    %e = tensor.empty(%k) : tensor<?xf32>
    %0 = tensor.expand_shape %e [[0, 1]] output_shape [%n, 2] : tensor<?xf32> into tensor<?x2xf32>
    %r = linalg.fill ins(%x : f32) outs(%0 : tensor<?x2xf32>) -> tensor<?x2xf32>`,
    'arith.addi, 2 tensor.empty, tensor.dim, affine.apply, linalg.fill',
  ],
  [
    'a concatenation of nothing',
    '(%n: index, %x: f32) -> tensor<?x?xf32>',
    `%e = tensor.empty(%n) : tensor<3x?xf32>
    %f = tensor.empty(%n, %n) : tensor<?x?xf32>
    %0 = tensor.concat dim(0) %e, %f : (tensor<3x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
    %r = linalg.fill ins(%x : f32) outs(%0 : tensor<?x?xf32>) -> tensor<?x?xf32>`,
    '3 tensor.empty, 2 tensor.dim, affine.apply, linalg.fill',
  ],
]);

testPatterns('memref.resolve_ranked_shaped_type_result_dims', [
  [
    'the size of an insertion',
    '(%t: tensor<?xf32>, %s: tensor<2xf32>) -> index',
    `%k = tensor.insert_slice %s into %t[1] [2] [1] : tensor<2xf32> into tensor<?xf32>
    %r = tensor.dim %k, %c0 : tensor<?xf32>`,
    'tensor.dim',
    'tensor.dim %arg0',
  ],
  [
    'the sizes of a concatenation',
    '(%t: tensor<?x?xf32>, %s: tensor<?x4xf32>) -> (index, index)',
    `%k = tensor.cast %s : tensor<?x4xf32> to tensor<?x?xf32>
    %0 = tensor.concat dim(0) %t, %s : (tensor<?x?xf32>, tensor<?x4xf32>) -> tensor<?x?xf32>
    %a = tensor.dim %0, %c0 : tensor<?x?xf32>
    %b = tensor.dim %0, %c1 : tensor<?x?xf32>
    return %a, %b : index, index`,
    '2 tensor.dim, affine.apply',
  ],
  [
    'a size of an expansion',
    '(%t: tensor<?xf32>, %n: index) -> index',
    `%k = arith.constant 2 : index
    %0 = tensor.expand_shape %t [[0, 1]] output_shape [%k, 2] : tensor<?xf32> into tensor<?x2xf32>
    %r = tensor.dim %0, %c0 : tensor<?x2xf32>`,
    'tensor.dim, affine.apply',
  ],
  [
    'a size of an allocation',
    '(%n: index, %k: index) -> index',
    `%0 = bufferization.alloc_tensor(%n, %k) : tensor<?x4x?xf32>
    %r = tensor.dim %0, %c2 : tensor<?x4x?xf32>`,
    'bufferization.alloc_tensor',
    'return %arg1',
  ],
]);
