/**
 * Upstream's mask lowerings: masks to constants and selects, transfers under `vector.mask` to masked transfers, and
 * masks from bounds to comparisons.
 */
import { onOp, onOps } from '@sconv/canonicalization/matching';
import {
  createConstantValue,
  createIndex,
  denseConstant,
  indexValue,
  mayBeNegative,
  sizeOrDim,
  uniformConstant,
} from '@sconv/dialects';
import { andi, cmpi, indexCast, select, subi, xori } from '@sconv/dialects/arith';
import {
  constantMask,
  createMask,
  gather,
  isMasked,
  mask,
  splat,
  transferOf,
  transferRead,
  transferWrite,
} from '@sconv/dialects/vector';
import type { RewritePattern, Rewriter, Value, VectorType } from '@sconv/ir';
import { builder, constantValueOf, denseElementsAttribute, i1, i64, vectorType } from '@sconv/ir';
import { createZeros, withoutLeading, withPart } from './vector-parts.ts';

const lowerCreateMask = onOp(createMask, 'lower-create-mask', (rewriter, operation) => {
  const type = operation.results[0]!.type as VectorType;
  if (type.shape.length <= 1 || type.scalable[0] === true) return;
  const [bound, ...bounds] = operation.operands;
  const rowType = withoutLeading(type);
  const b = builder(rewriter);
  const set: Value = b(createMask, { bounds }, { resultTypes: [rowType] });
  const none = createZeros(rewriter, rowType);
  let result = createZeros(rewriter, type);
  for (let row = 0; row < type.shape[0]!; row++) {
    const at = createIndex(rewriter, row);
    const condition: Value = b(cmpi, { lhs: at, rhs: bound!, predicate: 'slt' }, { resultTypes: [i1] });
    const chosen: Value = b(select, { condition, trueValue: set, falseValue: none });
    result = withPart(rewriter, chosen, result, [row]);
  }
  rewriter.replaceOperation(operation, [result]);
});

const lowerConstantMask = onOp(constantMask, 'lower-constant-mask', (rewriter, operation) => {
  const type = operation.results[0]!.type as VectorType;
  const [size = 0, ...sizes] = constantMask.attributes(operation).maskDimSizes;
  const { length: rank } = type.shape;
  if (rank <= 1) {
    const count = type.shape[0] ?? 1;
    const isUniform = size === 0 || size === count;
    const value = isUniform
      ? uniformConstant(size === 0 ? 0n : 1n, type)!
      : denseElementsAttribute(
          Array.from({ length: count }, (_, i) => (i < size ? 1n : 0n)),
          type,
        );
    rewriter.replaceOperation(operation, [createConstantValue(rewriter, value, type)]);
    return;
  }
  if (type.scalable[0] === true) return;
  const row: Value = builder(rewriter)(
    constantMask,
    { maskDimSizes: sizes },
    { resultTypes: [withoutLeading(type)] },
  );
  let result = createZeros(rewriter, type);
  for (let i = 0; i < size; i++) result = withPart(rewriter, row, result, [i]);
  rewriter.replaceOperation(operation, [result]);
});

export const maskPatterns: readonly RewritePattern[] = [lowerCreateMask, lowerConstantMask];

// --- Operations under a mask ---

/**
 * @deviation The mask that a gather itself has counts, too, and its own elements stay where nothing is read: upstream
 * drops the mask, and takes zeros.
 */
const maskedTransfer = onOp(mask, 'lower-masked-transfer', (rewriter, operation) => {
  const [inner] = operation.regions[0]?.blocks[0]?.operations ?? [];
  const { mask: chosen, passthru } = mask.operands(operation);
  const resultTypes = operation.results.map(({ type }) => type);
  const b = builder(rewriter);
  if (inner === undefined) return;
  if (transferRead.is(inner)) {
    // A read pads where the mask is not set.
    if (passthru !== undefined || transferRead.operands(inner).mask !== undefined) return;
    rewriter.replaceOperation(operation, [
      b(
        transferRead,
        { ...transferRead.operands(inner), ...transferRead.attributes(inner), mask: chosen },
        { resultTypes },
      ),
    ]);
  } else if (transferWrite.is(inner)) {
    if (transferWrite.operands(inner).mask !== undefined) return;
    const made = b(
      transferWrite,
      { ...transferWrite.operands(inner), ...transferWrite.attributes(inner), mask: chosen },
      { resultTypes },
    );
    rewriter.replaceOperation(operation, made === undefined ? [] : [made]);
  } else if (gather.is(inner)) {
    const operands = gather.operands(inner);
    const both = isAllSet(rewriter, operands.mask) ? chosen : b(andi, { lhs: chosen, rhs: operands.mask });
    rewriter.replaceOperation(operation, [b(gather, { ...operands, mask: both }, { resultTypes })]);
  }
});

