/** Rewrites structured ops to take one input transposed. */
import type { Diagnosed } from '@sconv/diagnostics';
import { failedWhenApplied, success, wrongOpKind } from '@sconv/diagnostics';
import {
  createDim,
  createEmpty,
  createNamed,
  createSizes,
  createTranspose,
  isBufferValue,
  isTensorValue,
} from '@sconv/dialects';
import {
  batchMatmul,
  batchMatmulTransposeA,
  batchMatmulTransposeB,
  conv2dNhwcFhwc,
  conv2dNhwcFhwcQ,
  conv2dNhwcHwcf,
  conv2dNhwcHwcfQ,
  matmul,
  matmulTransposeA,
  matmulTransposeB,
} from '@sconv/dialects/linalg';
import { alloc } from '@sconv/dialects/memref';
import type { DraftOperation, MemRefType, Rewriter, TensorType, Value } from '@sconv/ir';
import { DYNAMIC, memrefType } from '@sconv/ir';

/** A new tensor whose dimension `i` is dimension `permutation[i]` of `source`. */
const transposed = (rewriter: Rewriter, source: Value<TensorType>, permutation: readonly number[]): Value => {
  const sizes = createSizes(rewriter, source);
  const ordered = permutation.map((position) => sizes[position]!);
  const init = createEmpty(rewriter, ordered, source.type.elementType);
  return createTranspose(rewriter, source, init, permutation).results[0]!;
};

/** A new buffer with the transpose of another; never freed, as in upstream. */
const transposedBuffer = (
  rewriter: Rewriter,
  memref: Value<MemRefType>,
  permutation: readonly number[],
): Value => {
  const { shape, elementType, memorySpace } = memref.type;
  const dynamicSizes = permutation
    .filter((position) => shape[position] === DYNAMIC)
    .map((position) => createDim(rewriter, memref, position));
  const type = memrefType(
    permutation.map((position) => shape[position]!),
    elementType,
    undefined,
    memorySpace,
  );
  const init = rewriter.createValue(alloc.state({ operands: { dynamicSizes }, resultTypes: [type] }));
  createTranspose(rewriter, memref, init, permutation);
  return init;
};

const convolutions = [
  { from: conv2dNhwcFhwc, to: conv2dNhwcHwcf },
  { from: conv2dNhwcFhwcQ, to: conv2dNhwcHwcfQ },
];

/**
 * Rewrites a `linalg.conv_2d_nhwc_fhwc`, or the quantized one, to `…_hwcf` with transposed filters (upstream's
 * `transposeConv2D`).
 */
export const transposeConv2dOp = (
  rewriter: Rewriter,
  operation: DraftOperation,
): Diagnosed<DraftOperation> => {
  const [input, filter, ...others] = operation.operands;
  const found = convolutions.find(({ from }) => from.is(operation));
  if (found === undefined || filter === undefined || !(isTensorValue(filter) || isBufferValue(filter))) {
    return failedWhenApplied(
      'transpose-conv2d/target',
      'transform.structured.transpose_conv2d failed to apply: expected conv_2d_nhwc_fhwc',
      operation,
    );
  }
  rewriter.setInsertionPointBefore(operation);
  const order = [1, 2, 3, 0];
  const turned = isTensorValue(filter)
    ? transposed(rewriter, filter, order)
    : transposedBuffer(rewriter, filter, order);
  const created = createNamed(rewriter, operation, found.to, {
    inputs: [input!, turned, ...others.slice(0, -1)],
    outputs: others.slice(-1),
  });
  rewriter.replaceOperation(operation, created.results, [created]);
  return success(created);
};

const products = [
  { from: matmul, lhs: matmulTransposeA, rhs: matmulTransposeB, permutation: [1, 0] },
  { from: batchMatmul, lhs: batchMatmulTransposeA, rhs: batchMatmulTransposeB, permutation: [0, 2, 1] },
];

/** Rewrites a `linalg.matmul` or `linalg.batch_matmul` to take its first or second input transposed. */
export const transposeMatmulOp = (
  rewriter: Rewriter,
  operation: DraftOperation,
  input: 'lhs' | 'rhs' = 'lhs',
): Diagnosed<DraftOperation> => {
  const found = products.find(({ from }) => from.is(operation));
  if (found === undefined) return wrongOpKind('transpose-matmul/target', operation);
  const [a, b, output] = operation.operands;
  const source = input === 'lhs' ? a! : b!;
  if (!isTensorValue(source) || operation.results.length === 0) {
    return failedWhenApplied(
      'transpose-matmul/buffers',
      'transform.structured.transpose_matmul failed to apply: expected operands that are tensors',
      operation,
    );
  }
  rewriter.setInsertionPointBefore(operation);
  const other = transposed(rewriter, source, found.permutation);
  const created = createNamed(rewriter, operation, found[input], {
    inputs: input === 'lhs' ? [other, b!] : [a!, other],
    outputs: [output!],
  });
  rewriter.replaceOperation(operation, created.results, [created]);
  return success(created);
};
