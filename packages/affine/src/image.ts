/** How many values a map takes on a box, and whether it is injective there. */
import { AffineError } from './affine-error.ts';
import type { AffineExpr, AffinePositionData } from './affine-expr.ts';
import type { AffineMap, AffineMapData } from './affine-map.ts';
import { adoptMap } from './affine-map.ts';
import type { Domain } from './box.ts';
import type { Interval } from './interval.ts';
import { IntervalBox } from './box.ts';
import { exprEvaluator } from './closure.ts';
import { exact, mulExact } from './integer.ts';
import { linearForm } from './linear.ts';
import { countPoints, pointsOf } from './points.ts';
import { variableKey, variablesOf } from './terms.ts';

/** Maximum number of points checked. */
const maxPoints = 1 << 22;

/** Two points of the dimensions (symbols the same) with the same values. */
export interface Collision {
  readonly first: readonly number[];
  readonly second: readonly number[];
  readonly symbols: readonly number[];
  readonly values: readonly number[];
}

/** Whether a map is injective, and if not, a counterexample. */
export type Injectivity =
  | { readonly injective: true; readonly by: 'strides' | 'exhaustion' }
  | { readonly injective: false; readonly collision: Collision };

/**
 * The number of distinct values (tuples of results) that a map takes on a box. Errors: a used dimension or symbol is
 * unbounded, there are more than 2^22 points to check, or more than 2^53 values.
 */
export function imageSize(map: AffineMapData, over: Domain): number {
  const adopted = adoptMap(map);
  const box = new IntervalBox(over, adopted);
  return independentParts(adopted.results).reduce((size, part) => mulExact(size, partImage(part, box)), 1);
}

/**
 * Whether distinct points of the dimensions have distinct values, for every value of the symbols. Proved by strides if
 * the results are linear, otherwise by checking every point; errors as for `imageSize`.
 */
export function injectivity(map: AffineMapData, over: Domain): Injectivity {
  const adopted = adoptMap(map);
  const box = new IntervalBox(over, adopted);
  const dims = Array.from({ length: adopted.numDims }, (_, position) => box.of({ kind: 'dim', position }));
  const unused = findUnusedDim(adopted, dims);
  if (unused !== undefined)
    return { injective: false, collision: collisionAlong(unused, adopted, dims, box) };
  const parts = independentParts(adopted.results);
  const byStrides = parts.every(
    (part) => part.length === 1 && part.every((expr) => hasDistinctStrides(expr, box)),
  );
  if (byStrides) return { injective: true, by: 'strides' };
  const collision = findCollision(adopted, dims, box);
  return collision === undefined ? { injective: true, by: 'exhaustion' } : { injective: false, collision };
}

/** Results that share no variable are independent: the numbers of their values multiply. */
function independentParts(results: readonly AffineExpr[]): AffineExpr[][] {
  let parts: { keys: Set<string>; exprs: AffineExpr[] }[] = [];
  for (const expr of results) {
    const merged = { keys: new Set(variablesOf(expr).map(variableKey)), exprs: [expr] };
    parts = parts.filter((part) => {
      if (![...part.keys].some((key) => merged.keys.has(key))) return true;
      for (const key of part.keys) merged.keys.add(key);
      merged.exprs.push(...part.exprs);
      return false;
    });
    parts.push(merged);
  }
  return parts.map(({ exprs }) => exprs);
}

function partImage(exprs: readonly AffineExpr[], box: IntervalBox): number {
  const variables = uniqueVariables(exprs);
  const intervals = variables.map((variable) => bounded(box.of(variable), variableKey(variable)));
  const [only] = exprs;
  if (exprs.length === 1 && only !== undefined && hasDistinctStrides(only, box))
    return exact(countPoints(intervals));
  checkCount(intervals);
  const evaluators = exprs.map((expr) => exprEvaluator(expr, variables));
  const seen = new Set<string | number>();
  for (const point of pointsOf(intervals))
    seen.add(valueKey(evaluators.map((evaluateAt) => evaluateAt(point))));
  return seen.size;
}

function uniqueVariables(exprs: readonly AffineExpr[]): AffinePositionData[] {
  return [
    ...new Map(exprs.flatMap(variablesOf).map((variable) => [variableKey(variable), variable])).values(),
  ];
}

