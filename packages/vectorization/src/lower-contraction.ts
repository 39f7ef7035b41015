/**
 * Contractions as outer products, dot products, products of elements or `vector.matrix_multiply`, where these are enough; else
 * dimension by dimension, until they are: upstream's `populateVectorContractLoweringPatterns`.
 *
 *     for each k:  sum = outerproduct lhs[:, k], rhs[k, :], sum
 */
import type { AffineMap } from '@sconv/affine';
import { dim, makeMap } from '@sconv/affine';
import { onOp } from '@sconv/canonicalization/matching';
import { createCombination, elementTypeOf } from '@sconv/dialects';
import { addf, addi, extf, extsi, mulf, muli } from '@sconv/dialects/arith';
import {
  broadcast,
  contract,
  fma,
  matrixMultiply,
  outerproduct,
  reduction,
  shapeCast,
  transpose,
} from '@sconv/dialects/vector';
import type { DraftOperation, RewritePattern, Rewriter, Type, Value, VectorType } from '@sconv/ir';
import { builder, typeEquals, vectorType } from '@sconv/ir';
import { createMasked, isMasked } from './masking.ts';
import { createZeros, partOf, withPart } from './vector-parts.ts';

/** How upstream names the ways. */
export type ContractionStrategy = 'dot' | 'matmulintrinsics' | 'outerproduct' | 'parallelarith';

type Iterator = 'parallel' | 'reduction';

interface Contraction {
  readonly lhs: Value<VectorType>;
  readonly rhs: Value<VectorType>;
  readonly acc: Value;
  readonly maps: readonly AffineMap[];
  readonly iterators: readonly Iterator[];
  readonly kind: ReturnType<typeof contract.attributes>['kind'];
  readonly mask: Value<VectorType> | undefined;
}

type Lower = (rewriter: Rewriter, contraction: Contraction) => Value | undefined;

const positionOf = (map: AffineMap | undefined, i: number): number => {
  const result = map?.results[i];
  return result?.kind === 'dim' ? result.position : -1;
};

/** Where a map has an iteration dimension; -1 where it has not. */
const placeOf = (map: AffineMap | undefined, position: number): number =>
  map?.results.findIndex((result) => result.kind === 'dim' && result.position === position) ?? -1;

/** Dimensions by letters: `k` is reduced, `m` and `n` are the rows and columns of the result. */
const layoutOf = ({ maps, iterators }: Contraction): { readonly layout: string; readonly names: string } => {
  const names = letters[iterators.join(' ')] ?? '';
  const layout = maps.map(({ results }) =>
    results.map((each) => (each.kind === 'dim' ? names[each.position] : '?')).join(''),
  );
  return { layout: layout.join(' '), names };
};

const letters: Readonly<Record<string, string>> = {
  'parallel parallel reduction': 'mnk',
  'parallel reduction': 'mk',
  'reduction parallel': 'km',
};

/** How a layout is computed: the first factor, and which factors are transposed. */
interface Plan {
  readonly first: 'lhs' | 'rhs';
  readonly turned: readonly ('lhs' | 'rhs')[];
}

const turned = (
  rewriter: Rewriter,
  vector: Value<VectorType>,
  permutation: readonly number[] = [1, 0],
): Value<VectorType> => {
  const { shape, elementType, scalable } = vector.type;
  const type = vectorType(
    permutation.map((from) => shape[from]!),
    elementType,
    permutation.map((from) => scalable[from]!),
  );
  return builder(rewriter)(transpose, { vector, permutation }, { resultTypes: [type] });
};

/** The factors in the order of a plan. */
const arranged = (rewriter: Rewriter, { lhs, rhs }: Contraction, plan: Plan) => {
  const factors = { lhs, rhs };
  for (const each of plan.turned) factors[each] = turned(rewriter, factors[each]);
  return plan.first === 'lhs' ? ([factors.lhs, factors.rhs] as const) : ([factors.rhs, factors.lhs] as const);
};

