/** Integer operations that upstream's passes get wrong, in terms of others. */
import { createConstantValue, elementTypeOf, uniformConstant, withElementType } from '@sconv/dialects';
import {
  addi,
  andi,
  ceildivsi,
  cmpi,
  divsi,
  indexCast,
  indexCastui,
  muli,
  select,
  trunci,
  xori,
} from '@sconv/dialects/arith';
import type { DraftOperation, Rewriter, Value } from '@sconv/ir';
import { i64 } from '@sconv/ir';

/**
 * Rewrites, in the whole module:
 *
 * - `arith.ceildivsi`, since upstream negates the least integer;
 * - casts from `index` to less than 64 bits, since upstream folds one there and back to the uncut index;
 * - overflow flags, which upstream keeps on sums of constants that overflow.
 */
export const keepIntegersExact = (rewriter: Rewriter): void => {
  for (const operation of rewriter.walk(rewriter.root)) {
    if (operation.attributes['overflowFlags'] !== undefined) {
      rewriter.setAttribute(operation, 'overflowFlags', undefined);
    }
    if (ceildivsi.is(operation)) divide(rewriter, operation);
    else if (indexCast.is(operation) || indexCastui.is(operation)) cut(rewriter, operation);
  }
};

/** The quotient rounded to zero, and one more if it is inexact and not negative. */
const divide = (rewriter: Rewriter, operation: DraftOperation): void => {
  const [lhs, rhs] = operation.operands as [Value, Value];
  const { type } = lhs;
  rewriter.setInsertionPointBefore(operation);
  const quotient = rewriter.createValue(divsi.state({ operands: { lhs, rhs } }));
  const product = rewriter.createValue(muli.state({ operands: { lhs: quotient, rhs } }));
  const isInexact = rewriter.createValue(
    cmpi.state({ operands: { lhs: product, rhs: lhs }, attributes: { predicate: 'ne' } }),
  );
  const signs = rewriter.createValue(xori.state({ operands: { lhs, rhs } }));
  const [zero, one] = [0n, 1n].map((value) =>
    createConstantValue(rewriter, uniformConstant(value, type)!, type),
  );
  const isPositive = rewriter.createValue(
    cmpi.state({ operands: { lhs: signs, rhs: zero! }, attributes: { predicate: 'sge' } }),
  );
  const isBelow = rewriter.createValue(andi.state({ operands: { lhs: isInexact, rhs: isPositive } }));
  const next = rewriter.createValue(addi.state({ operands: { lhs: quotient, rhs: one! } }));
  const rounded = rewriter.createValue(
    select.state({ operands: { condition: isBelow, trueValue: next, falseValue: quotient } }),
  );
  rewriter.replaceOperation(operation, [rounded]);
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
