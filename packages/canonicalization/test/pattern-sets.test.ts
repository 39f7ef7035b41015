/** The patterns of each dialect, by what becomes of small functions. */
import { stays, testPatterns } from './support/rows.ts';

const [line, matrix] = ['tensor<4xi32>', 'tensor<4x6xi32>'];

testPatterns('canonicalization', [
  // Sizes of reshapes.
  [
    'an unknown size of a collapse',
    '(%t: tensor<?x3xi32>) -> index',
    '%e = tensor.collapse_shape %t [[0, 1]] : tensor<?x3xi32> into tensor<?xi32>\n  %r = tensor.dim %e, %c0 : tensor<?xi32>',
    'tensor.dim, affine.apply',
  ],
  [
    'an unknown size of an expansion',
    '(%t: tensor<?xi32>) -> index',
    '%n = tensor.dim %t, %c0 : tensor<?xi32>\n  %h = arith.divui %n, %c2 : index\n  %e = tensor.expand_shape %t [[0, 1]] output_shape [%h, 2] : tensor<?xi32> into tensor<?x2xi32>\n  %r = tensor.dim %e, %c0 : tensor<?x2xi32>',
    'tensor.dim, affine.apply',
  ],
  // Pads.
  [
    'a pad of nothing',
    `(%t: ${matrix}, %x: i32) -> ${matrix}`,
    `%r = tensor.pad %t low[0, 0] high[0, 0] {\n  ^bb0(%i: index, %j: index):\n    tensor.yield %x : i32\n  } : ${matrix} to ${matrix}`,
    '',
  ],
  [
    'a pad by a constant that is computed',
    `(%t: ${matrix}, %x: i32) -> tensor<?x?xi32>`,
    `%r = tensor.pad %t low[%c1, 0] high[0, %c2] {\n  ^bb0(%i: index, %j: index):\n    tensor.yield %x : i32\n  } : ${matrix} to tensor<?x?xi32>`,
    'tensor.pad, tensor.cast',
  ],
  [
    'a pad of a pad',
    `(%t: ${matrix}, %x: i32) -> tensor<6x9xi32>`,
    `%p = tensor.pad %t low[1, 0] high[0, 2] {\n  ^bb0(%i: index, %j: index):\n    tensor.yield %x : i32\n  } : ${matrix} to tensor<5x8xi32>\n  %r = tensor.pad %p low[0, 1] high[1, 0] {\n  ^bb0(%i: index, %j: index):\n    tensor.yield %x : i32\n  } : tensor<5x8xi32> to tensor<6x9xi32>`,
    '2 tensor.pad',
  ],
  [
    'a pad of a pad with something else',
    `(%t: ${matrix}, %x: i32, %y: i32) -> tensor<6x9xi32>`,
    `%p = tensor.pad %t low[1, 0] high[0, 2] {\n  ^bb0(%i: index, %j: index):\n    tensor.yield %x : i32\n  } : ${matrix} to tensor<5x8xi32>\n  %r = tensor.pad %p low[0, 1] high[1, 0] {\n  ^bb0(%i: index, %j: index):\n    tensor.yield %y : i32\n  } : tensor<5x8xi32> to tensor<6x9xi32>`,
    stays,
  ],
  // Constants.
  [
    'a pack of a constant',
    '(%x: i32) -> tensor<2x2xi32>',
    '%t = arith.constant dense<5> : tensor<4xi32>\n  %d = tensor.empty() : tensor<2x2xi32>\n  %r = tensor.pack %t inner_dims_pos = [0] inner_tiles = [2] into %d : tensor<4xi32> -> tensor<2x2xi32>',
    '',
  ],
  [
    'a tensor of constant elements',
    '(%x: i32) -> tensor<3xi32>',
    '%r = tensor.from_elements %i1, %i2, %i3 : tensor<3xi32>',
    '',
  ],
  // Casts.
  [
    'a pad of a cast',
    `(%t: ${matrix}, %x: i32) -> tensor<?x8xi32>`,
    `%s = tensor.cast %t : ${matrix} to tensor<?x6xi32>\n  %r = tensor.pad %s low[0, 0] high[0, 2] {\n  ^bb0(%i: index, %j: index):\n    tensor.yield %x : i32\n  } : tensor<?x6xi32> to tensor<?x8xi32>`,
    'tensor.pad, tensor.cast',
  ],
  [
    'an insertion of a cast',
    `(%t: ${line}, %d: ${matrix}) -> ${matrix}`,
    `%s = tensor.cast %t : ${line} to tensor<?xi32>\n  %r = tensor.insert_slice %s into %d[0, 1] [%c4, 1] [1, 1] : tensor<?xi32> into ${matrix}`,
    'tensor.insert_slice',
  ],
  [
    'an insertion into a cast',
    `(%t: ${line}, %d: ${matrix}) -> tensor<?x6xi32>`,
    `%s = tensor.cast %d : ${matrix} to tensor<?x6xi32>\n  %r = tensor.insert_slice %t into %s[0, 1] [4, 1] [1, 1] : ${line} into tensor<?x6xi32>`,
    'tensor.insert_slice, tensor.cast',
  ],
  [
    'a slice of a cast',
    `(%t: ${matrix}) -> tensor<2x3xi32>`,
    `%s = tensor.cast %t : ${matrix} to tensor<?x?xi32>\n  %r = tensor.extract_slice %s[1, 2] [2, 3] [1, 1] : tensor<?x?xi32> to tensor<2x3xi32>`,
    'tensor.extract_slice',
  ],
  [
    'a cast of a slice',
    `(%t: ${matrix}) -> tensor<2x3xi32>`,
    `%s = tensor.extract_slice %t[1, 2] [%c2, 3] [1, 1] : ${matrix} to tensor<?x3xi32>\n  %r = tensor.cast %s : tensor<?x3xi32> to tensor<2x3xi32>`,
    'tensor.extract_slice',
  ],
  [
    'a collapse of a cast',
    '(%t: tensor<2x3xi32>) -> tensor<?xi32>',
    '%s = tensor.cast %t : tensor<2x3xi32> to tensor<?x3xi32>\n  %r = tensor.collapse_shape %s [[0, 1]] : tensor<?x3xi32> into tensor<?xi32>',
    'tensor.collapse_shape, tensor.cast',
  ],
  [
    'an empty tensor of a constant size',
    '(%x: i32) -> tensor<?xi32>',
    '%e = tensor.empty(%c4) : tensor<?xi32>\n  %r = linalg.fill ins(%x : i32) outs(%e : tensor<?xi32>) -> tensor<?xi32>',
    'tensor.empty, linalg.fill, tensor.cast',
  ],
  [
    'a result of a structured op that is cast',
    `(%t: ${line}, %x: i32) -> tensor<?xi32>`,
    `%f = linalg.fill ins(%x : i32) outs(%t : ${line}) -> ${line}\n  %r = tensor.cast %f : ${line} to tensor<?xi32>`,
    stays,
  ],
  [
    'a copy of a fill',
    `(%d: ${line}, %e: ${line}, %x: i32) -> ${line}`,
    `%f = linalg.fill ins(%x : i32) outs(%d : ${line}) -> ${line}\n  %r = linalg.copy ins(%f : ${line}) outs(%e : ${line}) -> ${line}`,
    'linalg.fill',
  ],
  [
    'concatenation of one',
    `(%t: ${line}) -> ${line}`,
    `%r = tensor.concat dim(0) %t : (${line}) -> ${line}`,
    '',
  ],
  [
    'an unpack of a pack',
    `(%t: ${line}, %d: tensor<2x2xi32>, %e: ${line}) -> ${line}`,
    `%p = tensor.pack %t inner_dims_pos = [0] inner_tiles = [2] into %d : ${line} -> tensor<2x2xi32>\n  %r = tensor.unpack %p inner_dims_pos = [0] inner_tiles = [2] into %e : tensor<2x2xi32> -> ${line}`,
    '',
  ],
  // Loops.
  [
    'a loop without iterations',
    `(%m: memref<4xi32>, %x: i32) -> index`,
    'scf.parallel (%i) = (%c2) to (%c2) step (%c1) {\n    memref.store %x, %m[%i] : memref<4xi32>\n    scf.reduce\n  }\n  %r = arith.addi %c2, %c2 : index',
    '',
  ],
  [
    'parallel loops, one of which runs once',
    `(%m: memref<4x4xi32>, %x: i32)`,
    'scf.parallel (%i, %j) = (%c0, %c1) to (%c4, %c2) step (%c1, %c1) {\n    memref.store %x, %m[%i, %j] : memref<4x4xi32>\n    scf.reduce\n  }',
    'scf.parallel, memref.store, scf.reduce',
  ],
  [
    'parallel loops within one',
    `(%m: memref<4x4xi32>, %x: i32)`,
    'scf.parallel (%i) = (%c0) to (%c4) step (%c2) {\n    scf.parallel (%j) = (%c1) to (%c4) step (%c1) {\n      memref.store %x, %m[%i, %j] : memref<4x4xi32>\n      scf.reduce\n    }\n    scf.reduce\n  }',
    'scf.parallel, memref.store, scf.reduce',
  ],
  [
    'a parallel loop that runs once and sums up',
    `(%m: memref<4xi32>, %x: i32) -> i32`,
    '%r = scf.parallel (%i) = (%c1) to (%c2) step (%c1) init (%x) -> i32 {\n    %e = memref.load %m[%i] : memref<4xi32>\n    scf.reduce(%e : i32) {\n    ^bb0(%a: i32, %b: i32):\n      %s = arith.addi %a, %b : i32\n      scf.reduce.return %s : i32\n    }\n  }',
    'memref.load, arith.addi',
  ],
  [
    'a loop whose condition carries what does not change',
    '(%n: index, %x: i32) -> i32',
    '%o:2 = scf.while (%i = %c0, %v = %x) : (index, i32) -> (index, i32) {\n    %c = arith.cmpi ult, %i, %n : index\n    scf.condition(%c) %i, %v : index, i32\n  } do {\n  ^bb0(%j: index, %w: i32):\n    %k = arith.addi %j, %c1 : index\n    scf.yield %k, %w : index, i32\n  }\n  return %o#1 : i32',
    '',
  ],
  [
    'a loop whose condition is known in the body',
    '(%n: index) -> i1',
    '%o:2 = scf.while (%i = %c0) : (index) -> (index, i1) {\n    %c = arith.cmpi ult, %i, %n : index\n    scf.condition(%c) %i, %c : index, i1\n  } do {\n  ^bb0(%j: index, %w: i1):\n    %s = arith.extui %w : i1 to i32\n    %t = arith.index_cast %s : i32 to index\n    %k = arith.addi %j, %t : index\n    scf.yield %k : index\n  }\n  return %o#1 : i1',
    'scf.while, arith.cmpi, scf.condition, arith.addi',
  ],
  [
    'a loop with results that nothing uses',
    '(%n: index) -> index',
    '%o:2 = scf.while (%i = %c0) : (index) -> (index, index) {\n    %c = arith.cmpi ult, %i, %n : index\n    %d = arith.addi %i, %c2 : index\n    scf.condition(%c) %i, %d : index, index\n  } do {\n  ^bb0(%j: index, %w: index):\n    %k = arith.addi %j, %c1 : index\n    scf.yield %k : index\n  }\n  return %o#0 : index',
    'scf.while, arith.cmpi, scf.condition, arith.addi',
  ],
  [
    'a loop that carries the same value twice',
    `(%x: i32) -> (i32, i32)`,
    '%o:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %x, %b = %x) -> (i32, i32) {\n    %s = arith.addi %a, %i1 : i32\n    scf.yield %s, %s : i32, i32\n  }\n  return %o#0, %o#1 : i32, i32',
    'scf.for, arith.addi',
  ],
  [
    'a branch in a branch',
    '(%a: i1, %b: i1, %m: memref<4xi32>, %x: i32)',
    'scf.if %a {\n    scf.if %b {\n      memref.store %x, %m[%c1] : memref<4xi32>\n    }\n  }',
    'arith.andi, scf.if, memref.store',
  ],
  // Transfers and other vector ops.
  [
    'a write of what was written',
    `(%t: ${line}, %v: vector<4xi32>, %w: vector<4xi32>) -> ${line}`,
    `%a = vector.transfer_write %v, %t[%c0] {in_bounds = [true]} : vector<4xi32>, ${line}\n  %r = vector.transfer_write %w, %a[%c0] {in_bounds = [true]} : vector<4xi32>, ${line}`,
    'transfer_write',
  ],
  [
    'a write of part of what was written',
    `(%t: ${line}, %v: vector<4xi32>, %w: vector<2xi32>) -> ${line}`,
    `%a = vector.transfer_write %v, %t[%c0] {in_bounds = [true]} : vector<4xi32>, ${line}\n  %r = vector.transfer_write %w, %a[%c0] {in_bounds = [true]} : vector<2xi32>, ${line}`,
    stays,
  ],
  [
    'a box of a repeated row',
    '(%v: vector<4xi32>) -> vector<2x2xi32>',
    '%b = vector.broadcast %v : vector<4xi32> to vector<3x4xi32>\n  %r = vector.extract_strided_slice %b {offsets = [1, 1], sizes = [2, 2], strides = [1, 1]} : vector<3x4xi32> to vector<2x2xi32>',
    'extract_strided_slice, broadcast',
  ],
  [
    'a box of a repeated element',
    '(%v: i32) -> vector<2x2xi32>',
    '%b = vector.broadcast %v : i32 to vector<3x4xi32>\n  %r = vector.extract_strided_slice %b {offsets = [1, 1], sizes = [2, 2], strides = [1, 1]} : vector<3x4xi32> to vector<2x2xi32>',
    'broadcast',
  ],
  [
    'a box of a constant',
    '(%x: i32) -> vector<2x2xi32>',
    '%b = arith.constant dense<[[1, 2, 3], [4, 5, 6], [7, 8, 9]]> : vector<3x3xi32>\n  %r = vector.extract_strided_slice %b {offsets = [1, 1], sizes = [2, 2], strides = [1, 1]} : vector<3x3xi32> to vector<2x2xi32>',
    '',
    'dense<[[5, 6], [8, 9]]>',
  ],
  [
    'a box of a constant put in another',
    '(%x: i32) -> vector<3x3xi32>',
    '%a = arith.constant dense<[[10, 11], [12, 13]]> : vector<2x2xi32>\n  %b = arith.constant dense<[[1, 2, 3], [4, 5, 6], [7, 8, 9]]> : vector<3x3xi32>\n  %r = vector.insert_strided_slice %a, %b {offsets = [1, 0], strides = [1, 1]} : vector<2x2xi32> into vector<3x3xi32>',
    '',
    '[10, 11, 6]',
  ],
  [
    'a constant element in a constant',
    '(%x: i32) -> vector<2x2xi32>',
    '%b = arith.constant dense<[[1, 2], [3, 4]]> : vector<2x2xi32>\n  %r = vector.insert %i7, %b [1, 0] : i32 into vector<2x2xi32>',
    '',
    '[7, 4]',
  ],
  [
    'a box of a mask',
    '(%x: i32) -> vector<2x2xi1>',
    '%b = vector.constant_mask [2, 3] : vector<3x4xi1>\n  %r = vector.extract_strided_slice %b {offsets = [1, 2], sizes = [2, 2], strides = [1, 1]} : vector<3x4xi1> to vector<2x2xi1>',
    'constant_mask',
  ],
  [
    'a row of a mask',
    '(%n: index, %m: index) -> vector<4xi1>',
    '%b = vector.create_mask %n, %m : vector<3x4xi1>\n  %r = vector.extract %b[1] : vector<4xi1> from vector<3x4xi1>',
    'create_mask, extract',
  ],
  [
    'a sum of one element',
    '(%v: vector<1xi32>, %x: i32) -> i32',
    '%r = vector.reduction <add>, %v, %x : vector<1xi32> into i32',
    'extract, arith.addi',
  ],
  [
    'a sum of units',
    '(%v: vector<1x4xi32>, %x: vector<4xi32>) -> vector<4xi32>',
    '%r = vector.multi_reduction <add>, %v, %x [0] : vector<1x4xi32> to vector<4xi32>',
    'shape_cast, arith.addi',
  ],
  // Views.
  [
    'a view of a whole',
    '(%m: memref<4xi32>) -> i32',
    '%s = memref.subview %m[0] [4] [1] : memref<4xi32> to memref<4xi32, strided<[1]>>\n  %r = memref.load %s[%c2] : memref<4xi32, strided<[1]>>',
    'memref.load',
  ],
  [
    'a view of a cast',
    '(%m: memref<4xi32>) -> i32',
    '%n = memref.cast %m : memref<4xi32> to memref<?xi32>\n  %s = memref.subview %n[1] [2] [1] : memref<?xi32> to memref<2xi32, strided<[1], offset: 1>>\n  %r = memref.load %s[%c1] : memref<2xi32, strided<[1], offset: 1>>',
    'memref.subview, memref.load',
  ],
  [
    'the least of least',
    '(%a: index, %b: index, %c: index) -> index',
    '%m = affine.min affine_map<(d0, d1) -> (d0, d1, 9)>(%a, %b)\n  %r = affine.min affine_map<(d0, d1) -> (d0, d1, 7)>(%m, %c)',
    'affine.min',
  ],
]);

