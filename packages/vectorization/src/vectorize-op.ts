/**
 * Vectorization, as `linalg::vectorize`: structured ops, tensor padding and packing, and one-dimensional
 * convolutions.
 */
import { isFunctionOfDim, isPermutation, isProjectedPermutation } from '@sconv/affine';
import type { Diagnosed } from '@sconv/diagnostics';
import { silenceableError, success } from '@sconv/diagnostics';
import { isSpeculatable, reductionCombiner } from '@sconv/dialects';
import { expandMap } from '@sconv/canonicalization/matching';
import { apply } from '@sconv/dialects/affine';
import type { StructuredOp } from '@sconv/dialects/linalg';
import { index as indexOp, isConvolutionLike, structured } from '@sconv/dialects/linalg';
import { extract, pack, pad, unpack } from '@sconv/dialects/tensor';
import { combiningKindOf } from '@sconv/dialects/vector';
import type { DraftBlock, DraftOperation, Rewriter } from '@sconv/ir';
import { DYNAMIC, hasTrait, isShaped } from '@sconv/ir';
import { Vectorizer } from './structured-vectorizer.ts';
import { vectorizeConvolution } from './vectorize-convolution.ts';
import { vectorizeTensorOp } from './vectorize-tensor-op.ts';

/** How to vectorize an op. */
export interface VectorizeOptions {
  /** The size of each iteration dimension; the op's own by default. Excess lanes are masked. */
  readonly vectorSizes?: readonly number[];
  /** Which of the sizes are multiples of `vscale`. */
  readonly scalableSizes?: readonly boolean[];
  /** Whether to vectorize a `tensor.extract` from a tensor of several dimensions. */
  readonly vectorizeNdExtract?: boolean;
  /** Whether to flatten columns and channels of a depthwise convolution into one dimension. */
  readonly flattenDepthwise?: boolean;
}

/**
 * Replaces an op, on tensors or buffers, by vector ops.
 *
 * Fails with `vectorize/failed` where upstream does: dynamic sizes without vector sizes, vector sizes that are too
 * small, zero extents, maps that are no projected permutations, a body that is not elementwise, or not
 * defined where vectors are longer than there are iterations, reductions that are not a single combiner, convolutions
 * of more than one dimension. Nothing changes then.
 *
 * @deviation Upstream divides by the zeros that are beyond the iterations, where vectors are longer; refused here.
 *
 * @deviation A body value that is invariant along a reduced dimension is broadcast along it; upstream takes it once.
 */
export const vectorizeOp = (
  rewriter: Rewriter,
  operation: DraftOperation,
  options: VectorizeOptions = {},
): Diagnosed<undefined> => {
  const { vectorSizes = [], scalableSizes = [] } = options;
  const failed = silenceableError('vectorize/failed', 'Attempted to vectorize, but failed', operation);
  if ([pad, pack, unpack].some((definition) => definition.is(operation))) {
    const done = !scalableSizes.includes(true) && vectorizeTensorOp(rewriter, operation, vectorSizes);
    return done ? success(undefined) : failed;
  }
  const view = structured(rewriter.registry, operation);
  const body = operation.regions[0]?.blocks[0];
  if (view === undefined || body === undefined)
    return silenceableError('vectorize/unsupported', 'Unsupported Op, cannot vectorize', operation);
  if (!mayVectorize(rewriter, operation, view, options)) return failed;
  if (isConvolutionLike(operation)) {
    const flatten = options.flattenDepthwise ?? false;
    const done = vectorizeConvolution(rewriter, operation, view, { vectorSizes, scalableSizes, flatten });
    return done ? success(undefined) : failed;
  }
  if (!isOnElements(rewriter, view, body, options)) return failed;
  rewriter.scoped(() => {
    for (const inner of body.operations.filter((each) => apply.is(each))) {
      rewriter.setInsertionPointBefore(inner);
      rewriter.replaceOperation(inner, expandMap(rewriter, apply.attributes(inner).map, inner.operands));
    }
    rewriter.setInsertionPointBefore(operation);
    new Vectorizer(rewriter, operation, view, body, options).run();
  });
  return success(undefined);
};

// --- Preconditions ---

/** Whether the given sizes are valid. */
const mayVectorize = (
  rewriter: Rewriter,
  operation: DraftOperation,
  view: StructuredOp,
  options: VectorizeOptions,
): boolean => {
  const { loopRanges, inputs, outputs } = view;
  const types = [...inputs, ...outputs].map(({ type }) => ('shape' in type ? type.shape : []));
  const isDynamic = types.some((shape) => shape.includes(DYNAMIC));
  return (
    outputs.length > 0 &&
    !loopRanges.includes(0) &&
    !types.some((shape) => shape.includes(0)) &&
    haveRightSizes(operation, view, options) &&
    isScalableAsUpstream(rewriter, operation, view, options) &&
    (!isDynamic || mayBeDynamic(rewriter, operation, view))
  );
};

/**
 * Whether vectors are long enough.
 * @deviation Each operand's sizes are looked at: upstream takes those of the first that has a dimension, and computes
 * only a part where that one is dynamic and another is static and larger.
 */
const haveRightSizes = (
  operation: DraftOperation,
  { loopRanges, indexingMaps, inputs, outputs }: StructuredOp,
  { vectorSizes = [] }: VectorizeOptions,
): boolean => {
  if (vectorSizes.length === 0) return isConvolutionLike(operation) || !loopRanges.includes(DYNAMIC);
  return (
    vectorSizes.length === loopRanges.length &&
    vectorSizes.every((size, i) => size > 0 && size >= loopRanges[i]!) &&
    [...inputs, ...outputs].every(({ type }, i) =>
      indexingMaps[i]!.results.every(
        (result, position) =>
          !isShaped(type) || result.kind !== 'dim' || type.shape[position]! <= vectorSizes[result.position]!,
      ),
    )
  );
};

