import { unwrap } from '@sconv/diagnostics';
import { edit, parseModule } from '@sconv/ir';
import { defaultRegistry as registry } from 'sconv';
import { expect, it } from 'vitest';
import { isSameModule } from '../src/same-module.ts';

const parse = (text: string) => unwrap(parseModule(text, { registry }));
const text = `func.func @f(%a: index, %b: index, %m: memref<4xindex>) {
  %0 = arith.addi %a, %b : index
  cf.br ^bb1(%0 : index)
^bb1(%1: index):
  scf.for %i = %a to %b step %1 {
    memref.store %i, %m[%1] : memref<4xindex>
  }
  return
}`;

it.each([
  ['itself', text, true],
  ['another operand', text.replace('addi %a, %b', 'addi %b, %a'), false],
  ['an operand of another region', text.replace('store %i', 'store %b'), false],
  ['another name', text.replace('addi', 'subi'), false],
  ['other attributes', text.replace('addi %a, %b', 'addi %a, %b overflow<nsw>'), false],
  ['other types', text.replaceAll('memref<4xindex>', 'memref<5xindex>'), false],
  ['fewer ops', text.replace(/ {4}memref.*\n/, ''), false],
  ['more blocks', text.replace('  return', '  cf.br ^bb2\n^bb2:\n  return'), false],
])('a module and one with %s, of other ids', (_, other, expected) => {
  const offset = parse(`module {}\n${other}`);
  const alone = edit(offset, { registry }, (rewriter) => {
    rewriter.eraseOperation(rewriter.root.regions[0]!.blocks[0]!.operations[0]!);
  }).module;
  expect(isSameModule(parse(text), alone)).toBe(expected);
});
