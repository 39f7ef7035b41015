/** Substitution of dimensions and symbols, and what builds on it: composition, shifting, concatenation. */
import { AffineError } from './affine-error.ts';
import type { AffineExpr, AffineExprData, AffineOperand } from './affine-expr.ts';
import { adopt, binary, dim, symbol } from './affine-expr.ts';
import type { AffineMap, AffineMapData, IntegerSet, IntegerSetData } from './affine-map.ts';
import { adoptMap, adoptSet, makeMap, makeSet } from './affine-map.ts';
import { expectKind, expectList, expectOptions } from './expect-kind.ts';
import { exact } from './integer.ts';

/** The replacement of each dimension and symbol; a hole, or a position past the end, is left unchanged. */
export interface Replacements {
  readonly dims?: readonly (AffineOperand | undefined)[];
  readonly symbols?: readonly (AffineOperand | undefined)[];
}

/** Replacements in a map, and the new map's numbers of dimensions and symbols (default: unchanged). */
export interface MapReplacements extends Replacements {
  readonly numDims?: number;
  readonly numSymbols?: number;
}

/** Replaces dimensions and symbols simultaneously; the result is simplified as on construction. */
export function substitute(expr: AffineExprData, replacements: Replacements): AffineExpr;
export function substitute(map: AffineMapData, replacements: MapReplacements): AffineMap;
export function substitute(set: IntegerSetData, replacements: MapReplacements): IntegerSet;
export function substitute(
  subject: AffineExprData | AffineMapData | IntegerSetData,
  replacements: MapReplacements,
): AffineExpr | AffineMap | IntegerSet {
  expectKind(subject, 'expression', 'map', 'set');
  expectOptions(replacements);
  const { dims = [], symbols = [] } = replacements;
  const replace = (expr: AffineExpr) => replaced(expr, dims, symbols);
  if (subject.kind !== 'map' && subject.kind !== 'set') return replace(adopt(subject));
  const { numDims = subject.numDims, numSymbols = subject.numSymbols } = replacements;
  if (subject.kind === 'map') return makeMap(numDims, numSymbols, adoptMap(subject).results.map(replace));
  const constraints = adoptSet(subject).constraints.map(({ expr, kind }) => ({ expr: replace(expr), kind }));
  return makeSet(numDims, numSymbols, constraints);
}

function replaced(
  expr: AffineExpr,
  dims: readonly (AffineOperand | undefined)[],
  symbols: readonly (AffineOperand | undefined)[],
): AffineExpr {
  switch (expr.kind) {
    case 'dim':
      return adopt(dims[expr.position] ?? expr);
    case 'symbol':
      return adopt(symbols[expr.position] ?? expr);
    case 'constant':
      return expr;
    default: {
      const lhs = replaced(expr.lhs, dims, symbols);
      const rhs = replaced(expr.rhs, dims, symbols);
      return lhs === expr.lhs && rhs === expr.rhs ? expr : binary(expr.kind, lhs, rhs);
    }
  }
}

/**
 * `outer ∘ inner`, and so on for more: `compose(c, b, a)` applies `a` first. The results of `inner` replace the
 * dimensions of `outer`. The symbols of `outer` come first, then those of `inner`, as in MLIR. Errors: `inner` has
 * not as many results as `outer` has dimensions.
 */
export function compose(
  outer: AffineMapData,
  inner: AffineMapData,
  ...others: readonly AffineMapData[]
): AffineMap {
  return others.reduce<AffineMap>(composeTwo, composeTwo(outer, inner));
}

function composeTwo(outer: AffineMapData, inner: AffineMapData): AffineMap {
  for (const map of [outer, inner]) expectKind(map, 'map');
  if (outer.numDims !== inner.results.length) {
    const message =
      `cannot compose: the outer map has ${outer.numDims} dimensions, ` +
      `the inner map has ${inner.results.length} results`;
    throw new AffineError('affine/arity-mismatch', message);
  }
  const shifted = shiftSymbols(inner, outer.numSymbols);
  return substitute(outer, {
    dims: shifted.results,
    numDims: inner.numDims,
    numSymbols: outer.numSymbols + inner.numSymbols,
  });
}

/**
 * `(d0, …, dn-1)` becomes `(…, d[shift], …)`: every dimension from `from` on moves up by `shift`, leaving unused ones.
 */
export function shiftDims(map: AffineMapData, shift: number, from = 0): AffineMap {
  expectKind(map, 'map');
  exact(shift);
  const dims = Array.from({ length: map.numDims }, (_, i) => (i < from ? undefined : dim(i + shift)));
  return substitute(map, { dims, numDims: map.numDims + shift });
}

/** Every symbol from `from` on moves up by `shift`, leaving unused ones. */
export function shiftSymbols(map: AffineMapData, shift: number, from = 0): AffineMap {
  expectKind(map, 'map');
  exact(shift);
  if (shift === 0) return adoptMap(map);
  const symbols = Array.from({ length: map.numSymbols }, (_, i) =>
    i < from ? undefined : symbol(i + shift),
  );
  return substitute(map, { symbols, numSymbols: map.numSymbols + shift });
}

/**
 * One map with the results of all. `shared` (default): all use the same dimensions and symbols, as many as the largest
 * has; otherwise each map gets its own, one after the other.
 */
export function concatMaps(
  maps: readonly AffineMapData[],
  options: { readonly shared?: boolean } = {},
): AffineMap {
  expectOptions(options);
  const { shared = true } = options;
  expectList(maps, 'the maps');
  for (const map of maps) expectKind(map, 'map');
  if (shared) {
    const numDims = Math.max(0, ...maps.map((map) => map.numDims));
    const numSymbols = Math.max(0, ...maps.map((map) => map.numSymbols));
    return makeMap(
      numDims,
      numSymbols,
      maps.flatMap((map) => map.results),
    );
  }
  let [numDims, numSymbols] = [0, 0];
  const results = maps.flatMap((map) => {
    const own = shiftSymbols(shiftDims(map, numDims), numSymbols);
    numDims += map.numDims;
    numSymbols += map.numSymbols;
    return own.results;
  });
  return makeMap(numDims, numSymbols, results);
}
