/**
 * Lowers multi-dimensional reductions to two-dimensional ones, and these to elementwise combinations of rows or to
 * reductions of each row: upstream's `populateVectorMultiReductionLoweringPatterns`.
 */
import { onOp } from '@sconv/canonicalization/matching';
import { createCombination, createIndex } from '@sconv/dialects';
import {
  broadcast,
  insertelement,
  maskAround,
  multiReduction,
  reduction,
  shapeCast,
} from '@sconv/dialects/vector';
import type { DraftOperation, RewritePattern, Rewriter, Type, Value, VectorType } from '@sconv/ir';
import { builder, elementCount, i1, vectorType } from '@sconv/ir';
import { createMasked } from './masking.ts';
import { transposed } from './transposed.ts';
import { createZeros, partOf } from './vector-parts.ts';

/** Whether the reduced dimensions become the leading or the trailing ones. */
export type MultiReductionStrategy = 'innerparallel' | 'innerreduction';

interface Reduction {
  readonly source: Value<VectorType>;
  readonly acc: Value;
  readonly kind: ReturnType<typeof multiReduction.attributes>['kind'];
  readonly reduced: readonly number[];
  readonly parallel: readonly number[];
  /** The operation, or the `vector.mask` around it. */
  readonly root: DraftOperation;
  readonly mask: Value<VectorType> | undefined;
}

/** A pattern that replaces the root by what `make` creates before it. */
const onReduction = (
  name: string,
  make: (rewriter: Rewriter, reduction: Reduction) => Value | undefined,
): RewritePattern =>
  onOp(multiReduction, name, (rewriter, operation) => {
    const { source, acc } = multiReduction.operands(operation);
    const { kind, reductionDims: reduced } = multiReduction.attributes(operation);
    const parallel = source.type.shape.flatMap((_, i) => (reduced.includes(i) ? [] : [i]));
    const root = maskAround(operation) ?? operation;
    const mask = root === operation ? undefined : (root.operands[0] as Value<VectorType>);
    const made = rewriter.scoped(() => {
      rewriter.setInsertionPointBefore(root);
      return make(rewriter, { source, acc, kind, reduced, parallel, root, mask });
    });
    if (made !== undefined) rewriter.replaceOperation(root, [made]);
  });

const reducedAlong = (
  rewriter: Rewriter,
  source: Value<VectorType>,
  acc: Value,
  kind: Reduction['kind'],
  reductionDims: readonly number[],
  mask: Value | undefined,
): Value => {
  const [result] = createMasked(rewriter, mask, [acc.type], (b) => [
    b(multiReduction, { source, acc, kind, reductionDims }, { resultTypes: [acc.type] }),
  ]);
  return result!;
};

const count = (from: number, length: number): readonly number[] => Array.from({ length }, (_, i) => from + i);

/** Moves the reduced dimensions to the end, or to the front. */
const inOrder = (strategy: MultiReductionStrategy): RewritePattern =>
  onReduction('reduction-in-order', (rewriter, { source, acc, kind, reduced, parallel, mask }) => {
    const isInner = strategy === 'innerreduction';
    const start = isInner ? 0 : reduced.length;
    if (parallel.length === 0 || parallel.every((position, i) => position === start + i)) return undefined;
    const permutation = isInner ? [...parallel, ...reduced] : [...reduced, ...parallel];
    const chosen = mask && transposed(rewriter, mask, permutation);
    const dims = count(isInner ? parallel.length : 0, reduced.length);
    return reducedAlong(rewriter, transposed(rewriter, source, permutation), acc, kind, dims, chosen);
  });

