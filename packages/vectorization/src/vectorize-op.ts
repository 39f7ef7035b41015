/**
 * Vectorization, as `linalg::vectorize`: structured ops, tensor padding and packing, and one-dimensional
 * convolutions.
 */
import type { Diagnosed, Failed } from '@sconv/diagnostics';
import { silenceableError, success } from '@sconv/diagnostics';
import { expandMap } from '@sconv/canonicalization/matching';
import { apply } from '@sconv/dialects/affine';
import { isConvolutionLike, structured } from '@sconv/dialects/linalg';
import { pack, pad, unpack } from '@sconv/dialects/tensor';
import type { DraftOperation, Rewriter } from '@sconv/ir';
import { Vectorizer } from './structured-vectorizer.ts';
import { bodyObstacle, sizesObstacle } from './vectorization-obstacle.ts';
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
  const failed = (reason: string): Failed =>
    silenceableError('vectorize/failed', `Attempted to vectorize, but failed: ${reason}`, operation);
  if ([pad, pack, unpack].some((definition) => definition.is(operation))) {
    const done = !scalableSizes.includes(true) && vectorizeTensorOp(rewriter, operation, vectorSizes);
    return done
      ? success(undefined)
      : failed(`this '${operation.name}' has no form in vectors of these sizes`);
  }
  const view = structured(rewriter.registry, operation);
  const body = operation.regions[0]?.blocks[0];
  if (view === undefined || body === undefined)
    return silenceableError('vectorize/unsupported', 'Unsupported Op, cannot vectorize', operation);
  const obstacle = sizesObstacle(rewriter, operation, view, options);
  if (obstacle !== undefined) return failed(obstacle);
  if (isConvolutionLike(operation)) {
    const flatten = options.flattenDepthwise ?? false;
    const done = vectorizeConvolution(rewriter, operation, view, { vectorSizes, scalableSizes, flatten });
    return done
      ? success(undefined)
      : failed('only convolutions of one dimension and of known extents have a form in vectors');
  }
  const odd = bodyObstacle(rewriter, view, body, options);
  if (odd !== undefined) return failed(odd);
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
