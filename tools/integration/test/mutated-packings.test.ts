/** Packings with another layout than their neighbours: propagation and folds refuse them or keep what they compute. */
import {
  canonicalizationPatterns,
  dataLayoutPropagationPatterns,
  furtherLayoutPatterns,
} from '@sconv/canonicalization';
import { unwrap } from '@sconv/diagnostics';
import { firstDifference } from '@sconv/interpreter/testing';
import { applyPatternsGreedily, edit, parseModule, verify } from '@sconv/ir';
import { expect, it } from 'vitest';
import type { Draw } from './support/draw-packed-function.ts';
import { drawPackedFunction, drawsOf } from './support/draw-packed-function.ts';
import { registry } from './support/registry.ts';
import { isThorough } from './support/thorough.ts';

const patterns = [
  ...dataLayoutPropagationPatterns(),
  ...furtherLayoutPatterns(),
  ...canonicalizationPatterns,
];

/** Two entries of a list exchanged. */
const exchanged = (list: string, draw: Draw): string => {
  const items = list.split(', ');
  const [a, b] = [draw(items.length), draw(items.length)];
  return items.map((item, i) => (i === a ? items[b]! : i === b ? items[a]! : item)).join(', ');
};

type Mutation = (line: string, draw: Draw) => string;

const mutations: readonly Mutation[] = [
  (line, draw) =>
    line.replace(
      /inner_dims_pos = \[(.*?)\]/,
      (_, list: string) => `inner_dims_pos = [${exchanged(list, draw)}]`,
    ),
  (line, draw) =>
    line.replace(/inner_tiles = \[(.*?)\]/, (_, list: string) => `inner_tiles = [${exchanged(list, draw)}]`),
  (line, draw) =>
    line.replace(
      /outer_dims_perm = \[(.*?)\]/,
      (_, list: string) => `outer_dims_perm = [${exchanged(list, draw)}]`,
    ),
  (line) => line.replace(/outer_dims_perm = \[.*?\] /, ''),
  (line, draw) => line.replace(/inner_tiles = \[\d+/, () => `inner_tiles = [${1 + draw(8)}`),
  // Of the same number of elements: the type fits, the element that is padded differs.
  (line) => line.replace('padding_value(%c', 'padding_value(%zero_element'),
  (line) =>
    line.includes('tensor.pack') && !line.includes('padding_value')
      ? line.replace(/(tensor\.pack %\w+)( .*tensor<[\dx?]*x)(f32|i32)/, '$1 padding_value(%c : $3)$2$3')
      : line.replace(/ padding_value\(.*?\)/, ''),
];

/** A drawn function with one or two of its packings changed. */
const mutated = (seed: number): string => {
  const draw = drawsOf(seed);
  const lines = drawPackedFunction(seed, 'f').split('\n');
  const at = lines.flatMap((line, i) => (/tensor\.(un)?pack /.test(line) ? [i] : []));
  for (let i = at.length === 0 ? 0 : 1 + draw(2); i > 0; i--) {
    const which = at[draw(at.length)]!;
    lines[which] = mutations[draw(mutations.length)]!(lines[which]!, draw);
  }
  const element = lines.join().includes('f32') ? '0.0 : f32' : '0 : i32';
  lines.splice(1, 0, `%zero_element = arith.constant ${element}`);
  return lines.join('\n');
};

const count = isThorough ? 2000 : 150;

it(`refuses ${count} mutations, or computes what they compute`, { timeout: 600_000 }, () => {
  let accepted = 0;
  for (let seed = 1; seed <= count; seed++) {
    const text = mutated(seed);
    const parsed = parseModule(text, { registry });
    if (parsed.status !== 'success') continue;
    const before = parsed.value;
    if (verify(before, registry).length > 0) continue;
    // Dynamic sizes that do not fit show when it runs.
    if (firstDifference(before, before) !== undefined) continue;
    accepted++;
    const after = edit(before, { registry }, (rewriter) => {
      unwrap(applyPatternsGreedily(rewriter, [rewriter.root], patterns));
    }).module;
    expect(verify(after, registry), text).toEqual([]);
    expect(firstDifference(before, after), text).toBeUndefined();
  }
  expect(accepted).toBeGreaterThan(count / 4);
});
