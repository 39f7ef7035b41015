/** Networks whose convolutions are packed to NCHWc: propagation leaves no repacking between them, and is exact. */
import {
  canonicalizationPatterns,
  dataLayoutPropagationPatterns,
  furtherLayoutPatterns,
} from '@sconv/canonicalization';
import { unwrap } from '@sconv/diagnostics';
import { firstDifference } from '@sconv/interpreter/testing';
import type { Module, Operation } from '@sconv/ir';
import { applyPatternsGreedily, edit, parseModule, verify, walk } from '@sconv/ir';
import { packStructuredOp, packTransposeOp } from '@sconv/packing';
import { expect, it } from 'vitest';
import { drawNetwork } from './support/draw-network.ts';
import { drawsOf } from './support/draw-packed-function.ts';
import { registry } from './support/registry.ts';
import { isThorough } from './support/thorough.ts';

const patterns = [
  ...dataLayoutPropagationPatterns(),
  ...furtherLayoutPatterns(),
  ...canonicalizationPatterns,
];

/** Each convolution packed by `block` input channels and filters, filters as FCHWcf. */
const packed = (module: Module, block: number): Module =>
  edit(module, { registry }, (rewriter) => {
    for (const operation of rewriter.walk(rewriter.root)) {
      if (operation.name !== 'linalg.conv_2d_nchw_fchw') continue;
      const result = unwrap(packStructuredOp(rewriter, operation, [0, block, 0, 0, block, 0, 0]));
      const filters = result.packs.find(({ results }) => results[0]?.id === result.packed.operands[1]?.id);
      unwrap(packTransposeOp(rewriter, filters!, result.packed, { inner: [1, 0] }));
    }
  }).module;

const propagated = (module: Module): Module =>
  edit(module, { registry }, (rewriter) => {
    unwrap(applyPatternsGreedily(rewriter, [rewriter.root], patterns));
  }).module;

/** The packings and unpackings of what convolutions have computed, but for that of the result. */
const repackings = (module: Module): readonly Operation[] => {
  const operations = [...walk(module.root)];
  const computed = new Set<unknown>();
  const returned = operations.flatMap(({ name, operands }) => (name === 'func.return' ? operands : []));
  const found: Operation[] = [];
  for (const operation of operations) {
    const isComputed = operation.operands.some(({ id }) => computed.has(id));
    const isLast = operation.results.some(({ id }) => returned.some((each) => each.id === id));
    if (isComputed && !isLast && /^tensor\.(un)?pack$/.test(operation.name)) found.push(operation);
    if (isComputed || operation.name === 'linalg.generic')
      for (const { id } of operation.results) computed.add(id);
  }
  return found;
};

const count = isThorough ? 300 : 25;

it(`packs no results of convolutions in ${count} networks`, { timeout: 600_000 }, () => {
  for (let seed = 1; seed <= count; seed++) {
    const draw = drawsOf(seed);
    const block = [2, 4, 8][draw(3)]!;
    const text = drawNetwork(draw, block);
    const module = unwrap(parseModule(text, { registry }));
    const before = packed(module, block);
    expect(repackings(before).length).toBeGreaterThan(0);
    const after = propagated(before);
    expect(verify(after, registry)).toEqual([]);
    expect(
      repackings(after).map(({ name }) => name),
      `seed ${seed}\n${text}`,
    ).toEqual([]);
    expect(firstDifference(module, after), text).toBeUndefined();
  }
});
