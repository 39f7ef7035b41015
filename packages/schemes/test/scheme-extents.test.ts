import { expect, it } from 'vitest';
import { unwrap } from '@sconv/diagnostics';
import { parseScheme, schemeExtents } from '../src/index.ts';

it.each([
  [
    '[T(w,17), lambda(h; b; [(2,11),(1,12)]), T(w,2), T(c,256), T(r,3), U(h,b), U(k,2), V(k,16)]',
    { isProduct: false, sizes: { b: 1, g: 1, k: 32, c: 256, h: 34, w: 34, r: 3, s: 1 } },
  ],
  [
    '[T(b,2), Seq(i; [(12, [T(k,4), U(i,6), V(j,8)]), (8, [T(k,4), U(i,7), V(j,8)])])]',
    { isProduct: true, sizes: { b: 2, g: 1, i: 128, j: 8, k: 4 } },
  ],
  ['[Seq(i; [(12, [R(k), V(j,8)])])]', undefined],
  ['[T(q,2), V(k,8)]', undefined],
])('knows what %s covers', (text, expected) => {
  expect(schemeExtents(unwrap(parseScheme(text)))).toEqual(expected);
});
