/** Creates an `scf.forall` over tiles. */
import type { MixedIndex, MixedSlice } from '@sconv/dialects';
import { parallelInsertSliceState, sliceOperands } from '@sconv/dialects';
import { forall, inParallel } from '@sconv/dialects/scf';
import type { Attribute, DraftOperation, Rewriter, Value } from '@sconv/ir';
import { indexType } from '@sconv/ir';

/** Loops from 0 to below `bounds` that share `outputs`. */
export interface ForallLoops {
  readonly bounds: readonly MixedIndex[];
  /** Default 1. */
  readonly steps?: readonly number[];
  readonly outputs: readonly Value[];
  readonly mapping?: readonly Attribute[] | undefined;
}

/** What an iteration computes of an output. */
export interface ComputedPart {
  readonly value: Value;
  readonly slice: MixedSlice;
}

/** A loop in the place of `operation`, whose iterations insert what `body` computes of each output. */
export const createForall = (
  rewriter: Rewriter,
  { location }: DraftOperation,
  { bounds, steps = bounds.map(() => 1), outputs, mapping }: ForallLoops,
  body: (inner: Rewriter, variables: readonly Value[], shared: readonly Value[]) => readonly ComputedPart[],
): DraftOperation => {
  const upperBound = sliceOperands(bounds);
  const types = outputs.map(({ type }) => type);
  return rewriter.create(
    forall.state<Rewriter>({
      operands: { dynamicUpperBound: upperBound.dynamic, outputs },
      attributes: {
        staticLowerBound: bounds.map(() => 0),
        staticUpperBound: upperBound.static,
        staticStep: steps,
        ...(mapping === undefined ? {} : { mapping }),
      },
      resultTypes: types,
      location,
      bodies: [
        {
          argumentTypes: [...bounds.map(() => indexType), ...types],
          build: (inner, ...values) => {
            const shared = values.slice(bounds.length);
            const parts = body(inner, values.slice(0, bounds.length), shared);
            const build = (insertions: Rewriter): void => {
              parts.forEach(({ value, slice }, i) => {
                insertions.create(parallelInsertSliceState(value, shared[i]!, slice));
              });
            };
            inner.create(inParallel.state<Rewriter>({ bodies: [{ argumentTypes: [], build }] }));
          },
        },
      ],
    }),
  );
};
