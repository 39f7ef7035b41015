/**
 * Where the elements of a vector come from: the same for all that executes or compiles vectors. Positions are
 * row-major, and those of fixed sizes; a scalable vector has the size in its type.
 */
import type { AffineExpr, AffineMap } from '@sconv/affine';
import type { Operation, Type } from '@sconv/ir';
import { elementCount } from '@sconv/ir';
import {
  contract,
  contractionSizes,
  matrixMultiply,
  multiReduction,
  outerproduct,
  reduction,
} from './vector-reductions.ts';
import { shuffle } from './vector-elements.ts';
import { extractStridedSlice, flatTranspose, insertStridedSlice, transpose } from './vector-shapes.ts';
import { rowMajorStrides } from './strided-layout.ts';

/** The shape of a vector; empty for a scalar. */
export const vectorShape = (type: Type): readonly number[] => (type.kind === 'vector' ? type.shape : []);

/** The indices of all elements of a shape, in row-major order. */
export const indicesOf = (shape: readonly number[]): readonly (readonly number[])[] =>
  shape.reduce<readonly (readonly number[])[]>(
    (all, size) => all.flatMap((index) => Array.from({ length: size }, (_, i) => [...index, i])),
    [[]],
  );

/** The row-major position of an index. */
export const positionOf = (index: readonly number[], shape: readonly number[]): number =>
  index.reduce((position, i, dimension) => position * shape[dimension]! + i, 0);

// --- Rearrangements ---

/** An element of an operand; of a scalar, 0. */
export type ElementPosition = readonly [operand: number, position: number];

const shapes = (operation: Operation): readonly (readonly number[])[] =>
  operation.operands.map(({ type }) => vectorShape(type));
const resultShape = (operation: Operation): readonly number[] => vectorShape(operation.results[0]!.type);
const resultCount = (operation: Operation): number => elementCount(resultShape(operation));

type Rearrangement = (operation: Operation) => readonly (readonly ElementPosition[])[];

/** A rearrangement with one result, whose element `i` is at this position. */
const each =
  (at: (operation: Operation) => (i: number) => ElementPosition): Rearrangement =>
  (operation) => {
    const positionAt = at(operation);
    return [Array.from({ length: resultCount(operation) }, (_, i) => positionAt(i))];
  };

/** The same, by index. */
const byIndex = (
  at: (operation: Operation) => (index: readonly number[]) => ElementPosition,
): Rearrangement =>
  each((operation) => {
    const indices = indicesOf(resultShape(operation));
    const positionAt = at(operation);
    return (i) => positionAt(indices[i]!);
  });

const broadcastFrom = (operation: Operation) => {
  const [source = []] = shapes(operation);
  const lead = resultShape(operation).length - source.length;
  return (index: readonly number[]): ElementPosition => [
    0,
    positionOf(
      source.map((size, i) => (size === 1 ? 0 : index[lead + i]!)),
      source,
    ),
  ];
};

const shuffleFrom = (operation: Operation) => {
  const [first = []] = shapes(operation);
  const [rows, row] = [first[0] ?? 1, elementCount(first.slice(1))];
  const { mask } = shuffle.attributes(operation);
  return (i: number): ElementPosition => {
    const [from, rest] = [mask[Math.floor(i / row)]!, i % row];
    return from < rows ? [0, from * row + rest] : [1, (from - rows) * row + rest];
  };
};

const transposeFrom = (operation: Operation) => {
  const [source = []] = shapes(operation);
  const { permutation } = transpose.attributes(operation);
  const strides = rowMajorStrides(source);
  return (index: readonly number[]): ElementPosition => [
    0,
    index.reduce((position, i, dimension) => position + i * strides[permutation[dimension]!]!, 0),
  ];
};

const extractFrom = (operation: Operation) => {
  const [source = []] = shapes(operation);
  const { offsets } = extractStridedSlice.attributes(operation);
  return (index: readonly number[]): ElementPosition => [
    0,
    positionOf(
      index.map((i, dimension) => i + (offsets[dimension] ?? 0)),
      source,
    ),
  ];
};

const insertFrom = (operation: Operation) => {
  const [source = [], dest = []] = shapes(operation);
  const { offsets } = insertStridedSlice.attributes(operation);
  const lead = dest.length - source.length;
  return (index: readonly number[]): ElementPosition => {
    const inner = index.map((i, dimension) => i - offsets[dimension]!);
    const isInside = inner.every((i, dimension) =>
      dimension < lead ? i === 0 : i >= 0 && i < source[dimension - lead]!,
    );
    return isInside ? [0, positionOf(inner.slice(lead), source)] : [1, positionOf(index, dest)];
  };
};

/** Matrices are flattened in column-major order. */
const flatTransposeFrom = (operation: Operation) => {
  const { rows, columns } = flatTranspose.attributes(operation);
  return (i: number): ElementPosition => [0, (i % columns) * rows + Math.floor(i / columns)];
};

