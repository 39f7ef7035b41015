/** Canonicalization of loops of scf: trip counts, carried values, and parallel iterations. */
import { stays, testPatterns } from './support/rows.ts';

testPatterns('canonicalization', [
  [
    'a loop over nothing that gives what is outside',
    '(%x: f32, %y: f32) -> f32',
    `%r = scf.for %i = %c0 to %c5 step %c1 iter_args(%s = %x) -> f32 {
      scf.yield %y : f32
    }`,
    '',
    'return %arg1',
  ],
  [
    'a loop of one iteration',
    '(%x: f32) -> f32',
    `%r = scf.for %i = %c2 to %c5 step %c3 iter_args(%s = %x) -> f32 {
      %k = arith.index_cast %i : index to i32
      %f = arith.sitofp %k : i32 to f32
      %t = arith.addf %s, %f : f32
      scf.yield %t : f32
    }`,
    'arith.addf',
  ],
  [
    'a loop of two iterations',
    '(%x: f32) -> f32',
    `%r = scf.for %i = %c2 to %c5 step %c2 iter_args(%s = %x) -> f32 {
      %k = arith.index_cast %i : index to i32
      %f = arith.sitofp %k : i32 to f32
      %t = arith.addf %s, %f : f32
      scf.yield %t : f32
    }`,
    stays,
  ],
  [
    'a loop of no iteration',
    '(%x: f32) -> f32',
    `%r = scf.for %i = %c5 to %c5 step %c2 iter_args(%s = %x) -> f32 {
      %t = arith.addf %s, %s : f32
      scf.yield %t : f32
    }`,
    '',
    'return %arg0',
  ],
  [
    'a loop that carries what it begins with, and uses it',
    '(%x: f32, %y: f32, %n: index) -> (f32, f32)',
    `%r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x, %t = %y) -> (f32, f32) {
      %u = arith.addf %t, %s : f32
      scf.yield %x, %u : f32, f32
    }
    return %r#0, %r#1 : f32, f32`,
    'scf.for, arith.addf',
    'return %arg0, ',
  ],
  [
    'a loop that carries a cast tensor',
    '(%t: tensor<4xf32>, %x: f32) -> tensor<?xf32>',
    `%0 = tensor.cast %t : tensor<4xf32> to tensor<?xf32>
    %1 = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %0) -> tensor<?xf32> {
      %b = tensor.insert %x into %a[%i] : tensor<?xf32>
      scf.yield %b : tensor<?xf32>
    }
    %r = linalg.exp ins(%1 : tensor<?xf32>) outs(%1 : tensor<?xf32>) -> tensor<?xf32>`,
    'scf.for, tensor.insert, linalg.exp, tensor.cast',
    '-> (tensor<4xf32>)',
  ],
  [
    'a loop that carries a cast tensor of three',
    '(%t: tensor<4xf32>, %x: f32) -> (tensor<?xf32>, f32)',
    `%0 = tensor.cast %t : tensor<4xf32> to tensor<?xf32>
    %1, %2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%p = %x, %a = %0) -> (f32, tensor<?xf32>) {
      %b = tensor.insert %p into %a[%i] : tensor<?xf32>
      %q = arith.addf %p, %x : f32
      scf.yield %q, %b : f32, tensor<?xf32>
    }
    return %2, %1 : tensor<?xf32>, f32`,
    'scf.for, tensor.insert, arith.addf, tensor.cast',
    '-> (f32, tensor<4xf32>)',
  ],
  [
    'a while loop with a value that does not change',
    '(%x: f32, %n: index) -> (index, f32)',
    `%a, %b = scf.while (%i = %c0, %s = %x) : (index, f32) -> (index, f32) {
      %c = arith.cmpi ult, %i, %n : index
      scf.condition(%c) %i, %s : index, f32
    } do {
    ^bb0(%j: index, %t: f32):
      %k = arith.addi %j, %c1 : index
      scf.yield %k, %t : index, f32
    }
    return %a, %b : index, f32`,
    stays,
  ],
  [
    'a while loop with a value that is not used',
    '(%x: f32, %n: index) -> index',
    `%a, %b = scf.while (%i = %c0, %s = %x) : (index, f32) -> (index, f32) {
      %c = arith.cmpi ult, %i, %n : index
      %u = arith.addf %x, %x : f32
      scf.condition(%c) %i, %u : index, f32
    } do {
    ^bb0(%j: index, %t: f32):
      %k = arith.addi %j, %c1 : index
      scf.yield %k, %t : index, f32
    }
    return %a : index`,
    'scf.while, arith.cmpi, scf.condition, arith.addi',
  ],
  [
    'a while loop that gives one value twice',
    '(%n: index, %m: memref<8xindex>) -> (index, index)',
    `%a, %b = scf.while (%i = %c0) : (index) -> (index, index) {
      %c = arith.cmpi ult, %i, %n : index
      scf.condition(%c) %i, %i : index, index
    } do {
    ^bb0(%j: index, %t: index):
      memref.store %t, %m[%j] : memref<8xindex>
      %k = arith.addi %t, %c1 : index
      scf.yield %k : index
    }
    return %a, %b : index, index`,
    stays,
  ],
  [
    'a while loop that uses its condition',
    '(%n: index, %m: memref<8xi1>) -> index',
    `%a, %b = scf.while (%i = %c0) : (index) -> (index, i1) {
      %c = arith.cmpi ult, %i, %n : index
      scf.condition(%c) %i, %c : index, i1
    } do {
    ^bb0(%j: index, %d: i1):
      memref.store %d, %m[%j] : memref<8xi1>
      %k = arith.addi %j, %c1 : index
      scf.yield %k : index
    }
    return %a : index`,
    stays,
    'store %true',
  ],
  [
    'a while loop that compares again',
    '(%n: index, %m: memref<8xi1>) -> index',
    `%r = scf.while (%i = %c0) : (index) -> index {
      %c = arith.cmpi ult, %i, %n : index
      scf.condition(%c) %i : index
    } do {
    ^bb0(%j: index):
      %d = arith.cmpi ult, %j, %n : index
      memref.store %d, %m[%j] : memref<8xi1>
      %k = arith.addi %j, %c1 : index
      scf.yield %k : index
    }`,
    'scf.while, arith.cmpi, scf.condition, memref.store, arith.addi',
    'store %true',
  ],
  [
    'a while loop that compares the other way',
    '(%n: index, %m: memref<8xi1>) -> index',
    `%r = scf.while (%i = %c0) : (index) -> index {
      %c = arith.cmpi ult, %i, %n : index
      scf.condition(%c) %i : index
    } do {
    ^bb0(%j: index):
      %d = arith.cmpi uge, %j, %n : index
      memref.store %d, %m[%j] : memref<8xi1>
      %k = arith.addi %j, %c1 : index
      scf.yield %k : index
    }`,
    'scf.while, arith.cmpi, scf.condition, memref.store, arith.addi',
    'store %false',
  ],
  [
    'a while loop that compares otherwise',
    '(%n: index, %m: memref<8xi1>) -> index',
    `%r = scf.while (%i = %c0) : (index) -> index {
      %c = arith.cmpi ult, %i, %n : index
      scf.condition(%c) %i : index
    } do {
    ^bb0(%j: index):
      %d = arith.cmpi eq, %j, %n : index
      memref.store %d, %m[%j] : memref<8xi1>
      %k = arith.addi %j, %c1 : index
      scf.yield %k : index
    }`,
    stays,
  ],
  [
    'a while loop that exchanges its values',
    '(%x: index, %y: index, %n: index) -> (index, index)',
    `%a, %b = scf.while (%i = %x, %s = %y) : (index, index) -> (index, index) {
      %c = arith.cmpi ult, %i, %n : index
      scf.condition(%c) %s, %i : index, index
    } do {
    ^bb0(%j: index, %t: index):
      %k = arith.addi %t, %c1 : index
      %l = arith.addi %j, %c2 : index
      scf.yield %k, %l : index, index
    }
    return %a, %b : index, index`,
    stays,
    'scf.condition(%',
  ],
  [
    'parallel iterations of none',
    '(%t: tensor<4xf32>, %x: f32) -> tensor<4xf32>',
    `%r = scf.forall (%i, %j) in (4, 0) shared_outs(%o = %t) -> (tensor<4xf32>) {
      %e = tensor.from_elements %x : tensor<1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %e into %o[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
      }
    }`,
    '',
    'return %arg0',
  ],
  [
    'parallel iterations of which one dimension has one',
    '(%t: tensor<4xf32>, %x: f32) -> tensor<4xf32>',
    `%r = scf.forall (%i, %j) = (0, 2) to (2, 3) step (1, 1) shared_outs(%o = %t) -> (tensor<4xf32>) {
      %e = tensor.from_elements %x : tensor<1xf32>
      %k = arith.addi %i, %j : index
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %e into %o[%k] [1] [1] : tensor<1xf32> into tensor<4xf32>
      }
    }`,
    stays,
    'scf.forall (%arg2) in (2)',
  ],
  [
    'one parallel iteration',
    '(%t: tensor<4xf32>, %u: tensor<4xf32>, %x: f32) -> (tensor<4xf32>, tensor<4xf32>)',
    `%a, %b = scf.forall (%i) = (2) to (3) step (1) shared_outs(%o = %t, %p = %u) -> (tensor<4xf32>, tensor<4xf32>) {
      %e = tensor.from_elements %x : tensor<1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %e into %p[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
        tensor.parallel_insert_slice %e into %o[1] [1] [1] : tensor<1xf32> into tensor<4xf32>
        tensor.parallel_insert_slice %e into %o[3] [1] [1] : tensor<1xf32> into tensor<4xf32>
      }
    }
    return %a, %b : tensor<4xf32>, tensor<4xf32>`,
    'tensor.from_elements, 3 tensor.insert_slice',
  ],
  [
    'one parallel iteration, at a place that is not known',
    '(%m: memref<4xf32>, %x: f32, %b: i1)',
    `%i = arith.index_castui %b : i1 to index
    %end = arith.addi %i, %c1 : index
    scf.parallel (%k) = (%i) to (%end) step (%c1) {
      memref.store %x, %m[%k] : memref<4xf32>
    }
    return`,
    'arith.index_castui, memref.store',
  ],
  [
    'parallel iterations to a place that is not known',
    '(%m: memref<4xf32>, %x: f32, %b: i1)',
    `%i = arith.index_castui %b : i1 to index
    scf.parallel (%k) = (%c0) to (%i) step (%c1) {
      memref.store %x, %m[%k] : memref<4xf32>
    }
    return`,
    'arith.index_castui, scf.parallel, memref.store, scf.reduce',
  ],
  [
    'one parallel iteration of a mapping',
    '(%t: tensor<4xf32>, %x: f32) -> tensor<4xf32>',
    `%r = scf.forall (%i) in (1) shared_outs(%o = %t) -> (tensor<4xf32>) {
      %e = tensor.from_elements %x : tensor<1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %e into %o[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
      }
    } {mapping = [#gpu.block<x>]}`,
    stays,
  ],
  [
    'parallel results of which one is not used',
    '(%t: tensor<4xf32>, %u: tensor<4xf32>, %x: f32) -> tensor<4xf32>',
    `%a, %b = scf.forall (%i) in (3) shared_outs(%o = %t, %p = %u) -> (tensor<4xf32>, tensor<4xf32>) {
      %e = tensor.from_elements %x : tensor<1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %e into %o[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
        tensor.parallel_insert_slice %e into %p[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
      }
    }
    return %b : tensor<4xf32>`,
    'scf.forall, tensor.from_elements, scf.forall.in_parallel, tensor.parallel_insert_slice',
    'shared_outs(%arg4 = %arg1)',
  ],
  [
    'parallel results of which one is not written',
    '(%t: tensor<4xf32>, %u: tensor<4xf32>, %x: f32) -> (tensor<4xf32>, tensor<4xf32>)',
    `%a, %b = scf.forall (%i) in (3) shared_outs(%o = %t, %p = %u) -> (tensor<4xf32>, tensor<4xf32>) {
      %e = tensor.extract_slice %o[%i] [1] [1] : tensor<4xf32> to tensor<1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %e into %p[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
      }
    }
    return %a, %b : tensor<4xf32>, tensor<4xf32>`,
    stays,
    'return %arg0,',
  ],
  [
    'a parallel result that is cast before',
    '(%t: tensor<4xf32>) -> tensor<?xf32>',
    `%0 = tensor.cast %t : tensor<4xf32> to tensor<?xf32>
    %r = scf.forall (%i) in (3) shared_outs(%o = %0) -> (tensor<?xf32>) {
      %e = tensor.extract_slice %o[%i] [1] [1] : tensor<?xf32> to tensor<1xf32>
      %f = linalg.negf ins(%e : tensor<1xf32>) outs(%e : tensor<1xf32>) -> tensor<1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %f into %o[%i] [1] [1] : tensor<1xf32> into tensor<?xf32>
      }
    }`,
    'scf.forall, tensor.extract_slice, linalg.negf, scf.forall.in_parallel, tensor.parallel_insert_slice, tensor.cast',
    '-> (tensor<4xf32>)',
  ],
  [
    'a result of parallel iterations that is cast before, and written only',
    '(%t: tensor<4xf32>, %x: f32) -> tensor<?xf32>',
    `%0 = tensor.cast %t : tensor<4xf32> to tensor<?xf32>
    %r = scf.forall (%i) in (3) shared_outs(%o = %0) -> (tensor<?xf32>) {
      %e = tensor.from_elements %x : tensor<1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %e into %o[%i] [1] [1] : tensor<1xf32> into tensor<?xf32>
      }
    }`,
    'scf.forall, tensor.from_elements, scf.forall.in_parallel, tensor.parallel_insert_slice, tensor.cast',
    '-> (tensor<4xf32>)',
  ],
]);
