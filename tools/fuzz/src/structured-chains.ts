/** The distribution of this tool: chains of structured ops, and steps that mostly apply to them. */
import type { Distribution } from './distribution.ts';
import { slicedConvolution } from './draw-named.ts';
import { drawPayload } from './draw-payload.ts';
import { drawForeach, drawInclude } from './draw-region.ts';
import { drawBufferization, drawStep } from './draw-step.ts';
import { payloadFeatures } from './payload-features.ts';
import type { OpSpec, PayloadSpec } from './payload-spec.ts';
import { payloadText } from './payload-text.ts';
import { smallerPayloads } from './smaller-payloads.ts';

/** The probability of a step that is meant to be refused. */
const wrong = 0.08;

const isSlicedConvolution = (op: OpSpec | undefined): boolean =>
  op?.form.kind === 'named' && op.form.name === slicedConvolution;

export const structuredChains: Distribution<PayloadSpec> = {
  payload: drawPayload,
  subject: payloadText,
  smaller: smallerPayloads,
  features: payloadFeatures,
  // A convolution takes more steps until it is a microkernel.
  length: (random, { ops }) => random.integer(4, 12) + (isSlicedConvolution(ops[0]) ? 4 : 0),
  step: (random, session, fresh, isLast) => {
    const { view } = session;
    if (view.handles.length > 0 && random.chance(isLast ? 0.12 : 0.004))
      return drawBufferization(random, fresh, view);
    const kind = random.weighted([
      [view.handles.length < 2 ? 0 : 0.07, 'foreach'],
      [0.07, 'include'],
      [0.86, 'plain'],
    ]);
    const region =
      kind === 'foreach'
        ? drawForeach(random, session, fresh, { wrong })
        : kind === 'include'
          ? drawInclude(random, session, fresh, { wrong })
          : undefined;
    return region ?? drawStep(random, view, fresh, { wrong });
  },
};
