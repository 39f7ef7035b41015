import { expect, it } from 'vitest';
import { unwrap } from '@sconv/diagnostics';
import type { Contraction } from '@sconv/plans';
import { printPlan } from '@sconv/plans';
import { parseScheme, planOfScheme, schemeProblems } from '../src/index.ts';
import { convolutionOf, productOf } from './contractions.ts';

const planned = (text: string, contraction: Contraction, lanes = 16): readonly string[] => {
  const scheme = unwrap(parseScheme(text, { lanes }));
  expect(schemeProblems(scheme, contraction, { lanes })).toEqual([]);
  const lines = printPlan(planOfScheme(scheme, contraction).tree).trimEnd().split('\n');
  // Extents of 1 say nothing here.
  return lines.map((line) => {
    const [node, extents] = line.split(': ');
    const known = extents?.split(', ').filter((each) => !each.endsWith(' 1'));
    return known === undefined ? line : `${node!}: ${known.join(', ')}`.trimEnd();
  });
};

it('makes the loops of TT, Figure 5', () => {
  expect(
    planned('[R(j), lambda(i; a; [(12,6),(8,7)]), T(k,64), U(i,a), U(j,2), V(j,8)]', productOf(128, 128, 64)),
  ).toEqual([
    'loop windows 8 x 16',
    '  part filters 72',
    '    loop filters 12 x 6',
    '      kernel along windows, in tiles 0+16x0+6: channels 64, filters 6, windows 16',
    '  part filters 56',
    '    loop filters 8 x 7',
    '      kernel along windows, in tiles 0+16x0+7: channels 64, filters 7, windows 16',
  ]);
});

it('makes the loops of the schemes of TT §4, of a product of 24 x 32 x 40', () => {
  const product = productOf(24, 32, 40);
  expect(planned('[R(i), R(j), R(k)]', product)).toEqual([
    'loop filters 24 x 1',
    '  loop windows 32 x 1',
    '    loop channels 40 x 1',
    '      scalar:',
  ]);
  expect(planned('[R(j), R(k), R(i), T(j,2), T(i,2), T(k,8), U(i,6), U(j,2), V(j,8)]', product)).toEqual([
    'loop windows 1 x 32',
    '  loop channels 5 x 8',
    '    loop filters 2 x 12',
    '      loop windows 2 x 16',
    '        loop filters 2 x 6',
    '          kernel along windows, in tiles 0+16x0+6: channels 8, filters 6, windows 16',
  ]);
});

it('makes the loops of the scheme of TT §5.3, in either notation', () => {
  const yolo13 = convolutionOf({ k: 512, c: 256, h: 34, w: 34, r: 3, s: 3 });
  const own =
    '[T(k,16), T(h,1), lambda(h; b; [(2,11),(1,12)]), T(w,17), T(h,1), T(h,1), T(s,3), T(r,3), T(w,2), T(c,256), U(h,b), U(k,2), V(k,16)]';
  const authors =
    '[V f; U (2, f); ULambda y; T (256, c); Hoist_vars [c]; T (2, x); T (3, h); T (3, w); T (1, y); T (1, y); T (17, x); Lambda_apply y [((Iter 2), (Arg 11)); ((Iter 1), (Arg 12))]; T (1, y); T (16, f)]';
  const inner = (rows: number) => [
    `loop columns 17 x 2`,
    `  loop rows 1 x ${rows}`,
    `    loop rows 1 x ${rows}`,
    '      loop tapColumns 3 x 1',
    '        loop tapRows 3 x 1',
    '          loop columns 2 x 1',
    `            kernel along filters, in tiles 0+${rows}x0+32: channels 256, filters 32, rows ${rows}`,
  ];
  const expected = [
    'loop filters 16 x 32',
    '  loop rows 1 x 34',
    '    part rows 22',
    '      loop rows 2 x 11',
    ...inner(11).map((line) => `        ${line}`),
    '    part rows 12',
    ...inner(12).map((line) => `      ${line}`),
  ];
  expect(planned(own, yolo13)).toEqual(expected);
  expect(planned(authors, yolo13)).toEqual(expected);
});

