/** A short run with fixed seeds; `npm run fuzz` does longer ones. */
import { beforeAll, describe, expect, it } from 'vitest';
import { hasBehaviour, isTransformOp } from '@sconv/transform';
import { defaultRegistry } from 'sconv';
import type { Campaign } from '../src/campaign.ts';
import { addCampaigns, runShare } from '../src/campaign.ts';
import { hasMlirOpt, refusedByMlirOpt } from '../src/mlir-opt.ts';
import { structuredChains } from '../src/structured-chains.ts';
import { totalSteps } from '../src/statistics.ts';

/** Payloads for each of two seeds. */
const payloads = 130;

let campaign: Campaign;
beforeAll(() => {
  campaign = [1, 2]
    .map((seed) => runShare(structuredChains, { seed, from: 0, to: payloads }, { keepTexts: 4 }))
    .reduce(addCampaigns);
}, 300_000);

describe('random payloads through random schedules', () => {
  it('show no fault', () => {
    expect(campaign.faults.map(({ fault, payload, script }) => ({ fault, payload, script }))).toEqual([]);
  });

  it('have steps that mostly apply', () => {
    const { drawn, applied } = totalSteps(campaign.statistics);
    expect(applied).toBeGreaterThan(drawn / 2);
  });

  /**
   * Not drawn: ops that only inspect the payload, need facts about values or iteration order, need two related handles
   * or one to values, or work on buffers, which payloads have only at the end; also those on convolutions of a single
   * group, of which longer campaigns draw some, and those that need loops which carry a broadcast or a part of a tensor
   * that does not move.
   * Paddings hoisted out of loops have random tests of their own (packages/packing/test/hoist-pad-op.test.ts), which need
   * loops that slice what they pad, and pipelines have (packages/loops/test/pipeline-op.test.ts).
   * `decompose_interface` is for softmax, whose results are no small integers; `winograd_conv2d` divides its filters, and
   * `decompose_winograd_op` needs what it makes.
   * `replace` makes something else of its targets, and `make_loop_independent` needs tensors or buffers on the stack whose
   * sizes depend on loops; it has random tests of its own. So has `pack_planes`, for depthwise convolutions and poolings. The
   * choices of `tune` change nothing by themselves.
   */
  const isNotDrawn =
    /tune\.|pack_planes|get_(defining_op|operand|result|type)$|num_associations|replicate|param\.|match\.|_match|_matching|debug\.|print$|verify$|bounded_affine|bufferize_to_allocation|multibuffer|lower\.to_blas|alloca_to_global|structured\.(?:promote|hoist_pad|decompose_interface|decompose_winograd_op|winograd_conv2d|replace)|loop\.(peel|pipeline|coalesce|outline|forall_to_|unroll_and_jam|fuse_sibling)|convert_to_loops|take_assumed_branch|cast_and_call|drop_unit_group|vector_broadcasts|invariant_subsets|make_loop_independent/;

  // Terminators, the scaffolding of scripts, and text-only ops are not steps.
  const steps = [...defaultRegistry.operations.values()].flatMap((definition) =>
    isTransformOp(definition) &&
    hasBehaviour(definition) &&
    !/named_sequence|yield/.test(definition.name) &&
    (!isNotDrawn.test(definition.name) || definition.name.endsWith('structured.match'))
      ? [definition.name]
      : [],
  );

  it.each(steps)('go through %s', (name) => {
    expect(campaign.statistics.steps[name]?.applied).toBeGreaterThan(0);
  });

  it('run on wasm', () => {
    const { notOnWasm } = campaign.statistics;
    const refused = Object.values(notOnWasm).reduce((sum, count) => sum + count, 0);
    // Refused are vectors, assertions, math, and buffers of dynamic size.
    expect(refused).toBeLessThan(payloads * 0.3);
  });

  it('are the same each time', () => {
    const share = { seed: 3, from: 5, to: 8 };
    const run = () => runShare(structuredChains, share, { keepTexts: 1 });
    expect(run()).toEqual(run());
  });

  it.skipIf(!hasMlirOpt())('print what mlir-opt reads', () => {
    expect(campaign.texts.length).toBeGreaterThan(40);
    expect(refusedByMlirOpt(campaign.texts)).toEqual([]);
  });
});
