/** The generator of this tool: chains of structured ops, and steps that mostly apply to them. */
import type { Distribution } from './distribution.ts';
import { slicedConvolution } from './draw-named.ts';
import { drawPayload } from './draw-payload.ts';
import { drawAlternatives, drawForeach, drawSequence } from './draw-region.ts';
import { drawBufferization, drawStep } from './draw-step.ts';
import { payloadFeatures } from './payload-features.ts';
import type { OpSpec, PayloadSpec } from './payload-spec.ts';
import { payloadText } from './payload-text.ts';
import { smallerPayloads } from './smaller-payloads.ts';

/** The probability of a step that should be refused. */
const wrong = 0.08;

const regions: Readonly<Record<string, typeof drawForeach | undefined>> = {
  foreach: drawForeach,
  sequence: drawSequence,
  alternatives: drawAlternatives,
};

const isSlicedConvolution = (op: OpSpec | undefined): boolean =>
  op?.form.kind === 'named' && op.form.name === slicedConvolution;

export const structuredChains: Distribution<PayloadSpec> = {
  payload: drawPayload,
  subject: payloadText,
  smaller: smallerPayloads,
  features: payloadFeatures,
  // A convolution takes more steps to become a microkernel.
  length: (random, { ops }) => random.integer(4, 12) + (isSlicedConvolution(ops[0]) ? 4 : 0),
  step: (random, session, fresh, isLast) => {
    const { view } = session;
    if (view.handles.length > 0 && random.chance(isLast ? 0.12 : 0.004))
      return drawBufferization(random, fresh, view);
    const kind = random.weighted([
      [view.handles.length < 2 ? 0 : 0.07, 'foreach'],
      [0.1, 'sequence'],
      [0.03, 'alternatives'],
      [0.8, 'plain'],
    ] as const);
    return regions[kind!]?.(random, session, fresh, { wrong }) ?? drawStep(random, view, fresh, { wrong });
  },
};
