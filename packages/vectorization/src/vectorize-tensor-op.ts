/**
 * Vectorizes `tensor.pad`, `tensor.pack` and `tensor.unpack`: read whole, masked if the vector is larger, reshaped
 * and transposed, and written to a new tensor.
 */
import type { AffineExpr } from '@sconv/affine';
import { identityMap, symbol } from '@sconv/affine';
import { constantOf } from '@sconv/canonicalization/matching';
import type { MixedIndex } from '@sconv/dialects';
import {
  applyExpression,
  createConstantValue,
  createDims,
  createEmpty,
  createIndex,
  createSize,
  indexValue,
  zeroOf,
} from '@sconv/dialects';
import { mixedPadding, pack, pad, unpack } from '@sconv/dialects/tensor';
import { createMask, shapeCast, transferRead, transferWrite } from '@sconv/dialects/vector';
import type { DraftOperation, Rewriter, TensorType, Value, VectorType } from '@sconv/ir';
import { builder, DYNAMIC, i1, isStaticShape, vectorType } from '@sconv/ir';
import { createMasked } from './masking.ts';
import { paddingValue } from './padding-value.ts';
import { transposed } from './transposed.ts';

/** Replaces the op by operations on vectors of these sizes; returns whether that is possible. */
export const vectorizeTensorOp = (
  rewriter: Rewriter,
  operation: DraftOperation,
  sizes: readonly number[],
): boolean => {
  const vectorize = [pad, pack, unpack].find((definition) => definition.is(operation))?.name;
  return rewriter.scoped(() => {
    rewriter.setInsertionPointBefore(operation);
    const made = vectorize === undefined ? undefined : byName[vectorize]?.(rewriter, operation, sizes);
    if (made !== undefined) rewriter.replaceOperation(operation, [made]);
    return made !== undefined;
  });
};

type Vectorize = (
  rewriter: Rewriter,
  operation: DraftOperation,
  sizes: readonly number[],
) => Value | undefined;

/** Whether vectors of these sizes can hold a tensor of this shape. */
const fits = (shape: readonly number[], sizes: readonly number[]): boolean =>
  sizes.length === shape.length && sizes.every((size, i) => size > 0 && size >= shape[i]!);

interface WholeRead {
  readonly source: Value<TensorType>;
  readonly shape: readonly number[];
  readonly padding: Value;
  /** Whether out-of-bounds elements are padded by the read itself instead of masked. */
  readonly pads: boolean;
}

/** A tensor as a vector, as upstream's `createReadOrMaskedRead`. */
const readWhole = (rewriter: Rewriter, { source, shape, padding, pads }: WholeRead): Value<VectorType> => {
  const type = vectorType(shape, source.type.elementType);
  const isSame = shape.every((size, i) => size === source.type.shape[i]);
  const zero = createIndex(rewriter, 0);
  const mask = isSame || pads ? undefined : maskOf(rewriter, createDims(rewriter, source), shape);
  const [vector] = createMasked(rewriter, mask, [type], (b) => [
    b(
      transferRead,
      {
        source,
        indices: shape.map(() => zero),
        padding,
        permutationMap: identityMap(shape.length),
        inBounds: shape.map((size, i) => !pads || size === source.type.shape[i]),
      },
      { resultTypes: [type] },
    ),
  ]);
  return vector as Value<VectorType>;
};

const maskOf = (rewriter: Rewriter, bounds: readonly MixedIndex[], shape: readonly number[]): Value =>
  builder(rewriter)(
    createMask,
    { bounds: bounds.map((bound) => indexValue(rewriter, bound)) },
    { resultTypes: [vectorType(shape, i1)] },
  );

/**
 * Writes a vector to a new tensor of these sizes, as upstream's `createWriteOrMaskedWrite`; `sizes` are the vector's.
 */
const writeWhole = (
  rewriter: Rewriter,
  vector: Value<VectorType>,
  dims: readonly MixedIndex[],
  sizes: readonly number[],
  pads: boolean,
): Value => {
  const dest = createEmpty(rewriter, dims, vector.type.elementType);
  const { shape } = dest.type;
  const zero = createIndex(rewriter, 0);
  const isSame = sizes.every((size, i) => size === shape[i]);
  const mask = isSame || pads ? undefined : maskOf(rewriter, dims, [...sizes, ...shape.slice(sizes.length)]);
  const [written] = createMasked(rewriter, mask, [dest.type], (b) => {
    const made = b(
      transferWrite,
      {
        vector,
        source: dest,
        indices: shape.map(() => zero),
        permutationMap: identityMap(shape.length),
        inBounds: shape.map((size, i) => !pads || size === sizes[i]),
      },
      { resultTypes: [dest.type] },
    );
    return [made!];
  });
  return written!;
};

const reshaped = (
  rewriter: Rewriter,
  source: Value<VectorType>,
  shape: readonly number[],
): Value<VectorType> =>
  builder(rewriter)(shapeCast, { source }, { resultTypes: [vectorType(shape, source.type.elementType)] });

