/** sccp on functions. */
import { sccp } from '../src/index.ts';
import type { Row } from './support/table.ts';
import { testRows } from './support/table.ts';

const rows: readonly Row[] = [
  {
    name: 'both ways give the same constant',
    arguments: '%c: i1',
    results: 'i32',
    before: `
      %c1 = arith.constant 1 : i32
      cf.cond_br %c, ^bb1, ^bb2
      ^bb1:
      %0 = arith.addi %c1, %c1 : i32
      cf.br ^bb3(%0 : i32)
      ^bb2:
      %c2 = arith.constant 2 : i32
      cf.br ^bb3(%c2 : i32)
      ^bb3(%x: i32):
      %1 = arith.muli %x, %x : i32
      return %1 : i32`,
    after: `
        %c1_i32 = arith.constant 1 : i32
        cf.cond_br %arg0, ^bb1, ^bb2
      ^bb1:  // pred: ^bb0
        %c2_i32 = arith.constant 2 : i32
        cf.br ^bb3(%c2_i32 : i32)
      ^bb2:  // pred: ^bb0
        %c2_i32_0 = arith.constant 2 : i32
        cf.br ^bb3(%c2_i32_0 : i32)
      ^bb3(%0: i32):  // 2 preds: ^bb1, ^bb2
        %c2_i32_1 = arith.constant 2 : i32
        %c4_i32 = arith.constant 4 : i32
        return %c4_i32 : i32`,
  },
  {
    name: 'a way that is not taken does not count',
    arguments: '%x: i32',
    results: 'i32',
    before: `
      %t = arith.constant true
      %c3 = arith.constant 3 : i32
      %0 = scf.if %t -> (i32) {
        scf.yield %c3 : i32
      } else {
        scf.yield %x : i32
      }
      %1 = arith.addi %0, %c3 : i32
      return %1 : i32`,
    after: `
      %true = arith.constant true
      %c3_i32 = arith.constant 3 : i32
      %c3_i32_0 = arith.constant 3 : i32
      %c6_i32 = arith.constant 6 : i32
      return %c6_i32 : i32`,
  },
  {
    name: 'a value that changes in a loop of blocks',
    arguments: '%n: i32',
    results: 'i32',
    before: `
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      cf.br ^bb1(%c0, %c1 : i32, i32)
      ^bb1(%i: i32, %k: i32):
      %0 = arith.cmpi slt, %i, %n : i32
      cf.cond_br %0, ^bb2, ^bb3
      ^bb2:
      %1 = arith.addi %i, %k : i32
      cf.br ^bb1(%1, %k : i32, i32)
      ^bb3:
      %2 = arith.addi %i, %k : i32
      return %2 : i32`,
    after: `
        %c0_i32 = arith.constant 0 : i32
        %c1_i32 = arith.constant 1 : i32
        cf.br ^bb1(%c0_i32, %c1_i32 : i32, i32)
      ^bb1(%0: i32, %1: i32):  // 2 preds: ^bb0, ^bb2
        %c1_i32_0 = arith.constant 1 : i32
        %2 = arith.cmpi slt, %0, %arg0 : i32
        cf.cond_br %2, ^bb2, ^bb3
      ^bb2:  // pred: ^bb1
        %3 = arith.addi %0, %c1_i32_0 : i32
        cf.br ^bb1(%3, %c1_i32_0 : i32, i32)
      ^bb3:  // pred: ^bb1
        %4 = arith.addi %0, %c1_i32_0 : i32
        return %4 : i32`,
  },
  {
    name: 'what an op does not change is no more known than before',
    arguments: '%x: i32',
    results: 'i32',
    before: `
      %c0 = arith.constant 0 : i32
      %0 = arith.addi %x, %c0 : i32
      return %0 : i32`,
    after: `
      %c0_i32 = arith.constant 0 : i32
      %0 = arith.addi %arg0, %c0_i32 : i32
      return %0 : i32`,
  },
  {
    name: 'what is the same number either way is that number',
    arguments: '%c: i1',
    results: 'i32',
    before: `
      %c5 = arith.constant 5 : i32
      %0 = arith.select %c, %c5, %c5 : i32
      %1 = arith.addi %0, %c5 : i32
      return %1 : i32`,
    after: `
      %c5_i32 = arith.constant 5 : i32
      %c5_i32_0 = arith.constant 5 : i32
      %c10_i32 = arith.constant 10 : i32
      return %c10_i32 : i32`,
  },
];

testRows('sccp', sccp(), rows);
