/** Creates a `linalg.generic` that replaces another structured op. */
import type { AffineMap } from '@sconv/affine';
import type { Attribute, Attributes, DraftOperation, Operation, Registry, Rewriter, Value } from '@sconv/ir';
import { bodyOf, definitionOf } from '@sconv/ir';
import { elementTypeOf } from './constraints.ts';
import { generic } from './linalg-generic.ts';
import type { IteratorType } from './linalg-iterators.ts';
import { memoizedMaps, structured } from './linalg-view.ts';

/** What differs in the new `linalg.generic`. */
export interface GenericParts {
  readonly inputs: readonly Value[];
  /** Destinations; each tensor among them has a result of the same type. */
  readonly outputs: readonly Value[];
  /** One per input, then one per output. */
  readonly indexingMaps: readonly AffineMap[];
  readonly iteratorTypes: readonly IteratorType[];
}

/** The discardable attribute with the plan of a structured op's iteration space: void once that has other loops. */
export const planAttributeName = 'sconv.plan';

/**
 * The discardable attribute with a plan's decisions about a tile: `lanes`, the dimension of its vectors; `unroll`,
 * factors by dimension; `tiles`, lists of first window, windows, first filter and filters.
 */
export const kernelAttributeName = 'sconv.kernel';

/**
 * Creates a `linalg.generic` at the insertion point, with the location and the discardable attributes of the
 * structured op that it replaces, but for a plan of other loops. Its region is empty: the caller moves or clones the
 * body into it.
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
      extra: discardableAttributes(rewriter.registry, operation, iteratorTypes),
      bodies: [undefined],
      location: operation.location,
    }),
  );

/**
 * Moves the body of a structured op into a new `linalg.generic` with the same number of operands and an empty region.
 * The body of a `linalg.map` has no arguments for the outputs: they are added.
 */
export const takeBody = (rewriter: Rewriter, operation: DraftOperation, general: DraftOperation): void => {
  rewriter.moveRegion(operation.regions[0]!, general.regions[0]!);
  const body = bodyOf(general);
  for (const { type } of general.operands.slice(body.arguments.length)) {
    rewriter.addArgument(body, elementTypeOf(type));
  }
};

/** The attributes that a structured op does not declare: user-defined tags, but not strides or maps. */
const discardableAttributes = (
  registry: Registry,
  operation: Operation,
  loops: readonly IteratorType[],
): Attributes => {
  const { attributeSpecs } = definitionOf(registry, operation) ?? generic;
  const others: Record<string, Attribute> = {};
  for (const [name, attribute] of Object.entries(operation.attributes)) {
    if (name === 'operandSegmentSizes' || name === memoizedMaps) continue;
    if (name === planAttributeName && structured(registry, operation)?.iteratorTypes.join() !== loops.join())
      continue;
    if (!attributeSpecs.some((spec) => spec.name === name)) others[name] = attribute;
  }
  return others;
};
