/**
 * Lowers transposes to element moves, shuffles or flat transposes: upstream's
 * `populateVectorTransposeLoweringPatterns`.
 */
import { onOp } from '@sconv/canonicalization/matching';
import { flatTranspose, shapeCast, shuffle, transpose } from '@sconv/dialects/vector';
import type { Builder, DraftOperation, RewritePattern, Rewriter, Value, VectorType } from '@sconv/ir';
import { builder, vectorType } from '@sconv/ir';
import { createZeros, partOf, positionsIn, withPart } from './vector-parts.ts';

/** Upstream's names of the strategies. */
export type TransposeStrategy = 'eltwise' | 'flat_transpose' | 'shuffle_1d' | 'shuffle_16x16';

const typeOf = (operation: DraftOperation): VectorType => operation.results[0]!.type as VectorType;

/** The two non-unit dimensions that are swapped, if there are no others: upstream's `isTranspose2DSlice`. */
const swappedPair = (operation: DraftOperation): readonly [number, number] | undefined => {
  const { shape } = transpose.operands(operation).vector.type;
  const large = shape.flatMap((size, i) => (size > 1 ? [i] : []));
  const [first, second] = large;
  if (first === undefined || second === undefined || large.length > 2) return undefined;
  const { permutation } = transpose.attributes(operation);
  return permutation.indexOf(first) > permutation.indexOf(second) ? [first, second] : undefined;
};

const isShuffle = (strategy: TransposeStrategy): boolean => strategy.startsWith('shuffle');

const castTo = (b: Builder, source: Value, shape: readonly number[]): Value<VectorType> =>
  b(shapeCast, { source }, { resultTypes: [vectorType(shape, (source.type as VectorType).elementType)] });

/** Of a matrix with one row or column. */
const unitTranspose = onOp(transpose, 'transpose-as-shape-cast', (rewriter, operation) => {
  const type = typeOf(operation);
  const isUnit = [0, 1].some((i) => type.shape[i] === 1 && type.scalable[i] !== true);
  if (type.shape.length !== 2 || !isUnit || String(transpose.attributes(operation).permutation) !== '1,0')
    return;
  const { vector } = transpose.operands(operation);
  rewriter.replaceOperation(operation, [
    builder(rewriter)(shapeCast, { source: vector }, { resultTypes: [type] }),
  ]);
});

const elementwise = (strategy: TransposeStrategy): RewritePattern =>
  onOp(transpose, 'lower-transpose', (rewriter, operation) => {
    const { vector } = transpose.operands(operation);
    const { permutation } = transpose.attributes(operation);
    const type = typeOf(operation);
    if (vector.type.scalable.includes(true)) return;
    if (isShuffle(strategy) && swappedPair(operation) !== undefined) return;
    if (strategy === 'flat_transpose' && String(permutation) === '1,0') {
      const b = builder(rewriter);
      const flat = castTo(b, vector, [type.shape[0]! * type.shape[1]!]);
      const [rows, columns] = type.shape as readonly [number, number];
      const turned = b(flatTranspose, { matrix: flat, rows, columns }, { resultTypes: [flat.type] });
      rewriter.replaceOperation(operation, [b(shapeCast, { source: turned }, { resultTypes: [type] })]);
      return;
    }
    let count = permutation.length;
    while (count > 0 && permutation[count - 1] === count - 1) count -= 1;
    let result = createZeros(rewriter, type);
    for (const position of positionsIn(vector.type.shape.slice(0, count))) {
      const place = permutation.slice(0, count).map((from) => position[from]!);
      result = withPart(rewriter, partOf(rewriter, vector, position), result, place);
    }
    rewriter.replaceOperation(operation, [result]);
  });

const shuffled = (strategy: TransposeStrategy): RewritePattern =>
  onOp(transpose, 'transpose-as-shuffle', (rewriter, operation) => {
    const { vector } = transpose.operands(operation);
    const pair = isShuffle(strategy) ? swappedPair(operation) : undefined;
    if (pair === undefined || vector.type.scalable.includes(true)) return;
    const [m, n] = pair.map((i) => vector.type.shape[i]!) as [number, number];
    const b = builder(rewriter);
    const flat = castTo(b, vector, [m * n]);
    const result =
      strategy === 'shuffle_16x16' && m === 16 && n === 16
        ? turned16(rewriter, castTo(b, flat, [m, n]))
        : b(
            shuffle,
            {
              v1: flat,
              v2: flat,
              mask: Array.from({ length: m * n }, (_, i) => (i % m) * n + Math.floor(i / m)),
            },
            { resultTypes: [flat.type] },
          );
    rewriter.replaceOperation(operation, [
      b(shapeCast, { source: result }, { resultTypes: [typeOf(operation)] }),
    ]);
  });

/**
 * 16 rows of 16 elements, in four stages of two-row shuffles: single elements, pairs of elements in 4-element lanes,
 * then every second lane, twice.
 */
const turned16 = (rewriter: Rewriter, matrix: Value<VectorType>): Value<VectorType> => {
  const b = builder(rewriter);
  const rows = Array.from({ length: 16 }, (_, i) => partOf(rewriter, matrix, [i]) as Value<VectorType>);
  const type = rows[0]!.type;
  const mixed = (v1: Value<VectorType>, v2: Value<VectorType>, mask: readonly number[]): Value<VectorType> =>
    b(shuffle, { v1, v2, mask }, { resultTypes: [type] });
  /** The same four positions in each lane. */
  const inLanes = (four: readonly number[]): readonly number[] =>
    [0, 4, 8, 12].flatMap((lane) => four.map((at) => at + lane));
  /** Every second lane of two rows, from `first` on. */
  const lanes = (first: number): readonly number[] =>
    [first, first + 2, first + 4, first + 6].flatMap((lane) => [0, 1, 2, 3].map((at) => 4 * lane + at));
  const elements = [inLanes([0, 16, 1, 17]), inLanes([2, 18, 3, 19])];
  const pairs = [inLanes([0, 1, 16, 17]), inLanes([2, 3, 18, 19])];
  const t = [0, 2, 4, 6, 8, 10, 12, 14].flatMap((i) =>
    elements.map((mask) => mixed(rows[i]!, rows[i + 1]!, mask)),
  );
  const r = [0, 4, 8, 12].flatMap((i) =>
    [0, 1].flatMap((k) => pairs.map((mask) => mixed(t[i + k]!, t[i + k + 2]!, mask))),
  );
  const quarters = [0, 8].flatMap((half) =>
    [lanes(0), lanes(1)].flatMap((mask) =>
      [0, 1, 2, 3].map((i) => mixed(r[half + i]!, r[half + i + 4]!, mask)),
    ),
  );
  const columns = [lanes(0), lanes(1)].flatMap((mask) =>
    Array.from({ length: 8 }, (_, i) => mixed(quarters[i]!, quarters[i + 8]!, mask)),
  );
  return columns.reduce(
    (sum, column, i) => withPart(rewriter, column, sum, [i]),
    createZeros(rewriter, matrix.type),
  );
};

export const transposePatterns = (strategy: TransposeStrategy): readonly RewritePattern[] => [
  unitTranspose,
  elementwise(strategy),
  shuffled(strategy),
];
