import { expect, it } from 'vitest';
import { unwrap } from '@sconv/diagnostics';
import type { Scheme } from '../src/index.ts';
import { parseScheme, schemeProblems } from '../src/index.ts';
import { convolutionOf, productOf } from './contractions.ts';

const sizes = { k: 32, c: 4, h: 6, w: 4, r: 3, s: 3 };
const nhwc = convolutionOf(sizes);
const odd = convolutionOf({ ...sizes, k: 29 });
const nchw = convolutionOf(sizes, 'nchw');
const product = productOf(12, 8, 10);

const problemsOf = (scheme: unknown, contraction = nhwc): readonly string[] =>
  schemeProblems(scheme as Scheme, contraction, { lanes: 16 }).map(
    ({ code, path, message }) => `${path}: ${message} [${code}]`,
  );

it.each([
  ['loops of scalar code', '[R(w), R(h), T(k,32), T(b,1), R(c), R(r), T(s,3)]', nhwc],
  [
    'parts of other loops',
    '[R(w), Seq(h; [(2, [R(c), T(r,3), T(s,3), T(k,2), U(h,2), V(k,16)]), (1, [T(k,4), T(c,4), T(r,3), T(s,3), T(h,2), V(k,8)])])]',
    nhwc,
  ],
  ['filters that fill no vector', '[P(filters), T(h,6), T(w,4), R(c), R(r), R(s), U(k,2), V(k,16)]', odd],
  ['a last tile of fewer vectors', '[R(k), P(filters), R(h), R(w), R(c), R(r), R(s), U(k,3), V(k,4)]', odd],
  ['tiles of sums', '[lambda(c; x; [(1,1),(1,3)]), R(k), R(h), R(w), T(c,x), R(r), U(s,3), V(k,16)]', nhwc],
  ['one part', '[R(w), lambda(h; x; [(2,3)]), R(c), R(r), R(s), U(h,x), U(k,2), V(k,16)]', nhwc],
  [
    'several variables',
    '[R(c), R(r), R(s), lambda(h; x; [(1,2),(2,2)]), lambda(w; y; [(1,3),(1,1)]), U(w,y), U(h,x), U(k,2), V(k,16)]',
    nhwc,
  ],
  ['vectors along columns', '[R(k), R(h), R(c), R(r), R(s), V(w,4)]', nchw],
  ['what is packed once', '[P(filters), T(k,2), R(h), R(w), R(c), R(r), R(s), V(k,16)]', nhwc],
  ['products', '[R(i), T(j,2), R(k), U(i,3), V(j,4)]', product],
  ['a batch of products', '[R(b), R(i), R(j), R(k), U(i,6), V(j,8)]', product],
  ['a convolution as a product', '[P(input), R(i), R(k), U(i,2), U(j,2), V(j,12)]', nchw],
])('accepts %s', (_, text, contraction) => {
  expect(problemsOf(unwrap(parseScheme(text)), contraction)).toEqual([]);
});

