/** `tensor.pad` as padding transfers, or as fill and insertion: upstream's `populatePadOpVectorizationPatterns`. */
import { identityMap } from '@sconv/affine';
import { definedBy, integerConstant, isSame, onOp, withConstants } from '@sconv/canonicalization/matching';
import type { MixedIndex } from '@sconv/dialects';
import {
  createConstantValue,
  createEmpty,
  createFill,
  createIndex,
  createSize,
  createSizes,
  indexNumber,
  indexValue,
  mixedSlice,
  sliceArguments,
  zeroOf,
} from '@sconv/dialects';
import * as affine from '@sconv/dialects/affine';
import { addi } from '@sconv/dialects/arith';
import { fill } from '@sconv/dialects/linalg';
import { cast, extractSlice, generate, insertSlice, mixedPadding, pad } from '@sconv/dialects/tensor';
import { isMasked, minorIdentity, transferRead, transferWrite } from '@sconv/dialects/vector';
import type { DraftOperation, RewritePattern, Rewriter, TensorType, Value, VectorType } from '@sconv/ir';
import { attributesEqual, builder, DYNAMIC, isStaticShape, vectorType } from '@sconv/ir';
import { paddingValue } from './padding-value.ts';

/** Low and high padding, constants as numbers. */
const paddingOf = (rewriter: Rewriter, operation: DraftOperation) => {
  const { low, high } = mixedPadding(operation);
  return { low: withConstants(rewriter, low), high: withConstants(rewriter, high) };
};

const isZero = (rewriter: Rewriter, index: MixedIndex): boolean => indexNumber(rewriter, index) === 0;

/** Whether all low padding is statically zero. */
const startsAtSource = (rewriter: Rewriter, operation: DraftOperation): boolean =>
  paddingOf(rewriter, operation).low.every((low) => isZero(rewriter, low));

/** A pattern for each user of one kind of a `tensor.pad`. */
const forUsers = (
  name: string,
  rewriteUser: (rewriter: Rewriter, operation: DraftOperation, user: DraftOperation) => void,
): RewritePattern => ({
  ...onOp(pad, name, (rewriter, operation) => {
    if (!startsAtSource(rewriter, operation)) return;
    for (const user of rewriter.users(operation.results[0]!)) rewriteUser(rewriter, operation, user);
  }),
  benefit: 2,
});

/**
 * An in-bounds read of a padded tensor reads the source, with the padding value as padding.
 *
 * @deviation Not under a `vector.mask`: upstream also pads there with what the tensor is padded with.
 */
const readOfPad = forUsers('read-of-pad', (rewriter, operation, user) => {
  if (!transferRead.is(user)) return;
  const { inBounds, permutationMap } = transferRead.attributes(user);
  const { mask, indices } = transferRead.operands(user);
  if (inBounds.includes(false) || mask !== undefined || isMasked(user)) return;
  const isRepeated = permutationMap.results.map(({ kind }) => kind === 'constant');
  // Dimensions that are not read must be in bounds of the source.
  const isRead = permutationMap.numDims === isRepeated.filter((flag) => !flag).length;
  const padding = isRead ? paddingValue(rewriter, operation) : undefined;
  if (padding === undefined) return;
  const { source } = pad.operands(operation);
  rewriter.scoped(() => {
    rewriter.setInsertionPointBefore(user);
    const made = builder(rewriter)(
      transferRead,
      { source, indices, padding, permutationMap, inBounds: isRepeated },
      { resultTypes: user.results.map(({ type }) => type) },
    );
    rewriter.replaceOperation(user, [made]);
  });
});

