/** Padding of tensors. */
import type { MixedIndex } from '@sconv/dialects';
import { castTo, extractSliceState, indexNumber, mixedSlice, sliceOperands } from '@sconv/dialects';
import type { MixedPadding } from '@sconv/dialects/tensor';
import { cast, extractSlice, mayShift, mixedPadding, pad, paddedShape } from '@sconv/dialects/tensor';
import type { DraftOperation, RewritePattern, Rewriter, TensorType, Value } from '@sconv/ir';
import { attributeEquals, bodyOf, DYNAMIC, isStaticShape, terminatorOf, typeEquals } from '@sconv/ir';
import { constantOf, definedBy, keepsStaticSizes, onOp, sameMixed, withConstants } from '../match.ts';
import { tensorCast, throughCast } from './tensor-cast.ts';

/** The same padding, constants as numbers. */
const knownPadding = (rewriter: Rewriter, operation: DraftOperation): MixedPadding => {
  const { low, high } = mixedPadding(operation);
  return { low: withConstants(rewriter, low), high: withConstants(rewriter, high) };
};

/** Another `tensor.pad` with the body of `operation`, before it. */
const padAgain = (
  rewriter: Rewriter,
  operation: DraftOperation,
  source: Value,
  { low, high }: MixedPadding,
  type: TensorType,
): Value => {
  const [lowList, highList] = [sliceOperands(low), sliceOperands(high)];
  const made = rewriter.create(
    pad.state<Rewriter>({
      operands: { source: source, low: lowList.dynamic, high: highList.dynamic },
      attributes: {
        staticLow: lowList.static,
        staticHigh: highList.static,
        nofold: pad.attributes(operation).nofold,
      },
      resultTypes: [type],
    }),
    operation.location,
  );
  const [body] = made.regions;
  rewriter.cloneRegion(operation.regions[0]!, body ?? rewriter.createRegion(made));
  return made.results[0]!;
};

/** The type of a padded tensor; `otherwise` provides the sizes that cannot be inferred. */
const paddedType = (source: TensorType, padding: MixedPadding, otherwise: TensorType): TensorType => ({
  ...otherwise,
  shape: paddedShape(source.shape, padding).map((size, i) => (size === DYNAMIC ? otherwise.shape[i]! : size)),
});

const typesOf = (operation: DraftOperation): { from: TensorType; to: TensorType } | undefined => {
  const [from, to] = [operation.operands[0]?.type, operation.results[0]?.type];
  return from?.kind === 'tensor' && to?.kind === 'tensor' ? { from, to } : undefined;
};

/** No padding. */
const noPadding = onOp(pad, 'pad-of-nothing', (rewriter, operation) => {
  const types = typesOf(operation);
  if (types === undefined || pad.attributes(operation).nofold) return;
  const { low, high } = knownPadding(rewriter, operation);
  const isNothing = [...low, ...high].every((size) => size === 0);
  const isSame = isStaticShape(types.to) && typeEquals(types.from, types.to) && !mayShift({ low, high });
  if (!isNothing && !isSame) return;
  rewriter.replaceOperation(operation, [castTo(rewriter, operation.operands[0]!, types.to, tensorCast)]);
});

/** Moves constant padding into the op's attributes and type. */
const staticPadding = onOp(pad, 'pad-of-constants', (rewriter, operation) => {
  const types = typesOf(operation);
  const [before, known] = [mixedPadding(operation), knownPadding(rewriter, operation)];
  if (types === undefined || (sameMixed(before.low, known.low) && sameMixed(before.high, known.high))) return;
  const type = paddedType(types.from, known, types.to);
  const made = padAgain(rewriter, operation, operation.operands[0]!, known, type);
  rewriter.replaceOperation(operation, [castTo(rewriter, made, types.to, tensorCast)]);
});

/** Pads the source of a cast to a less static type. */
const padOfCast = onOp(pad, 'pad-of-cast', (rewriter, operation) => {
  const source = throughCast(rewriter, operation.operands[0]);
  const types = typesOf(operation);
  if (source?.type.kind !== 'tensor' || types === undefined) return;
  const type = paddedType(source.type, mixedPadding(operation), types.to);
  if (typeEquals(type, types.to)) {
    rewriter.setOperand(operation, 0, source);
    return;
  }
  const made = padAgain(rewriter, operation, source, mixedPadding(operation), type);
  rewriter.replaceOperation(operation, [castTo(rewriter, made, types.to, tensorCast)]);
});

