/** Indices that the body of a structured op computes, as expressions of its dimensions. */
import type { AffineExpr } from '@sconv/affine';
import { add, ceilDiv, constant, dim, floorDiv, ifAffine, mul, sub } from '@sconv/affine';
import { composedResult, constantIndexOf } from '@sconv/dialects';
import { apply } from '@sconv/dialects/affine';
import { genericView, index as indexOp } from '@sconv/dialects/linalg';
import type { DraftOperation, Rewriter, Value } from '@sconv/ir';
import { followDefinitions } from '@sconv/ir';

/**
 * Indices in the body of a `linalg.generic` as expressions of its dimensions, followed by `outer`: values from around
 * it, to which those that occur are added. Undefined for what is not affine.
 */
export const indexExpressions = (
  rewriter: Rewriter,
  operation: DraftOperation,
  outer: Value[],
): ((value: Value) => AffineExpr | undefined) => {
  const rank = genericView(operation).iteratorTypes.length;
  const outerIndex = (value: Value): AffineExpr => {
    const known = outer.findIndex(({ id }) => id === value.id);
    return dim(rank + (known >= 0 ? known : outer.push(value) - 1));
  };
  return followDefinitions<AffineExpr | undefined>(
    (value, of) => {
      if (value.type.kind !== 'index') return undefined;
      const fixed = constantIndexOf(rewriter, value);
      if (fixed !== undefined) return constant(fixed);
      if (rewriter.isDefinedOutside(value, operation)) return outerIndex(value);
      const definition = rewriter.definingOperation(value);
      if (definition === undefined) return undefined;
      if (indexOp.is(definition)) return dim(indexOp.attributes(definition).dim);
      const read = definition.operands.map(of);
      const operands = read.filter((expr) => expr !== undefined);
      if (operands.length < read.length) return undefined;
      if (apply.is(definition)) return composedResult(apply.attributes(definition).map, operands);
      const [a, b] = operands;
      const combine = arithmetic[definition.name];
      return a && b && combine && ifAffine(() => combine(a, b));
    },
    () => undefined,
  );
};

const ifPositive =
  (divide: (a: AffineExpr, b: AffineExpr) => AffineExpr) =>
  (a: AffineExpr, b: AffineExpr): AffineExpr | undefined =>
    b.kind === 'constant' && b.value > 0 ? divide(a, b) : undefined;

/** What arith ops on two indices compute, where that is affine. */
const arithmetic: Readonly<Record<string, (a: AffineExpr, b: AffineExpr) => AffineExpr | undefined>> = {
  'arith.addi': add,
  'arith.subi': sub,
  'arith.muli': mul,
  'arith.floordivsi': ifPositive(floorDiv),
  'arith.ceildivsi': ifPositive(ceilDiv),
};
