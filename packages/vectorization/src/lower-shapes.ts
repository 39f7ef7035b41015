/** Lowers broadcasts, shape casts, bit casts and interleaves to extractions and insertions, as upstream. */
import { onOp } from '@sconv/canonicalization/matching';
import {
  bitcast,
  broadcast,
  deinterleave,
  extractStridedSlice,
  insertStridedSlice,
  interleave,
  scalableExtract,
  scalableInsert,
  shapeCast,
  shuffle,
  splat,
} from '@sconv/dialects/vector';
import type { DraftOperation, RewritePattern, Rewriter, Value, VectorType } from '@sconv/ir';
import { builder, vectorType } from '@sconv/ir';
import { createZeros, partOf, positionsIn, withoutLeading, withPart } from './vector-parts.ts';

const typeOf = (operation: DraftOperation): VectorType => operation.results[0]!.type as VectorType;
const isScalable = ({ scalable }: VectorType): boolean => scalable.includes(true);

const lowerBroadcast = onOp(broadcast, 'lower-broadcast', (rewriter, operation) => {
  const { source } = broadcast.operands(operation);
  const type = typeOf(operation);
  const b = builder(rewriter);
  const from = source.type;
  if (from.kind !== 'vector') {
    rewriter.replaceOperation(operation, [b(splat, { input: source }, { resultTypes: [type] })]);
    return;
  }
  if (from.shape.length <= 1 && type.shape.length === 1) {
    const input = partOf(rewriter, source, [0]);
    rewriter.replaceOperation(operation, [b(splat, { input }, { resultTypes: [type] })]);
    return;
  }
  if (type.scalable[0] === true) return;
  const rowType = withoutLeading(type);
  const repeated = (value: Value): Value => b(broadcast, { source: value }, { resultTypes: [rowType] });
  const rows = Array.from({ length: type.shape[0]! }, (_, i) => i);
  if (from.shape.length < type.shape.length) {
    const row = repeated(source);
    rewriter.replaceOperation(operation, [
      rows.reduce((sum, at) => withPart(rewriter, row, sum, [at]), createZeros(rewriter, type)),
    ]);
    return;
  }
  const stretched = from.shape.findIndex((size, i) => size !== type.shape[i]);
  if (stretched < 0) return;
  const zeros = createZeros(rewriter, type);
  const row = stretched === 0 ? repeated(partOf(rewriter, source, [0])) : undefined;
  rewriter.replaceOperation(operation, [
    rows.reduce(
      (sum, at) => withPart(rewriter, row ?? repeated(partOf(rewriter, source, [at])), sum, [at]),
      zeros,
    ),
  ]);
});

// --- Shape casts ---

const lowerShapeCast = onOp(shapeCast, 'lower-shape-cast', (rewriter, operation) => {
  const { source } = shapeCast.operands(operation);
  const [from, to] = [source.type, typeOf(operation)];
  if (isScalable(from) || isScalable(to)) {
    lowerScalableCast(rewriter, operation, source, to);
    return;
  }
  const b = builder(rewriter);
  const rowsOf = ({ shape }: VectorType): readonly number[] => Array.from({ length: shape[0]! }, (_, i) => i);
  const ranks = `${from.shape.length} ${to.shape.length}`;
  let result = createZeros(rewriter, to);
  if (ranks === '2 1') {
    const width = from.shape[1]!;
    for (const row of rowsOf(from)) {
      const part = partOf(rewriter, source, [row]);
      result = b(
        insertStridedSlice,
        { source: part, dest: result, offsets: [row * width], strides: [1] },
        { resultTypes: [to] },
      );
    }
  } else if (ranks === '1 2') {
    const width = to.shape[1]!;
    for (const row of rowsOf(to)) {
      const part = b(
        extractStridedSlice,
        { vector: source, offsets: [row * width], sizes: [width], strides: [1] },
        { resultTypes: [vectorType([width], to.elementType)] },
      );
      result = withPart(rewriter, part, result, [row]);
    }
  } else {
    const places = positionsIn(to.shape);
    for (const [i, position] of positionsIn(from.shape).entries())
      result = withPart(rewriter, partOf(rewriter, source, position), result, places[i]!);
  }
  rewriter.replaceOperation(operation, [result]);
});

/** Whether only the last dimension is scalable. */
const isLine = ({ scalable }: VectorType): boolean =>
  scalable.at(-1) === true && !scalable.slice(0, -1).includes(true);

