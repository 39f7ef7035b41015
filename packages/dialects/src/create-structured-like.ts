/** Making a structured op of the same kind on other operands. */
import type { AffineExpr, AffineMap } from '@sconv/affine';
import { equals, writtenLinearForm } from '@sconv/affine';
import type { DraftOperation, Registry, Rewriter, Value } from '@sconv/ir';
import { affineMapAttribute, arrayAttribute } from '@sconv/ir';
import { generic } from './linalg-generic.ts';
import { structured } from './linalg-view.ts';

/** Whether an op of this kind may index its operands by these maps: a named op has its own. */
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

/** Whether two indices are the same tree, or the same sum of multiples. */
const areEqual = (a: AffineExpr, b: AffineExpr): boolean => {
  if (equals(a, b)) return true;
  const difference = writtenLinearForm(a.sub(b));
  if (difference === undefined) return false;
  return [...difference.dims, ...difference.symbols, difference.constant].every((number) => number === 0);
};

/** What a structured op has of its own beside another of its kind. */
export interface StructuredParts {
  readonly inputs: readonly Value[];
  /** Destinations; those that are tensors have a result of the same type. */
  readonly outputs: readonly Value[];
  /** One for each input, then one for each output. */
  readonly indexingMaps: readonly AffineMap[];
}

/**
 * The structured op on other operands, at the insertion point, with its body and all that was noted on it: a
 * `linalg.generic` with the maps that are given, a named op with its own, which have to be the same (`mayHaveMaps`).
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
    successors: [],
    location,
  });
  regions.forEach((region, i) => {
    rewriter.cloneRegion(region, created.regions[i]!);
  });
  return created;
};
