/**
 * Compiles maps to JavaScript functions: generated code where the platform allows it, closures where a CSP forbids it.
 */
import type { AffineExpr, AffineExprData } from './affine-expr.ts';
import { adopt } from './affine-expr.ts';
import { arityOf } from './expr-properties.ts';
import type { AffineMap, AffineMapData } from './affine-map.ts';
import { adoptMap, makeMap } from './affine-map.ts';
import type { Bounds } from './interval.ts';
import { IntervalBox } from './box.ts';
import { evaluate } from './evaluate.ts';
import { expectOptions } from './expect-kind.ts';
import type { AffineAlgebra } from './fold.ts';
import { fold } from './fold.ts';
import { enclosureOf } from './range.ts';

/**
 * The results of a map at a point. `out`, if given, receives them and is returned; otherwise a new array. Behaves as
 * `evaluate`, errors included.
 */
export type CompiledMap = (dims: readonly number[], symbols?: readonly number[], out?: number[]) => number[];

/** The value of an expression at a point. Behaves as `evaluate`, errors included. */
export type CompiledExpr = (dims: readonly number[], symbols?: readonly number[]) => number;

/** How a map is compiled. */
export interface CompiledFormOptions {
  /** `closure` generates no code from text; `auto` (default) falls back to it where the platform refuses code. */
  readonly mode?: 'auto' | 'code' | 'closure';
}

/** A function that evaluates the map. */
export function compileMap(map: AffineMapData, options: CompiledFormOptions = {}): CompiledMap {
  const adopted = adoptMap(map);
  expectOptions(options);
  const slow: CompiledMap = (dims, symbols = [], out = []) => {
    const values = evaluate(adopted, dims, symbols);
    for (let i = 0; i < values.length; i++) out[i] = values[i] ?? 0;
    return out;
  };
  if (options.mode === 'closure') return slow;
  return generate<CompiledMap>(adopted, '!==', slow, options, (results) => {
    const stores = results.map((code, i) => `out[${i}] = ${code};`).join(' ');
    return `if (out === undefined) return [${results.join(', ')}]; ${stores} return out;`;
  });
}

/** A function that evaluates the expression. */
export function compileExpr(expr: AffineExprData, options: CompiledFormOptions = {}): CompiledExpr {
  const adopted = adopt(expr);
  expectOptions(options);
  const slow: CompiledExpr = (dims, symbols = []) => evaluate(adopted, dims, symbols);
  if (options.mode === 'closure') return slow;
  const { numDims, numSymbols } = arityOf(adopted);
  const map = makeMap(numDims, numSymbols, [adopted]);
  return generate<CompiledExpr>(map, '<', slow, options, ([code = '0']) => `return ${code};`);
}

/**
 * Code that handles points within `[-limit, limit]`, where no intermediate value can become inexact, and passes every
 * other (or malformed) point to `slow`.
 */
function generate<F>(
  map: AffineMap,
  wrongLength: '!==' | '<',
  slow: F,
  options: CompiledFormOptions,
  body: (results: string[]) => string,
): F {
  const limit = exactLimit(map);
  if (limit === 0) return slow;
  const names = [
    ...Array.from({ length: map.numDims }, (_, i) => ({ name: `d${i}`, source: `dims[${i}]` })),
    ...Array.from({ length: map.numSymbols }, (_, i) => ({ name: `s${i}`, source: `symbols[${i}]` })),
  ];
  const statements: string[] = [];
  const algebra = codeAlgebra(statements);
  const results = map.results.map((result) => fold(result, algebra));
  const code = [
    bailOut([
      `dims.length ${wrongLength} ${map.numDims}`,
      ...(map.numSymbols > 0
        ? [`symbols === undefined`, `symbols.length ${wrongLength} ${map.numSymbols}`]
        : []),
    ]),
    ...names.map(({ name, source }) => `const ${name} = ${source};`),
    bailOut(names.map(({ name }) => outsideLimit(name, limit))),
    ...statements,
    body(results),
  ].join('\n');
  try {
    // eslint-disable-next-line @typescript-eslint/no-implied-eval -- made of operators, integers and our names only
    const make = new Function('slow', `return (dims, symbols, out) => {\n${code}\n};`) as (slow: F) => F;
    return make(slow);
  } catch (error) {
    if (options.mode === 'code') throw error;
    return slow;
  }
}

function bailOut(conditions: readonly string[]): string {
  return conditions.length === 0 ? '' : `if (${conditions.join(' || ')}) return slow(dims, symbols, out);`;
}

/** True for anything but a 32-bit integer within the limit; NaN and fractions included. */
function outsideLimit(name: string, limit: number): string {
  const notInteger = `(${name} | 0) !== ${name}`;
  return limit >= 2 ** 31 - 1 ? notInteger : `${notInteger} || ${name} > ${limit} || ${name} < -${limit}`;
}

/** Expressions as JavaScript text; an operand that is used twice gets its own statement. */
function codeAlgebra(statements: string[]): AffineAlgebra<string> {
  return {
    dim: (position) => `d${position}`,
    symbol: (position) => `s${position}`,
    // Parenthesized because of negative values.
    constant: (value) => `(${value})`,
    add: (lhs, rhs) => `(${lhs} + ${rhs})`,
    // Adding 0 turns -0 into 0.
    mul: (lhs, rhs) => `(${lhs} * ${rhs} + 0)`,
    mod: (lhs, rhs) => {
      const name = `t${statements.length}`;
      statements.push(`const ${name} = ${lhs};`);
      return `(${name} - ${rhs} * Math.floor(${name} / ${rhs}))`;
    },
    floordiv: (lhs, rhs) => `Math.floor(${lhs} / ${rhs})`,
    ceildiv: (lhs, rhs) => `(Math.ceil(${lhs} / ${rhs}) + 0)`,
  };
}

/**
 * The largest of several powers of two such that inputs of that magnitude keep every intermediate value exact and every
 * divisor positive.
 */
function exactLimit(map: AffineMap): number {
  for (const exponent of [31, 24, 16, 8]) {
    const limit = 2 ** exponent - 1;
    const bounds: Bounds = [-limit, limit + 1];
    const box = new IntervalBox({
      dims: new Array<Bounds>(map.numDims).fill(bounds),
      symbols: new Array<Bounds>(map.numSymbols).fill(bounds),
    });
    if (map.results.every((result) => staysExact(result, box))) return limit;
  }
  return 0;
}

function staysExact(expr: AffineExpr, box: IntervalBox): boolean {
  const { min, max } = enclosureOf(expr, box);
  if (!Number.isFinite(min) || !Number.isFinite(max)) return false;
  if (expr.kind === 'dim' || expr.kind === 'symbol' || expr.kind === 'constant') return true;
  if (expr.kind === 'mod') {
    // The multiple of the divisor below the dividend is an intermediate value, too.
    const multiple = enclosureOf(expr.lhs, box).min - enclosureOf(expr.rhs, box).max;
    if (!Number.isSafeInteger(multiple)) return false;
  }
  return staysExact(expr.lhs, box) && staysExact(expr.rhs, box);
}
