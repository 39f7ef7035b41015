import { expect, it } from 'vitest';
import { unwrap } from '@sconv/diagnostics';
import { printPlan } from '@sconv/plans';
import { lambdaToSequence, parseScheme, planOfScheme, printScheme } from '../src/index.ts';
import { convolutionOf } from './contractions.ts';

it.each([
  [
    '[R(k), lambda(h; x; [(2,1),(1,2)]), R(w), R(c), U(h,x), V(k,4)]',
    '[R(k), Seq(h; [(2, [R(w), R(c), U(h,1), V(k,4)]), (1, [R(w), R(c), U(h,2), V(k,4)])])]',
  ],
  [
    '[lambda(h; x; [(1,4)]), lambda(w; y; [(1,1),(1,2)]), R(k), R(c), T(w,y), U(h,x), V(k,4)]',
    '[Seq(h; [(1, [Seq(w; [(1, [R(k), R(c), T(w,1), U(h,4), V(k,4)]), (1, [R(k), R(c), T(w,2), U(h,4), V(k,4)])])])])]',
  ],
  [
    '[lambda(h; x; [(1,4)]), Seq(w; [(3, [R(k), R(c), U(h,x), V(k,4)])])]',
    '[Seq(h; [(1, [Seq(w; [(3, [R(k), R(c), U(h,4), V(k,4)])])])])]',
  ],
])('makes sequences of %s, of the same plan', (text, expected) => {
  const scheme = unwrap(parseScheme(text));
  const sequence = unwrap(lambdaToSequence(scheme));
  expect(printScheme(sequence)).toBe(expected);
  const contraction = convolutionOf({ k: 8, c: 2, h: 4, w: 3, r: 1, s: 1 });
  const [one, other] = [scheme, sequence].map((each) => printPlan(planOfScheme(each, contraction).tree));
  expect(one).toBe(other);
});

it('refuses what grows beyond bounds', () => {
  const scheme = unwrap(parseScheme(`[${'lambda(h; x; [(1,1),(1,2)]), U(h,x), '.repeat(2000)}V(k,4)]`));
  expect(lambdaToSequence(scheme).diagnostics.map(({ code }) => code)).toEqual(['scheme/size']);
});
