/** Unknowns that a parametric solution takes too long for are looked at value by value. */
import { expect, it } from 'vitest';
import type { PresburgerSet } from '../src/index.ts';
import {
  image,
  intersect,
  isEmpty,
  isEqual,
  parseRelation,
  parseSet,
  preimage,
  withDivisions,
} from '../src/index.ts';

const side = 4;
const line = Array.from({ length: 2 * side + 1 }, (_, i) => i - side);
const box = line.flatMap((i) => line.map((j) => [i, j] as const));

it('what has the quotient of a point elsewhere, in a small box', () => {
  const isInA = (i: number, j: number) => (2 * i + 3 * j + 5 + 100) % 5 === 0 || 3 * i - 3 * j + 1 >= 0;
  const isInB = (i: number, j: number) =>
    Math.floor((-2 * i + 3 * j - 6) / 2) >= 2 * i - 4 * j - 5 ||
    Math.floor((-3 * i + 4 * j - 4) / 2) >= -2 * j + 2;
  const quotient = (i: number, j: number) => Math.floor((-i - 4 * j + 1) / 9);
  const within = '-4 <= i, j <= 4';
  const a = parseSet(`{ [i, j] : ${within} and ((2i + 3j + 5) mod 5 <= 0 or 3i - 3j + 1 >= 0) }`);
  const b = parseSet(
    `{ [i, j] : ${within} and (floor((-2i + 3j - 6) / 2) >= 2i - 4j - 5 or ` +
      'floor((-3i + 4j - 4) / 2) >= -2j + 2) }',
  );
  const map = parseRelation('{ [i, j] -> [floor((-i - 4j + 1) / 9)] }');
  const found = withDivisions(intersect(preimage(image(a, map), map), b));

  const quotients = new Set(box.filter(([i, j]) => isInA(i, j)).map(([i, j]) => quotient(i, j)));
  const expected = box.filter(([i, j]) => isInB(i, j) && quotients.has(quotient(i, j)));
  const text = expected.map(([i, j]) => `(i = ${i} and j = ${j})`).join(' or ');
  expect(found.pieces.every(({ locals }) => locals.every((local) => local !== null))).toBe(true);
  expect(isEqual(found, parseSet(`{ [i, j] : ${text} }`))).toBe(true);
});

const isLookedAt = (_: unknown, i: number) => i % 3 === 0;

/** Which of a third of the points of the box a set has, one by one. */
const pointsOf = (set: PresburgerSet) =>
  box.filter(isLookedAt).filter(([i, j]) => !isEmpty(intersect(set, parseSet(`{ [${i}, ${j}] }`))));

it('what has three quotients of a point elsewhere, one of which is tried out', () => {
  const isInA = (i: number, j: number) => j % 5 === 0 || -4 * i - j - 4 >= 0;
  const isInB = (i: number, j: number) =>
    Math.floor((-2 * i - 5) / 2) >= 3 * i - 1 || Math.floor((-4 * i + j + 5) / 2) >= j + 2;
  const quotients = (i: number, j: number) =>
    [(3 * i - 2 * j - 2) / 4, (-4 * i - 4 * j - 3) / 5, (4 * i - j) / 3].map(Math.floor).join();
  const within = '-4 <= i, j <= 4';
  const a = parseSet(`{ [i, j] : ${within} and (j mod 5 <= 0 or -4i - j - 4 >= 0) }`);
  const b = parseSet(
    `{ [i, j] : ${within} and (floor((-2i - 5) / 2) >= 3i - 1 or floor((-4i + j + 5) / 2) >= j + 2) }`,
  );
  const map = parseRelation(
    '{ [i, j] -> [floor((3i - 2j - 2) / 4), floor((-4i - 4j - 3) / 5), floor((4i - j) / 3)] }',
  );
  const found = withDivisions(intersect(preimage(image(a, map), map), b));

  const all = new Set(box.filter(([i, j]) => isInA(i, j)).map(([i, j]) => quotients(i, j)));
  const expected = box.filter(isLookedAt).filter(([i, j]) => isInB(i, j) && all.has(quotients(i, j)));
  expect(expected.length).toBeLessThan(box.filter(isLookedAt).filter(([i, j]) => isInB(i, j)).length);
  expect(pointsOf(found)).toEqual(expected);
});