/** Piece by piece, of the smaller trailing size. */
const lowerScalableCast = (
  rewriter: Rewriter,
  operation: DraftOperation,
  source: Value<VectorType>,
  to: VectorType,
): void => {
  const from = source.type;
  if (!isLine(from) || !isLine(to)) return;
  const [own, other] = [from.shape.at(-1)!, to.shape.at(-1)!];
  const size = Math.min(own, other);
  const piece = vectorType([size], from.elementType, [true]);
  const count = from.shape.reduce((product, each) => product * each, 1);
  let result = createZeros(rewriter, to);
  const b = builder(rewriter);
  const [fromRows, toRows] = [positionsIn(from.shape.slice(0, -1)), positionsIn(to.shape.slice(0, -1))];
  let row: Value<VectorType> | undefined;
  let target: Value<VectorType> | undefined;
  for (let i = 0; i < count; i += size) {
    const [at, place] = [fromRows[Math.floor(i / own)]!, toRows[Math.floor(i / other)]!];
    row ??= from.shape.length === 1 ? source : (partOf(rewriter, source, at) as Value<VectorType>);
    const part: Value<VectorType> =
      size < own ? b(scalableExtract, { source: row, pos: i % own }, { resultTypes: [piece] }) : row;
    target ??=
      size === other
        ? part
        : to.shape.length === 1
          ? result
          : (partOf(rewriter, result, place) as Value<VectorType>);
    if (size < other)
      target = b(
        scalableInsert,
        { source: part, dest: target, pos: i % other },
        { resultTypes: [target.type] },
      );
    if ((i % other) + size >= other) {
      result = to.shape.length === 1 ? target : withPart(rewriter, target, result, place);
      target = undefined;
    }
    if ((i % own) + size >= own) row = undefined;
  }
  rewriter.replaceOperation(operation, [result]);
};

// --- Row by row ---

/** The positions in the leading dimensions of a vector: all but the last, or those before a scalable one. */
const rowsOf = ({ shape, scalable }: VectorType): readonly (readonly number[])[] => {
  const first = scalable.indexOf(true);
  const count = Math.min(shape.length - 1, first < 0 ? Infinity : first);
  return count <= 0 ? [] : positionsIn(shape.slice(0, count));
};

/** The same operation on each row of its operands. */
const unrolled = (
  definition: typeof bitcast | typeof interleave | typeof deinterleave,
  name: string,
): RewritePattern =>
  onOp(definition, name, (rewriter, operation) => {
    const types = operation.results.map(({ type }) => type as VectorType);
    const rows = rowsOf(types[0]!);
    if (rows.length === 0) return;
    const zeros = createZeros(rewriter, types[0]!);
    let results = types.map(() => zeros);
    for (const position of rows) {
      const operands = operation.operands.map((operand) => partOf(rewriter, operand, position));
      const made = rewriter.create({
        name: operation.name,
        operands,
        resultTypes: types.map((type) => withoutLeading(type, position.length)),
        attributes: operation.attributes,
        location: operation.location,
      });
      results = results.map((result, i) => withPart(rewriter, made.results[i]!, result, position));
    }
    rewriter.replaceOperation(operation, results);
  });

const interleaveAsShuffle = onOp(interleave, 'interleave-as-shuffle', (rewriter, operation) => {
  const { lhs, rhs } = interleave.operands(operation);
  const { shape, scalable } = lhs.type;
  if (shape.length !== 1 || scalable[0] === true) return;
  const mask = Array.from({ length: 2 * shape[0]! }, (_, i) => (i % 2) * shape[0]! + Math.floor(i / 2));
  rewriter.replaceOperation(operation, [
    builder(rewriter)(shuffle, { v1: lhs, v2: rhs, mask }, { resultTypes: [typeOf(operation)] }),
  ]);
});

export const broadcastPatterns: readonly RewritePattern[] = [lowerBroadcast];
export const shapeCastPatterns: readonly RewritePattern[] = [lowerShapeCast];
export const bitcastPatterns: readonly RewritePattern[] = [unrolled(bitcast, 'unroll-bitcast')];
export const interleavePatterns: readonly RewritePattern[] = [
  unrolled(interleave, 'unroll-interleave'),
  unrolled(deinterleave, 'unroll-deinterleave'),
];
export const interleaveShufflePatterns: readonly RewritePattern[] = [interleaveAsShuffle];
