/**
 * Matchers for affine maps, for any test framework with jest's `expect.extend`; `@sconv/affine/vitest` and
 * `@sconv/affine/jest` provide them with those frameworks' types.
 */
import { AffineError, isAffineError } from './affine-error.ts';
import type { AffineExpr, AffineExprData } from './affine-expr.ts';
import { arityOf } from './expr-properties.ts';
import type { AffineMap, AffineMapData } from './affine-map.ts';
import { adoptMap, makeMap } from './affine-map.ts';
import type { Domain } from './box.ts';
import type { Bounds } from './interval.ts';
import { IntervalBox, toBox } from './box.ts';
import { exprEvaluator } from './closure.ts';
import type { Counterexample } from './equivalent.ts';
import { equivalent } from './equivalent.ts';
import { injectivity } from './image.ts';
import { affineExpr, affineMap } from './parse.ts';
import { countPoints, pointsOf, randomNumbers, randomPoint } from './points.ts';
import { printExpr, printMap } from './print.ts';
import { isPermutation } from './queries.ts';
import { range } from './range.ts';
import { variableKey, variablesOf } from './terms.ts';

/** A map as matchers accept it: a map, an expression (a map with one result), or the text of either. */
export type MapLike = AffineMapData | AffineExprData | string;

/** The points to check. */
export interface OverOption {
  readonly over?: Domain;
  /**
   * Whether sampling suffices if there is no proof and there are too many points to check all. By default such an
   * assertion fails, negated or not, with `affine/undecided`.
   */
  readonly acceptSampling?: boolean;
}

interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
}

/** The matchers, for `expect.extend`. */
export const affineMatchers: {
  toBeEquivalentTo(received: MapLike, expected: MapLike, options?: OverOption): MatcherResult;
  toBePermutation(received: MapLike): MatcherResult;
  toBeInjectiveOver(received: MapLike, over: Domain): MatcherResult;
  toStayWithin(received: MapLike, bounds: Bounds | readonly Bounds[], options?: OverOption): MatcherResult;
} = { toBeEquivalentTo, toBePermutation, toBeInjectiveOver, toStayWithin };

/** The matchers as methods of `expect(map)`. */
export interface AffineMatchers<R = void> {
  /** Equal values at every point of `over` (default: everywhere). */
  toBeEquivalentTo(expected: MapLike, options?: OverOption): R;
  /** The results are the dimensions, each exactly once. */
  toBePermutation(): R;
  /** No two points of the box have equal values. */
  toBeInjectiveOver(over: Domain): R;
  /** Each result stays within its half-open bounds (a single pair applies to all results) at every point of `over`. */
  toStayWithin(bounds: Bounds | readonly Bounds[], options?: OverOption): R;
}

function toBeEquivalentTo(
  received: MapLike,
  expected: MapLike,
  { over = {}, acceptSampling = false }: OverOption = {},
): MatcherResult {
  const given = [toMap(received), toMap(expected)] as const;
  const [left, right] = isMapLike(received) && isMapLike(expected) ? given : widened(...given);
  const box = toBox(over, ...given);
  const answer = equivalent(left, right, { domain: box });
  const both = `${printMap(left)}\nand ${printMap(right)}`;
  if (answer.equivalent === 'undecided' && !acceptSampling) {
    throw undecided(`${both}\nare equivalent`, box, answer.points);
  }
  return {
    pass: answer.equivalent !== false,
    message: () =>
      answer.equivalent === false
        ? `expected ${both}\nto be equivalent${describeDomain(box)}, but ${describeDifference(answer.counterexample)}`
        : `expected ${both}\nto differ${describeDomain(box)}, but they are equal (${answer.by})`,
  };
}

function toBePermutation(received: MapLike): MatcherResult {
  const map = toMap(received);
  const pass = isPermutation(map);
  return {
    pass,
    message: () =>
      pass
        ? `expected ${printMap(map)} not to be a permutation`
        : `expected ${printMap(map)} to be a permutation, but ${whyNoPermutation(map)}`,
  };
}

function toBeInjectiveOver(received: MapLike, domain: Domain): MatcherResult {
  const map = toMap(received);
  const over = toBox(domain, map);
  const answer = injectivity(map, over);
  return {
    pass: answer.injective,
    message: () => {
      if (answer.injective)
        return `expected ${printMap(map)} to take some value twice${describeDomain(over)}`;
      const { first, second, symbols, values } = answer.collision;
      const [a, b] = [describePoint(first, symbols), describePoint(second, symbols)];
      return (
        `expected ${printMap(map)} to be injective${describeDomain(over)}, but ${a} and ${b} both give ` +
        tuple(values)
      );
    },
  };
}

function toStayWithin(
  received: MapLike,
  bounds: Bounds | readonly Bounds[],
  { over: domain = {}, acceptSampling = false }: OverOption = {},
): MatcherResult {
  const map = toMap(received);
  const over = toBox(domain, map);
  const limits = map.results.map((_, i) => (isBounds(bounds) ? bounds : bounds[i]));
  const outside = map.results.findIndex((result, i) => {
    const [lo, hi] = limits[i] ?? [-Infinity, Infinity];
    const actual = range(result, over);
    if (actual.lo >= lo && actual.hi <= hi) return false;
    if (actual.exact || findOutside(result, lo, hi, over) !== undefined) return true;
    if (!acceptSampling && !isCovered(result, over)) {
      throw undecided(`${printExpr(result)} stays within [${lo}, ${hi})`, over, samples);
    }
    return false;
  });
  return {
    pass: outside < 0,
    message: () => {
      const what = `${printMap(map)} to ${outside < 0 ? 'leave' : 'stay within'} `;
      const listed = limits.map((limit) => (limit ? `[${limit[0]}, ${limit[1]})` : 'any bounds')).join(', ');
      const expected = `expected ${what}${listed}${describeDomain(over)}`;
      return outside < 0
        ? expected
        : `${expected}, but ${describeOutside(map, outside, limits[outside], over)}`;
    },
  };
}

