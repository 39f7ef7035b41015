/** Canonicalization of branches between blocks. */
import { canonicalize } from '../src/index.ts';
import { testRows } from './support/table.ts';

testRows('branches', canonicalize(), [
  {
    name: 'through several empty blocks, with operands',
    arguments: '%c: i1, %x: i32, %y: i32',
    results: 'i32',
    before: `
      cf.cond_br %c, ^a(%x : i32), ^d(%y : i32)
    ^a(%0: i32):
      cf.br ^b(%y, %0 : i32, i32)
    ^b(%1: i32, %2: i32):
      cf.br ^d(%2 : i32)
    ^d(%3: i32):
      %4 = arith.addi %3, %3 : i32
      return %4 : i32`,
    after: `
        %0 = arith.select %arg0, %arg1, %arg2 : i32
        %1 = arith.addi %0, %0 : i32
        return %1 : i32`,
  },
  {
    name: 'a block that only branches to itself',
    arguments: '',
    before: `
      cf.br ^a
    ^a:
      cf.br ^a`,
    after: `
        cf.br ^bb1
      ^bb1:  // 2 preds: ^bb0, ^bb1
        cf.br ^bb1`,
    isNotExecuted: true,
  },
  {
    name: 'a cycle of two empty blocks',
    arguments: '',
    before: `
      cf.br ^a
    ^a:
      cf.br ^b
    ^b:
      cf.br ^a`,
    after: `
        cf.br ^bb1
      ^bb1:  // 2 preds: ^bb0, ^bb1
        cf.br ^bb1`,
    isNotExecuted: true,
  },
  {
    name: 'a cycle of three blocks that pass a value on, entered on one path',
    arguments: '%c: i1, %x: i32',
    results: 'i32',
    before: `
      cf.cond_br %c, ^a(%x : i32), ^d
    ^a(%0: i32):
      cf.br ^b(%0 : i32)
    ^b(%1: i32):
      cf.br ^c(%1 : i32)
    ^c(%2: i32):
      cf.br ^a(%2 : i32)
    ^d:
      return %x : i32`,
    after: `
        cf.cond_br %arg0, ^bb1, ^bb2
      ^bb1:  // 2 preds: ^bb0, ^bb1
        cf.br ^bb1
      ^bb2:  // pred: ^bb0
        return %arg1 : i32`,
    isNotExecuted: true,
  },
]);
