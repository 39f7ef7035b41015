/** `vector.mask` around operations. */
import { mask, yieldOp } from '@sconv/dialects/vector';
import type { Builder, Rewriter, Type, Value } from '@sconv/ir';
import { builder } from '@sconv/ir';

/** The op that `make` creates, wrapped in a `vector.mask` if there is a mask; `make` is told which. */
export const createMasked = (
  rewriter: Rewriter,
  chosen: Value | undefined,
  resultTypes: readonly Type[],
  make: (b: Builder, isMasked: boolean) => readonly Value[],
): readonly Value[] => {
  if (chosen === undefined) return make(builder(rewriter), false);
  const build = (inner: Rewriter): void => {
    const b = builder(inner);
    b(yieldOp, { values: make(b, true) });
  };
  return rewriter.create(
    mask.state<Rewriter>({
      operands: { mask: chosen },
      resultTypes,
      bodies: [{ build }],
    }),
  ).results;
};
