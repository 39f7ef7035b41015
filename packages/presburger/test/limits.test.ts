import {
  basicSet,
  card,
  complement,
  compose,
  defaultSteps,
  fromMap,
  isEmpty,
  isPresburgerError,
  isSubset,
  parseRelation,
  parseSet,
  presburgerSet,
  project,
  relation,
  relationSpace,
  sample,
  setSpace,
  withinSteps,
} from '@sconv/presburger';
import { affineMap } from '@sconv/affine';
import { describe, expect, it } from 'vitest';
import { spend } from '../src/budget.ts';
import { cross } from '../src/cross.ts';
import { normalInt } from '../src/int.ts';
import { randomNumbers } from './random-sets.ts';

describe('integers of any size', () => {
  it('divides differences of products exactly', () => {
    const random = randomNumbers(41);
    const upTo = (bits: number) => BigInt(Math.floor(random() * 2 ** bits)) * (random() < 0.5 ? 1n : -1n);
    for (let i = 0; i < 20_000; i++) {
      const bits = 20 + Math.floor(random() * 33);
      const [b, c, d] = [upTo(bits), upTo(bits), upTo(bits)];
      const divisor = upTo(Math.floor(random() * bits)) + 1n;
      const positive = divisor > 0n ? divisor : 1n - divisor;
      // Of the right remainder: a * b - c * d is a multiple of the divisor if b is 1.
      const isSimple = random() < 0.5;
      const factor = isSimple ? 1n : positive;
      const remainder = (((c * d) % positive) + positive) % positive;
      const a = isSimple ? remainder + positive * upTo(bits) : upTo(bits);
      const [left, right] = isSimple ? [a, c * d] : [a * b * factor, c * d * factor];
      const wanted = normalInt((left - right) / positive);
      const found = isSimple
        ? cross(normalInt(a), 1, normalInt(c), normalInt(d), normalInt(positive))
        : cross(
            normalInt(a * factor),
            normalInt(b),
            normalInt(c * factor),
            normalInt(d),
            normalInt(positive),
          );
      expect(found).toBe(wanted);
    }
  });

  it('decides sets whose numbers are beyond 2^53', () => {
    const text = '{ [i, j] : 9007199254740993 i - 9007199254740995 j = 1 and 0 <= i < 10000000000000000 }';
    const point = sample(parseSet(text));
    expect(point).toBeDefined();
    const [i, j] = point!.dims.map(BigInt) as [bigint, bigint];
    expect(9007199254740993n * i - 9007199254740995n * j).toBe(1n);
    expect(isEmpty(parseSet('{ [i] : 18014398509481986 i = 9007199254740993 }'))).toBe(true);
  });
});

const dense = parseSet(
  '{ [a, b, c, d] : 0 <= a, b, c, d <= 1000 and 0 <= 123 a + 457 b - 1013 c + 777 d <= 100000 }',
);

describe('work that is limited', () => {
  it('is undecided beyond the steps', () => {
    expect(() => withinSteps(() => card(dense), 100_000)).toThrow(
      expect.objectContaining({ code: 'presburger/undecided' }),
    );
  });

  it('counts the steps of a call against those of the call around it', () => {
    expect(() => withinSteps(() => withinSteps(() => card(dense), 1e9), 100_000)).toThrow(/undecided/);
    expect(isEmpty(dense)).toBe(false);
  });

  it.each([2e9, Infinity])('may take more than a call does unless told: %d steps', (steps) => {
    const work = () => {
      for (let i = 0; i < 10; i++) spend(defaultSteps / 5);
      return 'done';
    };
    const asCalled = () => withinSteps(work);
    expect(asCalled).toThrow(/undecided/);
    expect(withinSteps(asCalled, steps)).toBe('done');
    expect(withinSteps(() => withinSteps(asCalled, Infinity), steps)).toBe('done');
    // It was a matter of those calls only.
    expect(asCalled).toThrow(/undecided/);
    expect(() => withinSteps(() => card(dense), 100_000)).toThrow(/undecided/);
  });

  it('may take less within a call that may take more', () => {
    const inner = () => withinSteps(() => card(dense), 100_000);
    expect(() => withinSteps(inner, Infinity)).toThrow(/undecided/);
    const afterInner = () => {
      expect(inner).toThrow(/undecided/);
      return isEmpty(dense);
    };
    expect(withinSteps(afterInner, Infinity)).toBe(false);
    expect(() => withinSteps(afterInner, 100_000)).toThrow(/undecided/);
  });

  it.each([NaN, -1])('is not limited to %d steps', (steps) => {
    expect(() => withinSteps(() => isEmpty(dense), steps)).toThrow(
      expect.objectContaining({
        code: 'presburger/invalid-argument',
        message: `${steps} is no number of steps`,
      }),
    );
  });
});

