/** Canonicalization of elements and sizes of tensors. */
import { stays, testPatterns } from './support/rows.ts';

testPatterns('canonicalization', [
  [
    'an element that was inserted',
    '(%t: tensor<4xf32>, %x: f32, %i: i1) -> f32',
    `%j = arith.index_castui %i : i1 to index
    %0 = tensor.insert %x into %t[%j] : tensor<4xf32>
    %r = tensor.extract %0[%j] : tensor<4xf32>`,
    '',
  ],
  [
    'an element beside the one that was inserted',
    '(%t: tensor<4xf32>, %x: f32) -> f32',
    `%0 = tensor.insert %x into %t[%c1] : tensor<4xf32>
    %r = tensor.extract %0[%c2] : tensor<4xf32>`,
    stays,
  ],
  [
    'an element of a splat',
    '(%x: f32, %i: i1) -> f32',
    `%j = arith.index_castui %i : i1 to index
    %0 = tensor.splat %x : tensor<4xf32>
    %r = tensor.extract %0[%j] : tensor<4xf32>`,
    '',
  ],
  [
    'an element of elements in rows',
    '(%x: f32, %y: f32) -> f32',
    `%0 = tensor.from_elements %x, %x, %x, %x, %y, %x : tensor<2x3xf32>
    %r = tensor.extract %0[%c1, %c1] : tensor<2x3xf32>`,
    '',
    'return %arg1',
  ],
  [
    'an element of elements at a computed place',
    '(%x: f32, %y: f32, %i: i1) -> f32',
    `%j = arith.index_castui %i : i1 to index
    %0 = tensor.from_elements %x, %y : tensor<2xf32>
    %r = tensor.extract %0[%j] : tensor<2xf32>`,
    stays,
  ],
  [
    'an element of a constant',
    '() -> i32',
    `%0 = arith.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
    %r = tensor.extract %0[%c1, %c0] : tensor<2x3xi32>`,
    '',
    'constant 4 : i32',
  ],
  [
    'an element of a splat constant',
    '() -> i32',
    `%0 = arith.constant dense<9> : tensor<2x3xi32>
    %r = tensor.extract %0[%c1, %c0] : tensor<2x3xi32>`,
    '',
    'constant 9 : i32',
  ],
  [
    'an element of what is cast to indices',
    '(%t: tensor<2x3xi32>) -> index',
    `%0 = arith.index_cast %t : tensor<2x3xi32> to tensor<2x3xindex>
    %r = tensor.extract %0[%c1, %c2] : tensor<2x3xindex>`,
    'tensor.extract, arith.index_cast',
  ],
  [
    'an element of a generated tensor that is a constant',
    '(%n: index) -> index',
    `%m = arith.addi %n, %c1 : index
    %0 = tensor.generate %m {
    ^bb0(%i: index):
      tensor.yield %m : index
    } : tensor<?xindex>
    %r = tensor.extract %0[%c0] : tensor<?xindex>`,
    'arith.addi',
  ],
  [
    'an equal element into a splat constant',
    '() -> tensor<3xi32>',
    `%0 = arith.constant dense<7> : tensor<3xi32>
    %r = tensor.insert %i7 into %0[%c1] : tensor<3xi32>`,
    '',
  ],
  [
    'another element into a splat constant',
    '() -> tensor<3xi32>',
    `%0 = arith.constant dense<8> : tensor<3xi32>
    %r = tensor.insert %i7 into %0[%c1] : tensor<3xi32>`,
    stays,
  ],
  [
    'an element into other constants',
    '() -> tensor<3xi32>',
    `%0 = arith.constant dense<[7, 7, 8]> : tensor<3xi32>
    %r = tensor.insert %i7 into %0[%c1] : tensor<3xi32>`,
    stays,
  ],
  [
    'constant elements',
    '() -> tensor<2xi32>',
    '%r = tensor.from_elements %i7, %i8 : tensor<2xi32>',
    '',
    'dense<[7, 8]>',
  ],
  [
    'elements that are not constant',
    '(%x: i32) -> tensor<2xi32>',
    '%r = tensor.from_elements %i7, %x : tensor<2xi32>',
    stays,
  ],
  [
    'a splat of a constant of a size that is not known',
    '(%n: index) -> tensor<?xi32>',
    '%r = tensor.splat %i7[%n] : tensor<?xi32>',
    stays,
  ],
  [
    'a generated tensor of sizes of which one is known',
    '(%n: index) -> tensor<?x2x?xindex>',
    `%r = tensor.generate %n, %c3 {
    ^bb0(%i: index, %j: index, %k: index):
      %0 = arith.addi %i, %k : index
      tensor.yield %0 : index
    } : tensor<?x2x?xindex>`,
    'tensor.generate, arith.addi, tensor.cast',
    'tensor<?x2x3xindex>',
  ],
  [
    'the size of a cast tensor',
    '(%t: tensor<?x4xf32>) -> index',
    `%0 = tensor.cast %t : tensor<?x4xf32> to tensor<?x?xf32>
    %r = tensor.dim %0, %c0 : tensor<?x?xf32>`,
    'tensor.dim',
    'tensor.dim %arg0',
  ],
  [
    'a size of an empty tensor',
    '(%n: index, %m: index) -> index',
    `%0 = tensor.empty(%n, %m) : tensor<?x4x?xf32>
    %r = tensor.dim %0, %c2 : tensor<?x4x?xf32>`,
    '',
    'return %arg1',
  ],
  [
    'a size of a splat',
    '(%x: f32, %n: index, %m: index) -> index',
    `%0 = tensor.splat %x[%n, %m] : tensor<?x4x?xf32>
    %r = tensor.dim %0, %c2 : tensor<?x4x?xf32>`,
    '',
    'return %arg2',
  ],
  [
    'a size of a filled tensor',
    '(%x: f32, %s: tensor<?xf32>, %t: tensor<?xf32>) -> index',
    `%a, %b = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%s, %t : tensor<?xf32>, tensor<?xf32>) {
    ^bb0(%p: f32, %q: f32):
      %u = arith.addf %q, %q : f32
      linalg.yield %p, %u : f32, f32
    } -> (tensor<?xf32>, tensor<?xf32>)
    %r = tensor.dim %b, %c0 : tensor<?xf32>`,
    'tensor.dim',
  ],
  [
    'a size of a collapsed tensor',
    '(%t: tensor<2x?x3xf32>) -> index',
    `%0 = tensor.collapse_shape %t [[0, 1, 2]] : tensor<2x?x3xf32> into tensor<?xf32>
    %r = tensor.dim %0, %c0 : tensor<?xf32>`,
    'tensor.dim, affine.apply',
    's0 * 6',
  ],
  [
    'a size of a tensor that is collapsed along two sizes',
    '(%t: tensor<?x?x3xf32>) -> index',
    `%0 = tensor.collapse_shape %t [[0, 1], [2]] : tensor<?x?x3xf32> into tensor<?x3xf32>
    %r = tensor.dim %0, %c0 : tensor<?x3xf32>`,
    stays,
  ],
  [
    'a size of an expanded tensor',
    '(%t: tensor<?x4xf32>, %n: index) -> index',
    `%m = arith.constant 2 : index
    %0 = tensor.expand_shape %t [[0, 1], [2, 3]] output_shape [%m, 2, 2, 2] : tensor<?x4xf32> into tensor<?x2x2x2xf32>
    %r = tensor.dim %0, %c0 : tensor<?x2x2x2xf32>`,
    'tensor.dim, affine.apply',
    'floordiv 2',
  ],
  [
    'a size of a reshaped tensor',
    '(%t: tensor<6xf32>) -> index',
    `%s = tensor.from_elements %c2, %c3 : tensor<2xindex>
    %0 = tensor.reshape %t(%s) : (tensor<6xf32>, tensor<2xindex>) -> tensor<?x?xf32>
    %r = tensor.dim %0, %c1 : tensor<?x?xf32>`,
    '',
    'constant 3 : index',
  ],
  [
    'a size of a tensor that is reshaped to given numbers',
    '(%t: tensor<4xf32>, %s: tensor<1xi32>, %i: i1) -> index',
    `%p = tensor.from_elements %i4 : tensor<1xi32>
    %q = tensor.insert %i4 into %s[%c0] : tensor<1xi32>
    %0 = tensor.reshape %t(%q) : (tensor<4xf32>, tensor<1xi32>) -> tensor<?xf32>
    %r = tensor.dim %0, %c0 : tensor<?xf32>`,
    '',
  ],
  [
    'a concatenation of one tensor',
    '(%t: tensor<3xf32>) -> tensor<?xf32>',
    '%r = tensor.concat dim(0) %t : (tensor<3xf32>) -> tensor<?xf32>',
    'tensor.cast',
  ],
  [
    'a concatenation of two',
    '(%t: tensor<3xf32>) -> tensor<6xf32>',
    '%r = tensor.concat dim(0) %t, %t : (tensor<3xf32>, tensor<3xf32>) -> tensor<6xf32>',
    stays,
  ],
  [
    'a constant in a computed shape',
    '() -> tensor<2x3xi32>',
    `%0 = arith.constant dense<4> : tensor<6xi32>
    %s = arith.constant dense<[2, 3]> : tensor<2xi32>
    %r = tensor.reshape %0(%s) : (tensor<6xi32>, tensor<2xi32>) -> tensor<2x3xi32>`,
    '',
    'dense<4> : tensor<2x3xi32>',
  ],
  [
    'constants in a computed shape',
    '() -> tensor<2x3xi32>',
    `%0 = arith.constant dense<[1, 2, 3, 4, 5, 6]> : tensor<6xi32>
    %s = arith.constant dense<[2, 3]> : tensor<2xi32>
    %r = tensor.reshape %0(%s) : (tensor<6xi32>, tensor<2xi32>) -> tensor<2x3xi32>`,
    stays,
  ],
  [
    'a shape of a shape',
    '(%t: tensor<6xf32>) -> tensor<3x2xf32>',
    `%a = tensor.from_elements %c2, %c3 : tensor<2xindex>
    %b = tensor.from_elements %c3, %c2 : tensor<2xindex>
    %0 = tensor.reshape %t(%a) : (tensor<6xf32>, tensor<2xindex>) -> tensor<2x3xf32>
    %r = tensor.reshape %0(%b) : (tensor<2x3xf32>, tensor<2xindex>) -> tensor<3x2xf32>`,
    'tensor.reshape',
  ],
  [
    'the own shape',
    '(%t: tensor<?x3xf32>) -> tensor<?x3xf32>',
    `%d = tensor.dim %t, %c0 : tensor<?x3xf32>
    %a = tensor.from_elements %d, %c3 : tensor<2xindex>
    %r = tensor.reshape %t(%a) : (tensor<?x3xf32>, tensor<2xindex>) -> tensor<?x3xf32>`,
    '',
  ],
  [
    'the own shape but for the order',
    '(%t: tensor<?x?xf32>) -> tensor<?x?xf32>',
    `%d = tensor.dim %t, %c0 : tensor<?x?xf32>
    %e = tensor.dim %t, %c1 : tensor<?x?xf32>
    %a = tensor.from_elements %e, %d : tensor<2xindex>
    %r = tensor.reshape %t(%a) : (tensor<?x?xf32>, tensor<2xindex>) -> tensor<?x?xf32>`,
    stays,
  ],
  [
    'the shape of another',
    '(%t: tensor<?x3xf32>, %s: tensor<?x3xf32>) -> tensor<?x3xf32>',
    `%d = tensor.dim %s, %c0 : tensor<?x3xf32>
    %a = tensor.from_elements %d, %c3 : tensor<2xindex>
    %r = tensor.reshape %t(%a) : (tensor<?x3xf32>, tensor<2xindex>) -> tensor<?x3xf32>`,
    stays,
  ],
  [
    'a line as long as it is',
    '(%t: tensor<?xf32>) -> tensor<?xf32>',
    `%d = tensor.dim %t, %c0 : tensor<?xf32>
    %e = arith.addi %d, %c0 : index
    %a = tensor.from_elements %e : tensor<1xindex>
    %r = tensor.reshape %t(%a) : (tensor<?xf32>, tensor<1xindex>) -> tensor<?xf32>`,
    '',
  ],
]);
