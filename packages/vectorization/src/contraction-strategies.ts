/** Upstream's strategies for matrix and matrix-vector contractions; each returns undefined where it does not apply. */
import type { AffineMap } from '@sconv/affine';
import { elementTypeOf } from '@sconv/dialects';
import { extf, extsi } from '@sconv/dialects/arith';
import { broadcast, matrixMultiply, outerproduct, reduction, shapeCast } from '@sconv/dialects/vector';
import type { Rewriter, Type, Value, VectorType } from '@sconv/ir';
import { builder, typeEquals, vectorType } from '@sconv/ir';
import type { Iterator, Lower, FactorOrder } from './contraction.ts';
import {
  add,
  arranged,
  combined,
  hasCombination,
  isNumber,
  layoutOf,
  multiply,
  placeOf,
  positionOf,
} from './contraction.ts';
import { createMasked } from './masking.ts';
import { transposed } from './transposed.ts';
import { createZeros, partOf, withPart } from './vector-parts.ts';

/** Upstream's names of the strategies. */
export type ContractionStrategy = 'dot' | 'matmulintrinsics' | 'outerproduct' | 'parallelarith';

// --- Outer products ---

const outerPlans: Readonly<Record<string, FactorOrder>> = {
  'mk kn mn': { first: 'lhs', turned: ['lhs'] },
  'mk nk mn': { first: 'lhs', turned: ['lhs', 'rhs'] },
  'km kn mn': { first: 'lhs', turned: [] },
  'km nk mn': { first: 'lhs', turned: ['rhs'] },
  'mk kn nm': { first: 'rhs', turned: ['lhs'] },
  'mk nk nm': { first: 'rhs', turned: ['rhs', 'lhs'] },
  'km kn nm': { first: 'rhs', turned: [] },
  'km nk nm': { first: 'rhs', turned: ['rhs'] },
  'mk k m': { first: 'lhs', turned: ['lhs'] },
  'km k m': { first: 'lhs', turned: [] },
  'k mk m': { first: 'rhs', turned: ['rhs'] },
  'k km m': { first: 'rhs', turned: [] },
};

/** A factor, extended to the element type of the result. */
const promoted = (rewriter: Rewriter, value: Value, elementType: Type): Value => {
  if (typeEquals(elementTypeOf(value.type), elementType)) return value;
  const { type } = value;
  const wide = type.kind === 'vector' ? vectorType(type.shape, elementType, type.scalable) : elementType;
  const options = { resultTypes: [wide] };
  return elementType.kind === 'float'
    ? builder(rewriter)(extf, { in: value }, options)
    : builder(rewriter)(extsi, { in: value }, options);
};

/** The mask with k first, and rows and columns in the order of the result. */
const maskByK = (
  rewriter: Rewriter,
  mask: Value<VectorType>,
  names: string,
  layout: string,
): Value<VectorType> => {
  const order = ['k', ...layout.split(' ')[2]!.split('')].map((letter) => names.indexOf(letter));
  return order.every((position, i) => position === i) ? mask : transposed(rewriter, mask, order);
};

/**
 * @deviation Upstream's mask has another shape if the result is transposed. Its outer products of scalable columns by
 * rows of fixed length are not valid: no outer products here.
 */
const asOuterProducts: Lower = (rewriter, contraction) => {
  const { lhs, acc, maps, iterators, kind, mask } = contraction;
  const { layout, names } = layoutOf(contraction);
  const plan = outerPlans[layout];
  const at = maps[0]?.results.findIndex((_, i) => iterators[positionOf(maps[0], i)] === 'reduction') ?? -1;
  if (plan === undefined || acc.type.kind !== 'vector' || lhs.type.scalable[at] === true) return undefined;
  const [hasScalableRows, hasScalableColumns] = acc.type.scalable;
  if (hasScalableRows === true && hasScalableColumns === false) return undefined;
  const [first, second] = arranged(rewriter, contraction, plan);
  const chosen = mask && maskByK(rewriter, mask, names, layout);
  let sum: Value<VectorType> = acc as Value<VectorType>;
  for (let k = 0; k < lhs.type.shape[at]!; k++) {
    const [left, right] = [partOf(rewriter, first, [k]), partOf(rewriter, second, [k])].map((value) =>
      promoted(rewriter, value, sum.type.elementType),
    );
    const own = chosen && partOf(rewriter, chosen, [k]);
    const [made] = createMasked(rewriter, own, [sum.type], (b) => [
      b(
        outerproduct,
        { lhs: left as Value<VectorType>, rhs: right!, acc: sum, kind },
        { resultTypes: [sum.type] },
      ),
    ]);
    sum = made as Value<VectorType>;
  }
  return sum;
};

