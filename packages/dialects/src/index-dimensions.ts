/** Which iteration indices the body of a structured op asks for. */
import type { Operation } from '@sconv/ir';
import { indexOp } from './linalg-generic.ts';

/**
 * The dimensions whose `linalg.index` stands in the body of a structured op. A pass that gives such a dimension another
 * meaning has to say so in the body, or to refuse the op.
 */
export const indexDimensions = (operation: Operation): readonly number[] =>
  (operation.regions[0]?.blocks[0]?.operations ?? [])
    .filter((inner) => indexOp.is(inner))
    .map((inner) => indexOp.attributes(inner).dim);
