/** Expressions as sums: a constant and integer multiples of terms that are not sums. */
import type { AffineExpr, AffinePositionData } from './affine-expr.ts';
import { add, constant, mul, sameExpr } from './affine-expr.ts';
import { addExact, mulExact } from './integer.ts';

/** `factor * expr`, where `expr` is neither a sum, nor a constant, nor a multiple by a constant. */
export interface Term {
  readonly expr: AffineExpr;
  readonly factor: number;
}

/** `constant + Σ factor * expr`, equal terms combined, no zero factors. */
export interface Sum {
  readonly terms: readonly Term[];
  readonly constant: number;
}

/** The expression as a sum, multiplications by constants distributed. */
export function sumOf(expr: AffineExpr): Sum {
  const terms: { expr: AffineExpr; factor: number }[] = [];
  let offset = 0;
  const collect = (part: AffineExpr, factor: number): void => {
    if (part.kind === 'constant') {
      offset = addExact(offset, mulExact(part.value, factor));
    } else if (part.kind === 'add') {
      collect(part.lhs, factor);
      collect(part.rhs, factor);
    } else if (part.kind === 'mul' && part.rhs.kind === 'constant') {
      collect(part.lhs, mulExact(factor, part.rhs.value));
    } else {
      const known = terms.find((term) => sameExpr(term.expr, part));
      if (known === undefined) terms.push({ expr: part, factor });
      else known.factor = addExact(known.factor, factor);
    }
  };
  collect(expr, 1);
  return { terms: terms.filter(({ factor }) => factor !== 0), constant: offset };
}

/** The expression of a sum, in the order of its terms. */
export function exprOfSum(sum: Sum): AffineExpr {
  let expr = constant(0);
  for (const term of sum.terms) expr = add(expr, mul(term.expr, term.factor));
  return add(expr, sum.constant);
}

/** The dimensions and symbols that occur, each once, in order of first occurrence. */
export function variablesOf(expr: AffineExpr): AffinePositionData[] {
  const found = new Map<string, AffinePositionData>();
  const visit = (part: AffineExpr): void => {
    switch (part.kind) {
      case 'constant':
        return;
      case 'dim':
      case 'symbol':
        found.set(variableKey(part), part);
        return;
      default:
        visit(part.lhs);
        visit(part.rhs);
    }
  };
  visit(expr);
  return [...found.values()];
}

/** A unique string per dimension or symbol. */
export function variableKey(variable: AffinePositionData): string {
  return `${variable.kind === 'dim' ? 'd' : 's'}${variable.position}`;
}
