/**
 * Lowers scans to a combination per slice along their dimension: upstream's `populateVectorScanLoweringPatterns`.
 *
 * @deviation Leaves scans of scalable vectors, of which upstream creates slices of fixed vectors.
 */
import { onOp } from '@sconv/canonicalization/matching';
import { createCombination } from '@sconv/dialects';
import { broadcast, extractStridedSlice, insertStridedSlice, scan, shapeCast } from '@sconv/dialects/vector';
import type { RewritePattern, Rewriter, Value, VectorType } from '@sconv/ir';
import { builder, vectorType } from '@sconv/ir';
import { createZeros, partOf } from './vector-parts.ts';

/** The value in another shape of as many elements; vectors without dimensions are no operands of shape casts. */
const reshaped = (rewriter: Rewriter, value: Value<VectorType>, type: VectorType): Value<VectorType> => {
  const b = builder(rewriter);
  if (value.type.shape.length === 0) return b(broadcast, { source: value }, { resultTypes: [type] });
  if (type.shape.length === 0)
    return b(broadcast, { source: partOf(rewriter, value, [0]) }, { resultTypes: [type] });
  return b(shapeCast, { source: value }, { resultTypes: [type] });
};

const lowerScan = onOp(scan, 'lower-scan', (rewriter, operation) => {
  const { source, initial_value: initial } = scan.operands(operation);
  const { kind, reductionDim, inclusive } = scan.attributes(operation);
  const { type } = source;
  if (type.scalable.includes(true)) return;
  const b = builder(rewriter);
  const sizes = type.shape.map((size, i) => (i === reductionDim ? 1 : size));
  const strides = type.shape.map(() => 1);
  const sliceType = vectorType(sizes, type.elementType);
  let all = createZeros(rewriter, type);
  let last: { readonly input: Value; readonly output: Value<VectorType> } | undefined;
  for (let at = 0; at < type.shape[reductionDim]!; at++) {
    const offsets = type.shape.map((_, i) => (i === reductionDim ? at : 0));
    const input: Value<VectorType> = b(
      extractStridedSlice,
      { vector: source, offsets, sizes, strides },
      { resultTypes: [sliceType] },
    );
    const output =
      last === undefined
        ? inclusive
          ? input
          : reshaped(rewriter, initial, sliceType)
        : createCombination(rewriter, kind, last.output, inclusive ? input : last.input);
    if (output === undefined) return;
    last = { input, output: output as Value<VectorType> };
    all = b(
      insertStridedSlice,
      { source: last.output, dest: all, offsets, strides },
      { resultTypes: [type] },
    );
  }
  if (last === undefined) return;
  rewriter.replaceOperation(operation, [all, reshaped(rewriter, last.output, initial.type)]);
});

export const scanPatterns: readonly RewritePattern[] = [lowerScan];