function isBounds(bounds: Bounds | readonly Bounds[]): bounds is Bounds {
  return typeof bounds[0] === 'number';
}

function describeOutside(map: AffineMap, index: number, limit: Bounds | undefined, over: Domain): string {
  const result = map.results[index];
  if (result === undefined || limit === undefined) return 'it does not';
  const { lo, hi } = range(result, over);
  const which = `result ${index}, ${printExpr(result)}, ranges over [${lo}, ${hi})`;
  const witness = findOutside(result, limit[0], limit[1], over);
  return witness === undefined ? which : `${which}: it is ${witness.value} at ${witness.point}`;
}

/** Up to this many points all are checked for being out of bounds; beyond, `samples` of them. */
const searchLimit = 1 << 18;
const samples = 10_000;

/** A point of the box where the expression is out of bounds; undefined if none was found. */
function findOutside(
  expr: AffineExpr,
  lo: number,
  hi: number,
  over: Domain,
): { point: string; value: number } | undefined {
  const box = new IntervalBox(over);
  const variables = variablesOf(expr);
  const intervals = variables.map((variable) => box.of(variable));
  const evaluateAt = exprEvaluator(expr, variables);
  const random = randomNumbers(1);
  const candidates =
    countPoints(intervals) <= searchLimit
      ? pointsOf(intervals)
      : Array.from({ length: samples }, () => randomPoint(intervals, random));
  for (const values of candidates) {
    const value = evaluateAt(values);
    if (value >= lo && value < hi) continue;
    const point = variables.map((variable, i) => `${variableKey(variable)} = ${values[i] ?? 0}`).join(', ');
    return { point, value };
  }
  return undefined;
}

/** Whether `findOutside` checks every point of the box, so that it decides if the range is not exact. */
function isCovered(expr: AffineExpr, over: Domain): boolean {
  const box = new IntervalBox(over);
  return countPoints(variablesOf(expr).map((variable) => box.of(variable))) <= searchLimit;
}

/** Thrown, not returned: any result that a matcher returns passes either plain or negated. */
function undecided(question: string, over: Domain, points: number): AffineError {
  const message =
    `cannot tell whether ${question}${describeDomain(over)}: ${points} points were tried and say so, but there are ` +
    'more; take a smaller box, or accept that with { acceptSampling: true }';
  return new AffineError('affine/undecided', message);
}

function whyNoPermutation(map: AffineMap): string {
  if (map.numSymbols > 0) return `it has ${map.numSymbols} symbols`;
  if (map.numDims !== map.results.length)
    return `it has ${map.numDims} dimensions and ${map.results.length} results`;
  const other = map.results.findIndex((result) => result.kind !== 'dim');
  const result = map.results[other];
  if (result !== undefined) return `result ${other} is ${printExpr(result)}`;
  const repeated = map.results.find(
    (expr, i) => map.results.findIndex((x) => printExpr(x) === printExpr(expr)) < i,
  );
  return `${repeated === undefined ? 'a dimension' : printExpr(repeated)} occurs twice`;
}

function describeDifference({ dims, symbols, left, right }: Counterexample): string {
  return `at ${describePoint(dims, symbols)} the first gives ${tuple(left)}, the second ${tuple(right)}`;
}

function describePoint(dims: readonly number[], symbols: readonly number[]): string {
  const coordinates = [
    ...dims.map((value, i) => `d${i} = ${value}`),
    ...symbols.map((value, i) => `s${i} = ${value}`),
  ];
  return coordinates.length === 0 ? 'the only point' : coordinates.join(', ');
}

function describeDomain(over: Domain): string {
  const box = new IntervalBox(over);
  const describe = (letter: string) => (interval: { min: number; max: number }, i: number) =>
    Number.isFinite(interval.min) || Number.isFinite(interval.max)
      ? [`${letter}${i} in [${interval.min}, ${interval.max + 1})`]
      : [];
  const parts = [...box.dims.flatMap(describe('d')), ...box.symbols.flatMap(describe('s'))];
  return parts.length === 0 ? '' : ` over ${parts.join(', ')}`;
}

function tuple(values: readonly (number | bigint)[]): string {
  return `(${values.join(', ')})`;
}

/** Two maps to compare; an expression takes the arity of the map, or of the larger expression, beside it. */
function widened(left: AffineMap, right: AffineMap): [AffineMap, AffineMap] {
  const numDims = Math.max(left.numDims, right.numDims);
  const numSymbols = Math.max(left.numSymbols, right.numSymbols);
  return [makeMap(numDims, numSymbols, left.results), makeMap(numDims, numSymbols, right.results)];
}

function isMapLike(like: MapLike): boolean {
  return typeof like === 'string' ? like.includes('->') : like.kind === 'map';
}

function toMap(like: MapLike): AffineMap {
  if (typeof like === 'string') return read(like);
  if (like.kind === 'map') return adoptMap(like);
  const { numDims, numSymbols } = arityOf(like);
  return makeMap(numDims, numSymbols, [like]);
}

/** The map or expression of a text; errors show the text and the place. */
function read(text: string): AffineMap {
  try {
    return text.includes('->') ? affineMap(text) : toMap(affineExpr(text));
  } catch (error) {
    if (!isAffineError(error) || error.offset === undefined) throw error;
    const caret = `${' '.repeat(error.offset)}^`;
    throw new AffineError(error.code, `${error.message}\n${text}\n${caret}`, error.offset);
  }
}
