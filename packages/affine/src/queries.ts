/** Queries on maps, and derived maps: permutations, projections, used dimensions, inverses. */
import { AffineError } from './affine-error.ts';
import type { AffineExpr, AffineExprData } from './affine-expr.ts';
import { adopt, constant, dim, symbol } from './affine-expr.ts';
import type { AffineMap, AffineMapData } from './affine-map.ts';
import { adoptMap, makeMap } from './affine-map.ts';
import { expectKind, expectList, expectOptions } from './expect-kind.ts';
import { printMap } from './print.ts';
import { substitute } from './substitute.ts';

/** The positions of the dimensions that occur in an expression or in a map's results, ascending. */
export function usedDims(subject: AffineExprData | AffineMapData): number[] {
  return usedPositions(subject, 'dim');
}

/** The positions of the symbols that occur in an expression or in a map's results, ascending. */
export function usedSymbols(subject: AffineExprData | AffineMapData): number[] {
  return usedPositions(subject, 'symbol');
}

function usedPositions(subject: AffineExprData | AffineMapData, kind: 'dim' | 'symbol'): number[] {
  expectKind(subject, 'expression', 'map');
  const exprs = subject.kind === 'map' ? adoptMap(subject).results : [adopt(subject)];
  const isUsed: boolean[] = [];
  const visit = (expr: AffineExpr): void => {
    if (expr.kind === kind) {
      isUsed[expr.position] = true;
    } else if ('lhs' in expr) {
      visit(expr.lhs);
      visit(expr.rhs);
    }
  };
  exprs.forEach(visit);
  const positions: number[] = [];
  for (let i = 0; i < isUsed.length; i++) if (isUsed[i] === true) positions.push(i);
  return positions;
}

/** Whether dimension `position` occurs. */
export function isFunctionOfDim(subject: AffineExprData | AffineMapData, position: number): boolean {
  return uses(subject, 'dim', position);
}

/** Whether symbol `position` occurs. */
export function isFunctionOfSymbol(subject: AffineExprData | AffineMapData, position: number): boolean {
  return uses(subject, 'symbol', position);
}

function uses(subject: AffineExprData | AffineMapData, kind: 'dim' | 'symbol', position: number): boolean {
  expectKind(subject, 'expression', 'map');
  const occursIn = (expr: AffineExpr): boolean =>
    'lhs' in expr
      ? occursIn(expr.lhs) || occursIn(expr.rhs)
      : expr.kind === kind && expr.position === position;
  return subject.kind === 'map' ? adoptMap(subject).results.some(occursIn) : occursIn(adopt(subject));
}

/** Whether the map is `(d0, …, dn-1) -> (d0, …, dn-1)`. */
export function isIdentity(map: AffineMapData): boolean {
  expectKind(map, 'map');
  return (
    map.numDims === map.results.length && map.results.every((r, i) => r.kind === 'dim' && r.position === i)
  );
}

/** Whether the results are the dimensions, each exactly once. Unused symbols are allowed. */
export function isPermutation(map: AffineMapData): boolean {
  expectKind(map, 'map');
  return map.numDims === map.results.length && isProjectedPermutation(map);
}

/** Whether the results are distinct dimensions; `allowZero`: or the constant 0, as in a broadcast. */
export function isProjectedPermutation(
  map: AffineMapData,
  options: { readonly allowZero?: boolean } = {},
): boolean {
  expectKind(map, 'map');
  expectOptions(options);
  const { allowZero = false } = options;
  if (map.numSymbols > 0 || map.results.length > map.numDims) return false;
  const seen = new Set<number>();
  return map.results.every((result) => {
    if (result.kind === 'constant') return allowZero && result.value === 0;
    if (result.kind !== 'dim' || seen.has(result.position)) return false;
    seen.add(result.position);
    return true;
  });
}

/**
 * The map from the results back to the dimensions, using the first result that is each dimension; undefined if some
 * dimension is not a result by itself. `(d0, d1) -> (d1, d0, d0 + d1)` gives `(d0, d1, d2) -> (d1, d0)`.
 */
