/** Iteration indices used in the body of a structured op. */
import type { Operation } from '@sconv/ir';
import { indexOp } from './linalg-generic.ts';

/**
 * The dimensions whose `linalg.index` is in the body of a structured op. A pass that changes the meaning of such a
 * dimension must adjust the body, or reject the op.
 */
export const indexDimensions = (operation: Operation): readonly number[] =>
  (operation.regions[0]?.blocks[0]?.operations ?? [])
    .filter((inner) => indexOp.is(inner))
    .map((inner) => indexOp.attributes(inner).dim);
