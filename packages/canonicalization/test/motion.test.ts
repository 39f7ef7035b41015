/** loop-invariant-code-motion on loops. */
import { loopInvariantCodeMotion } from '../src/index.ts';
import type { Row } from './support/table.ts';
import { testRows } from './support/table.ts';

const rows: readonly Row[] = [
  {
    name: 'what is the same in each iteration',
    arguments: '%x: i32, %y: i32, %n: index',
    results: 'i32',
    before: `
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %0 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (i32) {
        %1 = arith.muli %x, %y : i32
        %2 = arith.addi %1, %y : i32
        %3 = arith.addi %a, %2 : i32
        scf.yield %3 : i32
      }
      return %0 : i32`,
    after: `
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %0 = arith.muli %arg0, %arg1 : i32
      %1 = arith.addi %0, %arg1 : i32
      %2 = scf.for %arg3 = %c0 to %arg2 step %c1 iter_args(%arg4 = %arg0) -> (i32) {
        %3 = arith.addi %arg4, %1 : i32
        scf.yield %3 : i32
      }
      return %2 : i32`,
  },
  {
    name: 'out of several loops',
    arguments: '%x: i32, %n: index',
    results: 'i32',
    before: `
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %0 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (i32) {
        %1 = scf.for %j = %c0 to %n step %c1 iter_args(%b = %a) -> (i32) {
          %2 = arith.muli %x, %x : i32
          %3 = arith.index_cast %i : index to i32
          %4 = arith.addi %2, %3 : i32
          %5 = arith.addi %b, %4 : i32
          scf.yield %5 : i32
        }
        scf.yield %1 : i32
      }
      return %0 : i32`,
    after: `
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %0 = arith.muli %arg0, %arg0 : i32
      %1 = scf.for %arg2 = %c0 to %arg1 step %c1 iter_args(%arg3 = %arg0) -> (i32) {
        %2 = arith.index_cast %arg2 : index to i32
        %3 = arith.addi %0, %2 : i32
        %4 = scf.for %arg4 = %c0 to %arg1 step %c1 iter_args(%arg5 = %arg3) -> (i32) {
          %5 = arith.addi %arg5, %3 : i32
          scf.yield %5 : i32
        }
        scf.yield %4 : i32
      }
      return %1 : i32`,
  },
  {
    name: 'no division by what may be zero',
    arguments: '%x: i32, %y: i32, %n: index',
    results: 'i32',
    before: `
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : i32
      %0 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (i32) {
        %1 = arith.divsi %x, %y : i32
        %2 = arith.divsi %x, %c3 : i32
        %3 = arith.addi %1, %2 : i32
        scf.yield %3 : i32
      }
      return %0 : i32`,
    after: `
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3_i32 = arith.constant 3 : i32
      %0 = arith.divsi %arg0, %c3_i32 : i32
      %1 = scf.for %arg3 = %c0 to %arg2 step %c1 iter_args(%arg4 = %arg0) -> (i32) {
        %2 = arith.divsi %arg0, %arg1 : i32
        %3 = arith.addi %2, %0 : i32
        scf.yield %3 : i32
      }
      return %1 : i32`,
    isNotExecuted: true,
  },
  {
    name: 'no reading',
    arguments: '%m: memref<4xi32>, %x: i32',
    before: `
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      scf.for %i = %c0 to %c4 step %c1 {
        %1 = memref.load %m[%c0] : memref<4xi32>
        %2 = arith.addi %1, %x : i32
        memref.store %2, %m[%c0] : memref<4xi32>
      }
      return`,
    after: `
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      scf.for %arg2 = %c0 to %c4 step %c1 {
        %0 = memref.load %arg0[%c0] : memref<4xi32>
        %1 = arith.addi %0, %arg1 : i32
        memref.store %1, %arg0[%c0] : memref<4xi32>
      }
      return`,
  },
];

testRows('motion', loopInvariantCodeMotion(), rows);
