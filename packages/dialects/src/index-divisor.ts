/** Divisors of indices, by what computes them. */
import type { AffineExpr } from '@sconv/affine';
import { gcd } from '@sconv/affine';
import type { Rewriter, Value } from '@sconv/ir';
import { followDefinitions } from '@sconv/ir';
import { apply, max, min } from './affine.ts';
import { muli } from './arith-integer.ts';
import { constantIndexOf } from './composed-apply.ts';
import { loopOfVariable } from './counted-loops.ts';
import type { MixedIndex } from './mixed-indices.ts';
import { forBounds } from './scf.ts';

const ofExpression = (expr: AffineExpr, dims: readonly number[], symbols: readonly number[]): number => {
  switch (expr.kind) {
    case 'constant':
      return Math.abs(expr.value);
    case 'dim':
      return dims[expr.position]!;
    case 'symbol':
      return symbols[expr.position]!;
    default: {
      const [a, b] = [ofExpression(expr.lhs, dims, symbols), ofExpression(expr.rhs, dims, symbols)];
      if (expr.kind === 'add') return gcd(a, b);
      // Beyond 2^53 a product is not exact.
      if (expr.kind === 'mul') return Number.isSafeInteger(a * b) ? a * b : 1;
      return expr.kind === 'mod' && expr.rhs.kind === 'constant' ? gcd(a, b) : 1;
    }
  }
};

/** A number that divides an index, as large as is known; 0 for the index 0. */
export const divisorOf = (rewriter: Rewriter, index: MixedIndex): number => {
  if (typeof index === 'number') return Math.abs(index);
  const of = followDefinitions<number>(
    (value, next) => divisorBy(rewriter, value, next),
    () => 1,
  );
  return of(index);
};

type DivisorOf = (value: Value) => number;

/** The divisor of a value, given those of the operands of its definition. */
const divisorBy = (rewriter: Rewriter, value: Value, of: DivisorOf): number => {
  const known = constantIndexOf(rewriter, value);
  if (known !== undefined) return Math.abs(known);
  const definition = rewriter.definingOperation(value);
  if (definition === undefined) return ofVariable(rewriter, value, of);
  const operands = (): readonly number[] => definition.operands.map(of);
  for (const affine of [apply, min, max]) {
    if (!affine.is(definition)) continue;
    const { map } = affine.attributes(definition);
    const divisors = operands();
    return map.results
      .map((result) => ofExpression(result, divisors.slice(0, map.numDims), divisors.slice(map.numDims)))
      .reduce((a, b) => gcd(a, b));
  }
  if (muli.is(definition)) {
    const [a = 1, b = 1] = operands();
    return Number.isSafeInteger(a * b) ? a * b : 1;
  }
  return 1;
};

/** The divisor of an induction variable. */
const ofVariable = (rewriter: Rewriter, value: Value, of: DivisorOf): number => {
  const loop = loopOfVariable(rewriter, value);
  if (loop === undefined) return 1;
  const { lower, step } = forBounds(loop);
  return gcd(of(lower), of(step));
};
