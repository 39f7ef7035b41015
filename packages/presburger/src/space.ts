/** Spaces: what the columns of a set or relation stand for. */
import { PresburgerError } from './presburger-error.ts';

/**
 * Names of the variables of a set or relation. A set has no `inputs`; a relation goes from its `inputs` to its
 * `dims`. In the rows of constraints the columns are: inputs, dims, symbols, local variables, 1.
 */
export interface Space {
  readonly kind: 'space';
  /** Dimensions of a relation's domain. */
  readonly inputs: readonly string[];
  /** Dimensions of a set, or of a relation's range. */
  readonly dims: readonly string[];
  /** Parameters: unknown constants. Matched by name between sets, while dimensions are matched by position. */
  readonly symbols: readonly string[];
}

/** The space of sets of points `dims`. Errors: `presburger/name` for a name given twice. */
export const setSpace = (dims: readonly string[], symbols: readonly string[] = []): Space =>
  relationSpace([], dims, symbols);

/** The space of relations from points `inputs` to points `dims`. Errors: as for `setSpace`. */
export function relationSpace(
  inputs: readonly string[],
  dims: readonly string[],
  symbols: readonly string[] = [],
): Space {
  for (const names of [inputs, dims, symbols]) {
    const twice = names.find((name, i) => names.indexOf(name) < i);
    if (twice !== undefined) throw new PresburgerError('presburger/name', `two variables are named ${twice}`);
  }
  const frozen = (names: readonly string[]) => (Object.isFrozen(names) ? names : Object.freeze([...names]));
  return Object.freeze({
    kind: 'space',
    inputs: frozen(inputs),
    dims: frozen(dims),
    symbols: frozen(symbols),
  });
}

/** `['d0', 'd1', …]`. */
export const defaultNames = (prefix: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, i) => `${prefix}${i}`);

/** The name, primed until it is none of those that are taken. */
export const unusedName = (name: string, taken: ReadonlySet<string>): string =>
  taken.has(name) ? unusedName(`${name}'`, taken) : name;

/** How many columns the dimensions and symbols take: local variables come after them. */
export const numVariables = ({ inputs, dims, symbols }: Space): number =>
  inputs.length + dims.length + symbols.length;