/** Whether a mask is a constant with all bits set. */
const isAllSet = (rewriter: Rewriter, value: Value): boolean => {
  const definition = rewriter.definingOperation(value);
  const constant = definition && constantValueOf(rewriter.registry, definition);
  return (
    constant?.kind === 'dense-elements' &&
    constant.text === undefined &&
    constant.values.every((each) => Number(each) !== 0)
  );
};

export const maskedTransferPatterns: readonly RewritePattern[] = [maskedTransfer];

// --- Masks from bounds ---

/** `[0, 1, …] < bound`, as 64-bit integers. */
const below = (rewriter: Rewriter, size: number, bound: Value): Value => {
  const type = vectorType([size], i64);
  const b = builder(rewriter);
  const values = Array.from({ length: size }, (_, i) => BigInt(i));
  const numbers = createConstantValue(rewriter, denseConstant(values, type), type);
  const input: Value = b(indexCast, { in: bound }, { resultTypes: [i64] });
  const bounds: Value = b(splat, { input }, { resultTypes: [type] });
  return b(cmpi, { lhs: numbers, rhs: bounds, predicate: 'slt' }, { resultTypes: [vectorType([size], i1)] });
};

const materializeCreateMask = onOp(createMask, 'materialize-mask', (rewriter, operation) => {
  const type = operation.results[0]!.type as VectorType;
  if (type.shape.length !== 1 || type.scalable[0] === true) return;
  rewriter.replaceOperation(operation, [below(rewriter, type.shape[0]!, operation.operands[0]!)]);
});

/**
 * A transfer that may be out of bounds gets a mask.
 *
 * @deviation By the bounds of the dimension that it moves along: upstream takes the last one whatever the map, and its
 * mask sets what is below 0. Not under a `vector.mask`, where upstream makes invalid IR.
 */
const materializeTransferMask = onOps(
  [transferRead, transferWrite],
  'materialize-transfer-mask',
  (rewriter, operation) => {
    const transfer = transferOf(operation);
    if (transfer === undefined) return;
    const { isRead, source, indices, mask: own, inBounds } = transfer;
    const { type } = transfer.vector;
    const [along, ...others] = transfer.map.results;
    if (!inBounds.includes(false) || others.length > 0 || along?.kind !== 'dim') return;
    if (isMasked(operation)) return;
    const b = builder(rewriter);
    const size = indexValue(rewriter, sizeOrDim(rewriter, source, along.position));
    const index = indices[along.position]!;
    const maskType = vectorType(type.shape, i1, type.scalable);
    const firstOnes = (bound: Value): Value =>
      b(createMask, { bounds: [bound] }, { resultTypes: [maskType] });
    let chosen: Value = firstOnes(b(subi, { lhs: size, rhs: index }));
    if (mayBeNegative(rewriter, index)) {
      const outside = firstOnes(b(subi, { lhs: createIndex(rewriter, 0), rhs: index }));
      const all = createConstantValue(rewriter, uniformConstant(1n, maskType)!, maskType);
      chosen = b(andi, { lhs: chosen, rhs: b(xori, { lhs: outside, rhs: all }) });
    }
    if (own !== undefined) chosen = b(andi, { lhs: chosen, rhs: own });
    const resultTypes = operation.results.map(({ type: each }) => each);
    const shared = { mask: chosen, inBounds: inBounds.map(() => true) };
    const made = isRead
      ? b(
          transferRead,
          { ...transferRead.operands(operation), ...transferRead.attributes(operation), ...shared },
          { resultTypes },
        )
      : b(
          transferWrite,
          { ...transferWrite.operands(operation), ...transferWrite.attributes(operation), ...shared },
          { resultTypes },
        );
    rewriter.replaceOperation(operation, made === undefined ? [] : [made]);
  },
);

export const materializeMaskPatterns: readonly RewritePattern[] = [
  materializeCreateMask,
  ...materializeTransferMask,
];
