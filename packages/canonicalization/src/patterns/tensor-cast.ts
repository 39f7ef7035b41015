/** Casts of tensors: removes them, or moves them towards the uses of what they hide. */
import { castTo, loopLike, mixedSlice, rankReductionMask, sliceArguments, tilingOf } from '@sconv/dialects';
import {
  bitcast,
  cast,
  collapseShape,
  empty,
  extract,
  extractSlice,
  insertSlice,
  pack,
  unpack,
} from '@sconv/dialects/tensor';
import { isMasked } from '@sconv/dialects/vector';
import type { Operation, OperationState, RewritePattern, Rewriter, TensorType, Type, Value } from '@sconv/ir';
import { DYNAMIC, isShaped, modelOf, typeEquals } from '@sconv/ir';
import {
  definedBy,
  destinationStart,
  integerConstant,
  isNonNegative,
  keepsStaticSizes,
  onOp,
  recreate,
} from '../match.ts';

export const tensorCast = (source: Value, type: Type): OperationState<Rewriter> =>
  cast.state<Rewriter>({ operands: { source }, resultTypes: [type] });

const tensorOf = (value: Value | undefined): TensorType | undefined =>
  value?.type.kind === 'tensor' ? value.type : undefined;

/** The source of the cast that defines `value`, if its shape is at least as static. */
export const throughCast = (rewriter: Rewriter, value: Value | undefined): Value | undefined => {
  const source = definedBy(rewriter, value, cast)?.operands[0];
  const [from, to] = [tensorOf(source), tensorOf(value)];
  if (source === undefined || from === undefined || to === undefined) return undefined;
  return keepsStaticSizes(to.shape, from.shape) &&
    typeEquals(from.elementType, to.elementType) &&
    sameEncoding(from, to)
    ? source
    : undefined;
};

const sameEncoding = (a: TensorType, b: TensorType): boolean =>
  typeEquals({ ...a, shape: [] }, { ...b, shape: [] });

/** The common shape of several types; undefined if they contradict each other, null if none is ranked. */
const joinedShape = (types: readonly Type[]): readonly number[] | null | undefined => {
  const shapes = types.flatMap((type) => (isShaped(type) ? [type.shape] : []));
  const [first, ...more] = shapes;
  if (first === undefined) return null;
  return more.reduce<readonly number[] | undefined>(
    (joined, shape) =>
      joined?.length === shape.length &&
      shape.every((size, i) => size === DYNAMIC || joined[i] === DYNAMIC || size === joined[i])
        ? joined.map((size, i) => (size === DYNAMIC ? shape[i]! : size))
        : undefined,
    first,
  );
};

/** A cast of a cast, if the first checks nothing that the second does not. */
const chainedCast = onOp(cast, 'chained-tensor-cast', (rewriter, operation) => {
  const [value] = operation.operands;
  const [source] = definedBy(rewriter, value, cast)?.operands ?? [];
  const [result] = operation.results;
  if (source === undefined || value === undefined || result === undefined) return;
  const all = joinedShape([source.type, value.type, result.type]);
  const ends = joinedShape([source.type, result.type]);
  if (all === undefined || String(all) !== String(ends)) return;
  rewriter.replaceOperation(operation, [castTo(rewriter, source, result.type, tensorCast)]);
});

/** A cast to an equal type. */
const noCast = onOp(cast, 'tensor-cast-to-same', (rewriter, operation) => {
  const [source] = operation.operands;
  if (source !== undefined && typeEquals(source.type, operation.results[0]!.type))
    rewriter.replaceOperation(operation, [source]);
});

const chainedBitcast = onOp(bitcast, 'chained-tensor-bitcast', (rewriter, operation) => {
  const [value] = operation.operands;
  const { type } = operation.results[0]!;
  if (value !== undefined && typeEquals(value.type, type)) {
    rewriter.replaceOperation(operation, [value]);
    return;
  }
  const [source] = definedBy(rewriter, value, bitcast)?.operands ?? [];
  if (source === undefined) return;
  rewriter.replaceWith(operation, bitcast.state({ operands: { source }, resultTypes: [type] }));
});

/** A slice that is cast to a more static type: slice to that type. */
const castOfSlice = onOp(cast, 'tensor-cast-of-extract-slice', (rewriter, operation) => {
  const slice = definedBy(rewriter, operation.operands[0], extractSlice);
  const [from, to] = [tensorOf(operation.operands[0]), tensorOf(operation.results[0])];
  if (slice === undefined || from === undefined || to === undefined) return;
  if (!keepsStaticSizes(from.shape, to.shape) || typeEquals(from, to)) return;
  const { offsets, sizes, strides } = mixedSlice(slice);
  const shape = sizes.map((size) => (typeof size === 'number' ? size : DYNAMIC));
  const dropped = rankReductionMask(shape, from.shape);
  if (dropped === undefined) return;
  let next = 0;
  const known = sizes.map((size, i) => {
    if (dropped.has(i)) return size;
    const given = to.shape[next++]!;
    return given === DYNAMIC ? size : given;
  });
  const parts = sliceArguments({ offsets, sizes: known, strides });
  rewriter.replaceWith(
    operation,
    extractSlice.state({
      operands: { source: slice.operands[0]!, ...parts.operands },
      attributes: parts.attributes,
      resultTypes: [to],
    }),
  );
});