const isNumber = (type: Type): boolean => ['integer', 'index', 'float'].includes(elementTypeOf(type).kind);

const multiply = (rewriter: Rewriter, lhs: Value, rhs: Value): Value =>
  elementTypeOf(lhs.type).kind === 'float'
    ? builder(rewriter)(mulf, { lhs, rhs })
    : builder(rewriter)(muli, { lhs, rhs });

const add = (rewriter: Rewriter, lhs: Value, rhs: Value): Value =>
  elementTypeOf(lhs.type).kind === 'float'
    ? builder(rewriter)(addf, { lhs, rhs })
    : builder(rewriter)(addi, { lhs, rhs });

// --- Outer products ---

const outerPlans: Readonly<Record<string, Plan>> = {
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

/** A factor with the elements of the result. */
const promoted = (rewriter: Rewriter, value: Value, elementType: Type): Value => {
  if (typeEquals(elementTypeOf(value.type), elementType)) return value;
  const { type } = value;
  const wide = type.kind === 'vector' ? vectorType(type.shape, elementType, type.scalable) : elementType;
  const options = { resultTypes: [wide] };
  return elementType.kind === 'float'
    ? builder(rewriter)(extf, { in: value }, options)
    : builder(rewriter)(extsi, { in: value }, options);
};

/** The mask with k first, and rows and columns as the result has them. */
const maskByK = (
  rewriter: Rewriter,
  mask: Value<VectorType>,
  names: string,
  layout: string,
): Value<VectorType> => {
  const order = ['k', ...layout.split(' ')[2]!.split('')].map((letter) => names.indexOf(letter));
  return order.every((position, i) => position === i) ? mask : turned(rewriter, mask, order);
};

/** @deviation Upstream's mask of a result whose rows are columns of the iterations has another shape. */
const asOuterProducts: Lower = (rewriter, contraction) => {
  const { lhs, acc, maps, iterators, kind, mask } = contraction;
  const { layout, names } = layoutOf(contraction);
  const plan = outerPlans[layout];
  const at = maps[0]?.results.findIndex((_, i) => iterators[positionOf(maps[0], i)] === 'reduction') ?? -1;
  if (plan === undefined || acc.type.kind !== 'vector' || lhs.type.scalable[at] === true) return undefined;
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

const dotPlans: Readonly<Record<string, Plan>> = {
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

const asDotProducts: Lower = (rewriter, contraction) => {
  const { lhs, rhs, acc, iterators, mask, kind } = contraction;
  const plan = iterators[0] === 'parallel' ? dotPlans[layoutOf(contraction).layout] : undefined;
  const { type } = acc;
  if (plan === undefined || mask !== undefined || type.kind !== 'vector' || kind !== 'add') return undefined;
  if ([lhs, rhs, acc].some((each) => (each.type as VectorType).scalable.includes(true))) return undefined;
  const [first, second] = arranged(rewriter, contraction, plan);
  let result = createZeros(rewriter, type);
  if (result === undefined) return undefined;
  const b = builder(rewriter);
  const isMatrix = type.shape.length === 2;
  for (let row = 0; row < type.shape[0]!; row++) {
    const left = partOf(rewriter, first, [row]);
    for (let column = 0; column < (isMatrix ? type.shape[1]! : 1); column++) {
      const right = isMatrix ? partOf(rewriter, second, [column]) : second;
      const vector = multiply(rewriter, left, right) as Value<VectorType>;
      const sum: Value = b(reduction, { vector, kind: 'add' }, { resultTypes: [type.elementType] });
      result = withPart(rewriter, sum, result, isMatrix ? [row, column] : [row]);
    }
  }
  return add(rewriter, result, acc);
};

// --- Matrices ---

/**
 * The vectors of `vector.matrix_multiply` are matrices flattened by columns, as LLVM's intrinsic has them: flattened by rows they are
 * transposed, so the factors change places.
 *
 * @deviation Upstream leaves the factors in their places, which computes something else unless LLVM is told that it is by rows.
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
  const first = left === 'km' ? turned(rewriter, lhs) : lhs;
  const second = right === 'nk' ? turned(rewriter, rhs) : rhs;
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
    { source: product as Value<VectorType> },
    { resultTypes: [vectorType([rows, width], type.elementType)] },
  );
  return add(rewriter, acc, own === 'nm' ? turned(rewriter, matrix) : matrix);
};

// --- Products of elements ---

/** A factor with the dimensions of the result, and how it gets their order and loses its reduced ones of one element. */
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
    .map(({ vector, permutation, position }) => ({ vector: turned(rewriter, vector, permutation), position }))
    .map(({ vector, position }) => partOf(rewriter, vector, position)) as [Value, Value];
  return combined(rewriter, first, second, acc, kind);
};

const floatKinds = new Set(['add', 'mul', 'minnumf', 'maxnumf', 'minimumf', 'maximumf']);
const integerKinds = new Set(['add', 'mul', 'minui', 'minsi', 'maxui', 'maxsi', 'and', 'or', 'xor']);

/** Whether elements of a type can be combined so. */
export const hasCombination = (kind: Contraction['kind'], type: Type): boolean =>
  elementTypeOf(type).kind === 'float' ? floatKinds.has(kind) : integerKinds.has(kind);

/** A product of elements combined with others, as upstream's `createContractArithOp`; undefined for a kind that has none. */
export const combined = (
  rewriter: Rewriter,
  lhs: Value,
  rhs: Value,
  acc: Value | undefined,
  kind: Contraction['kind'],
  mask?: Value,
): Value | undefined => {
  const isFloat = elementTypeOf(lhs.type).kind === 'float';
  if (!hasCombination(kind, lhs.type)) return undefined;
  if (isFloat && kind === 'add' && acc?.type.kind === 'vector' && mask === undefined)
    return builder(rewriter)(fma, { lhs, rhs, acc } as never);
  if (isFloat && kind === 'add' && acc?.type.kind === 'vector') {
    const sum: Value = builder(rewriter)(fma, { lhs, rhs, acc } as never);
    return rewriter.createValue({
      name: 'arith.select',
      operands: [mask!, sum, acc],
      resultTypes: [acc.type],
      attributes: {},
      bodies: [],
      successors: [],
      location: undefined,
    });
  }
  const product = multiply(rewriter, lhs, rhs);
  return acc === undefined ? product : createCombination(rewriter, kind, product, acc, { mask });
};

// --- Dimension by dimension ---

/** A map of iterations without one of them. */
const withoutDimension = (map: AffineMap, position: number): AffineMap =>
  makeMap(
    map.numDims - 1,
    0,
    map.results.flatMap((_, i) => {
      const own = positionOf(map, i);
      return own === position ? [] : [dim(own < position ? own : own - 1)];
    }),
  );

/** Whether the dimensions through which is gone to a slice have known sizes, and the one that it is of. */
const canSlice = (value: Value | undefined, dimension: number): boolean =>
  value?.type.kind !== 'vector' || !value.type.scalable.slice(0, dimension + 1).includes(true);

/** All of a vector at `position` of one dimension; the vector itself where it has not got that. */
const sliceAt = (
  rewriter: Rewriter,
  vector: Value,
  dimension: number,
  position: number,
): Value | undefined => {
  if (dimension < 0) return vector;
  if (dimension === 0) return partOf(rewriter, vector, [position]);
  const type = vector.type as VectorType;
  const without = <T>(list: readonly T[]): readonly T[] => list.toSpliced(dimension, 1);
  let result = createZeros(
    rewriter,
    vectorType(without(type.shape), type.elementType, without(type.scalable)),
  );
  for (let i = 0; i < type.shape[0]! && result !== undefined; i++) {
    const part = sliceAt(rewriter, partOf(rewriter, vector, [i]), dimension - 1, position);
    result = part && withPart(rewriter, part, result, [i]);
  }
  return result;
};

/** A vector with another slice at `position` of one dimension. */
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
        ...(factors as { lhs: Value<VectorType>; rhs: Value<VectorType>; acc: Value }),
        indexingMaps: maps.map((map) => withoutDimension(map, position)),
        iteratorTypes: iterators.toSpliced(position, 1),
        kind: 'add',
      },
      { resultTypes: [factors.acc.type] },
    ),
  ]);
  return made!;
};

