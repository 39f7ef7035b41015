import { expect, it } from 'vitest';
import type { Value } from '../src/index.ts';
import { edit, followDefinitions } from '../src/index.ts';
import { parse, registry } from './test-dialect.ts';

/** `%0`, and operations that use the one before each twice. */
const doubling = (count: number): string =>
  [
    '%0 = "a.a"() : () -> i32',
    ...Array.from({ length: count }, (_, i) => `%${i + 1} = "a.b"(%${i}, %${i}) : (i32, i32) -> i32`),
  ].join('\n');

/** Of the last of these: how many paths lead to definitions without operands, and how many values were computed. */
const pathsTo = (count: number): readonly [number, number] =>
  edit(parse(doubling(count)), { registry }, (rewriter): readonly [number, number] => {
    let computed = 0;
    const paths = followDefinitions<number>(
      (value, of) => {
        computed += 1;
        const { operands } = rewriter.definingOperation(value)!;
        return operands.length === 0 ? 1 : operands.reduce((sum, operand) => sum + of(operand), 0);
      },
      () => 0,
    );
    const last: Value = rewriter.walk(rewriter.root).at(-1)!.results[0]!;
    return [paths(last), computed];
  }).results;

it('computes each value once, however many paths lead to it', () => {
  expect(pathsTo(1)).toEqual([2, 2]);
  expect(pathsTo(50)).toEqual([2 ** 50, 51]);
});

it('assumes what it was told of values far away', () => {
  expect(pathsTo(255)).toEqual([2 ** 255, 256]);
  expect(pathsTo(256)).toEqual([0, 256]);
  expect(pathsTo(20_000)).toEqual([0, 256]);
});
