import { expect, it } from 'vitest';
import { unwrap } from '@sconv/diagnostics';
import type { Rewriter, Value } from '@sconv/ir';
import { edit } from '@sconv/ir';
import { bufferOf, isHandedOn, mayShareMemory } from '../src/index.ts';
import { parse, registry } from './support.ts';

/** Asks a question about the first two operands of the `linalg.copy` of a function. */
const ask = <T>(body: string, question: (rewriter: Rewriter, a: Value, b: Value) => T): T => {
  const module = unwrap(
    parse(`func.func private @keep(memref<8xf32>)
func.func @f(%x: memref<8xf32>, %y: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  ${body}
  return
}`),
  );
  const { results } = edit(module, { registry }, (rewriter) => {
    const copy = rewriter.walk(rewriter.root).find(({ name }) => name === 'linalg.copy')!;
    return question(rewriter, copy.operands[0]!, copy.operands[1]!);
  });
  return results;
};

const copy = (from: string, to: string): string =>
  `linalg.copy ins(%${from} : memref<8xf32>) outs(%${to} : memref<8xf32>)`;
const loop = (
  initial: string,
  body: string,
): string => `%z = scf.for %i = %c0 to %n step %n iter_args(%o = %${initial}) -> (memref<8xf32>) {
    ${body}
    scf.yield %o : memref<8xf32>
  }`;
const view = (from: string): string =>
  `%v = memref.reinterpret_cast %${from} to offset: [0], sizes: [8], strides: [1] : memref<8xf32> to memref<8xf32>`;

it.each([
  ['allocations', copy('a', 'b'), false],
  ['an allocation and an argument', copy('a', 'x'), false],
  ['an allocation and what a loop carries of others', loop('b', copy('a', 'o')), false],
  ['an allocation and what a loop carries of an argument', loop('x', copy('a', 'o')), false],
  ['views of two allocations', `${view('a')}\n${copy('v', 'b')}`, false],
  ['arguments', copy('x', 'y'), true],
  ['a buffer and itself', copy('a', 'a'), true],
  ['a buffer and a view of it', `${view('a')}\n${copy('v', 'a')}`, true],
  ['an allocation and what a loop carries of it', loop('a', copy('a', 'o')), true],
  ['an allocation and what a loop carries of its view', `${view('a')}\n${loop('v', copy('a', 'o'))}`, true],
  [
    'an allocation that a function may keep, and an argument',
    `func.call @keep(%a) : (memref<8xf32>) -> ()\n${copy('a', 'x')}`,
    false,
  ],
])('whether %s may share memory', (_, body, expected) => {
  expect(ask(body, mayShareMemory)).toBe(expected);
  expect(ask(body, (rewriter, a, b) => mayShareMemory(rewriter, b, a))).toBe(expected);
});

it('a view leads to its buffer', () => {
  const isBuffer = ask(`${view('a')}\n${copy('v', 'b')}`, (rewriter, v, b) => [
    rewriter.definingOperation(bufferOf(rewriter, v))!.name,
    bufferOf(rewriter, b).id === b.id,
    isHandedOn(rewriter, bufferOf(rewriter, v)),
  ]);
  expect(isBuffer).toEqual(['memref.alloc', true, false]);
});
