import { affineMap, evaluate, usedDims } from '@sconv/affine';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { integerData, tensor } from '../src/index.ts';
import { failure, iota, run, trapOf } from './run.ts';
import { expression, generic, longBody, points, shortBody } from './three-loops.ts';

it('an indexing map accesses what @sconv/affine evaluates, by the short way and the long one', () => {
  fc.assert(
    fc.property(expression, (text) => {
      const map = affineMap(`(i, j, k) -> (${text})`);
      const [a, b, c] = [integerData(128, 1), integerData(60, 2), integerData(12, 3)];
      const expected = Float32Array.from(c);
      for (let i = 0; i < 3; i++)
        for (let j = 0; j < 4; j++)
          for (let k = 0; k < 5; k++) {
            expected[i * 4 + j]! += a[evaluate(map, [i, j, k])[0]!]! * b[(i * 4 + j) * 5 + k]!;
          }
      for (const body of [shortBody, longBody]) {
        const source = generic(`(i, j, k) -> (${text})`, 128, body);
        expect(run(source, [tensor([128], a), tensor([3, 4, 5], b), tensor([3, 4], c)])).toEqual([
          [[3, 4], [...expected]],
        ]);
      }
    }),
    { numRuns: 100 },
  );
});

it('the first point whose access is out of bounds is named; loops that the map does not use are at 0', () => {
  fc.assert(
    fc.property(expression, fc.integer({ min: 1, max: 12 }), (text, size) => {
      const map = affineMap(`(i, j, k) -> (${text})`);
      const used = usedDims(map.results[0]!);
      const first = points.find(
        (point) => point.every((at, i) => at === 0 || used.includes(i)) && evaluate(map, point)[0]! >= size,
      );
      const source = generic(`(i, j, k) -> (${text})`, size, shortBody);
      // The verifier checks the last point only, and would refuse some.
      expect(trapOf(source, [iota(size), iota(3, 4, 5), iota(3, 4)])).toEqual(
        first === undefined
          ? ['success', '']
          : [
              'interpreter/out-of-bounds',
              `'linalg.generic' at the point [${first.join(', ')}] accesses operand #0 at [${evaluate(map, first).join()}], which is out of bounds of the shape ${size}`,
            ],
      );
    }),
    { numRuns: 100 },
  );
});

it('an access out of bounds names the point, the operand, the index and the shape', () => {
  const text = generic('(i, j, k) -> ((i * 4 + j) mod 7 + k)', 9, shortBody);
  const values = [iota(9), iota(3, 4, 5), iota(3, 4)];
  expect(failure(text, values)).toMatchObject({
    code: 'interpreter/out-of-bounds',
    message:
      "'linalg.generic' at the point [1, 1, 4] accesses operand #0 at [9], which is out of bounds of the shape 9",
    location: { line: 3 },
  });
});

it('an access that stays within bounds is none, however its map is written', () => {
  const text = generic('(i, j, k) -> ((j + 8 * i - (i * 8 + j)) mod 3 + k)', 5, shortBody);
  expect(() => run(text, [iota(5), iota(3, 4, 5), iota(3, 4)])).not.toThrow();
  // 0 or 3; by its terms' ranges, from -2 to 5.
  const difference = generic('(i, j, k) -> ((i * 4 + j) mod 3 - (i * 4 + j) mod 6 + 3)', 4, shortBody);
  expect(() => run(difference, [iota(4), iota(3, 4, 5), iota(3, 4)])).not.toThrow();
});
