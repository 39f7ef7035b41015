/**
 * Parts that are put together in one tensor, each computed where it ends up:
 *
 *     %a = f(outs %empty1)                                %whole = tensor.empty()
 *     %b = g(outs %empty2)                                %part1 = tensor.extract_slice %whole[0] …
 *     %whole = tensor.empty()                        →    %a = f(outs %part1)
 *     %1 = tensor.insert_slice %a into %whole[0] …        %1 = tensor.insert_slice %a into %whole[0] …
 *     %2 = tensor.insert_slice %b into %1[64] …           %part2 = tensor.extract_slice %1[64] …
 *                                                         %b = g(outs %part2)
 *                                                         %2 = tensor.insert_slice %b into %1[64] …
 *
 * One-shot bufferization then inserts without a copy. `eliminate-empty-tensors`, upstream's pass, leaves these: it
 * moves no insertion before the next part, and follows no reshapes.
 */
import {
  areSlicesDisjoint,
  extractSliceState,
  inferCollapsedType,
  inferExpandedType,
  mixedSlice,
} from '@sconv/dialects';
import { structured } from '@sconv/dialects/linalg';
import { rowMajorStrides } from '@sconv/dialects/memref';
import { firstInit, forall, forOp } from '@sconv/dialects/scf';
import { collapseShape, empty, expandShape, insertSlice, pad } from '@sconv/dialects/tensor';
import type { DraftOperation, MemRefType, Rewriter, TensorType, Value } from '@sconv/ir';
import { isStaticShape, memrefType, stridedLayoutAttribute } from '@sconv/ir';
import { insertIntoBorder } from './insert-into-border.ts';

/** Insertions of disjoint parts into an empty tensor, one after the other, in a block. */
interface Assembly {
  readonly whole: DraftOperation;
  readonly insertions: readonly DraftOperation[];
}

/**
 * Computes parts of static size in the tensor that they are inserted into, where they begin with an empty tensor, and
 * what is padded in the middle of the result. Contents of empty tensors are not specified, so that each result stays
 * what it is.
 */
export const computePartsInPlace = (rewriter: Rewriter, root: DraftOperation): void => {
  for (const operation of rewriter.walk(root)) {
    if (pad.is(operation) && isBegunInPlace(rewriter, operation)) insertIntoBorder(rewriter, operation);
  }
  for (const operation of rewriter.walk(root)) {
    if (!insertSlice.is(operation)) continue;
    const assembly = assemblyOf(rewriter, operation);
    if (assembly !== undefined) assembleInPlace(rewriter, assembly);
  }
};

/** Whether what a `tensor.pad` pads is begun in an empty tensor of the same block, for which its result has room. */
const isBegunInPlace = (rewriter: Rewriter, operation: DraftOperation): boolean => {
  const { source } = pad.operands(operation);
  const whole = operation.results[0]!.type;
  if (whole.kind !== 'tensor' || !isStaticShape(source.type)) return false;
  if (rewriter.definingOperation(source)?.block !== operation.block) return false;
  return beginningOf(rewriter, source, placeWithin(source.type, whole)) !== undefined;
};

/** What ends with an insertion, if no other continues it. */
const assemblyOf = (rewriter: Rewriter, last: DraftOperation): Assembly | undefined => {
  const isContinued = rewriter
    .users(last.results[0]!)
    .some((user) => insertSlice.is(user) && insertSlice.operands(user).dest.id === last.results[0]!.id);
  if (isContinued) return undefined;
  const insertions = [last];
  for (;;) {
    const { dest } = insertSlice.operands(insertions[0]!);
    const definition = rewriter.definingOperation(dest);
    if (definition === undefined || definition.block !== last.block) return undefined;
    if (rewriter.users(dest).length !== 1) return undefined;
    if (empty.is(definition)) {
      const isKnown = definition.operands.length === 0 && insertions.length > 1;
      return isKnown && areDisjoint(insertions) ? { whole: definition, insertions } : undefined;
    }
    if (!insertSlice.is(definition)) return undefined;
    insertions.unshift(definition);
  }
};

/** Whether parts of static place and size, each of the rank of the whole, have no element in common. */
const areDisjoint = (insertions: readonly DraftOperation[]): boolean => {
  const areStatic = insertions.every((insertion) => {
    const { source, dest, offsets, sizes, strides } = insertSlice.operands(insertion);
    const isStatic = [offsets, sizes, strides].every(({ length }) => length === 0);
    return isStatic && source.type.shape.length === dest.type.shape.length;
  });
  const slices = insertions.map(mixedSlice);
  return areStatic && slices.every((a, i) => slices.slice(0, i).every((b) => areSlicesDisjoint(a, b)));
};

/** A part by its insertion. */
interface Part {
  readonly insertion: DraftOperation;
  /** What computes the part, and its position in the block: -1 for an argument, and for what surrounds the block. */
  readonly producer: DraftOperation | undefined;
  readonly at: number;
  readonly beginning: Beginning | undefined;
}

