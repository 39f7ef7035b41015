/** Creates a structured op of the same kind on other operands. */
import type { AffineExpr, AffineMap } from '@sconv/affine';
import { equals, writtenLinearForm } from '@sconv/affine';
import type { DraftOperation, Registry, Rewriter, Value } from '@sconv/ir';
import { affineMapAttribute, arrayAttribute } from '@sconv/ir';
import { generic } from './linalg-generic.ts';
import { structured } from './linalg-view.ts';

/** Whether an op of this kind may index its operands by these maps: a named op has fixed maps. */
export const mayHaveMaps = (
  registry: Registry,
  operation: DraftOperation,
  maps: readonly AffineMap[],
): boolean => {
  if (generic.is(operation)) return true;
  const own = structured(registry, operation)?.indexingMaps ?? [];
  return (
    own.length === maps.length &&
    maps.every((map, i) => map.results.every((expr, position) => areEqual(expr, own[i]!.results[position]!)))
  );
};

/** Whether two indices are the same tree, or the same linear combination. */
const areEqual = (a: AffineExpr, b: AffineExpr): boolean => {
  if (equals(a, b)) return true;
  const difference = writtenLinearForm(a.sub(b));
  if (difference === undefined) return false;
  return [...difference.dims, ...difference.symbols, difference.constant].every((number) => number === 0);
};

/** What differs in the new structured op. */
export interface StructuredParts {
  readonly inputs: readonly Value[];
  /** Destinations; each tensor among them has a result of the same type. */
  readonly outputs: readonly Value[];
  /** One per input, then one per output. */
  readonly indexingMaps: readonly AffineMap[];
}

/**
 * Recreates a structured op on other operands, at the insertion point, with its body and all of its attributes: a
 * `linalg.generic` with the given maps, a named op with its own, which must be the same (`mayHaveMaps`).
 */
export const createStructuredLike = (
  rewriter: Rewriter,
  operation: DraftOperation,
  { inputs, outputs, indexingMaps }: StructuredParts,
): DraftOperation => {
  const { name, attributes, regions, location } = operation;
  const created = rewriter.create({
    name,
    operands: [...inputs, ...outputs],
    resultTypes: outputs.map(({ type }) => type).filter(({ kind }) => kind === 'tensor'),
    attributes: generic.is(operation)
      ? { ...attributes, indexing_maps: arrayAttribute(indexingMaps.map(affineMapAttribute)) }
      : attributes,
    bodies: regions.map(() => undefined),
    location,
  });
  regions.forEach((region, i) => {
    rewriter.cloneRegion(region, created.regions[i]!);
  });
  return created;
};