/** A contraction for each position of a dimension of the result. */
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
  let result: Value | undefined = createZeros(rewriter, acc.type);
  for (let i = 0; i < size && result !== undefined; i++) {
    const parts = {
      lhs: sliceAt(rewriter, lhs, left, i),
      rhs: sliceAt(rewriter, rhs, right, i),
      acc: sliceAt(rewriter, acc, own, i),
      mask: mask && sliceAt(rewriter, mask, position, i),
    };
    if (parts.lhs === undefined || parts.rhs === undefined || parts.acc === undefined) return undefined;
    const part = low(rewriter, contraction, position, {
      ...parts,
      lhs: parts.lhs,
      rhs: parts.rhs,
      acc: parts.acc,
    });
    result = withSlice(rewriter, part, result, own, i);
  }
  return result;
};

/** Sums of products alone, onto a number. */
const unrollReduction = (rewriter: Rewriter, contraction: Contraction): Value | undefined => {
  const { lhs, rhs, acc, maps, mask } = contraction;
  const [left, right] = maps.map((map) => placeOf(map, 0)) as [number, number];
  if (acc.type.kind === 'vector' || left < 0 || right < 0) return undefined;
  if (lhs.type.shape.length > 1 && !(canSlice(lhs, left) && canSlice(rhs, right))) return undefined;
  if (lhs.type.shape.length === 1) {
    const vector = multiply(rewriter, lhs, rhs) as Value<VectorType>;
    const [sum] = createMasked(rewriter, mask, [acc.type], (b) => [
      b(reduction, { vector, acc, kind: 'add' }, { resultTypes: [acc.type] }),
    ]);
    return sum;
  }
  let sum: Value = acc;
  for (let i = 0; i < lhs.type.shape[left]!; i++) {
    const [a, c] = [sliceAt(rewriter, lhs, left, i), sliceAt(rewriter, rhs, right, i)];
    if (a === undefined || c === undefined) return undefined;
    const own = mask && sliceAt(rewriter, mask, 0, i);
    sum = low(rewriter, contraction, 0, { lhs: a, rhs: c, acc: sum, mask: own });
  }
  return sum;
};

