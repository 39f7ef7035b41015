import type { AffineExpr } from '@sconv/affine';
import { affineMap, constant, dim, evaluate, integerSet, makeMap } from '@sconv/affine';
import type { EquivalenceOver } from '@sconv/presburger';
import {
  equivalentOver,
  findCollision,
  fromMap,
  fromSet,
  image,
  intersectDomain,
  inverse,
  isEmpty,
  isEqual,
  isFunction,
  isInjective,
  isSurjective,
  parseSet,
  sample,
} from '@sconv/presburger';
import { describe, expect, it } from 'vitest';
import { pointsOfBox, randomNumbers } from './random-sets.ts';

const decide = (left: string, right: string, over?: string): EquivalenceOver =>
  equivalentOver(affineMap(left), affineMap(right), over === undefined ? undefined : integerSet(over));

describe('differences that samples miss', () => {
  it.each([
    ['(d0) -> (d0 ceildiv 999983)', '(d0) -> (d0 floordiv 999983 + 1)', '(d0) : (d0 - 1 >= 0)', [999_983]],
    ['(d0) -> ((d0 mod 1000003) floordiv 1000002)', '(d0) -> (0)', '(d0) : (d0 >= 0)', [1_000_002]],
    ['(d0) -> (d0 floordiv 1000003)', '(d0) -> ((d0 + 1) floordiv 1000003)', undefined, [-1]],
    ['(d0) -> (d0 floordiv 1000003)', '(d0) -> ((d0 + 1) floordiv 1000003)', '(d0) : (d0 >= 0)', [1_000_002]],
    [
      '(d0) -> (((d0 mod 1009) floordiv 1008 + (d0 mod 1013) floordiv 1012) floordiv 2)',
      '(d0) -> (0)',
      '(d0) : (d0 >= 0, 1022116 - d0 >= 0)',
      [1_022_116],
    ],
    [
      '(d0, d1, d2) -> (((d0 + d1 * 99991 + d2 * 7) mod 999983) floordiv 999982)',
      '(d0, d1, d2) -> (0)',
      '(d0, d1, d2) : (d0 >= 0, d1 >= 0, d2 >= 0, 199999 - d0 >= 0, 199 - d1 >= 0, 199 - d2 >= 0)',
      undefined,
    ],
  ])('%s against %s', (left, right, over, first) => {
    const answer = decide(left, right, over);
    if (answer.equivalent !== false) throw new Error(`answered ${String(answer.equivalent)}`);
    const { dims, symbols } = answer.counterexample;
    if (first !== undefined) expect(dims).toEqual(first);
    const at = (text: string) => evaluate(affineMap(text), dims.map(Number), symbols.map(Number));
    expect(answer.counterexample).toMatchObject({ left: at(left), right: at(right) });
    expect(at(left)).not.toEqual(at(right));
  });
});

it.each([
  ['(d0) -> (d0 floordiv 999983 * 999983 + d0 mod 999983)', '(d0) -> (d0)'],
  ['(d0) -> ((d0 floordiv 7) floordiv 1000003)', '(d0) -> (d0 floordiv 7000021)'],
  ['(d0, d1) -> ((d0 * 1000003 + d1 mod 1000003) floordiv 1000003)', '(d0, d1) -> (d0)'],
  [
    '(d0) -> ((d0 mod 2) * 3 + (d0 mod 3) * 4 - ((d0 mod 2) * 3 + (d0 mod 3) * 4) floordiv 6 * 6)',
    '(d0) -> (d0 mod 6)',
  ],
  ['(d0)[s0] -> (d0 + s0, d0 mod 4)', '(d0)[s0] -> (s0 + d0, d0 - d0 floordiv 4 * 4)'],
])('proves %s equal to %s everywhere', (left, right) => {
  expect(decide(left, right)).toEqual({ equivalent: true });
});

it('takes triangles and congruences as domains', () => {
  const triangle = '(d0, d1)[s0] : (d0 >= 0, d1 - d0 >= 0, s0 - d1 - 1 >= 0, s0 mod 4 == 0, 8 - s0 >= 0)';
  expect(decide('(d0, d1)[s0] -> (d0 floordiv 8)', '(d0, d1)[s0] -> (0)', triangle)).toEqual({
    equivalent: true,
  });
  expect(decide('(d0, d1)[s0] -> (d1 floordiv 7)', '(d0, d1)[s0] -> (0)', triangle)).toMatchObject({
    counterexample: { dims: [0, 7], symbols: [8], left: [1], right: [0] },
  });
});

it('takes sets whose symbols have names of later positions', () => {
  const map = (text: string) => affineMap(`(d0)[s0, s1] -> (${text})`);
  const over = parseSet('[s1] -> { [d] : 0 <= d < s1 <= 8 }');
  expect(equivalentOver(map('d0 floordiv 8 + s1'), map('s1'), over)).toEqual({ equivalent: true });
  expect(equivalentOver(map('d0 floordiv 7 + s1'), map('s1'), over)).toMatchObject({
    counterexample: { dims: [7], symbols: [8, -8], left: [-7], right: [-8] },
  });
});