/** Numbers are cheaper keys than text, and most maps under test have one result. */
function valueKey(values: readonly number[]): string | number {
  return values.length === 1 ? (values[0] ?? 0) : values.join();
}

function bounded(interval: Interval, name: string): Interval {
  if (Number.isFinite(interval.min) && Number.isFinite(interval.max)) return interval;
  throw new AffineError('affine/domain-too-large', `${name} is used, but has no finite bounds`);
}

function checkCount(intervals: readonly Interval[]): void {
  const count = countPoints(intervals);
  if (count > maxPoints) {
    throw new AffineError(
      'affine/domain-too-large',
      `the box has ${count} points; at most ${maxPoints} are examined`,
    );
  }
}

/**
 * Whether a linear expression is injective because each stride exceeds the reach of all smaller strides together, as in
 * a mixed-radix number.
 */
function hasDistinctStrides(expr: AffineExpr, box: IntervalBox): boolean {
  const form = linearForm(expr);
  if (form === undefined || form.symbols.length > 0) return false;
  const steps = variablesOf(expr)
    .map((variable) => {
      const { min, max } = box.of(variable);
      return { stride: Math.abs(form.dims[variable.position] ?? 0), last: max - min };
    })
    .filter(({ last }) => last > 0)
    .sort((a, b) => a.stride - b.stride);
  let reach = 0;
  for (const { stride, last } of steps) {
    if (stride <= reach) return false;
    reach += stride * last;
  }
  return true;
}

function findUnusedDim(map: AffineMap, dims: readonly Interval[]): number | undefined {
  const used = new Set(uniqueVariables(map.results).map(variableKey));
  const index = dims.findIndex(({ min, max }, i) => max > min && !used.has(`d${i}`));
  return index < 0 ? undefined : index;
}

function somePoint(intervals: readonly Interval[]): number[] {
  return intervals.map(({ min, max }) => Math.max(min, Math.min(max, 0)));
}

/** Neighbours along a dimension that no result uses collide. */
function collisionAlong(dim: number, map: AffineMap, dims: readonly Interval[], box: IntervalBox): Collision {
  const symbolIntervals = Array.from({ length: map.numSymbols }, (_, position) =>
    box.of({ kind: 'symbol', position }),
  );
  const symbols = somePoint(symbolIntervals);
  const first = somePoint(dims);
  const second = [...first];
  const at = first[dim] ?? 0;
  second[dim] = at < (dims[dim]?.max ?? at) ? at + 1 : at - 1;
  return { first, second, symbols, values: valuesAt(map, first, symbols) };
}

function valuesAt(map: AffineMap, dims: readonly number[], symbols: readonly number[]): number[] {
  const variables = variablesOfMap(map);
  return map.results.map((result) => exprEvaluator(result, variables)([...symbols, ...dims]));
}

/** Symbols first: they vary slowest, and only points with equal symbols are compared. */
function variablesOfMap({ numDims, numSymbols }: AffineMap): AffinePositionData[] {
  const list = (kind: 'dim' | 'symbol', count: number) =>
    Array.from({ length: count }, (_, position) => ({ kind, position }));
  return [...list('symbol', numSymbols), ...list('dim', numDims)];
}

function findCollision(map: AffineMap, dims: readonly Interval[], box: IntervalBox): Collision | undefined {
  const used = new Set(uniqueVariables(map.results).map(variableKey));
  const variables = variablesOfMap(map);
  const intervals = variables.map((variable) => {
    const key = variableKey(variable);
    if (used.has(key)) return bounded(box.of(variable), key);
    const [rest = 0] = somePoint([box.of(variable)]);
    return { min: rest, max: rest };
  });
  checkCount(intervals);
  const evaluators = map.results.map((result) => exprEvaluator(result, variables));
  const numSymbols = map.numSymbols;
  let symbolKey = '';
  let seen = new Map<string | number, readonly number[]>();
  for (const point of pointsOf(intervals)) {
    const symbols = point.slice(0, numSymbols);
    if (symbols.join() !== symbolKey) {
      symbolKey = symbols.join();
      seen = new Map();
    }
    const values = evaluators.map((evaluateAt) => evaluateAt(point));
    const second = point.slice(numSymbols, numSymbols + dims.length);
    const first = seen.get(valueKey(values));
    if (first !== undefined) return { first, second, symbols, values };
    seen.set(valueKey(values), second);
  }
  return undefined;
}