it.each([
  [
    '[R(q), V(k,16)]',
    "scheme[0]: no dimension 'q'; there are b (batch), g (group), k (filters), c (channels), h (rows), w (columns), r (tapRows), s (tapColumns) [scheme/dimension]",
  ],
  [
    '[T(k,2), R(k), V(k,16)]',
    'scheme[1]: R(k) is the outermost of k, and there is another one around [scheme/order]',
  ],
  ['[V(k,16), V(k,2)]', 'scheme[0]: vectors are innermost: nothing stands inside of V [scheme/order]'],
  [
    '[Seq(h; [(6, [V(k,16)])]), R(c), V(k,2)]',
    'scheme[0]: what stands inside of Seq is in its schemes: nothing follows it [scheme/order]',
  ],
  ['[P(input), P(input), V(k,16)]', 'scheme[1]: the input are packed already [scheme/order]'],
  ['[R(k), V(c,4)]', 'scheme[1]: sums are not added up across a vector: c is summed over [scheme/vector]'],
  [
    '[U(h,x), V(k,16)]',
    'scheme[0]: x is no variable here: a lambda over h binds one, for one use [scheme/variable]',
  ],
  [
    '[lambda(h; x; [(1,6)]), U(w,x), V(k,16)]',
    'scheme[1]: x is no variable here: a lambda over w binds one, for one use [scheme/variable]',
  ],
  [
    '[lambda(h; x; [(1,6)]), V(k,16)]',
    'scheme[1]: the variable x is not used: write U(h,x) inside of its lambda [scheme/variable]',
  ],
  [
    '[lambda(h; x; [(1,6)]), lambda(w; x; [(1,4)]), U(w,x), V(k,16)]',
    'scheme[1]: the variable x is bound already [scheme/variable]',
  ],
  [
    '[Seq(h; [(1, [U(h,x)])])]',
    'scheme[0].parts[0].scheme[0]: x is no variable here: a lambda over h binds one, for one use [scheme/variable]',
  ],
  [
    `[${'lambda(h; x; [(1,1),(1,2)]), U(h,x), '.repeat(9)}V(k,16)]`,
    'scheme: 512 microkernels are too much code: at most 256 in sequence [scheme/size]',
  ],
  [
    '[U(h,6), R(c), R(k), R(w), R(r), R(s), V(k,16)]',
    'scheme[0]: what is unrolled is a microkernel, with V: below it are only loops over c, r, s, in this order [scheme/order]',
  ],
  [
    '[R(c), R(k), R(w), R(r), R(s), U(h,6)]',
    'scheme[5]: what is unrolled is a microkernel, with V: below it are only loops over c, r, s, in this order; there is no V [scheme/order]',
  ],
  [
    '[R(h), R(w), R(c), R(s), R(r), T(k,3), V(k,16)]',
    'scheme[5]: the scheme covers 48 of k, of which there are 32 [scheme/size]',
  ],
  [
    '[R(h), R(w), R(c), R(s), R(r), V(k,16)]',
    'scheme[5]: the scheme covers 16 of k, of which there are 32: R(k) or T(k,2) is missing [scheme/size]',
  ],
  [
    '[R(w), R(s), R(r), R(k), U(h,4), V(k,16)]',
    'scheme: the scheme covers 1 of c, of which there are 4: R(c) or T(c,4) is missing [scheme/size]',
    'scheme[4]: the scheme covers 4 of h, of which there are 6 [scheme/size]',
  ],
  [
    '[T(b,2), R(h), R(w), R(c), R(s), R(r), R(k), V(k,16)]',
    'scheme[0]: the scheme covers 2 of b, of which there is 1: planners are given one at a time, so write R(b) [scheme/size]',
  ],
  [
    '[R(w), R(s), R(r), R(c), R(k), R(h), U(h,4), V(k,16)]',
    'scheme[5]: tiles of 4 do not divide the 6 of h [scheme/size]',
  ],
  [
    '[R(w), R(s), R(r), R(k), Seq(h; [(1, [T(c,4), U(h,3), V(k,16)]), (1, [T(c,2), U(h,3), V(k,16)])])]',
    'scheme[4]: the parts cover 4 and 2 of c: as many of all but h [scheme/size]',
  ],
  [
    '[R(h), R(w), R(c), R(r), R(s), V(k,32)]',
    'scheme[5]: vectors of 32, and those of the target have 16 elements: U(k,2), V(k,16) [scheme/vector]',
  ],
  [
    '[R(c), R(r), R(s), R(h), P(filters), R(w), R(k), V(k,16)]',
    'scheme[4]: the filters do not depend on the loop over rows: pack them outside of it [scheme/plan]',
  ],
  [
    '[P(filters), R(h), lambda(w; x; [(1,1),(1,3)]), R(k), R(c), R(r), R(s), U(w,x), V(k,16)]',
    'scheme[2]: a split below the packing of the filters: pack in each of the parts [scheme/plan]',
  ],
])('says what is wrong with %s', (text, ...expected) => {
  const found = problemsOf(unwrap(parseScheme(text)));
  expect(found.map((each, i) => each.slice(0, expected[i]?.length))).toEqual(expected);
});

const unpacked = ': what fills no vector is padded where it is packed, P(filters) inside of all loops over k';