it('answers undecided for divisions by symbols that no rule proves, never equivalent', () => {
  const answer = decide('(d0)[s0] -> (d0 floordiv s0 + 1)', '(d0)[s0] -> ((d0 + s0) floordiv s0)');
  expect(answer.equivalent).not.toBe(false);
  expect(decide('(d0)[s0] -> (d0 floordiv s0)', '(d0)[s0] -> (d0 floordiv s0)')).toEqual({
    equivalent: true,
  });
  expect(decide('(d0)[s0] -> (d0 mod s0)', '(d0)[s0] -> (d0)').equivalent).toBe(false);
  const onlyZero = decide('(d0)[s0] -> (d0 mod s0)', '(d0)[s0] -> (d0)', '(d0) : (d0 == 0)');
  expect(onlyZero).toMatchObject({ equivalent: 'undecided' });
});

it.each(['(d0, d1) -> (d0)', '(d0)[s0] -> (d0)', '(d0) -> (d0, d0)'])(
  'refuses a map of another arity: %s',
  (text) => {
    expect(() => decide('(d0) -> (d0)', text)).toThrow(
      expect.objectContaining({ code: 'presburger/arity-mismatch' }),
    );
  },
);

/** A random quasi-affine expression of two dimensions. */
function randomExpr(random: () => number, depth: number): AffineExpr {
  const upTo = (most: number) => Math.floor(random() * (most + 1));
  if (depth === 0) return random() < 0.2 ? constant(upTo(6) - 3) : dim(upTo(1));
  const operand = randomExpr(random, depth - 1);
  const choice = upTo(4);
  if (choice === 0) return operand.mul(upTo(6) - 3);
  if (choice === 1) return operand.mod(1 + upTo(4));
  if (choice === 2) return operand.floorDiv(1 + upTo(4));
  if (choice === 3) return operand.ceilDiv(1 + upTo(4));
  return operand.add(randomExpr(random, depth - 1));
}

it('agrees with enumeration on random maps', () => {
  const random = randomNumbers(31);
  const square = integerSet('(d0, d1) : (d0 + 4 >= 0, 4 - d0 >= 0, d1 + 4 >= 0, 4 - d1 >= 0)');
  const points = [...pointsOfBox(2, 4)];
  let equal = 0;
  for (let i = 0; i < 60; i++) {
    const expr = randomExpr(random, 3);
    const other = random() < 0.5 ? randomExpr(random, 1) : expr.add(dim(0).mul(4).mod(2));
    const [left, right] = [makeMap(2, 0, [expr]), makeMap(2, 0, [other])];
    const first = points.find((point) => evaluate(left, point)[0] !== evaluate(right, point)[0]);
    const answer = equivalentOver(left, right, square);
    if (first === undefined) equal += 1;
    expect(answer.equivalent).toBe(first === undefined);
    if (answer.equivalent === false) expect(answer.counterexample.dims).toEqual(first);
  }
  expect(equal).toBeGreaterThan(5);
});

describe('sets of the texts', () => {
  const points = (text: string) => fromSet(integerSet(text));

  it('knows that two congruences are one', () => {
    const both = points('(d0) : (d0 mod 2 == 0, d0 mod 3 == 0)');
    expect(isEqual(both, points('(d0) : (d0 mod 6 == 0)'))).toBe(true);
  });

  it('finds the only point', () => {
    const text = '(d0) : (d0 mod 1009 == 1008, d0 mod 1013 == 1012, d0 >= 0, -d0 + 1022116 >= 0)';
    expect(sample(points(text))?.dims).toEqual([1_022_116]);
  });

  it('knows that an odd number is no even one', () => {
    expect(isEmpty(points('(d0, d1) : (d0 * 2 - d1 * 2 - 1 == 0)'))).toBe(true);
  });
});

describe('maps as relations', () => {
  const tiles = fromMap(affineMap('(d0) -> (d0 floordiv 16, d0 mod 16)'));

  it('knows that a split is injective, and what it reaches', () => {
    expect(isInjective(tiles)).toBe(true);
    expect(isFunction(inverse(tiles))).toBe(true);
    expect(isSurjective(tiles, parseSet('{ [i, j] : 0 <= j < 16 }'))).toBe(true);
    expect(isSurjective(tiles, parseSet('{ [i, j] : 0 <= j <= 16 }'))).toBe(false);
  });

  it('finds two windows that share an element', () => {
    const windows = fromMap(affineMap('(d0, d1) -> (d0 * 2 + d1)'));
    const collision = findCollision(windows);
    expect(collision).toBeDefined();
    const [first, second] = [collision!.first, collision!.second].map(([w, r]) => 2 * Number(w) + Number(r));
    expect(first).toBe(second);
    const narrow = intersectDomain(windows, parseSet('{ [w, r] : 0 <= r < 2 }'));
    expect(findCollision(narrow)).toBeUndefined();
  });

  it('has ranges with symbolic bounds', () => {
    const reached = image(
      parseSet('[n] -> { [i] : 0 <= i < n }'),
      fromMap(affineMap('(d0) -> (d0 * 3 + 1)')),
    );
    expect(isEqual(reached, parseSet('[n] -> { [j] : 1 <= j <= 3n - 2 and j mod 3 = 1 }'))).toBe(true);
  });
});
