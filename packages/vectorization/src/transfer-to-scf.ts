/**
 * Transfers of buffers row by row, and rows that no load can read as loops over elements: upstream's
 * `populateVectorToSCFConversionPatterns`, unrolled.
 *
 * @deviation A read that is inserted into a vector is merged with the insertion only if it does not pad, since upstream
 * keeps the elements of that vector in place of the padding; masked transfers with a permutation stay, since upstream
 * takes the wrong rows of their masks; and `vector.print` stays. Rows below 0 are out of bounds, too: upstream
 * accesses them.
 */
import { dim, makeMap } from '@sconv/affine';
import { onOp } from '@sconv/canonicalization/matching';
import { applyFolded, createIndex, indexValue, mayBeNegative, sizeOrDim } from '@sconv/dialects';
import { andi, cmpi, muli } from '@sconv/dialects/arith';
import { load, store, stridedLayoutOf } from '@sconv/dialects/memref';
import { forOp, ifOp, yieldOp } from '@sconv/dialects/scf';
import {
  extract,
  extractelement,
  insert,
  insertelement,
  isMasked,
  isMinorIdentity,
  splat,
  transferRead,
  transferWrite,
  vscale,
} from '@sconv/dialects/vector';
import type { DraftOperation, MemRefType, RewritePattern, Rewriter, Value, VectorType } from '@sconv/ir';
import { builder, precedes, typeEquals } from '@sconv/ir';
import { partOf, withoutLeading } from './vector-parts.ts';

/** A transfer that is being taken apart. */
interface Transfer {
  readonly source: Value<MemRefType>;
  readonly indices: readonly Value[];
  readonly mask: Value<VectorType> | undefined;
  /** The dimension of the buffer for each one of the vector; undefined for repeated ones. */
  readonly dimensions: readonly (number | undefined)[];
  readonly inBounds: readonly boolean[];
  readonly type: VectorType;
}

/** A transfer of a buffer that is not masked in another order than that of the vector; undefined for others. */
const transferOf = (operation: DraftOperation, type: VectorType): Transfer | undefined => {
  const of = transferRead.is(operation) ? transferRead : transferWrite;
  const { source, indices, mask } = of.operands(operation);
  const { permutationMap, inBounds } = of.attributes(operation);
  if (source.type.kind !== 'memref' || isMasked(operation) || type.shape.length === 0) return undefined;
  if (!typeEquals(source.type.elementType, type.elementType)) return undefined;
  const dimensions = permutationMap.results.map((result) =>
    result.kind === 'dim' ? result.position : undefined,
  );
  const used = dimensions.filter((each) => each !== undefined);
  if (mask !== undefined && used.some((each, i) => i > 0 && each < used[i - 1]!)) return undefined;
  return { source: source as Value<MemRefType>, indices, mask, dimensions, inBounds, type };
};

const sumOf = (rewriter: Rewriter, a: Value, b: Value): Value =>
  indexValue(rewriter, applyFolded(rewriter, makeMap(2, 0, [dim(0).add(dim(1))]), [a, b]));

/** The indices of row `at`. */
const indicesAt = (rewriter: Rewriter, { indices, dimensions: [first] }: Transfer, at: Value) =>
  first === undefined ? indices : indices.with(first, sumOf(rewriter, indices[first]!, at));

/** Whether row `at` is in the buffer, and set in a mask of rows; undefined if that is certain. */
const conditionAt = (rewriter: Rewriter, transfer: Transfer, at: Value): Value | undefined => {
  const { source, indices, mask, inBounds, dimensions } = transfer;
  const [first, ...others] = dimensions;
  const b = builder(rewriter);
  if (first === undefined) {
    // The mask of an element that is repeated.
    if (mask === undefined || others.length > 0) return undefined;
    return b(extractelement, { vector: mask, position: createIndex(rewriter, 0) });
  }
  let condition: Value | undefined;
  if (inBounds[0] !== true) {
    const lhs = indexValue(rewriter, sizeOrDim(rewriter, source, first));
    const rhs = sumOf(rewriter, indices[first]!, at);
    // Below 0, an unsigned number is beyond any size.
    const predicate = mayBeNegative(rewriter, rhs) ? 'ugt' : 'sgt';
    condition = b(cmpi, { predicate, lhs, rhs });
  }
  if (mask?.type.shape.length === 1) {
    const set: Value = b(extractelement, { vector: mask, position: at });
    condition = condition === undefined ? set : b(andi, { lhs: condition, rhs: set });
  }
  return condition;
};

/** `make`, under a condition; `otherwise` where that does not hold. */
const guarded = (
  rewriter: Rewriter,
  condition: Value | undefined,
  otherwise: Value | undefined,
  make: (at: Rewriter) => Value | undefined,
): Value | undefined => {
  if (condition === undefined) return make(rewriter);
  const yielding = (value: Value | undefined) => ({
    operands: { results: value === undefined ? [] : [value] },
  });
  const [result] = rewriter.create(
    ifOp.state<Rewriter>({
      operands: { condition },
      resultTypes: otherwise === undefined ? [] : [otherwise.type],
      bodies: [
        { build: (at) => at.create(yieldOp.state(yielding(make(at)))) },
        { build: (at) => at.create(yieldOp.state(yielding(otherwise))) },
      ],
    }),
  ).results;
  return result;
};

