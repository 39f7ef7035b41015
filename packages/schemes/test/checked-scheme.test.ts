import { expect, it } from 'vitest';
import { render, unwrap } from '@sconv/diagnostics';
import { checkedScheme, printScheme } from '../src/index.ts';
import { convolutionOf } from './contractions.ts';

const conv = convolutionOf({ k: 32, c: 4, h: 6, w: 4, r: 3, s: 3 });

it.each([
  [
    '[R(k), R(h),\n V(c,4)]',
    '2:2: error: sums are not added up across a vector: c is summed over [scheme/vector]',
  ],
  [
    '[V(k,16),R(s),R(r),R(c),R(k),R(w),T(h,5)]',
    '1:35: error: the scheme covers 5 of h, of which there are 6 [scheme/size]',
  ],
  [
    '[R(w), R(s), R(r), R(c), Seq(h; [(6, [T(k,2), V(k,32)])])]',
    '1:39: error: the scheme covers 64 of k, of which there are 32 [scheme/size]',
    '1:47: error: vectors of 32, and those of the target have 16 elements: U(k,2), V(k,16) [scheme/vector]',
  ],
  [
    '[lambda(h; x; [(1,2),(1,4)]), R(w), R(s), R(c), R(r), T(r,2), U(h,x), R(k), V(k,16)]',
    '1:63: error: what is unrolled is a microkernel, with V: below it are only loops over c, r, s, in this order [scheme/order]',
    '1:49: error: tiles of 2 do not divide the 3 of r [scheme/size]',
  ],
  [
    '[V f; R h]',
    '1:2: error: the scheme covers 16 of k, of which there are 32: R(k) or T(k,2) is missing [scheme/size]',
    '1:1: error: the scheme covers 1 of c, of which there are 4: R(c) or T(c,4) is missing [scheme/size]',
  ],
])('points at what is wrong in %s', (text, ...expected) => {
  const found = checkedScheme(text, conv, { lanes: 16, file: 's' }).diagnostics.map((each) => render(each));
  expect(found.slice(0, expected.length)).toEqual(expected.map((each) => `s:${each}`));
});

it('gives a scheme without problems', () => {
  const text = '[R(w), R(h), R(r), R(s), T(c,4), U(k,2), V(k,16)]';
  expect(printScheme(unwrap(checkedScheme(text, conv, { lanes: 16 })))).toBe(text);
});
