/** Unknowns that a parametric solution takes too long for are looked at value by value. */
import { expect, it } from 'vitest';
import { image, intersect, isEqual, parseRelation, parseSet, preimage, withDivisions } from '../src/index.ts';

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
