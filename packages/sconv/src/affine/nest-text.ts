/** Affine expressions, sets and accesses in the text of statements that `parseStatements` reads. */
import type { AffineExpr, IntegerSet } from '@sconv/affine';
import { fold } from '@sconv/affine';

/** The expression in isl's syntax, with these texts for its dimensions, and then its symbols. */
export const expressionText = (expr: AffineExpr, operands: readonly string[], numDims: number): string =>
  fold<string>(expr, {
    dim: (position) => operands[position]!,
    symbol: (position) => operands[numDims + position]!,
    constant: String,
    add: (lhs, rhs) => `(${lhs} + ${rhs})`,
    mul: (lhs, rhs) => `(${lhs}) * (${rhs})`,
    mod: (lhs, rhs) => `((${lhs}) mod (${rhs}))`,
    floordiv: (lhs, rhs) => `floor((${lhs}) / (${rhs}))`,
    ceildiv: (lhs, rhs) => `ceil((${lhs}) / (${rhs}))`,
  });

/** The constraints of a set as one formula. */
export const conditionText = ({ constraints, numDims }: IntegerSet, operands: readonly string[]): string =>
  constraints
    .map(({ expr, kind }) => `${expressionText(expr, operands, numDims)} ${kind === 'eq' ? '=' : '>='} 0`)
    .join(' and ') || 'true';

/** Words that isl's syntax has for itself, which name no loop. */
const reserved: ReadonlySet<string> = new Set(
  'and or not exists true false mod floor ceil floord ceild'.split(' '),
);

/** A name like that of a value, `%i`, that none of these is: `fallback` with a number where it has none of its own. */
export const nameLike = (value: string | undefined, fallback: string, taken: ReadonlySet<string>): string => {
  const written = value?.slice(1) ?? '';
  const base = /^[A-Za-z_]\w*$/.test(written) && !reserved.has(written) ? written : fallback;
  if (base === written && !taken.has(base)) return base;
  for (let i = 0; ; i++) if (!taken.has(`${base}${i}`)) return `${base}${i}`;
};