testPatterns('tensor.rewrite_as_constant', [
  [
    'a pad of a constant',
    '(%x: i32) -> tensor<2x4xi32>',
    '%t = arith.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>\n  %r = tensor.pad %t low[0, 1] high[0, 1] {\n  ^bb0(%i: index, %j: index):\n    tensor.yield %i7 : i32\n  } : tensor<2x2xi32> to tensor<2x4xi32>',
    '',
    '[7, 3, 4, 7]',
  ],
  [
    'a tensor of elements',
    '(%x: i32) -> tensor<2xi32>',
    '%r = tensor.from_elements %i1, %x : tensor<2xi32>',
    stays,
  ],
]);

testPatterns('tensor.decompose_concat', [
  [
    'of lines',
    `(%a: ${line}, %b: tensor<2xi32>) -> tensor<6xi32>`,
    `%r = tensor.concat dim(0) %a, %b : (${line}, tensor<2xi32>) -> tensor<6xi32>`,
    'tensor.empty, 2 tensor.insert_slice',
  ],
  [
    'of columns of unknown number',
    '(%a: tensor<4x?xi32>, %b: tensor<4x2xi32>) -> tensor<4x?xi32>',
    '%r = tensor.concat dim(1) %a, %b : (tensor<4x?xi32>, tensor<4x2xi32>) -> tensor<4x?xi32>',
    '3 tensor.dim, affine.apply, tensor.empty, 2 tensor.insert_slice',
  ],
]);

