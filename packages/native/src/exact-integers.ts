/** Integer operations that upstream's passes get wrong, in terms of others. */
import { createConstantValue, elementTypeOf, uniformConstant, withElementType } from '@sconv/dialects';
import {
  addi,
  andi,
  ceildivsi,
  ceildivui,
  cmpi,
  divsi,
  divui,
  floordivsi,
  indexCast,
  indexCastui,
  remsi,
  remui,
  select,
  subi,
  trunci,
} from '@sconv/dialects/arith';
import type { DraftOperation, Rewriter, Value } from '@sconv/ir';
import { builder, i1, i64 } from '@sconv/ir';

/**
 * Rewrites, in the whole module:
 *
 * - casts from `index` to less than 64 bits, since upstream folds one there and back to the uncut index;
 * - overflow flags, which upstream keeps on sums of constants that overflow.
 */
export const keepIntegersExact = (rewriter: Rewriter): void => {
  for (const operation of rewriter.walk(rewriter.root)) {
    if (operation.attributes['overflowFlags'] !== undefined) {
      rewriter.setAttribute(operation, 'overflowFlags', undefined);
    }
    if (indexCast.is(operation) || indexCastui.is(operation)) cut(rewriter, operation);
  }
};

/**
 * Divisions that round in another way than processors do. Upstream's pass that lowers them also takes maxima and minima
 * of floats apart, where zeros lose their signs.
 */
export const lowerDivision = (rewriter: Rewriter, operation: DraftOperation): void => {
  const isUnsigned = ceildivui.is(operation);
  const isFloor = floordivsi.is(operation);
  if (!isUnsigned && !isFloor && !ceildivsi.is(operation)) return;
  rewriter.setInsertionPointBefore(operation);
  const b = builder(rewriter);
  const [lhs, rhs] = operation.operands as [Value, Value];
  const { type } = lhs;
  const uniform = (value: bigint): Value =>
    createConstantValue(rewriter, uniformConstant(value, type)!, type);
  const [zero, one] = [uniform(0n), uniform(1n)];
  const compare = (predicate: 'ne' | 'slt' | 'eq', x: Value, y: Value): Value =>
    b(cmpi, { predicate, lhs: x, rhs: y }, { resultTypes: [withElementType(type, i1)] });
  const quotient: Value = isUnsigned ? b(divui, { lhs, rhs }) : b(divsi, { lhs, rhs });
  const rest: Value = isUnsigned ? b(remui, { lhs, rhs }) : b(remsi, { lhs, rhs });
  // Processors round to zero. The rest has the sign of the dividend.
  const isRounded = compare('ne', rest, zero);
  const isAway: Value = isUnsigned
    ? isRounded
    : b(andi, {
        lhs: isRounded,
        rhs: compare(isFloor ? 'ne' : 'eq', compare('slt', rest, zero), compare('slt', rhs, zero)),
      });
  const next: Value = isFloor ? b(subi, { lhs: quotient, rhs: one }) : b(addi, { lhs: quotient, rhs: one });
  rewriter.replaceOperation(operation, [
    b(select, { condition: isAway, trueValue: next, falseValue: quotient }),
  ]);
};

/** The cast by way of 64 bits. */
const cut = (rewriter: Rewriter, operation: DraftOperation): void => {
  const [source, result] = [operation.operands[0]!, operation.results[0]!];
  const element = elementTypeOf(result.type);
  if (element.kind !== 'integer' || element.width >= 64) return;
  rewriter.setInsertionPointBefore(operation);
  const wide = rewriter.createValue(
    indexCast.state({ operands: { in: source }, resultTypes: [withElementType(result.type, i64)] }),
  );
  const state = trunci.state<Rewriter>({ operands: { in: wide }, resultTypes: [result.type] });
  rewriter.replaceOperation(operation, [rewriter.createValue(state)]);
};