export function inversePermutation(map: AffineMapData): AffineMap | undefined {
  expectKind(map, 'map');
  const inverse: (AffineExpr | undefined)[] = new Array<undefined>(map.numDims).fill(undefined);
  map.results.forEach((result, i) => {
    if (result.kind === 'dim') inverse[result.position] ??= dim(i);
  });
  const results = inverse.filter((expr) => expr !== undefined);
  return results.length < map.numDims ? undefined : makeMap(map.results.length, 0, results);
}

/**
 * The map from the results of a projected permutation back to the dimensions, with 0 for those projected out: `(d0, d1,
 * d2) -> (d2, d0)` gives `(d0, d1) -> (d1, 0, d0)`. Errors: the map is not a projected permutation.
 */
export function inverseProjectedPermutation(map: AffineMapData): AffineMap {
  if (!isProjectedPermutation(map, { allowZero: true })) {
    throw new AffineError('affine/invalid-argument', `${printMap(map)} is not a projected permutation`);
  }
  const inverse = new Array<AffineExpr>(map.numDims).fill(constant(0));
  map.results.forEach((result, i) => {
    if (result.kind === 'dim') inverse[result.position] = dim(i);
  });
  return makeMap(map.results.length, 0, inverse);
}

/** The map with the results at `positions`, in that order. */
export function subMap(map: AffineMapData, positions: readonly number[]): AffineMap {
  expectKind(map, 'map');
  expectList(positions, 'the positions');
  const results = Array.from(positions, (position) => {
    const result = map.results[position];
    if (result !== undefined) return result;
    const message = `there is no result ${String(position)}: the map has ${map.results.length}`;
    throw new AffineError('affine/position-out-of-range', message);
  });
  return makeMap(map.numDims, map.numSymbols, results);
}

/** The map without the results at `positions`. */
export function dropResults(map: AffineMapData, positions: readonly number[]): AffineMap {
  expectKind(map, 'map');
  expectList(positions, 'the positions');
  const dropped = new Set(positions);
  const results = map.results.filter((_, i) => !dropped.has(i));
  return makeMap(map.numDims, map.numSymbols, results);
}

/** The map without the dimensions at `positions`, later ones moving down. Errors: one of them is used. */
export function dropDims(map: AffineMapData, positions: readonly number[]): AffineMap {
  return dropVariables(map, positions, 'dim');
}

/** The map without the symbols at `positions`, later ones moving down. Errors: one of them is used. */
export function dropSymbols(map: AffineMapData, positions: readonly number[]): AffineMap {
  return dropVariables(map, positions, 'symbol');
}

function dropVariables(map: AffineMapData, positions: readonly number[], kind: 'dim' | 'symbol'): AffineMap {
  expectKind(map, 'map');
  expectList(positions, 'the positions');
  const dropped = new Set(positions);
  const used = usedPositions(map, kind).find((position) => dropped.has(position));
  if (used !== undefined) {
    throw new AffineError('affine/invalid-argument', `${kind} ${used} is used and cannot be dropped`);
  }
  const count = kind === 'dim' ? map.numDims : map.numSymbols;
  let kept = 0;
  const moved = Array.from({ length: count }, (_, i) => {
    if (dropped.has(i)) return undefined;
    kept += 1;
    return kind === 'dim' ? dim(kept - 1) : symbol(kept - 1);
  });
  return kind === 'dim'
    ? substitute(map, { dims: moved, numDims: kept })
    : substitute(map, { symbols: moved, numSymbols: kept });
}

/** The map without the dimensions that no result uses. */
export function compressUnusedDims(map: AffineMapData): AffineMap {
  expectKind(map, 'map');
  return dropDims(map, complement(usedDims(map), map.numDims));
}

/** The map without the symbols that no result uses. */
export function compressUnusedSymbols(map: AffineMapData): AffineMap {
  expectKind(map, 'map');
  return dropSymbols(map, complement(usedSymbols(map), map.numSymbols));
}

function complement(positions: readonly number[], count: number): number[] {
  return Array.from({ length: count }, (_, i) => i).filter((i) => !positions.includes(i));
}
