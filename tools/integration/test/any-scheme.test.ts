/**
 * Schemes drawn at random: each is valid, read back from its text and from its plan, and computes the contraction exactly,
 * in the interpreter, on wasm and natively.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { unwrap } from '@sconv/diagnostics';
import { firstDifference } from '@sconv/interpreter/testing';
import { findToolchain } from '@sconv/native';
import { printPlan } from '@sconv/plans';
import {
  lambdaToSequence,
  parseScheme,
  planOfScheme,
  printScheme,
  schemeOfPlan,
  schemeProblems,
} from '@sconv/schemes';
import type { SchemeSpace } from './support/draw-scheme.ts';
import { drawScheme } from './support/draw-scheme.ts';
import type { Drawn } from './support/drawn-contraction.ts';
import { contractions, dataOf } from './support/drawn-contraction.ts';
import { nestsOfModule, nestsOfPlan } from './support/nests.ts';
import type { Computed } from './support/planned-code.ts';
import { generated, outputOnWasm, outputsNatively } from './support/planned-code.ts';
import { isThorough } from './support/thorough.ts';

const hasLlvm = isThorough && 'paths' in (await findToolchain());

/** Every so many schemes are computed natively, too. */
const nativeEvery = 20;

/** Of rows and columns where `isOpen`, else of windows. */
const spaceOf = ({ name, space }: Drawn, isOpen: boolean): SchemeSpace => {
  const { extents, open, isChannelsLast, mayReadInput } = space;
  if (open !== undefined && isOpen) {
    const { batch, channels, filters, rows, columns, tapRows, tapColumns } = open;
    return {
      extents: { b: batch, c: channels, k: filters, h: rows, w: columns, r: tapRows, s: tapColumns },
      windows: ['h', 'w'],
      filters: 'k',
      reduced: ['c', 'r', 's'],
      lanes: isChannelsLast ? 'k' : 'w',
      mayReadInput: mayReadInput.rows,
    };
  }
  const { batch, group, channels, filters, windows } = extents;
  return {
    extents: { b: name === 'linalg.batch_matmul' ? group : batch, k: channels, i: filters, j: windows },
    windows: ['j'],
    filters: 'i',
    reduced: ['k'],
    lanes: isChannelsLast ? 'i' : 'j',
    mayReadInput: mayReadInput.windows,
  };
};

/** What is drawn, in the text of schemes. */
const kinds: Readonly<Record<string, RegExp>> = {
  R: /R\(/,
  lambda: /lambda\(/,
  Seq: /Seq\(/,
  'lambda over sums': /lambda\([crs];/,
  'scalar code': /^[^V]*$/,
  'unrolled sums': /U\((?:[crs],[2-9]|k,[2-9].*V\([ij])/,
  'input in place': /^(?!.*P\(input\)).*V/,
  'input packed': /P\(input\)/,
  'filters packed': /P\(filters\)/,
  'vectors of columns': /V\(w/,
  'vectors of filters': /V\(k/,
  'of products': /V\(j/,
  'of convolutions as products': /V\(i/,
};

/** Minutes for thousands of schemes. */
const timeout = isThorough ? 1_800_000 : 300_000;

it('schemes are valid, and compute the contraction', { timeout }, async () => {
  const drawn = new Map<string, number>();
  const natively: Computed[] = [];
  let runs = 0;
  fc.assert(
    fc.property(contractions, fc.boolean(), fc.gen(), (each, isOpen, draw) => {
      const { shape, contraction, space } = each;
      const below = (bound: number): number => draw(fc.integer, { min: 0, max: bound - 1 });
      const scheme = drawScheme(below, spaceOf(each, isOpen));
      const text = printScheme(scheme);
      for (const [kind, pattern] of Object.entries(kinds))
        if (pattern.test(text)) drawn.set(kind, (drawn.get(kind) ?? 0) + 1);
      expect(unwrap(parseScheme(text))).toEqual(scheme);
      expect(schemeProblems(scheme, contraction)).toEqual([]);
      const { tree } = planOfScheme(scheme, contraction);
      const printed = printPlan(tree);
      expect(printPlan(planOfScheme(unwrap(lambdaToSequence(scheme)), contraction).tree)).toBe(printed);
      expect(printPlan(planOfScheme(unwrap(schemeOfPlan(tree)), contraction).tree)).toBe(printed);
      const { payload, module, bufferized } = generated(each, tree);
      expect(nestsOfModule(module)).toBe(nestsOfPlan(tree, shape, space.isChannelsLast));
      if (isThorough) expect(firstDifference(payload, module)).toBeUndefined();
      const data = dataOf(contraction);
      expect(outputOnWasm(bufferized, data)).toEqual(data.expected);
      if (hasLlvm && runs % nativeEvery === 0) natively.push({ module: bufferized, data });
      runs += 1;
    }),
    { numRuns: isThorough ? 3000 : 60 },
  );
  for (const kind of Object.keys(kinds))
    expect(drawn.get(kind) ?? 0, kind).toBeGreaterThanOrEqual(isThorough ? 50 : 1);
  for (const [i, output] of (await outputsNatively(natively)).entries())
    expect(output).toEqual(natively[i]!.data.expected);
});
