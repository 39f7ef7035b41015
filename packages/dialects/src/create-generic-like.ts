/** Making a `linalg.generic` in the place of another structured op. */
import type { AffineMap } from '@sconv/affine';
import type { Attribute, Attributes, DraftOperation, Operation, Registry, Rewriter, Value } from '@sconv/ir';
import { bodyOf, definitionOf } from '@sconv/ir';
import { elementTypeOf } from './constraints.ts';
import { generic } from './linalg-generic.ts';
import type { IteratorType } from './linalg-iterators.ts';
import { memoizedMaps } from './linalg-view.ts';

/** What a new `linalg.generic` has of its own. */
export interface GenericParts {
  readonly inputs: readonly Value[];
  /** Destinations; those that are tensors have a result of the same type. */
  readonly outputs: readonly Value[];
  /** One for each input, then one for each output. */
  readonly indexingMaps: readonly AffineMap[];
  readonly iteratorTypes: readonly IteratorType[];
}

/**
 * A `linalg.generic` at the insertion point, with the location and the discardable attributes of the structured op that it
 * stands for. Its region is empty: the body is moved or cloned into it.
 */
export const createGenericLike = (
  rewriter: Rewriter,
  operation: DraftOperation,
  { inputs, outputs, indexingMaps, iteratorTypes }: GenericParts,
): DraftOperation =>
  rewriter.create(
    generic.state<Rewriter>({
      operands: { inputs, outputs },
      attributes: { indexingMaps, iteratorTypes },
      extra: discardableAttributes(rewriter.registry, operation),
      bodies: [undefined],
      location: operation.location,
    }),
  );

/**
 * Moves the body of a structured op to a new `linalg.generic` with as many operands, whose region is empty. The body of a
 * `linalg.map` sees the inputs only: arguments are added for the outputs.
 */
export const takeBody = (rewriter: Rewriter, operation: DraftOperation, general: DraftOperation): void => {
  rewriter.moveRegion(operation.regions[0]!, general.regions[0]!);
  const body = bodyOf(general);
  for (const { type } of general.operands.slice(body.arguments.length)) {
    rewriter.addArgument(body, elementTypeOf(type));
  }
};

/** The attributes that a structured op does not declare: a tag that somebody put there, not its strides or maps. */
const discardableAttributes = (registry: Registry, operation: Operation): Attributes => {
  const { attributeSpecs } = definitionOf(registry, operation) ?? generic;
  const others: Record<string, Attribute> = {};
  for (const [name, attribute] of Object.entries(operation.attributes)) {
    if (name === 'operandSegmentSizes' || name === memoizedMaps) continue;
    if (!attributeSpecs.some((spec) => spec.name === name)) others[name] = attribute;
  }
  return others;
};