const unrolled: Lower = (rewriter, contraction) => {
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

// --- Patterns ---

const byStrategy: Readonly<Record<ContractionStrategy, Lower>> = {
  dot: asDotProducts,
  matmulintrinsics: asMatrixProduct,
  outerproduct: asOuterProducts,
  parallelarith: asElements,
};

const contractionOf = (operation: DraftOperation): Contraction => {
  const { lhs, rhs, acc } = contract.operands(operation);
  const { indexingMaps: maps, iteratorTypes: iterators, kind } = contract.attributes(operation);
  const mask = isMasked(operation) ? (operation.parent!.operands[0] as Value<VectorType>) : undefined;
  return { lhs, rhs, acc, maps, iterators, kind, mask };
};

/** Contractions lowered in one way, as far as it goes. */
export const contractionPatterns = (strategy: ContractionStrategy): readonly RewritePattern[] => [
  onOp(contract, 'lower-contraction', (rewriter, operation) => {
    const contraction = contractionOf(operation);
    const root = contraction.mask === undefined ? operation : operation.parent!;
    const made = rewriter.scoped(() => {
      rewriter.setInsertionPointBefore(root);
      return byStrategy[strategy](rewriter, contraction) ?? unrolled(rewriter, contraction);
    });
    if (made !== undefined) rewriter.replaceOperation(root, [made]);
  }),
];
