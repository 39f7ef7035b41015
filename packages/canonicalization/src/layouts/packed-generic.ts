/** Creates a `linalg.generic` in a packed domain. */
import type { AffineMap } from '@sconv/affine';
import { constant, dim, makeMap, symbol } from '@sconv/affine';
import type { PackTiling } from '@sconv/dialects';
import { applyComposed, createGenericLike, createPack, createPackedDestination } from '@sconv/dialects';
import type { StructuredOp } from '@sconv/dialects/linalg';
import { generic, index, structured } from '@sconv/dialects/linalg';
import { empty, extract } from '@sconv/dialects/tensor';
import type { DraftOperation, Rewriter, TensorType, Value } from '@sconv/ir';
import { bodyOf } from '@sconv/ir';
import { definedBy } from '../match.ts';
import type { PackedDomain, PackedOperand } from './packed-domain.ts';
import { packedOperand } from './packed-domain.ts';

/** The view of a `linalg.generic` with one result whose body reads neither indices nor other elements. */
export const elementwiseView = (
  rewriter: Rewriter,
  operation: DraftOperation | undefined,
): StructuredOp | undefined => {
  if (operation === undefined || !generic.is(operation) || operation.results.length !== 1) return undefined;
  const view = structured(rewriter.registry, operation);
  const isGather = view?.body?.operations.some((each) => index.is(each) || extract.is(each)) ?? true;
  return isGather ? undefined : view;
};

/** The operands of a generic op in a packed domain, inputs first. */
export const packedOperands = (
  { indexingMaps }: StructuredOp,
  domain: PackedDomain,
): readonly PackedOperand[] => indexingMaps.map((map) => packedOperand(domain, map));

/** Whether a value is a `tensor.empty`, so that what replaces it needs not be packed. */
export const isEmpty = (rewriter: Rewriter, value: Value): boolean =>
  definedBy(rewriter, value, empty) !== undefined;

/** A value packed into a new empty tensor, or the value itself. */
export const createPacked = (
  rewriter: Rewriter,
  value: Value,
  tiling: PackTiling | undefined,
): { readonly value: Value; readonly pack: DraftOperation | undefined } => {
  if (tiling === undefined) return { value, pack: undefined };
  const source = value as Value<TensorType>;
  const dest = createPackedDestination(rewriter, source, tiling);
  const made = createPack(rewriter, source, dest, tiling, undefined);
  return { value: made.results[0]!, pack: made };
};

/**
 * A generic op like `operation` in a packed domain, whose inputs it packs: of its tiles, all are full.
 *
 * @deviation The iterator types follow the dimensions; upstream leaves them where they are, so that a reduction may
 * become parallel.
 */
export const createPackedGeneric = (
  rewriter: Rewriter,
  operation: DraftOperation,
  { inputs, iteratorTypes }: StructuredOp,
  domain: PackedDomain,
  operands: readonly PackedOperand[],
  dest: Value,
): DraftOperation => {
  const packed = inputs.map((input, i) => createPacked(rewriter, input, operands[i]!.tiling).value);
  const { order, tiled } = domain;
  const created = createGenericLike(rewriter, operation, {
    inputs: packed,
    outputs: [dest],
    indexingMaps: operands.map(({ map }): AffineMap => map),
    iteratorTypes: [
      ...iteratorTypes.map((type, i) => iteratorTypes[order[i] ?? i] ?? type),
      ...tiled.map(({ dimension }) => iteratorTypes[dimension]!),
    ],
  });
  rewriter.cloneRegion(operation.regions[0]!, created.regions[0]!);
  rewriter.scoped(() => packIndices(rewriter, created, domain));
  return created;
};

/** Recomputes each `linalg.index` in the body of an op in a packed domain: that of a tile by its size, and the rest. */
const packIndices = (rewriter: Rewriter, created: DraftOperation, { order, tiled }: PackedDomain): void => {
  for (const inside of [...bodyOf(created).operations]) {
    if (!index.is(inside)) continue;
    rewriter.setInsertionPointBefore(inside);
    const { dim: dimension } = index.attributes(inside);
    const indexOf = (position: number): Value =>
      rewriter.createValue(index.state({ attributes: { dim: position } }));
    const outer = indexOf(order.length === 0 ? dimension : order.indexOf(dimension));
    const tile = tiled.find((each) => each.dimension === dimension);
    if (tile === undefined) {
      rewriter.replaceOperation(inside, [outer]);
      continue;
    }
    const size = typeof tile.size === 'number' ? constant(tile.size) : symbol(0);
    const symbols = typeof tile.size === 'number' ? [] : [tile.size];
    const joined = makeMap(2, symbols.length, [dim(0).mul(size).add(dim(1))]);
    const value = applyComposed(rewriter, joined, [outer, indexOf(tile.inner), ...symbols]);
    rewriter.replaceOperation(inside, [value]);
  }
};