const listOf = (count: number, separator: string, item: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => item(i)).join(separator);

describe('work in proportion to steps', () => {
  it('ends with their number', () => {
    expect(() => withinSteps(() => card(dense), 1000)).toThrow('undecided after 1000 steps');
  });

  it.each([
    ['a long conjunction', `{ [i] : ${listOf(20_000, ' and ', (k) => `i >= ${k}`)} }`],
    ['a long chain', `{ [i] : ${listOf(20_000, ' <= ', (k) => `i + ${k}`)} }`],
  ])('is little for %s', (_, text) => {
    expect(withinSteps(() => isEmpty(parseSet(text)), 2_000_000)).toBe(false);
  });

  it.each([
    ['thousands of quotients', `{ [i] : ${listOf(3000, ' and ', (k) => `i mod ${k + 3} >= 2`)} }`],
    ['products of alternatives', `{ [i] : ${listOf(13, ' and ', (k) => `i != ${k}`)} and ${dull(20_000)} }`],
  ])('is too much for %s, before they take memory', (_, text) => {
    expect(() => parseSet(text)).toThrow(expect.objectContaining({ code: 'presburger/undecided' }));
  });

  it('subtracts thousands of pieces', () => {
    const points = parseSet(`{ ${listOf(3000, '; ', (k) => `[i] : i = ${2 * k}`)} }`);
    expect(withinSteps(() => complement(points), Infinity).pieces).toHaveLength(3001);
  });

  it('decides polytopes whose extents have no squares among numbers', () => {
    const [large, larger] = [`1${'0'.repeat(180)}`, `7${'0'.repeat(200)}1`];
    const text = `{ [i, j, k] : 0 <= ${large}i - 3j + 7k <= 2 and 0 <= ${larger}j - 5i <= 3 and 1 <= 9k - 4j <= 2 }`;
    const point = sample(parseSet(text));
    expect(point === undefined || point.dims.length === 3).toBe(true);
  });
});

/** Many constraints that say little. */
function dull(count: number): string {
  return listOf(count, ' and ', (k) => `i + ${k} >= 0`);
}

describe('what makes no sense', () => {
  const line = setSpace(['i']);

  it.each([
    ['presburger/name', () => setSpace(['i', 'i'])],
    ['presburger/invalid-argument', () => presburgerSet(relationSpace(['i'], ['j']), [])],
    ['presburger/invalid-argument', () => relation(line, [basicSet(2, {})])],
    ['presburger/invalid-argument', () => project(parseSet('{ [i] : i > 0 }'), [1])],
    [
      'presburger/arity-mismatch',
      () => isSubset(parseSet('{ [i] : i > 0 }'), parseSet('{ [i, j] : i > 0 }')),
    ],
    [
      'presburger/arity-mismatch',
      () => compose(fromMap(affineMap('(d0) -> (d0, d0)')), parseRelation('{ [i] -> [i] }')),
    ],
  ])('is refused with %s', (code, make) => {
    expect(make).toThrow(expect.objectContaining({ code }));
  });

  it('is told apart from other errors', () => {
    let problem: unknown;
    try {
      setSpace(['i', 'i']);
    } catch (error) {
      problem = error;
    }
    expect(isPresburgerError(problem)).toBe(true);
    expect(isPresburgerError(new Error('other'))).toBe(false);
  });
});
