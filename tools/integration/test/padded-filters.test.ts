/** Filters that fill no vector are packed with padding, and compute what plain loops do. */
import { expect, it } from 'vitest';
import { parseShape } from '@sconv/csa';
import { unwrap } from '@sconv/diagnostics';
import { firstDifference } from '@sconv/interpreter/testing';
import { findToolchain } from '@sconv/native';
import { printPlan } from '@sconv/plans';
import { parseScheme, planOfScheme, schemeOfPlan, schemeProblems } from '@sconv/schemes';
import { dataOf, ofLayout } from './support/drawn-contraction.ts';
import type { Drawn } from './support/drawn-contraction.ts';
import type { Computed } from './support/planned-code.ts';
import { generated, outputOnWasm, outputsNatively } from './support/planned-code.ts';

const hasLlvm = 'paths' in (await findToolchain());

const convolutionOf = (text: string): Drawn =>
  ofLayout('linalg.conv_2d_nhwc_hwcf', { input: 'nhwc', filters: 'hwcf', output: 'nhwf' })(parseShape(text));

const rows: readonly (readonly [shape: string, scheme: string])[] = [
  // 13 filters in a vector and a half of 8: the packed tile has room for two.
  ['1x3x6x6,13x3x3x3', '[P(filters), R(w), R(h), R(c), R(r), R(s), U(k,2), V(k,8)]'],
  // The last of the tiles is apart, with fewer vectors.
  ['1x3x6x5,21x3x3x2', '[R(k), P(filters), R(w), T(h,2), R(c), R(r), R(s), U(h,2), U(k,2), V(k,4)]'],
  ['2x3x4x4,3x3x1x1,s2', '[P(filters), R(b), R(w), R(h), P(input), R(c), V(k,4)]'],
  // A combination around it, and loops of tiles of tiles.
  [
    '1x4x7x4,22x4x1x1',
    '[lambda(h; x; [(1,3),(2,2)]), T(k,2), R(w), T(k,3), P(filters), R(c), U(h,x), V(k,4)]',
  ],
  // The last part of a sequence has what is left, and packs it as a scheme of its own.
  [
    '1x4x3x4,19x4x1x1',
    '[Seq(k; [(2, [R(h), R(w), R(c), U(k,2), V(k,4)]), (1, [P(filters), R(h), R(w), R(c), V(k,4)])])]',
  ],
  // As a product, of windows through rows.
  ['1x4x5x4,7x4x2x2', '[P(filters), R(j), P(input), R(k), U(j,2), U(i,2), V(i,4)]'],
];

const computed: (Computed & { readonly scheme: string })[] = [];

it.each(rows)('%s by %s', (shape, text) => {
  const drawn = convolutionOf(shape);
  const scheme = unwrap(parseScheme(text));
  expect(schemeProblems(scheme, drawn.contraction)).toEqual([]);
  const { tree } = planOfScheme(scheme, drawn.contraction);
  const again = unwrap(schemeOfPlan(tree, { lanes: 4 }));
  expect(printPlan(planOfScheme(again, drawn.contraction).tree)).toBe(printPlan(tree));
  const { payload, module, bufferized } = generated(drawn, tree);
  expect(firstDifference(payload, module)).toBeUndefined();
  const data = dataOf(drawn.contraction);
  expect(outputOnWasm(bufferized, data)).toEqual(data.expected);
  computed.push({ module: bufferized, data, scheme: text });
});

it.runIf(hasLlvm)('and natively', async () => {
  for (const [i, output] of (await outputsNatively(computed)).entries())
    expect(output, computed[i]!.scheme).toEqual(computed[i]!.data.expected);
});
