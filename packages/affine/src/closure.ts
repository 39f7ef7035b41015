/** Compiles expressions to trees of closures: fast to create, no code generation, as exact as `evaluate`. */
import type { AffineExpr, AffinePositionData } from './affine-expr.ts';
import { addExact, ceilDivInteger, floorDivInteger, modInteger, mulExact } from './integer.ts';

/** The value of an expression, given the values of its variables in the order of a list. */
export type Evaluator = (values: readonly number[]) => number;

/** A function from the values of `variables`, which must include all of `expr`, to the value of `expr`. */
export function exprEvaluator(expr: AffineExpr, variables: readonly AffinePositionData[]): Evaluator {
  switch (expr.kind) {
    case 'constant': {
      const { value } = expr;
      return () => value;
    }
    case 'dim':
    case 'symbol': {
      const { kind, position } = expr;
      const index = variables.findIndex(
        (variable) => variable.kind === kind && variable.position === position,
      );
      return (values) => values[index] ?? NaN;
    }
    default: {
      const lhs = exprEvaluator(expr.lhs, variables);
      const rhs = exprEvaluator(expr.rhs, variables);
      switch (expr.kind) {
        case 'add':
          return (values) => addExact(lhs(values), rhs(values));
        case 'mul':
          return (values) => mulExact(lhs(values), rhs(values));
        case 'mod':
          return (values) => modInteger(lhs(values), rhs(values));
        case 'floordiv':
          return (values) => floorDivInteger(lhs(values), rhs(values));
        case 'ceildiv':
          return (values) => ceilDivInteger(lhs(values), rhs(values));
      }
    }
  }
}