/** A write to a padded tensor whose unpadded part is then extracted writes to the source. */
const writeOfPad = forUsers('write-of-pad', (rewriter, operation, user) => {
  if (!transferWrite.is(user)) return;
  const { source: dest, vector, indices, mask } = transferWrite.operands(user);
  const { permutationMap } = transferWrite.attributes(user);
  const [result] = operation.results;
  const [trim, ...others] = rewriter.users(user.results[0]!);
  // What is beyond the source is written nowhere, except in dimensions that the vector does not have.
  if (permutationMap.results.length < permutationMap.numDims || !isSame(dest, result)) return;
  if (permutationMap.numDims === 0 || mask !== undefined) return;
  if (trim === undefined || others.length > 0 || !extractSlice.is(trim)) return;
  const { offsets, strides } = mixedSlice(trim);
  const { source } = pad.operands(operation);
  if (offsets.some((offset) => offset !== 0) || strides.some((stride) => stride !== 1)) return;
  if (!hasSameSize(rewriter, source, trim) || paddingValue(rewriter, operation) === undefined) return;
  rewriter.scoped(() => {
    rewriter.setInsertionPointBefore(user);
    const made = builder(rewriter)(
      transferWrite,
      { vector, source, indices, permutationMap, inBounds: permutationMap.results.map(() => false) },
      { resultTypes: [source.type] },
    );
    rewriter.replaceOperation(trim, [made!]);
    rewriter.eraseOperation(user);
  });
});

/** Whether a slice has the sizes of a tensor, as far as they can be compared. */
const hasSameSize = (rewriter: Rewriter, before: Value<TensorType>, trim: DraftOperation): boolean => {
  const [casted] = definedBy(rewriter, before, cast)?.operands ?? [];
  if (casted?.type.kind === 'tensor' && hasSameSize(rewriter, casted as Value<TensorType>, trim)) return true;
  const { type } = trim.results[0]!;
  if (type.kind !== 'tensor' || String(type.shape) !== String(before.type.shape)) return false;
  if (isStaticShape(type)) return true;
  const slice = definedBy(rewriter, before, extractSlice);
  if (slice === undefined) return false;
  const [own, other] = [mixedSlice(slice).sizes, mixedSlice(trim).sizes];
  return (
    own.length === other.length &&
    type.shape.every((size, i) => size !== DYNAMIC || isSameSize(rewriter, own[i]!, other[i]!))
  );
};

const isSameSize = (rewriter: Rewriter, a: MixedIndex, b: MixedIndex): boolean => {
  if (typeof a === 'number' || typeof b === 'number') return a === b;
  if (isSame(a, b)) return true;
  const [first, second] = [a, b].map((value) => definedBy(rewriter, value, affine.min));
  return (
    first !== undefined &&
    second !== undefined &&
    attributesEqual(first.attributes, second.attributes) &&
    first.operands.every((operand, i) => isSame(operand, second.operands[i]))
  );
};

/** An insertion of a padded tensor becomes a padding read and a write. */
const insertOfPad = forUsers('insert-of-pad', (rewriter, operation, user) => {
  const type = operation.results[0]!.type as TensorType;
  if (!insertSlice.is(user) || !isStaticShape(type) || type.shape.includes(0)) return;
  if (!isSame(user.operands[0], operation.results[0])) return;
  const { dest } = insertSlice.operands(user);
  const { offsets, sizes, strides } = mixedSlice(user);
  const lead = dest.type.shape.length - type.shape.length;
  const isWhole = sizes.every((size, i) => size === (i < lead ? 1 : type.shape[i - lead]));
  if (strides.some((stride) => stride !== 1) || !isWhole || isSame(dest, operation.results[0])) return;
  const padding = paddingValue(rewriter, operation);
  if (padding === undefined) return;
  const { source } = pad.operands(operation);
  rewriter.scoped(() => {
    rewriter.setInsertionPointBefore(user);
    const b = builder(rewriter);
    const zero = createIndex(rewriter, 0);
    const { shape } = type;
    const vector = b(
      transferRead,
      {
        source,
        indices: shape.map(() => zero),
        padding,
        permutationMap: identityMap(shape.length),
        inBounds: shape.map(() => false),
      },
      { resultTypes: [vectorType(shape, type.elementType)] },
    );
    const made = b(
      transferWrite,
      {
        vector,
        source: dest,
        indices: offsets.map((offset) => indexValue(rewriter, offset)),
        permutationMap: minorIdentity(dest.type.shape.length, shape.length),
        inBounds: shape.map(() => true),
      },
      { resultTypes: [dest.type] },
    );
    rewriter.replaceOperation(user, [made!]);
  });
});

