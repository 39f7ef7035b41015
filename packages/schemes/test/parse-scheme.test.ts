import fc from 'fast-check';
import { expect, it } from 'vitest';
import { render, unwrap } from '@sconv/diagnostics';
import type { Scheme, Specifier } from '../src/index.ts';
import { parseScheme, printAuthorScheme, printScheme } from '../src/index.ts';

const paper =
  '[T(k,16), T(h,1), lambda(h; b; [(2,11),(1,12)]), T(w,17), T(s,3), T(r,3), T(w,2), T(c,256), U(h,b), U(k,2), V(k,16)]';

it.each([
  { text: paper, canonical: paper },
  { text: ' [R(i),R(j) ,\n R(k)]', canonical: '[R(i), R(j), R(k)]' },
  { text: '[V(k,16), U(k,2), P(filters), T(c,4)]', canonical: '[T(c,4), P(filters), U(k,2), V(k,16)]' },
  { text: '[V(k)]', canonical: '[V(k,8)]' },
  {
    text: '[Seq(i; [(12, [U(i,6), V(j,8)]), (8, [V(j,8), U(i,7)])]), R(j)]',
    canonical: '[R(j), Seq(i; [(12, [U(i,6), V(j,8)]), (8, [U(i,7), V(j,8)])])]',
  },
  {
    text: '[V f; U (2, f); ULambda y; T (64, c); Hoist_vars [c]; T (3, w); T (5, x); R f; P input; TLambda y; Lambda_apply y [((Iter 1), (Arg 8)); (Iter 2, Arg 10)]]',
    canonical:
      '[lambda(h; b; [(1,8),(2,10)]), T(h,b), P(input), R(k), T(w,5), T(s,3), T(c,64), U(h,b), U(k,2), V(k,8)]',
  },
  {
    text: '[Lambda_apply y [((Iter 2), (Arg 3))]; ULambda y; V f]',
    canonical: '[lambda(h; b; [(2,3)]), U(h,b), V(k,8)]',
  },
  { text: '[T (3, w); T (5, h)]', canonical: '[T(r,5), T(s,3)]' },
])('reads $text', ({ text, canonical }) => {
  expect(printScheme(unwrap(parseScheme(text, { lanes: 8 })))).toBe(canonical);
});

it.each([
  ['', "1:1: error: expected '[', not the end"],
  ['[]', "1:2: error: expected a specifier, not ']'"],
  ['[T(k,0)]', "1:6: error: expected a number of iterations, a positive integer, not '0'"],
  [
    '[T(k,99999999999999999)]',
    "1:6: error: expected a number of iterations, a positive integer, not '99999999999999999'",
  ],
  [
    '[V(k)]',
    '1:5: error: expected the length of vectors, as in V(k,16): none was given with the text either',
  ],
  ['[T(k,2),\n Q(k,3)]', "2:2: error: no specifier 'Q'; there are R, T, U, V, lambda, Seq, P"],
  ['[T(k,2) V(k,4)]', "1:9: error: expected ',' or ']', not 'V'"],
  ['[T(k,2)]]', '1:9: error: a scheme ends here'],
  ['[P(output)]', "1:4: error: no operand 'output'; there are input, filters"],
  ['[Seq(k; [(1, '.repeat(40), '1:430: error: more than 32 schemes inside of each other'],
  [
    '[R f; Tile_partial (2, f)]',
    "1:7: error: no specifier 'Tile_partial'; there are V, U, ULambda, T, TLambda, R, P, Lambda_apply, Hoist_vars",
  ],
  [
    '[T (3, w); T (4, c); Hoist_vars [c]; R f]',
    '1:22: error: the loop over w is between this and the microkernel: hoist over it, too',
  ],
  [
    '[T (4, c); Hoist_vars [h]; R f]',
    '1:12: error: there is no loop over h between this and the microkernel',
  ],
  ['[T (4, x); Hoist_vars [x]; R f]', '1:12: error: x is not summed over'],
])('points at what is wrong in %j', (text, message) => {
  const { status, diagnostics } = parseScheme(text);
  expect([status, ...diagnostics.map((each) => render(each))]).toEqual([
    'silenceable',
    `scheme:${message} [scheme/syntax]`,
  ]);
});

it('refuses what is no text, and texts that no person has written', () => {
  for (const text of [undefined as unknown as string, ' '.repeat(100_001)])
    expect(parseScheme(text).diagnostics.map(({ code }) => code)).toEqual(['scheme/syntax']);
});

const dimension = fc.constantFrom('k', 'c', 'h', 'w', 'r', 's');
const count = fc.integer({ min: 1, max: 20 });
const tiled = (kind: 'T' | 'U') => fc.record({ kind: fc.constant(kind), dimension, count });
const specifiers: fc.Arbitrary<Specifier> = fc.oneof(
  fc.record({ kind: fc.constant('R' as const), dimension }),
  tiled('T'),
  tiled('U'),
  fc.record({ kind: fc.constant('P' as const), operand: fc.constantFrom('input', 'filters') }),
);
const vectors: fc.Arbitrary<Specifier> = fc.record({
  kind: fc.constant('V' as const),
  dimension,
  count: fc.constant(8),
});
const lambda: Specifier = {
  kind: 'lambda',
  dimension: 'h',
  variable: 'b',
  parts: [
    { count: 2, size: 3 },
    { count: 1, size: 4 },
  ],
};
const lists = fc
  .tuple(fc.array(specifiers, { maxLength: 8 }), fc.array(specifiers, { maxLength: 5 }), vectors)
  .map(([outer, inner, last]): Scheme => [
    ...outer,
    lambda,
    ...inner,
    { kind: 'U', dimension: 'h', count: 'b' },
    last,
  ]);
const sequences = fc
  .tuple(
    fc.array(specifiers, { maxLength: 4 }),
    dimension,
    fc.array(fc.record({ count, scheme: lists }), { minLength: 1 }),
  )
  .map(([outer, of, parts]): Scheme => [...outer, { kind: 'Seq', dimension: of, parts }]);

it('reads what it prints, in both notations and from either end', () => {
  fc.assert(
    fc.property(lists, sequences, (list, sequence) => {
      for (const scheme of [list, sequence]) {
        expect(parseScheme(printScheme(scheme))).toEqual({
          status: 'success',
          value: scheme,
          diagnostics: [],
        });
        expect(unwrap(parseScheme(printScheme(scheme.toReversed())))).toEqual(scheme);
      }
      expect(unwrap(parseScheme(unwrap(printAuthorScheme(list)), { lanes: 8 }))).toEqual(list);
    }),
    { numRuns: 20 },
  );
});

it('says what the notation of the authors has no word for, and keeps the letters of products', () => {
  const printed = (text: string) => printAuthorScheme(unwrap(parseScheme(text)));
  expect(printed('[R(j), Seq(i; [(1, [V(j,8)])])]').diagnostics.map(({ code }) => code)).toEqual([
    'scheme/notation',
  ]);
  expect(unwrap(printed('[R(i), T(k,4), U(i,6), V(j,8)]'))).toBe(
    '[V j; U (6, i); T (4, k); Hoist_vars [k]; R i]',
  );
});
