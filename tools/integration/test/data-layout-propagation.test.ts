/** Random functions around packings: propagation gives LLVM 19's text, and computes what it did before. */
import { spawnSync } from 'node:child_process';
import { canonicalize, dataLayoutPropagation } from '@sconv/canonicalization';
import { unwrap } from '@sconv/diagnostics';
import { firstDifference } from '@sconv/interpreter/testing';
import { parseModule, printModule, verify } from '@sconv/ir';
import { expect, it } from 'vitest';
import { drawPackedFunction } from './support/draw-packed-function.ts';
import { hasMlirOpt } from './support/mlir-opt.ts';
import { registry } from './support/registry.ts';
import { isThorough } from './support/thorough.ts';

const count = isThorough ? 500 : 150;
const functions = Array.from({ length: count }, (_, i) => drawPackedFunction(i + 1, `f${i + 1}`));

const propagated = (text: string) => {
  const before = unwrap(parseModule(text, { registry }));
  expect(verify(before, registry)).toEqual([]);
  const after = unwrap(dataLayoutPropagation().run(before, { registry }));
  expect(verify(after, registry)).toEqual([]);
  return { before, after };
};

it(`keeps what ${count} random functions compute, packings folded or not`, { timeout: 300_000 }, () => {
  for (const text of functions) {
    const { before, after } = propagated(text);
    expect(firstDifference(before, after), text).toBeUndefined();
    expect(firstDifference(before, unwrap(canonicalize().run(after, { registry }))), text).toBeUndefined();
  }
});

/** Upstream leaves iterator types where they are when it permutes dimensions. */
const withSortedIterators = (text: string): string =>
  text.replaceAll(/iterator_types = \[(.*?)\]/g, (_, types: string) => types.split(', ').sort().join());

it.skipIf(!hasMlirOpt)(`prints ${count} random functions as mlir-opt-19 does`, { timeout: 300_000 }, () => {
  const flags = ['--split-input-file', '--test-linalg-data-layout-propagation', '-'];
  const { stdout } = spawnSync('mlir-opt-19', flags, {
    input: functions.join('\n// -----\n'),
    maxBuffer: 1 << 28,
    encoding: 'utf8',
  });
  const theirs = new Map(
    stdout.split('// -----\n').map((text) => [/@(f\d+)\(/.exec(text)?.[1], text.trim()]),
  );
  let compared = 0;
  for (const [i, text] of functions.entries()) {
    const expected = theirs.get(`f${i + 1}`);
    // Of some functions it makes IR that it then refuses.
    if (expected === undefined) continue;
    compared++;
    const printed = printModule(propagated(text).after, { registry }).trim();
    if (text.includes('"reduction"'))
      expect(withSortedIterators(printed)).toBe(withSortedIterators(expected));
    else expect(printed).toBe(expected);
  }
  expect(compared).toBeGreaterThan(0.9 * count);
});
