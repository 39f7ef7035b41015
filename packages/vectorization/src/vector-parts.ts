/** Extraction and insertion of vector parts, and zero vectors: building blocks of vector lowerings. */
import { createConstantValue } from '@sconv/dialects';
import { extract, extractelement, insert, insertelement } from '@sconv/dialects/vector';
import type { Rewriter, Value, VectorType } from '@sconv/ir';
import { builder, denseElementsAttribute, vectorType } from '@sconv/ir';

/** A zero vector. */
export const createZeros = (rewriter: Rewriter, type: VectorType): Value<VectorType> => {
  const zero = denseElementsAttribute([type.elementType.kind === 'float' ? 0 : 0n], type);
  return createConstantValue(rewriter, zero, type) as Value<VectorType>;
};

/** The part at a position. */
export const partOf = (rewriter: Rewriter, vector: Value, position: readonly number[]): Value => {
  const { type } = vector as Value<VectorType>;
  return type.shape.length === 0
    ? builder(rewriter)(extractelement, { vector }, { resultTypes: [type.elementType] })
    : builder(rewriter)(extract, { vector, staticPosition: position });
};

/** A vector with the part at a position replaced. */
export const withPart = (
  rewriter: Rewriter,
  source: Value,
  dest: Value,
  position: readonly number[],
): Value<VectorType> =>
  (dest.type as VectorType).shape.length === 0
    ? builder(rewriter)(insertelement, { source, dest })
    : builder(rewriter)(insert, { source, dest, staticPosition: position });

/** The type without its leading dimensions. */
export const withoutLeading = ({ shape, elementType, scalable }: VectorType, count = 1): VectorType =>
  vectorType(shape.slice(count), elementType, scalable.slice(count));

/** All positions in a box, in row-major order. */
export const positionsIn = (shape: readonly number[]): readonly (readonly number[])[] =>
  shape.reduce<readonly (readonly number[])[]>(
    (all, size) => all.flatMap((head) => Array.from({ length: size }, (_, i) => [...head, i])),
    [[]],
  );
