/**
 * Plans of any form, drawn at random, which no analysis would make: each is consistent, priced, explained, printed and
 * read back; the IR has its loops, and computes the contraction exactly, in the interpreter, on wasm and natively.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { drawTree, hierarchy, planLimits, slice, trafficOfPlan } from '@sconv/csa';
import { unknownLocation, unwrap } from '@sconv/diagnostics';
import { firstDifference } from '@sconv/interpreter/testing';
import { findToolchain } from '@sconv/native';
import { planProblems, printPlan } from '@sconv/plans';
import { planAttribute, planOfAttribute } from '@sconv/slicing';
import { wasm } from '@sconv/targets';
import { drawPlan } from './support/draw-plan.ts';
import { contractions, dataOf } from './support/drawn-contraction.ts';
import { nestsOfModule, nestsOfPlan } from './support/nests.ts';
import type { Computed } from './support/planned-code.ts';
import { generated, outputOnWasm, outputsNatively } from './support/planned-code.ts';
import { isThorough } from './support/thorough.ts';

const caches = hierarchy(wasm.machine, { l1: 0.9, l2: 0.9, l3: 0.9 });
const hasLlvm = isThorough && 'paths' in (await findToolchain());

/** Every so many plans are computed natively, too. */
const nativeEvery = 12;

/** What is drawn, in the text of plans. */
const kinds: Readonly<Record<string, RegExp>> = {
  loop: /loop/,
  part: /part/,
  'pack input': /pack input/,
  'pack filters': /pack filters/,
  scalar: /scalar/,
  'kernel along windows': /along windows/,
  'kernel along columns': /along columns/,
  'kernel along filters': /along filters/,
  'rows and columns': /rows/,
  unrolled: /unrolled/,
  'in tiles': /in tiles/,
  'input in place': /^(?![^]*pack input)[^]*kernel/,
  'filters in place': /^(?![^]*pack filters)[^]*kernel/,
  'taps apart': /loop tapRows (?!1 x)/,
};

it('plans of any form are what is generated, and compute the contraction', async () => {
  const drawn = new Map<string, number>();
  const natively: Computed[] = [];
  let runs = 0;
  fc.assert(
    fc.property(contractions, fc.gen(), (each, draw) => {
      const { shape, contraction, space } = each;
      const sliced = slice(shape, { windows: 1, filters: 1 });
      const plan = drawPlan((bound) => draw(fc.integer, { min: 0, max: bound - 1 }), space);
      const printed = printPlan(plan);
      for (const [kind, pattern] of Object.entries(kinds))
        if (pattern.test(printed)) drawn.set(kind, (drawn.get(kind) ?? 0) + 1);
      expect(planProblems(plan, { ...planLimits(sliced), contraction })).toEqual([]);
      expect(trafficOfPlan(sliced, plan, caches).cycles).toBeGreaterThan(0);
      expect(drawTree(plan)).toContain('</svg>');
      const read = unwrap(planOfAttribute(planAttribute(plan), unknownLocation));
      expect(printPlan(read)).toBe(printed);

      const { payload, module, bufferized } = generated(each, plan);
      expect(nestsOfModule(module)).toBe(nestsOfPlan(plan, shape, space.isChannelsLast));
      if (isThorough) expect(firstDifference(payload, module)).toBeUndefined();
      const data = dataOf(contraction);
      expect(outputOnWasm(bufferized, data)).toEqual(data.expected);
      if (hasLlvm && runs % nativeEvery === 0) natively.push({ module: bufferized, data });
      runs += 1;
    }),
    { numRuns: isThorough ? 1000 : 40 },
  );
  for (const kind of Object.keys(kinds))
    expect(drawn.get(kind) ?? 0, kind).toBeGreaterThanOrEqual(isThorough ? 50 : 1);
  for (const [i, output] of (await outputsNatively(natively)).entries())
    expect(output).toEqual(natively[i]!.data.expected);
});