const vectorizePad: Vectorize = (rewriter, operation, sizes) => {
  const { source } = pad.operands(operation);
  const type = operation.results[0]!.type as TensorType;
  const { low, high } = mixedPadding(operation);
  const isZero = (index: MixedIndex): boolean => {
    const known = typeof index === 'number' ? index : constantOf(rewriter, index);
    return known === 0 || (typeof known === 'object' && known.kind === 'integer' && known.value === 0n);
  };
  if (!fits(type.shape, sizes) || !low.every(isZero)) return undefined;
  const padding = paddingValue(rewriter, operation);
  if (padding === undefined) return undefined;
  const dims = type.shape.map((size, i): MixedIndex => {
    if (size !== DYNAMIC) return size;
    return paddedSize(rewriter, createSize(rewriter, source, i), [low[i]!, high[i]!]);
  });
  const vector = readWhole(rewriter, { source, shape: sizes, padding, pads: false });
  return writeWhole(rewriter, vector, dims, sizes, false);
};

/** A size plus padding, as one `affine.apply`. */
const paddedSize = (rewriter: Rewriter, size: MixedIndex, added: readonly MixedIndex[]): MixedIndex => {
  const terms = [...added, size];
  const sum = terms.map((_, i): AffineExpr => symbol(i)).reduce((a, b) => a.add(b));
  return applyExpression(rewriter, sum, terms);
};

/** The tiles of each dimension of the unpacked tensor, and their positions among the dimensions of the packed one. */
const tilingOf = (definition: typeof pack | typeof unpack, operation: DraftOperation, rank: number) => {
  const { innerDimsPos, outerDimsPerm, staticInnerTiles: tiles } = definition.attributes(operation);
  const outer = outerDimsPerm.length === 0 ? Array.from({ length: rank }, (_, i) => i) : outerDimsPerm;
  const dims = Array.from({ length: rank }, (_, dimension) => {
    const tile = innerDimsPos.indexOf(dimension);
    const at = outer.indexOf(dimension);
    return { at, tile, places: tile < 0 ? [at] : [at, rank + tile], size: tile < 0 ? 1 : tiles[tile]! };
  });
  return { dims, tiles, outer };
};

const vectorizePack: Vectorize = (rewriter, operation, given) => {
  const { source, dest, paddingValue: value } = pack.operands(operation);
  const rank = source.type.shape.length;
  const { dims, tiles } = tilingOf(pack, operation, rank);
  const isStatic = isStaticShape(source.type) && isStaticShape(dest.type);
  const outer = dest.type.shape.slice(0, rank);
  if (tiles.includes(DYNAMIC) || (value !== undefined && constantOf(rewriter, value) === undefined))
    return undefined;
  if (given.length === 0 ? !isStatic : !fits(outer, given)) return undefined;
  const pads = given.length === 0;
  const sizes = pads ? outer : given;
  const { elementType } = source.type;
  const zero = zeroOf(elementType);
  if (value === undefined && zero === undefined) return undefined;
  const padding = value ?? createConstantValue(rewriter, zero!, elementType);
  const destSizes = createDims(rewriter, dest);
  const shape = dims.map(({ at, size }) => sizes[at]! * size);
  const vector = readWhole(rewriter, { source, shape, padding, pads });
  const tiled = dims.flatMap(({ at, places, size }) =>
    places.length > 1 ? [sizes[at]!, size] : [sizes[at]!],
  );
  const order = dims.flatMap(({ places }) => places);
  const permutation = order.map((_, place) => order.indexOf(place));
  const packed = transposed(rewriter, reshaped(rewriter, vector, tiled), permutation);
  return writeWhole(rewriter, packed, destSizes, sizes, false);
};

/**
 * @deviation Where the given sizes are no multiples of the tiles, upstream masks a tensor of static size by the sizes
 * instead of by the tiles that the vector consists of.
 */
const vectorizeUnpack: Vectorize = (rewriter, operation, given) => {
  const { source, dest } = unpack.operands(operation);
  const rank = dest.type.shape.length;
  const { dims, tiles, outer } = tilingOf(unpack, operation, rank);
  const isStatic = isStaticShape(source.type) && isStaticShape(dest.type);
  const zero = zeroOf(source.type.elementType);
  if (tiles.includes(DYNAMIC) || zero === undefined) return undefined;
  const pads = given.length === 0;
  if (pads ? !isStatic : !fits(dest.type.shape, given)) return undefined;
  const sizes = pads ? dims.map(({ at, size }) => source.type.shape[at]! * size) : given;
  const read = outer.map((dimension) => Math.ceil(sizes[dimension]! / dims[dimension]!.size));
  const shape = [...read, ...source.type.shape.slice(rank)];
  const destSizes = createDims(rewriter, dest);
  const padding = createConstantValue(rewriter, zero, source.type.elementType);
  const vector = readWhole(rewriter, { source, shape, padding, pads: false });
  const flat = dims.map(({ at, size }) => shape[at]! * size);
  const whole = reshaped(
    rewriter,
    transposed(
      rewriter,
      vector,
      dims.flatMap(({ places }) => places),
    ),
    flat,
  );
  return writeWhole(rewriter, whole, destSizes, flat, pads);
};

const byName: Readonly<Record<string, Vectorize>> = {
  [pad.name]: vectorizePad,
  [pack.name]: vectorizePack,
  [unpack.name]: vectorizeUnpack,
};