it.each([
  [
    '[R(h), R(w), R(k), R(c), R(r), R(s), V(k,16)]',
    `scheme[2]: tiles of 16 do not divide the 29 of k${unpacked}`,
  ],
  [
    '[P(filters), R(h), R(w), T(k,2), R(c), R(r), R(s), V(k,16)]',
    `scheme[3]: the scheme covers 32 of k, of which there are 29${unpacked}`,
  ],
  [
    '[R(k), P(filters), R(h), R(w), T(k,2), R(c), R(r), R(s), V(k,16)]',
    `scheme[0]: tiles of 32 do not divide the 29 of k${unpacked}`,
  ],
  // A whole tile too many, and vectors of windows.
  [
    '[R(h), R(w), T(k,3), P(filters), R(c), R(r), R(s), V(k,16)]',
    'scheme[2]: the scheme covers 48 of k, of which there are 29 [scheme/size]',
  ],
  [
    '[R(h), P(input), T(k,4), P(filters), R(c), R(r), R(s), U(k,8), V(w,4)]',
    'scheme[2]: the scheme covers 32 of k, of which there are 29 [scheme/size]',
  ],
  // Of a sequence, the last part has what is left.
  [
    '[R(h), R(w), Seq(k; [(1, [P(filters), R(c), R(r), R(s), V(k,16)]), (1, [R(c), R(r), R(s), V(k,16)])])]',
    `scheme[2]: the scheme covers 32 of k, of which there are 29${unpacked}`,
  ],
])('pads filters of packed tiles only: %s', (text, expected) => {
  expect(problemsOf(unwrap(parseScheme(text)), odd)[0]).toContain(expected);
});

it.each([
  [
    '[R(h), R(w), R(c), R(r), R(s), U(k,2), V(k,16)]',
    nchw,
    'scheme[6]: the filters are 36 elements apart along filters, the lanes: pack them or choose others [scheme/plan]',
  ],
  [
    '[P(filters), R(j), R(k), V(i,12)]',
    product,
    'scheme[3]: the output is 8 elements apart along filters, the lanes: choose others [scheme/plan]',
  ],
  [
    '[R(i), R(j), R(k), V(j,12)]',
    nchw,
    'scheme[3]: windows of several rows are not at equal distances in the input: pack it, or plan rows and columns [scheme/plan]',
  ],
])('knows how operands lie: %s', (text, contraction, expected) => {
  expect(problemsOf(unwrap(parseScheme(text)), contraction)[0]).toContain(expected);
});

/** Sequences in sequences. */
const nested = (depth: number): Scheme =>
  depth === 0
    ? [{ kind: 'V', dimension: 'k', count: 16 }]
    : [{ kind: 'Seq', dimension: 'k', parts: [{ count: 1, scheme: nested(depth - 1) }] }];

it.each([
  [undefined, 'scheme: expected specifiers, not undefined'],
  [[], 'scheme: expected specifiers'],
  [[null], 'scheme[0]: expected a specifier, not null'],
  [[{ kind: 'W', dimension: 'k' }], "scheme[0]: expected a specifier, not 'W'"],
  [[{ kind: 'T', dimension: 3, count: 1 }], 'scheme[0]: expected a dimension, not 3'],
  [[{ kind: 'T', dimension: 'k', count: 0.5 }], 'scheme[0]: expected a count, not 0.5'],
  [[{ kind: 'V', dimension: 'k', count: 'x' }], "scheme[0]: expected a number of elements, not 'x'"],
  [[{ kind: 'P', operand: 'output' }], "scheme[0]: expected the input or the filters, not 'output'"],
  [[{ kind: 'lambda', dimension: 'k', parts: [] }], 'scheme[0]: expected a variable, not undefined'],
  [
    [{ kind: 'lambda', dimension: 'k', variable: 'x', parts: [{ count: 1 }] }],
    'scheme[0]: expected parts with counts',
  ],
  [
    [{ kind: 'Seq', dimension: 'k', parts: [{ count: 1, scheme: [7] }] }],
    'scheme[0].parts[0].scheme[0]: expected a specifier, not 7',
  ],
  [nested(40), 'more than 32 schemes inside of each other'],
])('refuses %j, which is no scheme', (scheme, message) => {
  const [first] = problemsOf(scheme);
  expect(first).toContain(message);
  expect(first).toContain('[scheme/form]');
});
