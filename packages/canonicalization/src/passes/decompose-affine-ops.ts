/**
 * The pass `test-decompose-affine-ops`: splits an `affine.apply` into several, so that loop-invariant parts can be
 * hoisted: upstream's `reorderOperandsByHoistability` and `decompose`.
 */
import type { AffineExpr, AffineMap } from '@sconv/affine';
import { add, ifAffine, makeMap, mul, simplify, substitute, symbol, usedSymbols } from '@sconv/affine';
import { canonicalApplication, loopLike } from '@sconv/dialects';
import { apply } from '@sconv/dialects/affine';
import { success } from '@sconv/diagnostics';
import type { DraftOperation, Rewriter, Value } from '@sconv/ir';
import { defineOperationPass, indexType, modelOf } from '@sconv/ir';

/** The number of enclosing loops, from the innermost out, in which a value is invariant. */
const invariantLoops = (rewriter: Rewriter, operation: DraftOperation, value: Value): number => {
  let count = 0;
  for (let around = operation.parent; around !== undefined; around = around.parent) {
    if (modelOf(rewriter.registry, loopLike, around) === undefined) continue;
    if (!rewriter.isDefinedOutside(value, around)) break;
    count += 1;
  }
  return count;
};

/** The map with symbols only, ordered by the number of loops in which they are invariant, largest first. */
const ordered = (
  rewriter: Rewriter,
  operation: DraftOperation,
): { readonly map: AffineMap; readonly operands: readonly Value[] } => {
  const { map } = apply.attributes(operation);
  const { operands } = operation;
  const depths = operands.map((operand) => invariantLoops(rewriter, operation, operand));
  const order = operands.map((_, i) => i).sort((a, b) => depths[b]! - depths[a]!);
  const symbols = operands.map((_, i) => symbol(order.indexOf(i)));
  const result = substitute(map.results[0]!, {
    dims: symbols.slice(0, map.numDims),
    symbols: symbols.slice(map.numDims),
  });
  const values = order.map((position) => operands[position]!);
  const { subject, operands: kept } = canonicalApplication(
    rewriter,
    simplify(makeMap(0, operands.length, [result])),
    values,
  );
  return { map: subject, operands: kept };
};

const createApply = (rewriter: Rewriter, map: AffineMap, operands: readonly Value[]): Value =>
  rewriter.createValue(
    apply.state({ operands: { mapOperands: operands }, attributes: { map }, resultTypes: [indexType] }),
  );

/** The terms of a sum or the factors of a product, last one first. */
const partsOf = (expr: AffineExpr, kind: AffineExpr['kind']): readonly AffineExpr[] =>
  expr.kind === kind && 'lhs' in expr ? [expr.rhs, ...partsOf(expr.lhs, kind)] : [expr];

/** Splits a sum or a product, parts on the first symbols before the others. */
const decompose = (rewriter: Rewriter, operation: DraftOperation): void => {
  const { map } = apply.attributes(operation);
  const [expr] = map.results;
  if (expr === undefined || map.numDims > 0 || (expr.kind !== 'add' && expr.kind !== 'mul')) return;
  if (!('lhs' in expr.lhs) && !('lhs' in expr.rhs)) return;
  const last = (part: AffineExpr): number => Math.max(-1, ...usedSymbols(part));
  const parts = [...partsOf(expr, expr.kind)].sort((a, b) => last(a) - last(b));
  const { operands } = operation;
  const applications = ifAffine(() =>
    parts.map((part) => canonicalApplication(rewriter, makeMap(0, map.numSymbols, [part]), operands)),
  );
  if (applications === undefined) return;
  const [first, ...others] = applications.map(
    (application) => () => createApply(rewriter, application.subject, application.operands),
  );
  const combine = expr.kind === 'add' ? add : mul;
  const both = makeMap(0, 2, [combine(symbol(0), symbol(1))]);
  let value = first!();
  for (const other of others) value = createApply(rewriter, both, [value, other()]);
  rewriter.replaceOperation(operation, [value]);
};

export const decomposeAffineOps = defineOperationPass({
  name: 'test-decompose-affine-ops',
  title: 'TestDecomposeAffineOps',
  summary: 'decompose affine.apply, for loop-invariant code motion',
  runOn: (rewriter, operation) => {
    for (const each of rewriter.walk(operation)) {
      if (!apply.is(each)) continue;
      rewriter.scoped(() => {
        rewriter.setInsertionPointBefore(each);
        // What passes 2^53 with its constants stays as it is.
        const reordered = ifAffine(() => ordered(rewriter, each));
        if (reordered === undefined) return;
        const { map, operands } = reordered;
        const made = rewriter.replaceWith(
          each,
          apply.state({
            operands: { mapOperands: operands },
            attributes: { map },
            resultTypes: [indexType],
          }),
        );
        rewriter.setInsertionPointBefore(made);
        decompose(rewriter, made);
      });
    }
    return success(undefined);
  },
});
