/** Unrolls a contraction along a dimension. */
import type { AffineMap } from '@sconv/affine';
import { dim, makeMap } from '@sconv/affine';
import { elementTypeOf } from '@sconv/dialects';
import { contract, reduction } from '@sconv/dialects/vector';
import type { Rewriter, Value, VectorType } from '@sconv/ir';
import { typeEquals, vectorType } from '@sconv/ir';
import type { Contraction, Lower } from './contraction.ts';
import { multiply, placeOf, positionOf } from './contraction.ts';
import { createMasked } from './masking.ts';
import { createZeros, partOf, withPart } from './vector-parts.ts';

/** A map without one iteration dimension. */
const withoutDimension = (map: AffineMap, position: number): AffineMap =>
  makeMap(
    map.numDims - 1,
    0,
    map.results.flatMap((_, i) => {
      const own = positionOf(map, i);
      return own === position ? [] : [dim(own < position ? own : own - 1)];
    }),
  );

/** Whether slicing a dimension is possible: it and all dimensions before it have static sizes. */
const canSlice = (value: Value | undefined, dimension: number): boolean =>
  value?.type.kind !== 'vector' || !value.type.scalable.slice(0, dimension + 1).includes(true);

/** The slice of a vector at `position` of one dimension; the vector itself if it lacks the dimension. */
const sliceAt = (rewriter: Rewriter, vector: Value, dimension: number, position: number): Value => {
  if (dimension < 0) return vector;
  if (dimension === 0) return partOf(rewriter, vector, [position]);
  const type = vector.type as VectorType;
  const without = <T>(list: readonly T[]): readonly T[] => list.toSpliced(dimension, 1);
  let result = createZeros(
    rewriter,
    vectorType(without(type.shape), type.elementType, without(type.scalable)),
  );
  for (let i = 0; i < type.shape[0]!; i++) {
    const part = sliceAt(rewriter, partOf(rewriter, vector, [i]), dimension - 1, position);
    result = withPart(rewriter, part, result, [i]);
  }
  return result;
};

/** A vector with its slice at `position` of one dimension replaced. */
const withSlice = (
  rewriter: Rewriter,
  slice: Value,
  vector: Value,
  dimension: number,
  position: number,
): Value => {
  if (dimension < 0) return slice;
  if (dimension === 0) return withPart(rewriter, slice, vector, [position]);
  const rows = Array.from({ length: (vector.type as VectorType).shape[0]! }, (_, i) => i);
  return rows.reduce<Value>((result, i) => {
    const own = partOf(rewriter, result, [i]);
    const part = partOf(rewriter, slice, [i]);
    return withPart(rewriter, withSlice(rewriter, part, own, dimension - 1, position), result, [i]);
  }, vector);
};

const low = (
  rewriter: Rewriter,
  { maps, iterators }: Contraction,
  position: number,
  operands: {
    readonly lhs: Value;
    readonly rhs: Value;
    readonly acc: Value;
    readonly mask: Value | undefined;
  },
): Value => {
  const { mask, ...factors } = operands;
  const [made] = createMasked(rewriter, mask, [factors.acc.type], (b) => [
    b(
      contract,
      {
        ...factors,
        indexingMaps: maps.map((map) => withoutDimension(map, position)),
        iteratorTypes: iterators.toSpliced(position, 1),
        kind: 'add',
      },
      { resultTypes: [factors.acc.type] },
    ),
  ]);
  return made!;
};

/** Unrolls a parallel dimension. */
const unrollParallel = (
  rewriter: Rewriter,
  contraction: Contraction,
  position: number,
): Value | undefined => {
  const { lhs, rhs, acc, maps, mask } = contraction;
  const [left, right, own] = maps.map((map) => placeOf(map, position)) as [number, number, number];
  const size = left >= 0 ? lhs.type.shape[left]! : rhs.type.shape[right]!;
  const places = [
    [lhs, left],
    [rhs, right],
    [acc, own],
    [mask, position],
  ] as const;
  if (!places.every(([value, at]) => canSlice(value, at)) || (own < 0 && size !== 1)) return undefined;
  let result = acc.type.kind === 'vector' ? createZeros(rewriter, acc.type) : acc;
  for (let i = 0; i < size; i++) {
    const part = low(rewriter, contraction, position, {
      lhs: sliceAt(rewriter, lhs, left, i),
      rhs: sliceAt(rewriter, rhs, right, i),
      acc: sliceAt(rewriter, acc, own, i),
      mask: mask && sliceAt(rewriter, mask, position, i),
    });
    result = withSlice(rewriter, part, result, own, i);
  }
  return result;
};

/** Only for sums of products, into a scalar. */
const unrollReduction = (rewriter: Rewriter, contraction: Contraction): Value | undefined => {
  const { lhs, rhs, acc, maps, mask } = contraction;
  const [left, right] = maps.map((map) => placeOf(map, 0)) as [number, number];
  if (acc.type.kind === 'vector' || left < 0 || right < 0) return undefined;
  if (lhs.type.shape.length > 1 && !(canSlice(lhs, left) && canSlice(rhs, right))) return undefined;
  if (lhs.type.shape.length === 1) {
    const vector = multiply(rewriter, lhs, rhs);
    const [sum] = createMasked(rewriter, mask, [acc.type], (b) => [
      b(reduction, { vector, acc, kind: 'add' }, { resultTypes: [acc.type] }),
    ]);
    return sum;
  }
  let sum: Value = acc;
  for (let i = 0; i < lhs.type.shape[left]!; i++) {
    const [a, c] = [sliceAt(rewriter, lhs, left, i), sliceAt(rewriter, rhs, right, i)];
    const own = mask && sliceAt(rewriter, mask, 0, i);
    sum = low(rewriter, contraction, 0, { lhs: a, rhs: c, acc: sum, mask: own });
  }
  return sum;
};

/** First the batch dimension, then those of the result, finally the reduced ones. */
export const unrollContraction: Lower = (rewriter, contraction) => {
  const { maps, iterators, kind, lhs, rhs, acc } = contraction;
  const element = elementTypeOf(acc.type);
  if (kind !== 'add' || ![lhs, rhs].every((each) => typeEquals(each.type.elementType, element)))
    return undefined;
  const [left, right] = maps;
  const isIn = (map: AffineMap | undefined, position: number): boolean => placeOf(map, position) >= 0;
  const batch = iterators.findIndex(
    (type, position) => type === 'parallel' && maps.every((map) => isIn(map, position)),
  );
  if (batch >= 0) return unrollParallel(rewriter, contraction, batch);
  const isContracted = (position: number): boolean =>
    iterators[position] === 'reduction' && isIn(left, position) && isIn(right, position);
  for (const map of [left, right]) {
    const own = map?.results.findIndex((_, i) => !isContracted(positionOf(map, i))) ?? -1;
    if (own >= 0) return unrollParallel(rewriter, contraction, positionOf(map, own));
  }
  return unrollReduction(rewriter, contraction);
};