testPatterns('tensor.fold_tensor_empty', [
  [
    'an expansion',
    '(%x: i32) -> tensor<2x2xi32>',
    '%e = tensor.empty() : tensor<4xi32>\n  %s = tensor.expand_shape %e [[0, 1]] output_shape [2, 2] : tensor<4xi32> into tensor<2x2xi32>\n  %r = linalg.fill ins(%x : i32) outs(%s : tensor<2x2xi32>) -> tensor<2x2xi32>',
    'tensor.empty, linalg.fill',
  ],
  [
    'a collapse of unknown size',
    '(%n: index, %x: i32) -> tensor<?xi32>',
    '%e = tensor.empty(%n) : tensor<?x3xi32>\n  %s = tensor.collapse_shape %e [[0, 1]] : tensor<?x3xi32> into tensor<?xi32>\n  %r = linalg.fill ins(%x : i32) outs(%s : tensor<?xi32>) -> tensor<?xi32>',
    '2 tensor.empty, tensor.dim, affine.apply, linalg.fill',
  ],
  [
    'a slice',
    '(%x: i32) -> tensor<2xi32>',
    '%e = tensor.empty() : tensor<4xi32>\n  %s = tensor.extract_slice %e[1] [2] [1] : tensor<4xi32> to tensor<2xi32>\n  %r = linalg.fill ins(%x : i32) outs(%s : tensor<2xi32>) -> tensor<2xi32>',
    'tensor.empty, linalg.fill',
  ],
  [
    'a concatenation',
    '(%x: i32) -> tensor<6xi32>',
    '%a = tensor.empty() : tensor<4xi32>\n  %b = tensor.empty() : tensor<2xi32>\n  %s = tensor.concat dim(0) %a, %b : (tensor<4xi32>, tensor<2xi32>) -> tensor<6xi32>\n  %r = linalg.fill ins(%x : i32) outs(%s : tensor<6xi32>) -> tensor<6xi32>',
    'tensor.empty, linalg.fill',
  ],
]);