/** Collapses the dimensions of either kind into one. */
const ofTwoDimensions = (strategy: MultiReductionStrategy): RewritePattern =>
  onReduction('reduction-of-two-dimensions', (rewriter, { source, acc, kind, reduced, parallel, mask }) => {
    const { shape, elementType, scalable } = source.type;
    const isInner = strategy === 'innerreduction';
    const start = isInner ? 0 : reduced.length;
    if (shape.length < 2 || scalable.filter(Boolean).length > 1) return undefined;
    if (shape.length === 2 && reduced.length === 1) return undefined;
    if (parallel.some((position, i) => position !== start + i)) return undefined;
    const groups = [
      { dims: parallel, isReduced: false },
      { dims: reduced, isReduced: true },
    ].filter(({ dims }) => dims.length > 0);
    if (!isInner) groups.reverse();
    const sizes = groups.map(({ dims }) => elementCount(dims.map((i) => shape[i]!)));
    const flags = groups.map(({ dims }) => dims.some((i) => scalable[i] === true));
    const b = builder(rewriter);
    const cast = (value: Value, type: VectorType): Value<VectorType> =>
      b(shapeCast, { source: value }, { resultTypes: [type] });
    const chosen = mask && cast(mask, vectorType(sizes, i1, flags));
    const flat = cast(source, vectorType(sizes, elementType, flags));
    const own = parallel.map((i) => scalable[i]!);
    const sizesOfAcc = parallel.map((i) => shape[i]!);
    const onto =
      parallel.length === 0
        ? acc
        : cast(acc, vectorType([elementCount(sizesOfAcc)], elementType, [own.includes(true)]));
    const dims = groups.flatMap(({ isReduced }, i) => (isReduced ? [i] : []));
    const result = reducedAlong(rewriter, flat, onto, kind, dims, chosen);
    return parallel.length === 0 ? result : cast(result, vectorType(sizesOfAcc, elementType, own));
  });

/** A row as a one-row matrix. */
const rowAsMatrix = onReduction('reduction-of-a-row', (rewriter, { source, acc, kind, reduced, mask }) => {
  const { shape, elementType, scalable } = source.type;
  if (shape.length !== 1 || reduced.length !== 1) return undefined;
  const b = builder(rewriter);
  const wide = (element: Type): VectorType => vectorType([1, shape[0]!], element, [false, scalable[0]!]);
  const matrix: Value = b(shapeCast, { source }, { resultTypes: [wide(elementType)] });
  const onto: Value = b(broadcast, { source: acc }, { resultTypes: [vectorType([1], elementType)] });
  const chosen: Value | undefined = mask && b(broadcast, { source: mask }, { resultTypes: [wide(i1)] });
  const result = reducedAlong(rewriter, matrix as Value<VectorType>, onto, kind, [1], chosen);
  return partOf(rewriter, result, [0]);
});

/** Combines the rows of a matrix elementwise. */
const rowsCombined = onReduction('reduction-of-rows', (rewriter, { source, acc, kind, reduced, mask }) => {
  const { shape, scalable } = source.type;
  if (mask !== undefined || shape.length !== 2 || String(reduced) !== '0' || scalable[0] === true)
    return undefined;
  return count(0, shape[0]!).reduce<Value | undefined>(
    (sum, row) => sum && createCombination(rewriter, kind, partOf(rewriter, source, [row]), sum),
    acc,
  );
});

/** Reduces each row of a matrix. */
const inRows = onReduction('reduction-in-rows', (rewriter, { source, acc, kind, reduced, mask }) => {
  const { shape, scalable } = source.type;
  if (shape.length !== 2 || String(reduced) !== '1' || scalable[0] === true) return undefined;
  let result = createZeros(rewriter, acc.type as VectorType);
  for (const row of count(0, shape[0]!)) {
    const vector = partOf(rewriter, source, [row]);
    const own = partOf(rewriter, acc, [row]);
    const chosen = mask && partOf(rewriter, mask, [row]);
    const [sum] = createMasked(rewriter, chosen, [own.type], (b) => [
      b(reduction, { vector, acc: own, kind }, { resultTypes: [own.type] }),
    ]);
    const position = createIndex(rewriter, row);
    const dest: Value<VectorType> = result;
    result = builder(rewriter)(insertelement, { source: sum!, dest, position }, { resultTypes: [dest.type] });
  }
  return result;
});

export const multiReductionPatterns = (strategy: MultiReductionStrategy): readonly RewritePattern[] => [
  inOrder(strategy),
  ofTwoDimensions(strategy),
  rowAsMatrix,
  strategy === 'innerreduction' ? inRows : rowsCombined,
];