/** A padded tensor whose only use is a cast to a more static type. */
const castOfPad = onOp(pad, 'cast-of-pad', (rewriter, operation) => {
  const [result] = operation.results;
  const [user, ...more] = result === undefined ? [] : rewriter.users(result);
  if (user === undefined || more.length > 0 || !cast.is(user)) return;
  const { type } = user.results[0]!;
  const types = typesOf(operation);
  if (types === undefined || type.kind !== 'tensor' || !keepsStaticSizes(types.to.shape, type.shape)) return;
  if (typeEquals(type, types.to)) return;
  const made = padAgain(rewriter, operation, operation.operands[0]!, mixedPadding(operation), type);
  rewriter.replaceOperation(user, [made]);
  rewriter.eraseOperation(operation);
});

/** The padding value, if constant. */
const paddingValue = (rewriter: Rewriter, operation: DraftOperation) =>
  constantOf(rewriter, terminatorOf(bodyOf(operation)).operands[0]);

/** The dimensions that are padded. */
const paddedDimensions = ({ low, high }: MixedPadding): ReadonlySet<number> =>
  new Set(low.flatMap((size, i) => (size === 0 && high[i] === 0 ? [] : [i])));

/** Two slices that are padded in turn, in different dimensions: one slice, padded once. */
const orthogonalPads = onOp(pad, 'orthogonal-pads', (rewriter, operation) => {
  const inner = definedBy(rewriter, operation.operands[0], extractSlice);
  const padded = definedBy(rewriter, inner?.operands[0], pad);
  const outer = definedBy(rewriter, padded?.operands[0], extractSlice);
  const types = typesOf(operation);
  if (inner === undefined || padded === undefined || outer === undefined || types === undefined) return;
  if (pad.attributes(padded).nofold) return;
  const [a, b] = [mixedSlice(inner), mixedSlice(outer)];
  const [source] = outer.operands;
  const middle = padded.results[0]!.type;
  const rank = a.sizes.length;
  const ranks = [source?.type, outer.results[0]?.type, middle, inner.results[0]?.type];
  if (source?.type.kind !== 'tensor' || middle.kind !== 'tensor') return;
  if (b.sizes.length !== rank || ranks.some((type) => type?.kind !== 'tensor' || type.shape.length !== rank))
    return;
  if ([...a.strides, ...b.strides].some((stride) => stride !== 1)) return;
  const [last, first] = [knownPadding(rewriter, operation), knownPadding(rewriter, padded)];
  if ([...last.low, ...first.low].some((size) => size !== 0)) return;
  const [value, other] = [paddingValue(rewriter, operation), paddingValue(rewriter, padded)];
  if (value === undefined || other === undefined || !attributeEquals(value, other)) return;
  const [innerDims, outerDims] = [paddedDimensions(last), paddedDimensions(first)];
  if ([...innerDims].some((dimension) => outerDims.has(dimension))) return;
  const at = (mixed: readonly MixedIndex[], i: number): number | undefined => {
    const index = mixed[i]!;
    return indexNumber(rewriter, index);
  };
  const offsets: MixedIndex[] = [];
  for (let i = 0; i < rank; i++) {
    if (!innerDims.has(i) && at(a.offsets, i) === 0) offsets.push(b.offsets[i]!);
    else if (!outerDims.has(i) && at(b.offsets, i) === 0) offsets.push(a.offsets[i]!);
    else return;
  }
  const sizes = [...a.sizes];
  for (const i of outerDims) {
    // A padded dimension must not be sliced.
    if (middle.shape[i] === DYNAMIC || at(a.sizes, i) !== middle.shape[i]) return;
    sizes[i] = b.sizes[i]!;
  }
  const high = last.high.map((size, i) => (outerDims.has(i) ? first.high[i]! : size));
  const shape = sizes.map((size) => (typeof size === 'number' ? size : DYNAMIC));
  const slice = rewriter.createValue(
    extractSliceState(source, { offsets, sizes, strides: a.strides }, { ...source.type, shape }),
  );
  rewriter.replaceOperation(operation, [
    padAgain(rewriter, operation, slice, { low: last.low, high }, types.to),
  ]);
});

export const tensorPadPatterns: readonly RewritePattern[] = [
  noPadding,
  padOfCast,
  castOfPad,
  orthogonalPads,
  staticPadding,
];
