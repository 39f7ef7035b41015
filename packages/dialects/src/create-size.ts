/** The sizes of tensors and buffers as numbers and values, created as upstream creates them. */
import type { OpDefinition, Rewriter, Value } from '@sconv/ir';
import { DYNAMIC, indexType } from '@sconv/ir';
import { createIndex } from './composed-apply.ts';
import { alloc, alloca, dim as memrefDim, subview } from './memref.ts';
import type { MixedIndex } from './mixed-indices.ts';
import { mixedSizes } from './mixed-indices.ts';
import { dim as tensorDim, extractSlice } from './tensor.ts';

const shapeOf = ({ type }: Value): readonly number[] =>
  type.kind === 'tensor' || type.kind === 'memref' ? type.shape : [];

/**
 * The size of a dimension: a number if static, that of the slice or allocation if `source` is one, else a new `dim`.
 * Creates a constant for a dynamic dimension either way, as upstream's `createOrFold` does.
 */
export const createSize = (rewriter: Rewriter, source: Value, dimension: number): MixedIndex => {
  const size = shapeOf(source)[dimension]!;
  if (size !== DYNAMIC) return size;
  const known = knownSize(rewriter, source, dimension);
  if (known === undefined) return createDim(rewriter, source, dimension);
  createIndex(rewriter, dimension);
  return known;
};

/** A size known from the definition of a tensor or buffer: what `dim` folds to. */
const knownSize = (rewriter: Rewriter, source: Value, dimension: number): MixedIndex | undefined => {
  const definition = rewriter.definingOperation(source);
  if (definition === undefined) return undefined;
  if (extractSlice.is(definition) || subview.is(definition)) {
    const sizes = mixedSizes(definition);
    return sizes.length === shapeOf(source).length ? sizes[dimension] : undefined;
  }
  if (alloc.is(definition) || alloca.is(definition)) {
    const before = shapeOf(source).slice(0, dimension);
    return alloc.operandGroup(definition, 'dynamicSizes')[before.filter((each) => each === DYNAMIC).length];
  }
  return undefined;
};

/** A new `tensor.dim`, or `memref.dim` of a buffer. */
export const createDim = (rewriter: Rewriter, source: Value, dimension: number): Value => {
  const { name }: OpDefinition = source.type.kind === 'memref' ? memrefDim : tensorDim;
  return rewriter.createValue({
    name,
    operands: [source, createIndex(rewriter, dimension)],
    resultTypes: [indexType],
  });
};

/** The size of a dimension: a number if static, else a new `dim`. */
export const sizeOrDim = (rewriter: Rewriter, source: Value, dimension: number): MixedIndex => {
  const size = shapeOf(source)[dimension]!;
  return size === DYNAMIC ? createDim(rewriter, source, dimension) : size;
};

/** A new `dim` for each dynamic size in `shape`, by default the source's own. */
export const createDynamicSizes = (
  rewriter: Rewriter,
  source: Value,
  shape = shapeOf(source),
): readonly Value[] =>
  shape.flatMap((size, dimension) => (size === DYNAMIC ? [createDim(rewriter, source, dimension)] : []));

/** `createSize` of all dimensions; none for a scalar. */
export const createSizes = (rewriter: Rewriter, source: Value): readonly MixedIndex[] =>
  shapeOf(source).map((_, dimension) => createSize(rewriter, source, dimension));

/** `sizeOrDim` of all dimensions; none for a scalar. */
export const createDims = (rewriter: Rewriter, source: Value): readonly MixedIndex[] =>
  shapeOf(source).map((_, dimension) => sizeOrDim(rewriter, source, dimension));
