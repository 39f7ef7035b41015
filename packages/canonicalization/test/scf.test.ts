/** Canonicalization of loops and conditions. */
import { canonicalize } from '../src/index.ts';
import type { Row } from './support/table.ts';
import { testRows } from './support/table.ts';

const rows: readonly Row[] = [
  {
    name: 'a loop of one iteration',
    arguments: '%x: i32',
    results: 'i32',
    before: `
      %c3 = arith.constant 3 : index
      %c5 = arith.constant 5 : index
      %c2 = arith.constant 2 : index
      %0 = scf.for %i = %c3 to %c5 step %c2 iter_args(%a = %x) -> (i32) {
        %1 = arith.index_cast %i : index to i32
        %2 = arith.addi %a, %1 : i32
        scf.yield %2 : i32
      }
      return %0 : i32`,
    after: `
      %c3_i32 = arith.constant 3 : i32
      %0 = arith.addi %arg0, %c3_i32 : i32
      return %0 : i32`,
  },
  {
    name: 'a loop without iterations',
    arguments: '%x: i32, %n: index',
    results: 'i32',
    before: `
      %c1 = arith.constant 1 : index
      %0 = scf.for %i = %n to %n step %c1 iter_args(%a = %x) -> (i32) {
        %2 = arith.addi %a, %a : i32
        scf.yield %2 : i32
      }
      return %0 : i32`,
    after: `
      return %arg0 : i32`,
  },
  ...(['', ' overflow<nsw>'] as const).map((flags) => ({
    name: `a sum as the upper bound, which may wrap unless it says not to:${flags}`,
    arguments: '%x: i32, %n: i8',
    results: 'i32',
    before: `
      %c4 = arith.constant 4 : i8
      %end = arith.addi %n, %c4${flags} : i8
      %0 = scf.for %i = %n to %end step %c4 iter_args(%a = %x) -> (i32) : i8 {
        %1 = arith.extsi %i : i8 to i32
        %2 = arith.addi %a, %1 : i32
        scf.yield %2 : i32
      }
      return %0 : i32`,
    after:
      flags === ''
        ? `
      %c4_i8 = arith.constant 4 : i8
      %0 = arith.addi %arg1, %c4_i8 : i8
      %1 = scf.for %arg2 = %arg1 to %0 step %c4_i8 iter_args(%arg3 = %arg0) -> (i32)  : i8 {
        %2 = arith.extsi %arg2 : i8 to i32
        %3 = arith.addi %arg3, %2 : i32
        scf.yield %3 : i32
      }
      return %1 : i32`
        : `
      %0 = arith.extsi %arg1 : i8 to i32
      %1 = arith.addi %arg0, %0 : i32
      return %1 : i32`,
  })),
  {
    name: 'carried values that do not change',
    arguments: '%x: i32, %y: i32, %n: index',
    results: '(i32, i32)',
    before: `
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (i32, i32) {
        %1 = arith.muli %a, %b : i32
        scf.yield %1, %b : i32, i32
      }
      return %0#0, %0#1 : i32, i32`,
    after: `
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %0 = scf.for %arg3 = %c0 to %arg2 step %c1 iter_args(%arg4 = %arg0) -> (i32) {
        %1 = arith.muli %arg4, %arg1 : i32
        scf.yield %1 : i32
      }
      return %0, %arg1 : i32, i32`,
  },
  {
    name: 'a condition that chooses a value',
    arguments: '%c: i1, %x: i32, %y: i32',
    results: 'i32',
    before: `
      %0 = scf.if %c -> (i32) {
        scf.yield %x : i32
      } else {
        scf.yield %y : i32
      }
      return %0 : i32`,
    after: `
      %0 = arith.select %arg0, %arg1, %arg2 : i32
      return %0 : i32`,
  },
  {
    name: 'what a condition says in its bodies',
    arguments: '%c: i1, %x: i32',
    results: 'i32',
    before: `
      %0 = scf.if %c -> (i32) {
        %1 = arith.select %c, %x, %x : i32
        %2 = arith.extui %c : i1 to i32
        %3 = arith.divsi %1, %2 : i32
        scf.yield %3 : i32
      } else {
        %2 = arith.extui %c : i1 to i32
        %3 = arith.addi %x, %2 : i32
        %4 = arith.muli %3, %3 : i32
        scf.yield %4 : i32
      }
      return %0 : i32`,
    after: `
      %0 = scf.if %arg0 -> (i32) {
        scf.yield %arg1 : i32
      } else {
        %1 = arith.muli %arg1, %arg1 : i32
        scf.yield %1 : i32
      }
      return %0 : i32`,
  },
  {
    name: 'two conditions that are one',
    arguments: '%c: i1, %m: memref<i32>, %x: i32, %y: i32',
    before: `
      scf.if %c {
        memref.store %x, %m[] : memref<i32>
      }
      scf.if %c {
      } else {
        memref.store %y, %m[] : memref<i32>
      }
      return`,
    after: `
      scf.if %arg0 {
        memref.store %arg2, %arg1[] : memref<i32>
      } else {
        memref.store %arg3, %arg1[] : memref<i32>
      }
      return`,
  },
  {
    name: 'nested conditions',
    arguments: '%c: i1, %d: i1, %m: memref<i32>, %x: i32',
    before: `
      scf.if %c {
        scf.if %d {
          memref.store %x, %m[] : memref<i32>
        }
      }
      return`,
    after: `
      %0 = arith.andi %arg0, %arg1 : i1
      scf.if %0 {
        memref.store %arg3, %arg2[] : memref<i32>
      }
      return`,
  },
  {
    name: 'parallel loops in each other',
    arguments: '%m: memref<?x?xf32>, %n: index, %x: f32',
    before: `
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      scf.parallel (%i) = (%c0) to (%n) step (%c1) {
        scf.parallel (%j) = (%c0) to (%n) step (%c1) {
          memref.store %x, %m[%i, %j] : memref<?x?xf32>
          scf.reduce
        }
        scf.reduce
      }
      return`,
    after: `
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      scf.parallel (%arg3, %arg4) = (%c0, %c0) to (%arg1, %arg1) step (%c1, %c1) {
        memref.store %arg2, %arg0[%arg3, %arg4] : memref<?x?xf32>
        scf.reduce 
      }
      return`,
  },
  {
    name: 'one parallel iteration reduces once',
    arguments: '%x: f32, %y: f32',
    results: 'f32',
    before: `
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %0 = scf.parallel (%i) = (%c0) to (%c1) step (%c1) init (%x) -> f32 {
        scf.reduce(%y : f32) {
        ^bb0(%a: f32, %b: f32):
          %1 = arith.mulf %a, %b : f32
          scf.reduce.return %1 : f32
        }
      }
      return %0 : f32`,
    after: `
      %0 = arith.mulf %arg0, %arg1 : f32
      return %0 : f32`,
  },
  {
    name: 'a forall of one iteration',
    arguments: '%t: tensor<8xf32>, %s: tensor<4xf32>',
    results: 'tensor<8xf32>',
    before: `
      %0 = scf.forall (%i) = (2) to (3) step (1) shared_outs(%o = %t) -> (tensor<8xf32>) {
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %s into %o[%i] [4] [1] : tensor<4xf32> into tensor<8xf32>
        }
      }
      return %0 : tensor<8xf32>`,
    after: `
      %inserted_slice = tensor.insert_slice %arg1 into %arg0[2] [4] [1] : tensor<4xf32> into tensor<8xf32>
      return %inserted_slice : tensor<8xf32>`,
  },
  {
    name: 'a forall whose bounds are constants',
    arguments: '%t: tensor<8xf32>, %s: tensor<4xf32>',
    results: 'tensor<8xf32>',
    before: `
      %c2 = arith.constant 2 : index
      %0 = scf.forall (%i) in (%c2) shared_outs(%o = %t) -> (tensor<8xf32>) {
        %j = arith.muli %i, %c2 : index
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %s into %o[%j] [4] [1] : tensor<4xf32> into tensor<8xf32>
        }
      }
      return %0 : tensor<8xf32>`,
    after: `
      %c2 = arith.constant 2 : index
      %0 = scf.forall (%arg2) in (2) shared_outs(%arg3 = %arg0) -> (tensor<8xf32>) {
        %1 = arith.muli %arg2, %c2 : index
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %arg1 into %arg3[%1] [4] [1] : tensor<4xf32> into tensor<8xf32>
        }
      }
      return %0 : tensor<8xf32>`,
  },
  {
    name: 'a while that carries too much',
    arguments: '%x: i32, %y: i32, %n: i32',
    results: '(i32, i32)',
    before: `
      %c1 = arith.constant 1 : i32
      %0:2 = scf.while (%a = %x, %b = %y) : (i32, i32) -> (i32, i32) {
        %c = arith.cmpi slt, %a, %n : i32
        scf.condition(%c) %a, %b : i32, i32
      } do {
      ^bb0(%a: i32, %b: i32):
        %1 = arith.addi %a, %c1 : i32
        scf.yield %1, %b : i32, i32
      }
      return %0#0, %0#1 : i32, i32`,
    after: `
      %c1_i32 = arith.constant 1 : i32
      %0 = scf.while (%arg3 = %arg0) : (i32) -> i32 {
        %1 = arith.cmpi slt, %arg3, %arg2 : i32
        scf.condition(%1) %arg3 : i32
      } do {
      ^bb0(%arg3: i32):
        %1 = arith.addi %arg3, %c1_i32 : i32
        scf.yield %1 : i32
      }
      return %0, %arg1 : i32, i32`,
  },
  {
    name: 'a region that is executed',
    arguments: '%c: i1, %x: i32, %y: i32',
    results: 'i32',
    before: `
      %0 = scf.execute_region -> i32 {
        cf.cond_br %c, ^a, ^b
      ^a:
        scf.yield %x : i32
      ^b:
        %1 = arith.muli %x, %y : i32
        scf.yield %1 : i32
      }
      %2 = arith.addi %0, %x : i32
      return %2 : i32`,
    after: `
        cf.cond_br %arg0, ^bb2(%arg1 : i32), ^bb1
      ^bb1:  // pred: ^bb0
        %0 = arith.muli %arg1, %arg2 : i32
        cf.br ^bb2(%0 : i32)
      ^bb2(%1: i32):  // 2 preds: ^bb0, ^bb1
        %2 = arith.addi %1, %arg1 : i32
        return %2 : i32`,
  },
  {
    name: 'a known case',
    arguments: '%x: i32, %y: i32',
    results: 'i32',
    before: `
      %c2 = arith.constant 2 : index
      %0 = scf.index_switch %c2 -> i32
      case 1 {
        scf.yield %x : i32
      }
      case 2 {
        scf.yield %y : i32
      }
      default {
        scf.yield %x : i32
      }
      return %0 : i32`,
    after: `
      return %arg1 : i32`,
  },
];

testRows('scf', canonicalize(), rows);
