/** Patterns of casts of numbers: extended, narrowed, converted to `index`, read as other bits. */
import { elementTypeOf } from '@sconv/dialects';
import {
  andi,
  bitcast,
  extf,
  extsi,
  extui,
  indexCast,
  indexCastui,
  muli,
  mulsiExtended,
  muluiExtended,
  ori,
  shrsi,
  shrui,
  truncf,
  trunci,
  xori,
} from '@sconv/dialects/arith';
import type { Rewriter, Value } from '@sconv/ir';
import { typeEquals } from '@sconv/ir';
import { definedBy, onOp, onOps, stateOf } from '../match.ts';
import { integerOf, widthOf } from './integer-constants.ts';

/** `and`, `or` and `xor` of equally extended operands: extend the result instead. */
export const bitsOfExtended = onOps([andi, ori, xori], 'bits-of-extended', (rewriter, operation) => {
  const [lhs, rhs] = operation.operands;
  for (const extension of [extsi, extui]) {
    const [a, b] = [definedBy(rewriter, lhs, extension), definedBy(rewriter, rhs, extension)];
    const [x, y] = [a?.operands[0], b?.operands[0]];
    if (x === undefined || y === undefined || !typeEquals(x.type, y.type)) continue;
    const narrow = rewriter.createValue(stateOf(operation, { operands: [x, y], resultTypes: [x.type] }));
    rewriter.replaceWith(
      operation,
      extension.state({ operands: { in: narrow }, resultTypes: [operation.results[0]!.type] }),
    );
    return;
  }
});

/** Integers extended twice, or extended and truncated. */
export const castsOfIntegers = onOps([extsi, extui, trunci], 'casts-of-integers', (rewriter, operation) => {
  const [value] = operation.operands as [Value];
  const { type } = operation.results[0]!;
  const source = rewriter.definingOperation(value);
  const [inner] = source?.operands ?? [];
  if (source === undefined || inner === undefined) return;
  if (extui.is(source) && !trunci.is(operation)) {
    rewriter.replaceWith(operation, extui.state({ operands: { in: inner }, resultTypes: [type] }));
  } else if (extsi.is(source) && extsi.is(operation)) {
    rewriter.setOperand(operation, 0, inner);
  } else if (trunci.is(source) && trunci.is(operation)) {
    rewriter.setOperand(operation, 0, inner);
  } else if (trunci.is(operation) && (extsi.is(source) || extui.is(source))) {
    const [from, to] = [widthOf(inner.type), widthOf(type)];
    if (from === to) rewriter.replaceOperation(operation, [inner]);
    else if (from > to) rewriter.setOperand(operation, 0, inner);
    else {
      const extension = extsi.is(source) ? extsi : extui;
      rewriter.replaceWith(operation, extension.state({ operands: { in: inner }, resultTypes: [type] }));
    }
  }
});

/** The upper half of a product of twice the width becomes that of an extended product. */
export const upperHalf = onOp(trunci, 'upper-half', (rewriter, operation) => {
  const [value] = operation.operands as [Value];
  const { type } = operation.results[0]!;
  const [wide, narrow] = [widthOf(value.type), widthOf(type)];
  const source = rewriter.definingOperation(value);
  if (source === undefined || !(shrui.is(source) || shrsi.is(source))) return;
  const [shifted, amount] = source.operands as [Value, Value];
  if (integerOf(rewriter, amount) !== BigInt(wide - narrow)) return;
  // 1. The bits that are shifted in are dropped.
  if (shrsi.is(source)) {
    const logical = rewriter.createValue(
      shrui.state<Rewriter>({ operands: { lhs: shifted, rhs: amount }, resultTypes: [value.type] }),
    );
    rewriter.setOperand(operation, 0, logical);
    return;
  }
  const product = definedBy(rewriter, shifted, muli);
  if (product === undefined || wide !== 2 * narrow) return;
  for (const [extension, extended] of [
    [extsi, mulsiExtended],
    [extui, muluiExtended],
  ] as const) {
    const [a, b] = product.operands.map((each) => definedBy(rewriter, each, extension)?.operands[0]);
    if (a === undefined || b === undefined || !typeEquals(a.type, type) || !typeEquals(b.type, type))
      continue;
    const made = rewriter.create(
      extended.state<Rewriter>({ operands: { lhs: a, rhs: b }, resultTypes: [type, type] }),
    );
    rewriter.replaceOperation(operation, [made.results[1]!]);
    return;
  }
});

/** Bitcasts of bitcasts. */
export const castsOfBits = onOp(bitcast, 'casts-of-bits', (rewriter, operation) => {
  const [value] = operation.operands as [Value];
  const { type } = operation.results[0]!;
  const [inner] = definedBy(rewriter, value, bitcast)?.operands ?? [];
  if (typeEquals(value.type, type)) rewriter.replaceOperation(operation, [value]);
  else if (inner !== undefined) rewriter.setOperand(operation, 0, inner);
});

/**
 * Casts to `index` and back, and of extended values.
 *
 * @deviation Upstream also drops `index -> i32 -> index`, which loses the high bits.
 */
export const castsOfIndices = [
  [indexCast, extsi],
  [indexCastui, extui],
].map(([definition, extension]) =>
  onOp(definition!, 'casts-of-indices', (rewriter, operation) => {
    const [value] = operation.operands as [Value];
    const { type } = operation.results[0]!;
    const [inner] = definedBy(rewriter, value, definition!)?.operands ?? [];
    if (inner !== undefined && typeEquals(inner.type, type)) {
      // An index has 64 bits.
      const holdsAll =
        elementTypeOf(value.type).kind === 'index' ? widthOf(type) <= 64 : widthOf(value.type) >= 64;
      if (holdsAll) rewriter.replaceOperation(operation, [inner]);
      return;
    }
    const [narrow] = definedBy(rewriter, value, extension!)?.operands ?? [];
    if (narrow !== undefined && elementTypeOf(type).kind === 'index')
      rewriter.setOperand(operation, 0, narrow);
  }),
);

/** A narrowed and widened value, where the flags of both allow to skip the rounding. */
export const skippedRounding = onOp(extf, 'skipped-rounding', (rewriter, operation) => {
  const source = definedBy(rewriter, operation.operands[0], truncf);
  const [inner] = source?.operands ?? [];
  if (source === undefined || inner === undefined || !typeEquals(inner.type, operation.results[0]!.type))
    return;
  const mayContract = (flags: readonly string[] | undefined): boolean => flags?.includes('contract') === true;
  if (mayContract(extf.attributes(operation).fastmath) && mayContract(truncf.attributes(source).fastmath))
    rewriter.replaceOperation(operation, [inner]);
});