/** The transfer of row `row`; what is `before` its mask is created between that and the indices, as upstream. */
const rowOf = (
  rewriter: Rewriter,
  transfer: Transfer,
  row: number,
  at: Value,
  before: () => void = () => undefined,
): Transfer => {
  const { mask, dimensions, inBounds, type } = transfer;
  const indices = indicesAt(rewriter, transfer, at);
  before();
  const ofRow =
    mask === undefined || dimensions[0] === undefined
      ? mask
      : mask.type.shape.length > 1
        ? (partOf(rewriter, mask, [row]) as Value<VectorType>)
        : undefined;
  return {
    ...transfer,
    indices,
    mask: ofRow,
    dimensions: dimensions.slice(1),
    inBounds: inBounds.slice(1),
    type: withoutLeading(type),
  };
};

/** The operands and attributes of an op that does what is left of a transfer. */
const partsOf = ({ source, indices, mask, dimensions, inBounds }: Transfer) => ({
  source,
  indices,
  mask,
  inBounds,
  permutationMap: makeMap(
    source.type.shape.length,
    0,
    dimensions.map((each) => (each === undefined ? 0 : dim(each))),
  ),
});

const isUnrollable = ({ type }: Pick<Transfer, 'type'>, rank: number): boolean =>
  type.shape.length > rank && type.scalable[0] !== true;

/** Whether every element is read: no padding. */
const isComplete = ({ mask, inBounds, dimensions }: Transfer): boolean =>
  mask === undefined && dimensions.every((each, i) => each === undefined || inBounds[i] === true);

interface Rows {
  readonly rank: number;
  readonly padding: Value;
}

/** `into` with the rows of a transfer read at `position`. */
const readRows = (
  rewriter: Rewriter,
  transfer: Transfer,
  into: Value,
  position: readonly number[],
  rows: Rows,
): Value => {
  if (!isUnrollable(transfer, rows.rank)) {
    const b = builder(rewriter);
    const read: Value = b(
      transferRead,
      { ...partsOf(transfer), padding: rows.padding },
      { resultTypes: [transfer.type] },
    );
    return b(insert, { source: read, dest: into, staticPosition: position }, { resultTypes: [into.type] });
  }
  let result = into;
  for (let row = 0; row < transfer.type.shape[0]!; row++) {
    const before = result;
    const at = createIndex(rewriter, row);
    const condition = conditionAt(rewriter, transfer, at);
    result = guarded(rewriter, condition, before, (inner) =>
      readRows(inner, rowOf(inner, transfer, row, at), before, [...position, row], rows),
    )!;
  }
  return result;
};

/** The insertion that is the only use of what `read` reads, into a vector that exists already. */
const insertionOf = (rewriter: Rewriter, read: DraftOperation): DraftOperation | undefined => {
  const [value] = read.results;
  const [user, ...others] = value === undefined ? [] : rewriter.users(value);
  if (user === undefined || others.length > 0 || !insert.is(user) || user.block !== read.block)
    return undefined;
  const { source, dest, dynamicPosition } = insert.operands(user);
  const isPart = source.id === value?.id && dest.id !== value.id && dynamicPosition.length === 0;
  const made = rewriter.definingOperation(dest);
  const exists = made === undefined || made.block !== read.block || precedes(made, read);
  return isPart && exists ? user : undefined;
};

const unrollRead = (rank: number): RewritePattern =>
  onOp(transferRead, 'unroll-read', (rewriter, operation) => {
    const type = operation.results[0]!.type as VectorType;
    const transfer = transferOf(operation, type);
    if (transfer === undefined || !isUnrollable(transfer, rank)) return;
    const { padding } = transferRead.operands(operation);
    const insertion = isComplete(transfer) ? insertionOf(rewriter, operation) : undefined;
    const rows = { rank, padding };
    if (insertion === undefined) {
      const initial: Value = builder(rewriter)(splat, { input: padding }, { resultTypes: [type] });
      rewriter.replaceOperation(operation, [readRows(rewriter, transfer, initial, [], rows)]);
      return;
    }
    const { dest } = insert.operands(insertion);
    const { staticPosition } = insert.attributes(insertion);
    const made = readRows(rewriter, transfer, dest, staticPosition, rows);
    rewriter.replaceOperation(insertion, [made]);
    rewriter.eraseOperation(operation);
  });

