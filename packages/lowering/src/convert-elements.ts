/** Converts elements, or vectors of them, before packings store them. */
import type { ConversionStep } from '@sconv/dialects/kernel';
import { broadcast } from '@sconv/dialects/vector';
import type { Rewriter, Value } from '@sconv/ir';
import { builder, vectorType } from '@sconv/ir';

/** Applies a conversion's steps to an element, or to a vector of elements, at the insertion point. */
export const convertElements = (
  rewriter: Rewriter,
  conversion: readonly ConversionStep[],
  value: Value,
): Value =>
  conversion.reduce((element, { name, type, zeroPoint }) => {
    const shape = element.type.kind === 'vector' ? element.type.shape : undefined;
    const like = (other: Value): Value =>
      shape === undefined
        ? other
        : builder(rewriter)(broadcast, { source: other }, { resultTypes: [vectorType(shape, other.type)] });
    return rewriter.createValue({
      name,
      operands: zeroPoint === undefined ? [element] : [element, like(zeroPoint)],
      resultTypes: [shape === undefined ? type : vectorType(shape, type)],
    });
  }, value);
