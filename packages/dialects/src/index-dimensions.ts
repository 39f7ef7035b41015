/** Which iteration indices the body of a structured op asks for. */
import type { Operation } from '@sconv/ir';
import { index, structured } from './linalg.ts';

/**
 * The dimensions whose `linalg.index` stands in the body of a structured op. A pass that gives such a dimension another
 * meaning has to say so in the body, or to refuse the op.
 */
export const indexDimensions = (operation: Operation): readonly number[] =>
  (structured(operation).body?.operations ?? [])
    .filter((inner) => index.is(inner))
    .map((inner) => index.attributes(inner).dim);
