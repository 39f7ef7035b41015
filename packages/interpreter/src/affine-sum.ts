/** Affine expressions as sums: a constant, multiples of dimensions and symbols, and multiples of non-linear terms. */
import type { AffineExpr } from '@sconv/affine';

/** `constant + Σ linear + Σ nonlinear` */
export interface AffineSum {
  readonly constant: number;
  /** `factor * expr` with a dimension or symbol, possibly repeated. */
  readonly linear: readonly {
    readonly expr: Extract<AffineExpr, { position: number }>;
    readonly factor: number;
  }[];
  /** `factor * expr` with a division, a remainder or a product of two variables. */
  readonly nonlinear: readonly { readonly expr: NonlinearExpr; readonly factor: number }[];
}

/** A binary operator. */
export type NonlinearExpr = Extract<AffineExpr, { lhs: AffineExpr }>;

/** The sum that an expression is. */
export const affineSum = (expr: AffineExpr): AffineSum => {
  let constant = 0;
  const linear: AffineSum['linear'][number][] = [];
  const nonlinear: AffineSum['nonlinear'][number][] = [];
  const add = (term: AffineExpr, factor: number): void => {
    switch (term.kind) {
      case 'constant':
        constant += factor * term.value;
        return;
      case 'dim':
      case 'symbol':
        linear.push({ expr: term, factor });
        return;
      case 'add':
        add(term.lhs, factor);
        add(term.rhs, factor);
        return;
      case 'mul':
        if (term.rhs.kind === 'constant') add(term.lhs, factor * term.rhs.value);
        else nonlinear.push({ expr: term, factor });
        return;
      default:
        nonlinear.push({ expr: term, factor });
    }
  };
  add(expr, 1);
  return { constant, linear, nonlinear };
};
