/** The names that dimensions and symbols have in the text that a map or set was parsed from. */
import { AffineError } from './affine-error.ts';
import type { AffineExpr, AffinePositionData } from './affine-expr.ts';
import { variableKey } from './terms.ts';

const known = new WeakMap<object, ReadonlyMap<string, AffinePositionData>>();

/** Remembers the names of a map or set; those that say the position are not kept. */
export function rememberNames(subject: object, names: ReadonlyMap<string, AffineExpr>): void {
  const own = new Map<string, AffinePositionData>();
  for (const [name, expr] of names)
    if ((expr.kind === 'dim' || expr.kind === 'symbol') && name !== variableKey(expr)) own.set(name, expr);
  if (own.size > 0) known.set(subject, own);
}

/** What `name` is in the texts of maps and sets; undefined if in none. Errors: it is something else in each. */
export function variableNamed(name: string, subjects: readonly object[]): AffinePositionData | undefined {
  const found = subjects.flatMap((subject) => known.get(subject)?.get(name) ?? []);
  const [first] = found;
  if (first !== undefined && found.some((other) => variableKey(other) !== variableKey(first))) {
    const message = `${name} is another dimension or symbol in each text: use d0, s0, …`;
    throw new AffineError('affine/invalid-argument', message);
  }
  return first;
}

/** The names in the texts of maps and sets. */
export function namesOf(subjects: readonly object[]): readonly string[] {
  return [...new Set(subjects.flatMap((subject) => [...(known.get(subject)?.keys() ?? [])]))];
}