testPatterns('tensor.reassociative_reshape_folding', [
  [
    'a slice of units that is expanded',
    '(%t: tensor<1x4xi32>) -> tensor<4xi32>',
    '%s = tensor.extract_slice %t[0, 0] [1, 4] [1, 1] : tensor<1x4xi32> to tensor<1x4xi32>\n  %r = tensor.collapse_shape %s [[0, 1]] : tensor<1x4xi32> into tensor<4xi32>',
    'tensor.extract_slice',
  ],
  [
    'a row that is collapsed',
    '(%t: tensor<3x4xi32>, %i: index) -> tensor<4xi32>',
    '%j = arith.minui %i, %c2 : index\n  %s = tensor.extract_slice %t[%j, 0] [1, 4] [1, 1] : tensor<3x4xi32> to tensor<1x4xi32>\n  %r = tensor.collapse_shape %s [[0, 1]] : tensor<1x4xi32> into tensor<4xi32>',
    'arith.minui, tensor.extract_slice',
  ],
  [
    'an insertion of what is expanded',
    '(%t: tensor<4xi32>, %d: tensor<3x4xi32>) -> tensor<3x4xi32>',
    '%s = tensor.expand_shape %t [[0, 1]] output_shape [1, 4] : tensor<4xi32> into tensor<1x4xi32>\n  %r = tensor.insert_slice %s into %d[2, 0] [1, 4] [1, 1] : tensor<1x4xi32> into tensor<3x4xi32>',
    'tensor.insert_slice',
  ],
]);