// --- Dot products ---

const dotPlans: Readonly<Record<string, FactorOrder>> = {
  'mk kn mn': { first: 'lhs', turned: ['rhs'] },
  'mk nk mn': { first: 'lhs', turned: [] },
  'km kn mn': { first: 'lhs', turned: ['lhs', 'rhs'] },
  'km nk mn': { first: 'lhs', turned: ['lhs'] },
  'mk kn nm': { first: 'rhs', turned: ['rhs'] },
  'mk nk nm': { first: 'rhs', turned: [] },
  'km kn nm': { first: 'rhs', turned: ['rhs', 'lhs'] },
  'km nk nm': { first: 'rhs', turned: ['lhs'] },
  'mk k m': { first: 'lhs', turned: [] },
  'km k m': { first: 'lhs', turned: ['lhs'] },
  'k mk m': { first: 'rhs', turned: [] },
  'k km m': { first: 'rhs', turned: ['rhs'] },
};

/** @deviation Upstream multiplies factors that are narrower than the sum as they are, which is invalid IR. */
const asDotProducts: Lower = (rewriter, contraction) => {
  const { lhs, rhs, acc, iterators, mask, kind } = contraction;
  const plan = iterators[0] === 'parallel' ? dotPlans[layoutOf(contraction).layout] : undefined;
  const { type } = acc;
  if (plan === undefined || mask !== undefined || type.kind !== 'vector' || kind !== 'add') return undefined;
  if ([lhs, rhs, acc].some((each) => (each.type as VectorType).scalable.includes(true))) return undefined;
  if (![lhs, rhs].every((each) => typeEquals(each.type.elementType, type.elementType))) return undefined;
  const [first, second] = arranged(rewriter, contraction, plan);
  let result = createZeros(rewriter, type);
  const b = builder(rewriter);
  const isMatrix = type.shape.length === 2;
  for (let row = 0; row < type.shape[0]!; row++) {
    const left = partOf(rewriter, first, [row]);
    for (let column = 0; column < (isMatrix ? type.shape[1]! : 1); column++) {
      const right = isMatrix ? partOf(rewriter, second, [column]) : second;
      const vector = multiply(rewriter, left, right);
      const sum: Value = b(reduction, { vector, kind: 'add' }, { resultTypes: [type.elementType] });
      result = withPart(rewriter, sum, result, isMatrix ? [row, column] : [row]);
    }
  }
  return add(rewriter, result, acc);
};

// --- Matrices ---

/**
 * `vector.matrix_multiply` takes column-major flattened matrices, as LLVM's intrinsic does: flattened in row-major
 * order they are transposed, so the factors are swapped.
 *
 * @deviation Upstream does not swap them, which is wrong unless LLVM is told to use row-major order.
 */
