/** Generators of expressions, maps, boxes and points for property tests with fast-check. */
import fc from 'fast-check';
import type { AffineBinaryKind, AffineExpr } from './affine-expr.ts';
import { binaryNode, constant, dim, symbol } from './affine-expr.ts';
import type { AffineMap } from './affine-map.ts';
import { makeMap } from './affine-map.ts';
import type { Box } from './box.ts';
import { expectOptions } from './expect-kind.ts';
import type { Bounds } from './interval.ts';

/** What the generated expressions may contain. */
export interface ExprConstraints {
  /** Default 3. */
  readonly numDims?: number;
  /** Default 2. */
  readonly numSymbols?: number;
  /** The deepest nesting; default 5. */
  readonly maxDepth?: number;
  /** The largest magnitude of constants and factors; default 20. */
  readonly maxConstant?: number;
  /** Whether symbols may be factors and divisors; default false. */
  readonly semiAffine?: boolean;
  /** Whether constant divisors may be negative; default false. */
  readonly negativeDivisors?: boolean;
}

/** An expression as written, nothing simplified. Shrinks towards leaves. */
export function arbitraryExpr(constraints: ExprConstraints = {}): fc.Arbitrary<AffineExpr> {
  expectOptions(constraints);
  const { numDims = 3, numSymbols = 2, maxDepth = 5, maxConstant = 20 } = constraints;
  const { semiAffine = false, negativeDivisors = false } = constraints;
  const anyConstant = fc.integer({ min: -maxConstant, max: maxConstant }).map(constant);
  const symbols = numSymbols > 0 ? [fc.nat(numSymbols - 1).map(symbol)] : [];
  const dims = numDims > 0 ? [fc.nat(numDims - 1).map(dim)] : [];
  const leaf = fc.oneof(anyConstant, ...symbols, ...dims, ...dims);
  const minDivisor = negativeDivisors ? -maxConstant : 1;
  const divisor = fc
    .integer({ min: minDivisor, max: maxConstant })
    .map((value) => constant(value === 0 ? 1 : value));
  const symbolic = semiAffine ? symbols : [];
  const factor = fc.oneof(anyConstant, ...symbolic);
  const anyDivisor = fc.oneof(divisor, ...symbolic);
  const { expr } = fc.letrec<{ expr: AffineExpr }>((tie) => {
    const node = (kind: AffineBinaryKind, rhs: fc.Arbitrary<AffineExpr>) =>
      fc.tuple(tie('expr'), rhs).map(([lhs, right]) => binaryNode(kind, lhs, right));
    return {
      expr: fc.oneof(
        { maxDepth, depthSize: 'medium' },
        leaf,
        node('add', tie('expr')),
        node('add', tie('expr')),
        node('mul', factor),
        node('mod', anyDivisor),
        node('floordiv', anyDivisor),
        node('ceildiv', anyDivisor),
      ),
    };
  });
  return expr;
}

/** A map with `numResults` results (default 1 to 3). */
export function arbitraryMap(
  constraints: ExprConstraints & { readonly numResults?: number } = {},
): fc.Arbitrary<AffineMap> {
  expectOptions(constraints);
  const { numDims = 3, numSymbols = 2, numResults } = constraints;
  const length = numResults === undefined ? { minLength: 1, maxLength: 3 } : lengthOf(numResults);
  return fc.array(arbitraryExpr(constraints), length).map((results) => makeMap(numDims, numSymbols, results));
}

function lengthOf(count: number): { minLength: number; maxLength: number } {
  return { minLength: count, maxLength: count };
}

/** Non-empty half-open bounds with at most `maxExtent` (default 20) integers, within `magnitude` (default 200) of 0. */
export function arbitraryBounds(
  limits: { readonly maxExtent?: number; readonly magnitude?: number } = {},
): fc.Arbitrary<Bounds> {
  expectOptions(limits);
  const { maxExtent = 20, magnitude = 200 } = limits;
  return fc
    .tuple(fc.integer({ min: -magnitude, max: magnitude }), fc.integer({ min: 1, max: maxExtent }))
    .map(([lo, extent]) => [lo, lo + extent] as const);
}

/** Values for dimensions and symbols. */
export interface Point {
  readonly dims: number[];
  readonly symbols: number[];
}

/** A point of a box; unbounded coordinates are within `magnitude` (default 200) of 0. */
export function arbitraryPoint(
  arity: { readonly numDims?: number; readonly numSymbols?: number },
  limits: { readonly box?: Box; readonly magnitude?: number } = {},
): fc.Arbitrary<Point> {
  expectOptions(arity);
  expectOptions(limits);
  const { box = {}, magnitude = 200 } = limits;
  const { numDims = 3, numSymbols = 2 } = arity;
  const coordinate = (bounds: Bounds | undefined) =>
    fc.integer({
      min: Math.max(bounds?.[0] ?? -magnitude, -(2 ** 31)),
      max: Math.min(bounds?.[1] ?? magnitude, 2 ** 31) - 1,
    });
  const coordinates = (count: number, bounds: Box['dims']) =>
    fc.tuple(...Array.from({ length: count }, (_, i) => coordinate(bounds?.[i])));
  return fc.record({
    dims: coordinates(numDims, box.dims),
    symbols: coordinates(numSymbols, box.symbols),
  });
}
