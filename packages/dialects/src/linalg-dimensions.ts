/** Classifies the dimensions of contractions and convolutions, by the maps and iterator types of a structured op. */
import type { AffineExpr, AffineMap } from '@sconv/affine';
import { isFunctionOfDim } from '@sconv/affine';
import type { IteratorType } from './linalg-iterators.ts';
import type { StructuredOp } from './linalg-view.ts';

/** Contraction dimensions: `m` of the left operand, `n` of the right, `k` is reduced, `batch` is in all operands. */
export interface ContractionDimensions {
  readonly batch: readonly number[];
  readonly m: readonly number[];
  readonly n: readonly number[];
  readonly k: readonly number[];
}

/** Convolution dimensions, of an image and a filter. */
export interface ConvolutionDimensions {
  readonly batch: readonly number[];
  readonly outputImage: readonly number[];
  readonly outputChannel: readonly number[];
  readonly filterLoop: readonly number[];
  readonly inputChannel: readonly number[];
  readonly depth: readonly number[];
  /** One per dimension of the output image. */
  readonly strides: readonly number[];
  /** One per filter loop. */
  readonly dilations: readonly number[];
}

type Dims = ReadonlySet<number>;

/**
 * The contraction dimensions of a structured op with two inputs and one output; undefined if it is not a contraction.
 */
export const contractionDimensions = (view: StructuredOp): ContractionDimensions | undefined => {
  const maps = threeMaps(view);
  if (maps === undefined) return undefined;
  const { iteratorTypes } = view;
  const [a, b, c] = maps.map((map) => permutedDims(map, iteratorTypes, 'parallel')) as [Dims, Dims, Dims];
  const [ra, rb] = maps.map((map) => permutedDims(map, iteratorTypes, 'reduction')) as [Dims, Dims, Dims];
  return {
    batch: sorted(a, (dim) => b.has(dim) && c.has(dim)),
    m: sorted(a, (dim) => c.has(dim) && !b.has(dim)),
    n: sorted(b, (dim) => c.has(dim) && !a.has(dim)),
    k: sorted(ra, (dim) => rb.has(dim)),
  };
};

/** The convolution dimensions of an op whose first input is indexed by sums of two dimensions; undefined for others. */
export const convolutionDimensions = (view: StructuredOp): ConvolutionDimensions | undefined => {
  const maps = threeMaps(view);
  const read = maps && inputDims(maps[0]);
  if (maps === undefined || read === undefined) return undefined;
  const { convolved, plain } = read;
  const { iteratorTypes } = view;
  const filter = permutedDims(maps[1], iteratorTypes, 'parallel');
  const output = permutedDims(maps[2], iteratorTypes, 'parallel');
  const reduced = permutedDims(maps[1], iteratorTypes, 'reduction');
  const isConvolved = (dim: number): boolean => convolved.has(dim);
  const isPlain = (dim: number): boolean => plain.has(dim);
  const outputImage = sorted(output, isConvolved);
  if (outputImage.length === 0) return undefined;
  const filterLoop = sorted(reduced, isConvolved);
  const factor = (dim: number): number => convolved.get(dim)!;
  return {
    batch: sorted(output, (dim) => isPlain(dim) && !filter.has(dim)),
    outputImage,
    outputChannel: sorted(filter, (dim) => output.has(dim) && !isPlain(dim)),
    filterLoop,
    inputChannel: sorted(reduced, isPlain),
    depth: sorted(filter, (dim) => output.has(dim) && isPlain(dim)),
    strides: outputImage.map(factor),
    dilations: filterLoop.map(factor),
  };
};

/** The maps of two inputs and one output. */
const threeMaps = ({
  inputs,
  outputs,
  indexingMaps,
}: StructuredOp): readonly [AffineMap, AffineMap, AffineMap] | undefined =>
  inputs.length === 2 && outputs.length === 1
    ? (indexingMaps as readonly [AffineMap, AffineMap, AffineMap])
    : undefined;

const sorted = (dims: Dims, accept: (dim: number) => boolean): readonly number[] =>
  [...dims].filter(accept).sort((x, y) => x - y);

const isUsedOnce = ({ results }: AffineMap, dim: number): boolean =>
  results.filter((result) => isFunctionOfDim(result, dim)).length === 1;

/** The dimensions of one kind that are a result on their own, and occur in no other result. */
const permutedDims = (map: AffineMap, iteratorTypes: readonly IteratorType[], kind: IteratorType): Dims =>
  new Set(
    map.results.flatMap((result) =>
      result.kind === 'dim' && iteratorTypes[result.position] === kind && isUsedOnce(map, result.position)
        ? [result.position]
        : [],
    ),
  );

/**
 * The dimensions that index an image: alone, or in sums of two, then with their factors. Dimensions in several
 * results are left out, as are their partners in sums. Undefined for any other result.
 */
const inputDims = (
  map: AffineMap,
): { readonly convolved: ReadonlyMap<number, number>; readonly plain: Dims } | undefined => {
  const convolved = new Map<number, number>();
  const plain = new Set<number>();
  const partners = new Map<number, number>();
  const isKnown = (dim: number): boolean => convolved.has(dim) || plain.has(dim);
  for (const result of map.results) {
    if (result.kind === 'dim') {
      if (isKnown(result.position)) return undefined;
      plain.add(result.position);
      continue;
    }
    if (result.kind !== 'add') return undefined;
    const terms = [result.lhs, result.rhs].map(scaledDim);
    for (const term of terms) {
      if (term === undefined || isKnown(term.dim)) return undefined;
      convolved.set(term.dim, term.factor);
    }
    const [first, second] = terms.map((term) => term!.dim) as [number, number];
    partners.set(first, second).set(second, first);
  }
  for (let dim = 0; dim < map.numDims; dim++) {
    if (map.results.filter((result) => isFunctionOfDim(result, dim)).length < 2) continue;
    for (const each of [dim, partners.get(dim)]) {
      if (each === undefined) continue;
      convolved.delete(each);
      plain.delete(each);
      partners.delete(each);
    }
  }
  return { convolved, plain };
};

/** `d * factor`, or `d`. */
const scaledDim = (expr: AffineExpr): { readonly dim: number; readonly factor: number } | undefined => {
  if (expr.kind === 'dim') return { dim: expr.position, factor: 1 };
  if (expr.kind !== 'mul' || expr.lhs.kind !== 'dim' || expr.rhs.kind !== 'constant') return undefined;
  return { dim: expr.lhs.position, factor: expr.rhs.value };
};
