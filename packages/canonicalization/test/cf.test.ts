/** Canonicalization of branches between blocks. */
import { unwrap } from '@sconv/diagnostics';
import { parseModule, printModule } from '@sconv/ir';
import { expect, it } from 'vitest';
import { canonicalize } from '../src/index.ts';
import { registry, testRows } from './support/table.ts';

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

/** Blocks one after the other. */
const chain = (count: number, block: (at: number) => string): string => {
  const blocks = Array.from({ length: count }, (_, i) => `^b${i}(%v${i}: i32):\n${block(i)}`);
  return `func.func @f(%c: i1, %x: i32) -> i32 {
    cf.cond_br %c, ^b0(%x : i32), ^exit(%x : i32)
  ${blocks.join('\n')}
  ^b${count}(%v: i32):
    cf.br ^exit(%v : i32)
  ^exit(%r: i32):
    return %r : i32
}`;
};

it.each([
  ['empty blocks', 2000, (i: number) => `cf.br ^b${i + 1}(%v${i} : i32)`, 0],
  [
    'blocks behind conditions',
    500,
    (i: number) => `%c${i} = arith.cmpi slt, %v${i}, %x : i32
      cf.cond_br %c${i}, ^t${i}, ^exit(%v${i} : i32)
    ^t${i}:
      %s${i} = arith.select %c${i}, %v${i}, %x : i32
      %n${i} = arith.muli %s${i}, %x : i32
      cf.br ^b${i + 1}(%n${i} : i32)`,
    0,
  ],
  [
    'blocks that branch to one block',
    500,
    (i: number) => `%c${i} = arith.cmpi slt, %v${i}, %x : i32
      %n${i} = arith.muli %v${i}, %x : i32
      cf.cond_br %c${i}, ^b${i + 1}(%v${i} : i32), ^b${i + 1}(%n${i} : i32)`,
    500,
  ],
] as const)('a chain of %s', (_, count, block, selects) => {
  const before = unwrap(parseModule(chain(count, block), { registry }));
  const after = unwrap(canonicalize().run(before, { registry }));
  expect(printModule(after, { registry }).split('arith.select').length - 1).toBe(selects);
});