/** An empty tensor that is cast to a more static type. */
const castOfEmpty = onOp(cast, 'tensor-cast-of-empty', (rewriter, operation) => {
  const source = definedBy(rewriter, operation.operands[0], empty);
  const [from, to] = [tensorOf(operation.operands[0]), tensorOf(operation.results[0])];
  if (source === undefined || from === undefined || to === undefined) return;
  if (!keepsStaticSizes(from.shape, to.shape)) return;
  const sizes = [...source.operands];
  const kept: Value[] = [];
  for (const [i, size] of from.shape.entries()) {
    if (size !== DYNAMIC) continue;
    const operand = sizes.shift()!;
    const wanted = to.shape[i]!;
    if (wanted === DYNAMIC) kept.push(operand);
    else {
      const given = integerConstant(rewriter, operand);
      if (given !== undefined && given !== wanted) return;
    }
  }
  rewriter.replaceWith(operation, empty.state({ operands: { dynamicSizes: kept }, resultTypes: [to] }));
});

/** An element of a cast tensor. */
const extractOfCast = onOp(extract, 'tensor-extract-of-cast', (rewriter, operation) => {
  const source = definedBy(rewriter, operation.operands[0], cast)?.operands[0];
  if (tensorOf(source) === undefined) return;
  rewriter.setOperand(operation, 0, source!);
});

/** A slice of a tensor cast to a less static type is the same slice of the source. */
const sliceOfCast = onOp(extractSlice, 'extract-slice-of-cast', (rewriter, operation) => {
  const source = throughCast(rewriter, operation.operands[0]);
  if (source === undefined) return;
  // Constant operands of the slice are for another pattern to make static first.
  const { offsets, sizes, strides } = mixedSlice(operation);
  const lists = [...offsets, ...sizes, ...strides];
  if (lists.some((each) => typeof each === 'object' && integerConstant(rewriter, each) !== undefined)) return;
  rewriter.setOperand(operation, 0, source);
});

/**
 * Whether a tensor of inner tiles would have other sizes than the op gives for them.
 *
 * @deviation Upstream makes an invalid op there.
 */
const changesInnerTiles = (operation: Operation, position: number, source: Value): boolean => {
  if (!pack.is(operation) && !unpack.is(operation)) return false;
  if (position !== (pack.is(operation) ? 1 : 0)) return false;
  const inner = tilingOf(operation).innerTiles.length;
  const [from, to] = [source, operation.operands[position]!].map((value) =>
    tensorOf(value)!.shape.slice(-inner),
  );
  return String(from) !== String(to);
};

/**
 * A destination-style op uses the more static sources of casts: it is recreated, and its results are cast back.
 *
 * @deviation Not where that would put a cast into a `vector.mask`: upstream makes invalid IR of it.
 */
const destinationOfCast: RewritePattern = {
  name: 'cast-of-destination-style-operand',
  rewrite: (rewriter, operation) => {
    const first = destinationStart(rewriter.registry, operation);
    if (first === undefined || insertSlice.is(operation) || operation.operands.length === 0) return;
    // Loop patterns handle casts of iter args.
    if (modelOf(rewriter.registry, loopLike, operation) !== undefined) return;
    const operands = operation.operands.map((operand, i) => {
      const source = throughCast(rewriter, operand);
      return source === undefined || changesInnerTiles(operation, i, source) ? operand : source;
    });
    if (operands.every((operand, i) => operand.id === operation.operands[i]!.id)) return;
    const tensors = operands.slice(first).filter(({ type }) => type.kind === 'tensor');
    const resultTypes = operation.results.map(({ type }, i) => tensors[i]?.type ?? type);
    // Beside a masked op there is no place for a cast of its result.
    const isSame = operation.results.every(({ type }, i) => typeEquals(type, resultTypes[i]!));
    if (!isSame && isMasked(operation)) return;
    const created = recreate(rewriter, operation, { operands, resultTypes });
    rewriter.replaceOperation(
      operation,
      created.results.map((value, i) => castTo(rewriter, value, operation.results[i]!.type, tensorCast)),
    );
  },
};

/** A collapse of a cast tensor: collapse the source, then cast. */
const collapseOfCast = onOp(collapseShape, 'collapse-shape-of-cast', (rewriter, operation) => {
  const source = throughCast(rewriter, operation.operands[0]);
  if (source === undefined) return;
  const { reassociation } = collapseShape.attributes(operation);
  const state = collapseShape.state<Rewriter>({ operands: { src: source }, attributes: { reassociation } });
  const [type] = state.resultTypes;
  if (type !== undefined && typeEquals(type, operation.results[0]!.type)) {
    rewriter.setOperand(operation, 0, source);
    return;
  }
  const collapsed = rewriter.createValue(state);
  rewriter.replaceOperation(operation, [castTo(rewriter, collapsed, operation.results[0]!.type, tensorCast)]);
});

/** Moves constant sizes of an empty tensor into its type. */
const staticEmpty = onOp(empty, 'empty-of-static-sizes', (rewriter, operation) => {
  const type = tensorOf(operation.results[0])!;
  const sizes = [...operation.operands];
  const kept: Value[] = [];
  const shape = type.shape.map((size) => {
    if (size !== DYNAMIC) return size;
    const operand = sizes.shift()!;
    const known = integerConstant(rewriter, operand);
    if (known !== undefined && isNonNegative(known)) return known;
    kept.push(operand);
    return DYNAMIC;
  });
  if (kept.length === operation.operands.length) return;
  const made = rewriter.createValue(
    empty.state({ operands: { dynamicSizes: kept }, resultTypes: [{ ...type, shape }] }),
  );
  rewriter.replaceOperation(operation, [castTo(rewriter, made, type, tensorCast)]);
});

export const tensorCastPatterns: readonly RewritePattern[] = [
  noCast,
  chainedCast,
  chainedBitcast,
  castOfSlice,
  castOfEmpty,
  extractOfCast,
  sliceOfCast,
  destinationOfCast,
  collapseOfCast,
  staticEmpty,
];
