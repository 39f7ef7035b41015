/**
 * Sums of vectors as their definition has them, one term after the other, each rounded: LLVM's conversions keep more
 * digits between the terms if the type has an instruction with more, and our own lowering of bf16 would, with f32.
 *
 *     vector.multi_reduction <add>, %v, %acc [1]      %0 = vector.shuffle %flat, %flat [0, 2]
 *       : vector<2x2xbf16> to vector<2xbf16>       →  %1 = arith.addf %0, %acc
 *                                                     %2 = vector.shuffle %flat, %flat [1, 3]
 *                                                     %3 = arith.addf %2, %1
 */
import { createCombination, elementTypeOf } from '@sconv/dialects';
import { mulf } from '@sconv/dialects/arith';
import { rowMajorStrides } from '@sconv/dialects/memref';
import type { CombiningKind } from '@sconv/dialects/vector';
import {
  broadcast,
  contract,
  contractionSizes,
  extract,
  isMasked,
  multiReduction,
  outerproduct,
  reduction,
  shapeCast,
  shuffle,
} from '@sconv/dialects/vector';
import type { DraftOperation, Rewriter, Value, VectorType } from '@sconv/ir';
import { builder, elementCount, typeEquals, vectorType } from '@sconv/ir';
import { positionsIn } from './positions-in.ts';

/** A sum over iterations in row-major order. */
interface Sum {
  readonly sizes: readonly number[];
  /** What is multiplied: a value, and the iteration dimension of each of its dimensions. */
  readonly factors: readonly (readonly [Value, readonly number[]])[];
  readonly acc: Value | undefined;
  /** The iteration dimension of each dimension of the result. */
  readonly kept: readonly number[];
  readonly kind: CombiningKind;
}

/** More terms than these would be too much code. */
const mostTerms = 4096;

/** Whether an operation adds up floats of one type, or combines them otherwise. */
export const isSum = (operation: DraftOperation): boolean => sumOf(operation) !== undefined;

/** Lowers such an operation; false if it is masked, by the operation around it, scalable, or has too many terms. */
export const sumInSteps = (rewriter: Rewriter, operation: DraftOperation): boolean => {
  const { sizes, factors, acc, kept, kind } = sumOf(operation)!;
  const [result] = operation.results as [Value];
  const types = [...operation.operands, result].map(({ type }) => type);
  const isScalable = types.some((type) => type.kind === 'vector' && type.scalable.includes(true));
  if (isMasked(operation) || isScalable || elementCount(sizes) > mostTerms) return false;
  rewriter.setInsertionPointBefore(operation);
  const b = builder(rewriter);
  const positions = positionsIn(sizes);
  const placesIn = (dimensions: readonly number[]): readonly number[] => {
    const strides = rowMajorStrides(dimensions.map((each) => sizes[each]!));
    return positions.map((position) =>
      dimensions.reduce((at, dimension, i) => at + position[dimension]! * strides[i]!, 0),
    );
  };
  // 1. By step, the term of each element of the result.
  const steps: number[][] = [];
  const counts: number[] = [];
  placesIn(kept).forEach((at, term) => {
    const count = (counts[at] = (counts[at] ?? 0) + 1);
    (steps[count - 1] ??= [])[at] = term;
  });
  // 2. The steps.
  const gathered = factors.map(([value, dimensions]) => ({
    flat: flattened(rewriter, value),
    places: placesIn(dimensions),
  }));
  let sum: Value | undefined = acc && flattened(rewriter, acc);
  for (const terms of steps) {
    const term = gathered
      .map(({ flat, places }): Value =>
        b(shuffle, { v1: flat, v2: flat, mask: terms.map((each) => places[each]!) }),
      )
      .reduce((lhs, rhs) => b(mulf, { lhs, rhs }));
    sum = sum === undefined ? term : createCombination(rewriter, kind, term, sum)!;
  }
  // 3. The result in its shape.
  const { type } = result;
  const isFlat = type.kind === 'vector' && type.shape.length === 1;
  const source = sum as Value<VectorType>;
  if (isFlat) rewriter.replaceOperation(operation, [source]);
  else if (type.kind === 'vector')
    rewriter.replaceOperation(operation, [b(shapeCast, { source }, { resultTypes: [type] })]);
  else rewriter.replaceOperation(operation, [b(extract, { vector: source, staticPosition: [0] })]);
  return true;
};

const sumOf = (operation: DraftOperation): Sum | undefined => {
  const [result] = operation.results;
  if (result === undefined || elementTypeOf(result.type).kind !== 'float') return undefined;
  if (reduction.is(operation)) {
    const { vector, acc } = reduction.operands(operation);
    const { kind } = reduction.attributes(operation);
    const all = [...vector.type.shape.keys()];
    return { sizes: vector.type.shape, factors: [[vector, all]], acc, kept: [], kind };
  }
  if (multiReduction.is(operation)) {
    const { source, acc } = multiReduction.operands(operation);
    const { kind, reductionDims } = multiReduction.attributes(operation);
    const all = [...source.type.shape.keys()];
    const kept = all.filter((each) => !reductionDims.includes(each));
    return { sizes: source.type.shape, factors: [[source, all]], acc, kept, kind };
  }
  if (outerproduct.is(operation)) {
    const { lhs, rhs, acc } = outerproduct.operands(operation);
    const { kind } = outerproduct.attributes(operation);
    const { shape: sizes } = result.type as VectorType;
    const columns = rhs.type.kind === 'vector' ? [1] : [];
    return { sizes, factors: [[lhs, [0]], [rhs, columns]], acc, kept: [...sizes.keys()], kind }; // prettier-ignore
  }
  if (!contract.is(operation)) return undefined;
  const { lhs, rhs, acc } = contract.operands(operation);
  const { indexingMaps, iteratorTypes, kind } = contract.attributes(operation);
  const isMixed = [lhs, rhs].some(({ type }) => !typeEquals(elementTypeOf(type), elementTypeOf(result.type)));
  const sizes = contractionSizes([lhs.type, rhs.type], indexingMaps, iteratorTypes.length);
  const [left, right, kept] = indexingMaps.map((map) =>
    map.results.flatMap((each) => (each.kind === 'dim' ? [each.position] : [])),
  );
  if (isMixed || left === undefined || right === undefined || kept === undefined) return undefined;
  const factors = [
    [lhs, left],
    [rhs, right],
  ] as const;
  return { sizes: sizes.map((each) => each?.size ?? 1), factors, acc, kept, kind };
};

/** A vector of one dimension, of the elements of a vector or of one. */
const flattened = (rewriter: Rewriter, value: Value): Value<VectorType> => {
  const b = builder(rewriter);
  const { type } = value;
  if (type.kind !== 'vector')
    return b(broadcast, { source: value }, { resultTypes: [vectorType([1], type)] });
  const source = value as Value<VectorType>;
  if (type.shape.length <= 1) return source;
  return b(
    shapeCast,
    { source },
    { resultTypes: [vectorType([elementCount(type.shape)], type.elementType)] },
  );
};