const maskedOps = new Set([
  'linalg.generic',
  'linalg.copy',
  'linalg.matmul',
  'linalg.matmul_transpose_a',
  'linalg.matmul_transpose_b',
  'linalg.quantized_matmul',
  'linalg.batch_matmul',
  'linalg.batch_matmul_transpose_a',
  'linalg.batch_matmul_transpose_b',
  'linalg.batch_reduce_matmul',
  'linalg.quantized_batch_matmul',
  'linalg.mmt4d',
  'linalg.batch_mmt4d',
  'linalg.matvec',
  'linalg.vecmat',
  'linalg.batch_matvec',
  'linalg.batch_vecmat',
  'linalg.dot',
]);

/** Whether an op with dynamic sizes can be masked. */
const mayBeDynamic = (rewriter: Rewriter, operation: DraftOperation, view: StructuredOp): boolean =>
  operation.name === 'linalg.depthwise_conv_1d_nwc_wc' ||
  (!isConvolutionLike(operation) &&
    (maskedOps.has(operation.name) || isElementwiseOp(rewriter, operation, view)));

/** Upstream's `linalg::isElementwise`. */
const isElementwiseOp = (
  rewriter: Rewriter,
  operation: DraftOperation,
  { indexingMaps, iteratorTypes, inputs }: StructuredOp,
): boolean => {
  const body = operation.regions[0]?.blocks[0];
  return (
    body !== undefined &&
    iteratorTypes.every((type) => type === 'parallel') &&
    indexingMaps.every((map, i) =>
      i < inputs.length ? isProjectedPermutation(map, { allowZero: true }) : isPermutation(map),
    ) &&
    body.operations.every(
      (inner) => isElementwise(rewriter, inner, body) || extract.is(inner) || apply.is(inner),
    )
  );
};

const scalableOps = new Set([
  'linalg.matmul',
  'linalg.matmul_transpose_a',
  'linalg.depthwise_conv_1d_nwc_wc',
]);

/** The last parallel dimension is scalable, or the last two. */
const isScalableAsUpstream = (
  rewriter: Rewriter,
  operation: DraftOperation,
  view: StructuredOp,
  { scalableSizes = [] }: VectorizeOptions,
): boolean => {
  const { iteratorTypes } = view;
  const count = scalableSizes.filter(Boolean).length;
  if (count === 0) return true;
  const last = scalableSizes.lastIndexOf(true);
  if (count > 2 || iteratorTypes[last] === 'reduction') return false;
  if (iteratorTypes.some((type, i) => i > last && type === 'parallel')) return false;
  if (count === 2 && (scalableSizes[last - 1] !== true || iteratorTypes[last - 1] !== 'parallel'))
    return false;
  return scalableOps.has(operation.name) || isElementwiseOp(rewriter, operation, view);
};

/** Whether the body is elementwise, or reduces with a single combiner per output. */
const isOnElements = (
  rewriter: Rewriter,
  view: StructuredOp,
  body: DraftBlock,
  options: VectorizeOptions,
): boolean =>
  (!isMasked(view, options) || body.operations.every((inner) => mayRunBeyond(rewriter, inner, body))) &&
  view.indexingMaps.every((map, i) => isProjectedPermutation(map, { allowZero: i < view.inputs.length })) &&
  body.operations.every(
    (inner) =>
      isElementwise(rewriter, inner, body) ||
      apply.is(inner) ||
      (extract.is(inner) && (options.vectorizeNdExtract === true || inner.operands.length === 2)),
  ) &&
  view.indexingMaps.slice(view.inputs.length).every((map, position) => {
    if (isPermutation(map)) return true;
    const argument = view.inputs.length + position;
    const combiner = reductionCombiner(rewriter, body, argument, position);
    // A `vector.multi_reduction` sums up along all reductions, and along these alone.
    const isSum = view.iteratorTypes.every(
      (type, i) => (type === 'reduction') !== map.results.some((result) => isFunctionOfDim(result, i)),
    );
    return isSum && combiner !== undefined && combiningKindOf(combiner) !== undefined;
  });

/** Whether vectors may be longer than there are iterations. */
const isMasked = (
  { loopRanges }: StructuredOp,
  { vectorSizes = [], scalableSizes = [] }: VectorizeOptions,
): boolean => vectorSizes.some((size, i) => size !== loopRanges[i]) || scalableSizes.includes(true);

/**
 * Whether an operation is defined for the zeros that are beyond the iterations, and for what is computed of them.
 * Elements of tensors are read under the mask.
 */
const mayRunBeyond = (rewriter: Rewriter, inner: DraftOperation, body: DraftBlock): boolean =>
  (extract.is(inner) || isSpeculatable(rewriter, inner)) &&
  (!['arith.fptosi', 'arith.fptoui'].includes(inner.name) ||
    body.arguments.some(({ id }) => id === inner.operands[0]?.id));

const isElementwise = (rewriter: Rewriter, inner: DraftOperation, body: DraftBlock): boolean => {
  const types = [...inner.operands, ...inner.results].map(({ type }) => type);
  return (
    types.every(({ kind }) => ['integer', 'float', 'index'].includes(kind)) &&
    (inner === body.last ||
      indexOp.is(inner) ||
      inner.name === 'arith.constant' ||
      hasTrait(rewriter.registry, inner, 'elementwise'))
  );
};