testPatterns('tensor.merge_consecutive_insert_extract_slice', [
  [
    'a slice of a slice',
    `(%t: ${matrix}) -> tensor<2x2xi32>`,
    `%s = tensor.extract_slice %t[1, 1] [3, 4] [1, 1] : ${matrix} to tensor<3x4xi32>\n  %r = tensor.extract_slice %s[1, 2] [2, 2] [1, 1] : tensor<3x4xi32> to tensor<2x2xi32>`,
    'tensor.extract_slice',
    '[2, 3] [2, 2]',
  ],
  [
    'every other row of every other row',
    '(%t: tensor<8xi32>) -> tensor<2xi32>',
    '%s = tensor.extract_slice %t[0] [4] [2] : tensor<8xi32> to tensor<4xi32>\n  %r = tensor.extract_slice %s[1] [2] [2] : tensor<4xi32> to tensor<2xi32>',
    'tensor.extract_slice',
    '[2] [2] [4]',
  ],
]);

testPatterns('tensor.drop_redundant_insert_slice_rank_expansion', [
  [
    'a slice of what a unit was added to',
    '(%t: tensor<4x6xi32>, %d: tensor<1x4x6xi32>) -> tensor<2x3xi32>',
    '%e = tensor.insert_slice %t into %d[0, 0, 0] [1, 4, 6] [1, 1, 1] : tensor<4x6xi32> into tensor<1x4x6xi32>\n  %r = tensor.extract_slice %e[0, 1, 2] [1, 2, 3] [1, 1, 1] : tensor<1x4x6xi32> to tensor<2x3xi32>',
    'tensor.extract_slice',
  ],
]);