const asMatrixProduct: Lower = (rewriter, contraction) => {
  const { acc, mask, kind } = contraction;
  const [left, right, own] = layoutOf(contraction).layout.split(' ');
  const { lhs, rhs } = contraction;
  const { type } = acc;
  if (mask !== undefined || type.kind !== 'vector' || kind !== 'add') return undefined;
  if (![lhs, rhs].every((each) => typeEquals(each.type.elementType, type.elementType))) return undefined;
  if (![lhs.type, rhs.type, type].every(({ scalable }) => !scalable.includes(true))) return undefined;
  if (!/^(mk|km) (kn|nk) (mn|nm)$/.test([left, right, own].join(' '))) return undefined;
  const first = left === 'km' ? transposed(rewriter, lhs) : lhs;
  const second = right === 'nk' ? transposed(rewriter, rhs) : rhs;
  const [rows, columns] = first.type.shape as readonly [number, number];
  const [, width] = second.type.shape as readonly [number, number];
  const b = builder(rewriter);
  const flat = (source: Value<VectorType>): Value<VectorType> => {
    const count = source.type.shape.reduce((product, size) => product * size, 1);
    return b(shapeCast, { source }, { resultTypes: [vectorType([count], source.type.elementType)] });
  };
  const flattened = { rhs: flat(first), lhs: flat(second) };
  const product: Value = b(
    matrixMultiply,
    { ...flattened, lhsRows: width, lhsColumns: columns, rhsColumns: rows },
    { resultTypes: [vectorType([rows * width], type.elementType)] },
  );
  const matrix = b(
    shapeCast,
    { source: product },
    { resultTypes: [vectorType([rows, width], type.elementType)] },
  );
  return add(rewriter, acc, own === 'nm' ? transposed(rewriter, matrix) : matrix);
};

// --- Elementwise products ---

/**
 * A factor broadcast to the result's dimensions, the permutation to their order, and the reduced unit dimensions to
 * drop.
 */
const likeResult = (
  rewriter: Rewriter,
  factor: Value<VectorType>,
  map: AffineMap,
  accMap: AffineMap,
  result: Type,
  iterators: readonly Iterator[],
) => {
  const reduced = map.results.flatMap((_, i) => (iterators[positionOf(map, i)] === 'reduction' ? [i] : []));
  const missing = accMap.results.flatMap((_, i) => (placeOf(map, positionOf(accMap, i)) < 0 ? [i] : []));
  const permutation = [
    ...reduced.map((i) => missing.length + i),
    ...accMap.results.map((_, i) => {
      const own = placeOf(map, positionOf(accMap, i));
      return own < 0 ? missing.indexOf(i) : missing.length + own;
    }),
  ];
  const b = builder(rewriter);
  const { shape, elementType, scalable } = factor.type;
  const outer = result.kind === 'vector' ? result : vectorType([], elementType);
  const wide = vectorType([...missing.map((i) => outer.shape[i]!), ...shape], elementType, [
    ...missing.map((i) => outer.scalable[i]!),
    ...scalable,
  ]);
  const repeated: Value<VectorType> =
    missing.length === 0 ? factor : b(broadcast, { source: factor }, { resultTypes: [wide] });
  return { vector: repeated, permutation, position: reduced.map(() => 0) };
};

const asElements: Lower = (rewriter, { lhs, rhs, acc, maps, iterators, kind, mask }) => {
  const [left, right, own] = maps as readonly [AffineMap, AffineMap, AffineMap];
  const { type } = acc;
  if (mask !== undefined || !isNumber(lhs.type)) return undefined;
  if (!typeEquals(lhs.type.elementType, elementTypeOf(type))) return undefined;
  const isUnit = (factor: Value<VectorType>, map: AffineMap): boolean =>
    factor.type.shape.every((size, i) => size === 1 || iterators[positionOf(map, i)] === 'parallel');
  if (!isUnit(lhs, left) || !isUnit(rhs, right)) return undefined;
  if (!hasCombination(kind, type)) return undefined;
  const [first, second] = [
    likeResult(rewriter, lhs, left, own, type, iterators),
    likeResult(rewriter, rhs, right, own, type, iterators),
  ]
    .map(({ vector, permutation, position }) => ({
      vector: transposed(rewriter, vector, permutation),
      position,
    }))
    .map(({ vector, position }) => partOf(rewriter, vector, position)) as [Value, Value];
  return combined(rewriter, first, second, acc, kind);
};

/** The lowering of each strategy. */
export const byStrategy: Readonly<Record<ContractionStrategy, Lower>> = {
  dot: asDotProducts,
  matmulintrinsics: asMatrixProduct,
  outerproduct: asOuterProducts,
  parallelarith: asElements,
};