/** Writes the rows of `vector` at `position`. */
const writeRows = (
  rewriter: Rewriter,
  transfer: Transfer,
  vector: Value<VectorType>,
  position: readonly number[],
  rank: number,
): void => {
  for (let row = 0; row < transfer.type.shape[0]!; row++) {
    const at = createIndex(rewriter, row);
    guarded(rewriter, conditionAt(rewriter, transfer, at), undefined, (inner) => {
      const b = builder(inner);
      const place = [...position, row];
      const isPlane = isUnrollable({ type: withoutLeading(transfer.type) }, rank);
      let part: Value | undefined;
      const next = rowOf(inner, transfer, row, at, () => {
        if (!isPlane) part = b(extract, { vector, staticPosition: place });
      });
      if (part === undefined) writeRows(inner, next, vector, place, rank);
      else b(transferWrite, { ...partsOf(next), vector: part }, { resultTypes: [] });
      return undefined;
    });
  }
};

const unrollWrite = (rank: number): RewritePattern =>
  onOp(transferWrite, 'unroll-write', (rewriter, operation) => {
    const { vector } = transferWrite.operands(operation);
    const transfer = transferOf(operation, vector.type);
    // A repeated dimension would be written several times.
    if (transfer === undefined || !isUnrollable(transfer, rank) || transfer.dimensions.includes(undefined))
      return;
    const made = rewriter.definingOperation(vector);
    if (made !== undefined && extract.is(made) && extract.operands(made).dynamicPosition.length === 0) {
      const { staticPosition } = extract.attributes(made);
      writeRows(rewriter, transfer, extract.operands(made).vector, staticPosition, rank);
    } else writeRows(rewriter, transfer, vector, [], rank);
    rewriter.eraseOperation(operation);
  });

/** A line that is not contiguous in a buffer; its transfer becomes a loop. */
const isStrided = (operation: DraftOperation, { source, type }: Transfer): boolean => {
  const of = transferRead.is(operation) ? transferRead : transferWrite;
  const { permutationMap } = of.attributes(operation);
  const { strides } = stridedLayoutOf(source.type) ?? {};
  const isUnit = strides !== undefined && (strides.length === 0 || strides.at(-1) === 1);
  return type.shape.length === 1 && !(isMinorIdentity(permutationMap) && isUnit);
};

/** A loop over the elements of a line; carries `initial`, if given, and returns what becomes of it. */
const createLine = (
  rewriter: Rewriter,
  { type }: Transfer,
  initial: () => Value | undefined,
  body: (at: Rewriter, element: Value, carried: Value | undefined) => Value | undefined,
): Value | undefined => {
  const b = builder(rewriter);
  const lowerBound = createIndex(rewriter, 0);
  const count = createIndex(rewriter, type.shape[0]!);
  const upperBound: Value = type.scalable[0] === true ? b(muli, { lhs: count, rhs: b(vscale, {}) }) : count;
  const step = createIndex(rewriter, 1);
  const first = initial();
  const carried = first === undefined ? [] : [first];
  const types = carried.map((value) => value.type);
  const [result] = rewriter.create(
    forOp.state<Rewriter>({
      operands: { lowerBound, upperBound, step, initArgs: carried },
      resultTypes: types,
      bodies: [
        {
          argumentTypes: [lowerBound.type, ...types],
          build: (at, element, argument) => {
            const next = body(at, element, argument);
            at.create(yieldOp.state({ operands: { results: next === undefined ? [] : [next] } }));
          },
        },
      ],
    }),
  ).results;
  return result;
};

const lineRead = onOp(transferRead, 'line-read', (rewriter, operation) => {
  const type = operation.results[0]!.type as VectorType;
  const transfer = transferOf(operation, type);
  if (transfer === undefined || !isStrided(operation, transfer)) return;
  const { padding } = transferRead.operands(operation);
  const initial = (): Value => builder(rewriter)(splat, { input: padding }, { resultTypes: [type] });
  const made = createLine(rewriter, transfer, initial, (at, element, carried) => {
    const indices = indicesAt(at, transfer, element);
    return guarded(at, conditionAt(at, transfer, element), carried, (inner) => {
      const b = builder(inner);
      const value: Value = b(load, { memref: transfer.source, indices }, { resultTypes: [type.elementType] });
      return b(
        insertelement,
        { source: value, dest: carried as Value<VectorType>, position: element },
        { resultTypes: [type] },
      );
    });
  });
  rewriter.replaceOperation(operation, [made!]);
});

const lineWrite = onOp(transferWrite, 'line-write', (rewriter, operation) => {
  const { vector } = transferWrite.operands(operation);
  const transfer = transferOf(operation, vector.type);
  if (transfer === undefined || !isStrided(operation, transfer)) return;
  createLine(
    rewriter,
    transfer,
    () => undefined,
    (at, element) => {
      const indices = indicesAt(at, transfer, element);
      return guarded(at, conditionAt(at, transfer, element), undefined, (inner) => {
        const b = builder(inner);
        const value: Value = b(extractelement, { vector, position: element });
        b(store, { value, memref: transfer.source, indices });
        return undefined;
      });
    },
  );
  rewriter.eraseOperation(operation);
});

/** Down to vectors of `rank`, at least 1. */
export const transferToScfPatterns = (rank: number): readonly RewritePattern[] => [
  unrollRead(rank),
  unrollWrite(rank),
  ...(rank === 1 ? [lineRead, lineWrite] : []),
];
