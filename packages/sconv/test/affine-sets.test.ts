import { describe, expect, it } from 'vitest';
import { main } from '../src/sconv.ts';
import { capture } from './support/capture.ts';

describe('sconv affine', () => {
  it.each<[string[], string, number]>([
    [['empty', '{ [i] : 2i = 1 }'], 'empty\n', 0],
    [['empty', '[n] -> { [i, j] : i = 3 and j = 2i and n = j }'], 'not empty: i = 3, j = 6, n = 6\n', 1],
    [['empty', '(d0) : (d0 mod 4 - 5 == 0)', '--json'], '{\n  "version": 1,\n  "empty": true\n}\n', 0],
    [['subset', '{ [i] : i mod 6 = 0 }', '(i) : (i mod 3 == 0)'], 'a subset\n', 0],
    [
      ['subset', '{ [i] : 0 <= i < 4 }', '{ [i] : 0 <= i < 3 }'],
      'not a subset: only the first contains i = 3\n',
      1,
    ],
    [['lexmin', '{ [i, j] : 2i + 3j = 17 and i >= 0 and j <= 4 }'], '{ [i, j] : i = 4 and j = 3 }\n', 0],
    [['lexmin', '{ [i] : false }'], 'empty\n', 1],
    [['count', '{ [i, j] : 0 <= i < j < 1000 }'], '499500\n', 0],
    [['count', '{ [i] -> [floor(i/4)] : 0 <= i < 9 }', '--json'], '{\n  "version": 1,\n  "count": 9\n}\n', 0],
  ])('%j', async (args, out, code) => {
    expect(await capture(main, 'affine', ...args)).toEqual({ out, err: '', code });
  });

  it('tells that a count takes too long', async () => {
    const few = '0 <= a < 200 and 0 <= b < 200 and 0 <= c < 200 and 0 <= d < 200 and 0 <= e < 200';
    const set = `{ [a, b, c, d, e] : ${few} and a + b + c + d + e <= 450 and 3a + 2b + c + 5d + 7e <= 1900 }`;
    const out = 'undecided after 50000000 steps\n';
    expect(await capture(main, 'affine', 'count', set)).toEqual({ out, err: '', code: 3 });
  });

  it.each<[string[], string]>([
    [
      ['empty', '{ [i] : i >= n }'],
      'error: SET: n is not declared: a parameter goes in front, [n] -> { … }\n',
    ],
    [['subset', '{ [i] }', '{ [i, j] }'], 'error: a set of 1 dimensions against a set of 2 dimensions\n'],
    [['count', '{ [i] : i >= 0 }'], 'error: '],
    [['count', '[n] -> { [i] : 0 <= i < n }'], 'error: '],
    [['lexmin', '{ [i] : i <= 0 }'], 'error: '],
  ])('%j is refused', async (args, message) => {
    const { out, err, code } = await capture(main, 'affine', ...args);
    expect({ out, code }).toEqual({ out: '', code: 2 });
    expect(err).toContain(message);
  });
});