it.each([
  ['[T(c,512), U(h,4), U(k,2), V(k,16)]', { r: 1, s: 1 }, ''],
  ['[T(c,512), U(s,3), U(h,4), U(k,2), V(k,16)]', { r: 1, s: 3 }, ' unrolled tapColumns 3,'],
  ['[T(c,512), U(r,3), U(h,4), U(k,2), V(k,16)]', { r: 3, s: 1 }, ' unrolled tapRows 3,'],
  [
    '[T(c,512), U(r,3), U(s,3), U(h,4), U(k,2), V(k,16)]',
    { r: 3, s: 3 },
    ' unrolled tapColumns 3, tapRows 3,',
  ],
])('makes one microkernel of %s (TT §5.1)', (text, taps, unrolled) => {
  const [kernel, ...others] = planned(text, convolutionOf({ k: 32, c: 512, h: 4, w: 1, ...taps }));
  expect(others).toEqual([]);
  expect(kernel).toContain(
    `kernel along filters,${unrolled} in tiles 0+4x0+32: channels 512, filters 32, rows 4`,
  );
});

it.each([
  [
    'in their order',
    '[R(h), R(w), T(c,2), T(c,2), T(r,3), T(s,3), U(k,2), V(k,16)]',
    'channels 4, filters 32, tapColumns 3, tapRows 3',
  ],
  ['in part', '[R(h), R(w), R(r), T(s,3), T(c,4), U(k,2), V(k,16)]', 'channels 4, filters 32'],
  ['but not above a packing', '[R(h), R(w), T(c,4), R(r), R(s), P(filters), U(k,2), V(k,16)]', 'filters 32'],
  [
    'around unrolled ones',
    '[R(h), R(w), R(r), T(c,2), T(s,3), U(c,2), U(k,2), V(k,16)]',
    'unrolled channels 2, in tiles 0+1x0+32: channels 2, filters 32',
  ],
])('has the loops of sums above what is unrolled in the microkernel, %s', (_, text, leaf) => {
  const plan = planned(text, convolutionOf({ k: 32, c: 4, h: 2, w: 2, r: 3, s: 3 }));
  expect(plan.at(-1)?.endsWith(leaf)).toBe(true);
});

it('pads the last filters to whole vectors where they are packed', () => {
  const text = '[R(h), R(w), T(k,2), P(filters), R(c), R(r), R(s), V(k,16)]';
  const plan = planned(text, convolutionOf({ k: 29, c: 4, h: 2, w: 2, r: 3, s: 3 }));
  expect(plan.filter((line) => line.includes('pack ')).map((line) => line.trim())).toEqual([
    'pack filters 1',
    'pack filters 1, padded to 16',
  ]);
});

it('packs once, or once per tile, and leaves microkernels of two packed operands to the target', () => {
  expect(
    planned('[R(i), P(filters), T(j,2), P(input), T(k,10), U(i,6), V(j,4)]', productOf(12, 8, 10)),
  ).toEqual([
    'loop filters 2 x 6',
    '  pack filters 1',
    '  loop windows 2 x 4',
    '    pack input 1',
    '    kernel along windows: channels 10, filters 6, windows 4',
  ]);
  expect(
    planned(
      '[P(filters), T(k,2), R(h), R(w), R(c), R(r), R(s), V(k,16)]',
      convolutionOf({ k: 32, c: 4, h: 2, w: 2, r: 1, s: 1 }),
    )[0],
  ).toBe('pack filters 2');
});

const originsIn = (text: string, product: Contraction): readonly string[] =>
  [...planOfScheme(unwrap(parseScheme(text)), product).origins].map((each) => each.join(' of '));

it('says which specifier each node of several parts is of', () => {
  const text = '[R(j), lambda(i; a; [(12,6),(1,8)]), T(k,64), U(i,a), U(j,2), V(j,8)]';
  expect(originsIn(text, productOf(80, 128, 64))).toMatchInlineSnapshot(`
    [
      "plan of scheme[0]",
      "plan.body of scheme[1]",
      "plan.body.parts[0].body of scheme[1]",
      "plan.body.parts[0].body.body of scheme[5]",
      "plan.body.parts[1].body of scheme[5]",
    ]
  `);
});

it('says which specifier each node of one part is of', () => {
  const text = '[R(j), lambda(i; a; [(2,6)]), R(k), U(i,a), V(j,8)]';
  expect(originsIn(text, productOf(12, 32, 4))).toMatchInlineSnapshot(`
    [
      "plan of scheme[0]",
      "plan.body of scheme[1]",
      "plan.body.body of scheme[4]",
    ]
  `);
});