/** A new tensor filled with the padding, with the source written or inserted. */
const padAsFill = onOp(pad, 'pad-as-fill', (rewriter, operation) => {
  const { source } = pad.operands(operation);
  const { low, high } = paddingOf(rewriter, operation);
  const type = operation.results[0]!.type as TensorType;
  const b = builder(rewriter);
  const padding = paddingValue(rewriter, operation);
  const sizes = type.shape.map((size, i): MixedIndex => {
    if (size !== DYNAMIC) return size;
    const own = indexValue(rewriter, createSize(rewriter, source, i));
    return [low[i]!, high[i]!].reduce<Value>(
      (sum, added) => plus(rewriter, sum, indexValue(rewriter, added)),
      own,
    );
  });
  const empty = createEmpty(rewriter, sizes, type.elementType);
  const filled =
    padding === undefined
      ? generated(rewriter, operation, sizes)
      : (createFill(rewriter, padding, empty, operation.location).results[0] as Value<TensorType>);
  const copied = copyOf(rewriter, operation, filled, padding);
  if (copied !== undefined) {
    rewriter.replaceOperation(operation, [copied]);
    return;
  }
  const { operands, attributes } = sliceArguments({
    offsets: low,
    sizes: createSizes(rewriter, source),
    strides: low.map(() => 1),
  });
  const inserted = b(
    insertSlice,
    { source, dest: filled, ...operands, ...attributes },
    { resultTypes: [type] },
  );
  rewriter.replaceOperation(operation, [inserted]);
});

/** A sum, unless a term is zero. */
const plus = (rewriter: Rewriter, lhs: Value, rhs: Value): Value => {
  if (integerConstant(rewriter, rhs) === 0) return lhs;
  if (integerConstant(rewriter, lhs) === 0) return rhs;
  const [a, c] = [integerConstant(rewriter, lhs), integerConstant(rewriter, rhs)];
  return a !== undefined && c !== undefined
    ? createIndex(rewriter, a + c)
    : builder(rewriter)(addi, { lhs, rhs });
};

/** A tensor of these sizes filled by the body of a `tensor.pad`. */
const generated = (
  rewriter: Rewriter,
  operation: DraftOperation,
  sizes: readonly MixedIndex[],
): Value<TensorType> => {
  const made = rewriter.create(
    generate.state<Rewriter>({
      operands: { dynamicExtents: sizes.filter((size) => typeof size !== 'number') },
      resultTypes: operation.results.map(({ type }) => type),
      bodies: [undefined],
    }),
  );
  rewriter.cloneRegion(operation.regions[0]!, made.regions[0]!);
  return made.results[0] as Value<TensorType>;
};

/** Writes the source to the filled tensor, if each dimension is static in either. */
const copyOf = (
  rewriter: Rewriter,
  operation: DraftOperation,
  filled: Value<TensorType>,
  constantPadding: Value | undefined,
): Value | undefined => {
  const { source } = pad.operands(operation);
  const { low } = paddingOf(rewriter, operation);
  const { shape, elementType } = source.type;
  const zero = zeroOf(elementType);
  const sizes = shape.map((size, i) => (size === DYNAMIC ? filled.type.shape[i]! : size));
  if (zero === undefined || sizes.includes(DYNAMIC) || sizes.includes(0)) return undefined;
  if (constantPadding === undefined && shape.includes(DYNAMIC)) return undefined;
  const padding = constantPadding ?? createConstantValue(rewriter, zero, elementType);
  const isKnown = shape.map((size) => size !== DYNAMIC);
  const isInside = low.map((each, i) => isKnown[i]! || isZero(rewriter, each));
  const b = builder(rewriter);
  const start = createIndex(rewriter, 0);
  const type = vectorType(sizes, elementType);
  const permutationMap = identityMap(shape.length);
  const vector: Value = b(
    transferRead,
    { source, indices: shape.map(() => start), padding, permutationMap, inBounds: isKnown },
    { resultTypes: [type] },
  );
  const isOverwritten = String(sizes) === String(filled.type.shape) && !isInside.includes(false);
  const under = isOverwritten ? definedBy(rewriter, filled, fill)?.operands[1] : undefined;
  return b(
    transferWrite,
    {
      vector: vector as Value<VectorType>,
      source: under ?? filled,
      indices: low.map((each) => indexValue(rewriter, each)),
      permutationMap,
      inBounds: isInside,
    },
    { resultTypes: [filled.type] },
  );
};

export const padPatterns: readonly RewritePattern[] = [padAsFill, readOfPad, writeOfPad, insertOfPad];
