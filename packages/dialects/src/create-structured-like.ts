/** Making a structured op of the same kind on other operands. */
import type { AffineExpr, AffineMap } from '@sconv/affine';
import { equals, writtenLinearForm } from '@sconv/affine';
import type { DraftOperation, Registry, Rewriter } from '@sconv/ir';
import type { GenericParts } from './create-generic-like.ts';
import { createGenericLike } from './create-generic-like.ts';
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
  const [form, other] = [writtenLinearForm(a), writtenLinearForm(b)];
  return form !== undefined && JSON.stringify(form) === JSON.stringify(other);
};

/**
 * The structured op on other operands, at the insertion point, with its body: a `linalg.generic` with the maps that are given,
 * a named op with its own, which have to be the same (`mayHaveMaps`).
 */
export const createStructuredLike = (
  rewriter: Rewriter,
  operation: DraftOperation,
  parts: GenericParts,
): DraftOperation => {
  if (generic.is(operation)) {
    const created = createGenericLike(rewriter, operation, parts);
    rewriter.cloneRegion(operation.regions[0]!, created.regions[0]!);
    return created;
  }
  const { inputs, outputs } = parts;
  const created = rewriter.create({
    name: operation.name,
    operands: [...inputs, ...outputs],
    resultTypes: outputs.map(({ type }) => type),
    attributes: operation.attributes,
    bodies: operation.regions.map(() => undefined),
    successors: [],
    location: operation.location,
  });
  operation.regions.forEach((region, i) => {
    rewriter.cloneRegion(region, created.regions[i]!);
  });
  return created;
};