const rearrangements: Readonly<Record<string, Rearrangement>> = {
  'vector.broadcast': byIndex(broadcastFrom),
  'vector.splat': each(() => () => [0, 0]),
  'vector.from_elements': each(() => (i) => [i, 0]),
  'vector.shape_cast': each(() => (i) => [0, i]),
  'vector.shuffle': each(shuffleFrom),
  'vector.transpose': byIndex(transposeFrom),
  'vector.flat_transpose': each(flatTransposeFrom),
  'vector.extract_strided_slice': byIndex(extractFrom),
  'vector.insert_strided_slice': byIndex(insertFrom),
  'vector.interleave': each(() => (i) => [i % 2, Math.floor(i / 2)]),
  'vector.deinterleave': (operation) =>
    [0, 1].map((first) =>
      Array.from({ length: resultCount(operation) }, (_, i): ElementPosition => [0, 2 * i + first]),
    ),
};

/** The operations that only rearrange elements, on vectors of fixed size. */
export const rearrangingOps: readonly string[] = Object.keys(rearrangements);

/** Where the elements of each result come from, of an operation of `rearrangingOps`. */
export const elementSources = (operation: Operation): readonly (readonly ElementPosition[])[] =>
  rearrangements[operation.name]!(operation);

// --- Sums ---

/** A product of elements, combined into an element of the result. */
export interface ProductTerm {
  readonly lhs: number;
  readonly rhs: number;
  readonly out: number;
}

const contractTerms = (operation: Operation): readonly ProductTerm[] => {
  const { lhs, rhs, acc } = contract.operands(operation);
  const { indexingMaps: maps, iteratorTypes } = contract.attributes(operation);
  const sizes = contractionSizes([lhs.type, rhs.type], maps, iteratorTypes.length);
  const at = (index: readonly number[], map: AffineMap | undefined, type: Type): number =>
    positionOf(
      (map?.results ?? []).map((result) => (result.kind === 'dim' ? index[result.position]! : 0)),
      vectorShape(type),
    );
  return indicesOf(sizes.map((each) => each?.size ?? 1)).map((index) => ({
    lhs: at(index, maps[0], lhs.type),
    rhs: at(index, maps[1], rhs.type),
    out: at(index, maps[2], acc.type),
  }));
};

const outerTerms = (operation: Operation): readonly ProductTerm[] =>
  indicesOf(resultShape(operation)).map(([row = 0, column = 0], out) => ({ lhs: row, rhs: column, out }));

/** Matrices are flattened in column-major order. */
const matrixTerms = (operation: Operation): readonly ProductTerm[] => {
  const { lhsRows, lhsColumns, rhsColumns } = matrixMultiply.attributes(operation);
  return indicesOf([lhsRows, rhsColumns, lhsColumns]).map(([row, column, k]) => ({
    lhs: k! * lhsRows + row!,
    rhs: column! * lhsColumns + k!,
    out: column! * lhsRows + row!,
  }));
};

/**
 * The terms of a `vector.contract`, `vector.outerproduct` or `vector.matrix_multiply`, in the order of their sums; a
 * mask has an element for each.
 */
export const productTerms = (operation: Operation): readonly ProductTerm[] => {
  if (contract.is(operation)) return contractTerms(operation);
  return outerproduct.is(operation) ? outerTerms(operation) : matrixTerms(operation);
};

/** The result element that each element is combined into, of a `vector.reduction` or `vector.multi_reduction`. */
export const reductionTargets = (operation: Operation): readonly number[] => {
  const shape = vectorShape(operation.operands[0]!.type);
  if (reduction.is(operation)) return indicesOf(shape).map(() => 0);
  const { reductionDims } = multiReduction.attributes(operation);
  const kept = (values: readonly number[]): readonly number[] =>
    values.filter((_, i) => !reductionDims.includes(i));
  return indicesOf(shape).map((index) => positionOf(kept(index), kept(shape)));
};

// --- Memory ---

/** The memory indices of an access, one for each vector element. */
export interface AccessPlaces {
  /** The index of each element in the vector. */
  readonly indices: readonly (readonly number[])[];
  /** The vector dimension for each memory dimension; -1 for none. */
  readonly dimensions: readonly number[];
  /** Whether going out of bounds in that memory dimension is an error. */
  readonly strict: readonly boolean[];
  /** The position of each element in the mask. */
  readonly masks: readonly number[];
}

/** The places of an access to a memory of `rank` dimensions, by the results of a permutation map. */
export const accessPlaces = (
  shape: readonly number[],
  rank: number,
  map: readonly AffineExpr[],
  inBounds: readonly boolean[],
): AccessPlaces => {
  const dimensions = Array.from({ length: rank }, (_, d) =>
    map.findIndex((result) => result.kind === 'dim' && result.position === d),
  );
  const used = dimensions.filter((dimension) => dimension >= 0);
  const indices = indicesOf(shape);
  const maskShape = used.map((dimension) => shape[dimension]!);
  return {
    indices,
    dimensions,
    strict: dimensions.map((dimension) => dimension < 0 || inBounds[dimension] === true),
    masks: indices.map((index) =>
      positionOf(
        used.map((dimension) => index[dimension]!),
        maskShape,
      ),
    ),
  };
};
