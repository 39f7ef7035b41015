/** Making a `linalg.generic` in the place of another structured op. */
import type { AffineMap } from '@sconv/affine';
import type { Attributes, DraftOperation, Operation, Rewriter, Value } from '@sconv/ir';
import { generic, linalgDialect, structured } from './linalg.ts';
import type { IteratorType } from './linalg.ts';
import { memoizedMaps } from './linalg-named.ts';

/** What a new `linalg.generic` has of its own. */
export interface GenericParts {
  readonly inputs: readonly Value[];
  /** Destinations; those that are tensors have a result of the same type. */
  readonly outputs: readonly Value[];
  /** One for each input, then one for each output. */
  readonly indexingMaps: readonly AffineMap[];
  /** Those of the op that it stands for, if left out. */
  readonly iteratorTypes?: readonly IteratorType[];
}

/**
 * A `linalg.generic` at the insertion point, with the location and the discardable attributes of the structured op that it
 * stands for. Its region is empty: the body is moved or cloned into it.
 */
export const createGenericLike = (
  rewriter: Rewriter,
  operation: DraftOperation,
  { inputs, outputs, indexingMaps, iteratorTypes = structured(operation).iteratorTypes }: GenericParts,
): DraftOperation =>
  rewriter.create(
    generic.state<Rewriter>({
      operands: { inputs, outputs },
      attributes: { indexingMaps, iteratorTypes },
      extra: discardableAttributes(operation),
      bodies: [undefined],
      location: operation.location,
    }),
  );

/** The attributes that a structured op does not declare: a tag that somebody put there, not its strides or maps. */
const discardableAttributes = (operation: Operation): Attributes => {
  const definition = linalgDialect.operations.find(({ name }) => name === operation.name);
  const declared = new Set([
    'operandSegmentSizes',
    memoizedMaps,
    ...(definition?.attributeSpecs ?? []).map(({ name }) => name),
  ]);
  return Object.fromEntries(Object.entries(operation.attributes).filter(([name]) => !declared.has(name)));
};
