import { expect, it } from 'vitest';
import { convolution, planForTarget } from '@sconv/csa';
import { unwrap } from '@sconv/diagnostics';
import type { AnyPlan, OpenPlan } from '@sconv/plans';
import { avx2, wasm } from '@sconv/targets';
import { lambdaToSequence, parseScheme, planOfScheme, printScheme, schemeOfPlan } from '../src/index.ts';
import { convolutionOf, productOf } from './contractions.ts';

const conv = convolutionOf({ k: 32, c: 4, h: 6, w: 4, r: 3, s: 3 });

it.each([
  ['[T(w,4), lambda(h; x; [(2,2),(1,2)]), T(c,4), T(r,3), T(s,3), U(h,x), U(k,2), V(k,16)]', conv],
  ['[T(w,4), T(s,3), lambda(h; x; [(1,2),(1,4)]), T(r,3), T(c,2), U(c,2), U(h,x), U(k,2), V(k,16)]', conv],
  ['[T(h,6), T(w,4), T(k,32), T(c,4), T(r,3), T(s,3)]', conv],
  ['[T(i,2), P(filters), T(j,2), P(input), T(k,10), U(i,6), V(j,4)]', productOf(12, 8, 10)],
  [
    '[T(j,2), Seq(i; [(1, [T(i,1), T(k,2), U(k,5), U(i,4), V(j,4)]), (2, [T(k,10), U(i,4), V(j,4)])])]',
    productOf(12, 8, 10),
  ],
])('finds %s in its plan', (text, contraction) => {
  const scheme = unwrap(parseScheme(text));
  const { tree } = planOfScheme(scheme, contraction);
  const found = unwrap(schemeOfPlan(tree, { lanes: text.includes('V(k,16)') ? 16 : 4 }));
  expect(printScheme(found)).toBe(printScheme(unwrap(lambdaToSequence(scheme))));
});

it('finds the schemes of plans of Convolution Slicing Analysis', () => {
  for (const target of [wasm, avx2])
    for (const [size, filters] of [
      [34, 64],
      [17, 100],
    ] as const) {
      const shape = convolution({
        inputChannels: 32,
        inputHeight: size,
        inputWidth: size,
        filters,
        filterHeight: 3,
        filterWidth: 3,
      });
      const { tree } = planForTarget(shape, target, { edges: 'composed' });
      const scheme = unwrap(schemeOfPlan(tree, { lanes: 4 }));
      expect(unwrap(parseScheme(printScheme(scheme)))).toEqual(scheme);
    }
});

it('says which plans are of no scheme', () => {
  const extents = {
    batch: 1,
    group: 1,
    channels: 4,
    filters: 8,
    rows: 2,
    columns: 1,
    tapRows: 1,
    tapColumns: 1,
  };
  const kernel: OpenPlan = { kind: 'kernel', lanes: 'filters', extents };
  const tile = { firstWindow: 0, windows: 1, firstFilter: 0, filters: 8 };
  const whole = [{ ...tile, windows: 2 }];
  const plans: readonly AnyPlan[] = [
    kernel,
    { ...kernel, tiles: [tile, { ...tile, firstWindow: 1 }] },
    { ...kernel, tiles: whole, unroll: { channels: 1 } },
    { kind: 'loop', dimension: 'channels', step: 4, count: 2, body: { ...kernel, tiles: whole } },
    { kind: 'scalar', extents },
  ];
  expect(schemeOfPlan({ ...kernel, tiles: whole }).status).toBe('success');
  for (const plan of plans)
    expect(schemeOfPlan(plan).diagnostics.map(({ code }) => code)).toEqual(['scheme/no-scheme']);
});