testPatterns('tensor.fold_into_pack_and_unpack', [
  [
    'a slice of what is unpacked',
    '(%t: tensor<2x3xi32>, %d: tensor<6xi32>) -> tensor<5xi32>',
    '%u = tensor.unpack %t inner_dims_pos = [0] inner_tiles = [3] into %d : tensor<2x3xi32> -> tensor<6xi32>\n  %r = tensor.extract_slice %u[0] [5] [1] : tensor<6xi32> to tensor<5xi32>',
    'tensor.empty, tensor.unpack',
  ],
  [
    'a slice from the middle of what is unpacked',
    '(%t: tensor<2x3xi32>, %d: tensor<6xi32>) -> tensor<5xi32>',
    '%u = tensor.unpack %t inner_dims_pos = [0] inner_tiles = [3] into %d : tensor<2x3xi32> -> tensor<6xi32>\n  %r = tensor.extract_slice %u[1] [5] [1] : tensor<6xi32> to tensor<5xi32>',
    stays,
  ],
  [
    'a pack of a pad',
    '(%t: tensor<5xi32>, %x: i32, %d: tensor<2x3xi32>) -> tensor<2x3xi32>',
    '%p = tensor.pad %t low[0] high[1] {\n  ^bb0(%i: index):\n    tensor.yield %x : i32\n  } : tensor<5xi32> to tensor<6xi32>\n  %r = tensor.pack %p inner_dims_pos = [0] inner_tiles = [3] into %d : tensor<6xi32> -> tensor<2x3xi32>',
    'tensor.pack',
  ],
]);
