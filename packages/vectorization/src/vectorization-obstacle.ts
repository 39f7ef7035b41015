/** Why an op cannot be vectorized: its sizes, maps or body, as upstream's `vectorizeOpPrecondition`. */
import type { AffineMap } from '@sconv/affine';
import { isFunctionOfDim, isPermutation, isProjectedPermutation } from '@sconv/affine';
import { isSpeculatable, reductionCombiner } from '@sconv/dialects';
import { apply } from '@sconv/dialects/affine';
import type { StructuredOp } from '@sconv/dialects/linalg';
import { index as indexOp, isConvolutionLike } from '@sconv/dialects/linalg';
import { extract } from '@sconv/dialects/tensor';
import { combiningKindOf } from '@sconv/dialects/vector';
import type { DraftBlock, DraftOperation, Rewriter } from '@sconv/ir';
import { DYNAMIC, hasTrait, isShaped } from '@sconv/ir';
import type { VectorizeOptions } from './vectorize-op.ts';

/** What is wrong with the sizes of an op or of its vectors, if anything. */
export const sizesObstacle = (
  rewriter: Rewriter,
  operation: DraftOperation,
  view: StructuredOp,
  options: VectorizeOptions,
): string | undefined => {
  const { loopRanges, inputs, outputs } = view;
  const types = [...inputs, ...outputs].map(({ type }) => ('shape' in type ? type.shape : []));
  const isDynamic = types.some((shape) => shape.includes(DYNAMIC));
  if (outputs.length === 0) return 'it has no outputs';
  if (loopRanges.includes(0) || types.some((shape) => shape.includes(0))) return 'an extent is 0';
  const wrong = wrongSizes(operation, view, options);
  if (wrong !== undefined) return wrong;
  if (!isScalableAsUpstream(rewriter, operation, view, options)) return 'these sizes may not be scalable';
  return isDynamic && !mayBeDynamic(rewriter, operation, view)
    ? `'${operation.name}' is not vectorized with dynamic extents`
    : undefined;
};

/**
 * Why vectors are not long enough, if they are not.
 * @deviation Each operand's sizes are looked at: upstream takes those of the first that has a dimension, and computes
 * only a part where that one is dynamic and another is static and larger.
 */
const wrongSizes = (
  operation: DraftOperation,
  { loopRanges, indexingMaps, inputs, outputs }: StructuredOp,
  { vectorSizes = [] }: VectorizeOptions,
): string | undefined => {
  const extents = `[${loopRanges.map((range) => (range === DYNAMIC ? '?' : range)).join(', ')}]`;
  if (vectorSizes.length === 0) {
    return isConvolutionLike(operation) || !loopRanges.includes(DYNAMIC)
      ? undefined
      : `the extents ${extents} are dynamic: give vector_sizes, or choose tile sizes that divide`;
  }
  const { length } = vectorSizes;
  if (length !== loopRanges.length)
    return `${length} vector sizes are given for ${loopRanges.length} dimensions`;
  const areLongEnough =
    vectorSizes.every((size, i) => size > 0 && size >= loopRanges[i]!) &&
    [...inputs, ...outputs].every(({ type }, i) =>
      indexingMaps[i]!.results.every(
        (result, position) =>
          !isShaped(type) || result.kind !== 'dim' || type.shape[position]! <= vectorSizes[result.position]!,
      ),
    );
  return areLongEnough
    ? undefined
    : `the vector sizes [${vectorSizes.join(', ')}] do not cover the extents ${extents}: tile to these sizes first`;
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

/** What is no op on elements, and no reduction with a single combiner, in an op's maps and body, if anything. */
export const bodyObstacle = (
  rewriter: Rewriter,
  view: StructuredOp,
  body: DraftBlock,
  options: VectorizeOptions,
): string | undefined => {
  if (
    !view.indexingMaps.every((map, i) => isProjectedPermutation(map, { allowZero: i < view.inputs.length }))
  )
    return 'an indexing map is no projected permutation';
  const odd =
    body.operations.find(
      (inner) =>
        !isElementwise(rewriter, inner, body) &&
        !apply.is(inner) &&
        !(extract.is(inner) && (options.vectorizeNdExtract === true || inner.operands.length === 2)),
    ) ??
    (isMasked(view, options)
      ? body.operations.find((inner) => !mayRunBeyond(rewriter, inner, body))
      : undefined);
  if (odd !== undefined) return `its body has '${odd.name}'`;
  return view.indexingMaps
    .slice(view.inputs.length)
    .every((map, position) => isCombined(rewriter, view, body, map, position))
    ? undefined
    : 'an output is not reduced by a single combiner along all reductions';
};

/** Whether an output is written once for each iteration, or by a reduction that vectors have. */
const isCombined = (
  rewriter: Rewriter,
  { inputs, iteratorTypes }: StructuredOp,
  body: DraftBlock,
  map: AffineMap,
  position: number,
): boolean => {
  if (isPermutation(map)) return true;
  const combiner = reductionCombiner(rewriter, body, inputs.length + position, position);
  // A `vector.multi_reduction` sums up along all reductions, and along these alone.
  const isSum = iteratorTypes.every(
    (type, i) => (type === 'reduction') !== map.results.some((result) => isFunctionOfDim(result, i)),
  );
  return isSum && combiner !== undefined && combiningKindOf(combiner) !== undefined;
};

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