/** The empty tensor that a part is computed in, and the op of the same block that takes it. */
interface Beginning {
  readonly value: Value;
  readonly type: TensorType;
  readonly user: DraftOperation;
}

const assembleInPlace = (rewriter: Rewriter, { whole, insertions }: Assembly): void => {
  const positions = positionsIn(whole);
  const parts = insertions
    .map((insertion) => partOf(rewriter, insertion, positions))
    .sort((a, b) => a.at - b.at);
  // A part is begun in place once all before it are complete.
  const fits = parts.map(({ beginning }, k) => {
    const at = beginning === undefined ? undefined : positions.get(beginning.user);
    return at !== undefined && at > (parts[k - 1]?.at ?? -1) ? beginning : undefined;
  });
  const first = fits.findIndex((beginning) => beginning !== undefined);
  if (first < 0) return;
  // 1. The last insertion has the result now.
  const [before, after] = [insertions.at(-1)!.results[0]!, parts.at(-1)!.insertion.results[0]!];
  if (before !== after) rewriter.replaceUsesIf(before, after, (user) => !insertions.includes(user));
  // 2. The empty tensor, and the insertions of what is complete there.
  rewriter.moveBefore(whole, fits[first]!.user);
  let [current, previous] = [whole.results[0]!, whole];
  parts.forEach(({ insertion, producer }, k) => {
    // 3. A slice where the part begins, and its insertion where it ends.
    const beginning = fits[k];
    if (beginning !== undefined) {
      const { value, type, user } = beginning;
      rewriter.setInsertionPointBefore(user);
      const part = rewriter.createValue(extractSliceState(current, mixedSlice(insertion), type));
      rewriter.replaceUsesIf(value, part, (each) => each === user);
    }
    const place = k < first || producer === parts[k - 1]?.producer ? previous : producer!;
    if (place.next !== insertion) rewriter.moveBefore(insertion, place.next!);
    rewriter.setOperand(insertion, 1, current);
    [current, previous] = [insertion.results[0]!, insertion];
  });
};

/** Positions of the operations in the block of one. */
const positionsIn = ({ block }: DraftOperation): ReadonlyMap<DraftOperation, number> => {
  const positions = new Map<DraftOperation, number>();
  for (let each = block?.first; each !== undefined; each = each.next) positions.set(each, positions.size);
  return positions;
};

const partOf = (
  rewriter: Rewriter,
  insertion: DraftOperation,
  positions: ReadonlyMap<DraftOperation, number>,
): Part => {
  const { source, dest } = insertSlice.operands(insertion);
  const definition = rewriter.definingOperation(source);
  const at = definition === undefined ? undefined : positions.get(definition);
  if (at === undefined) return { insertion, producer: undefined, at: -1, beginning: undefined };
  const place = placeWithin(source.type, dest.type);
  return { insertion, producer: definition, at, beginning: beginningOf(rewriter, source, place) };
};

/** The buffer of a part, as a view of that of the whole. */
const placeWithin = ({ shape, elementType }: TensorType, whole: TensorType): MemRefType =>
  memrefType(shape, elementType, stridedLayoutAttribute(0, rowMajorStrides(whole.shape)));

/**
 * Where a tensor that nothing but its insertion uses is begun, if its buffer may be a `place` within a larger one, of
 * which each reshape has a view. What is used otherwise, too, would be read after the next part is written next to it.
 */
const beginningOf = (rewriter: Rewriter, part: Value, place: MemRefType): Beginning | undefined => {
  if (rewriter.users(part).length !== 1) return undefined;
  let [value, type]: [Value, MemRefType | undefined] = [part, place];
  for (;;) {
    const user = rewriter.definingOperation(value);
    if (user === undefined) return undefined;
    if (expandShape.is(user)) type = inferCollapsedType(type, expandShape.attributes(user).reassociation);
    else if (collapseShape.is(user)) {
      const { src } = collapseShape.operands(user);
      const { reassociation } = collapseShape.attributes(user);
      type = src.type.kind === 'tensor' ? inferExpandedType(type, src.type.shape, reassociation) : undefined;
    }
    const destination = destinationOf(rewriter, user, value);
    if (type === undefined || destination === undefined) return undefined;
    value = destination;
    const definition = rewriter.definingOperation(value);
    if (definition === undefined || !empty.is(definition)) continue;
    const isWhole = type.shape.join() === place.shape.join();
    return isWhole && value.type.kind === 'tensor' ? { value, type: value.type, user } : undefined;
  }
};

/** The tensor whose buffer a result of an op takes over. */
const destinationOf = (rewriter: Rewriter, operation: DraftOperation, result: Value): Value | undefined => {
  if (expandShape.is(operation) || collapseShape.is(operation)) return operation.operands[0];
  if (insertSlice.is(operation)) return insertSlice.operands(operation).dest;
  const position = operation.results.findIndex(({ id }) => id === result.id);
  if (forOp.is(operation) || forall.is(operation)) return operation.operands[firstInit(operation) + position];
  return structured(rewriter.registry, operation)?.outputs[position];
};
