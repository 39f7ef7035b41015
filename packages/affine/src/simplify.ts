/**
 * Simplification. Without bounds: MLIR's `simplifyAffineExpr`, repeated while the result shrinks. With bounds: first
 * resolves quotients and remainders whose low part provably stays within one period, which also inverts linearisation:
 * `(d0 * 152 + d1) floordiv 152` is `d0` where `0 <= d1 < 152`.
 */
import { ifAffine } from './affine-error.ts';
import type { AffineExpr, AffineExprData } from './affine-expr.ts';
import { adopt } from './affine-expr.ts';
import { arityOf, isLinear, sizeOf } from './expr-properties.ts';
import type { AffineMap, AffineMapData, IntegerSet, IntegerSetData } from './affine-map.ts';
import { adoptMap, adoptSet, makeMap, makeSet } from './affine-map.ts';
import type { Domain } from './box.ts';
import { IntervalBox } from './box.ts';
import { expectKind } from './expect-kind.ts';
import { flattenAndRebuild } from './flatten.ts';
import { fixVariables } from './range.ts';
import { foldConstantQuotients, resolve } from './resolve.ts';

/**
 * An expression, map or set with the same value at every point of the box (default: everywhere); with bounds, at most
 * as large. Without bounds, the text of an expression or map is that of `mlir-opt --affine-simplify-structures`, or
 * smaller; constraints of a set are simplified one by one. Symbolic divisors are assumed positive, as in MLIR.
 */
export function simplify(expr: AffineExprData, over?: Domain): AffineExpr;
export function simplify(map: AffineMapData, over?: Domain): AffineMap;
export function simplify(set: IntegerSetData, over?: Domain): IntegerSet;
export function simplify(
  subject: AffineExprData | AffineMapData | IntegerSetData,
  over?: Domain,
): AffineExpr | AffineMap | IntegerSet {
  expectKind(subject, 'expression', 'map', 'set');
  const box = over === undefined ? undefined : new IntervalBox(over, subject);
  if (subject.kind === 'map') {
    const { numDims, numSymbols, results } = adoptMap(subject);
    const simplified = results.map((result) => simplifyExpr(result, numDims, numSymbols, box));
    return makeMap(numDims, numSymbols, simplified);
  }
  if (subject.kind === 'set') {
    const { numDims, numSymbols, constraints } = adoptSet(subject);
    const simplified = constraints.map(({ expr, kind }) => ({
      expr: simplifyExpr(expr, numDims, numSymbols, box),
      kind,
    }));
    return makeSet(numDims, numSymbols, simplified);
  }
  const expr = adopt(subject);
  const { numDims, numSymbols } = arityOf(expr);
  return simplifyExpr(expr, numDims, numSymbols, box);
}

/** Where numbers on the way pass 2^53, or a divisor becomes 0, the expression stays as it is. */
function simplifyExpr(
  expr: AffineExpr,
  numDims: number,
  numSymbols: number,
  box: IntervalBox | undefined,
): AffineExpr {
  return (
    ifAffine(() =>
      box === undefined
        ? simplifyAnywhere(expr, numDims, numSymbols)
        : simplifyWithin(expr, numDims, numSymbols, box),
    ) ?? expr
  );
}

function simplifyWithin(expr: AffineExpr, numDims: number, numSymbols: number, box: IntervalBox): AffineExpr {
  // The tree keeps a mod where the flat form expands it; the flat form cancels what the tree does not see. Each may
  // enable the other.
  let best = resolve(fixVariables(expr, box), box);
  for (;;) {
    const flat = resolve(flattenAndRebuild(best, numDims, numSymbols), box);
    if (sizeOf(flat) > sizeOf(best)) break;
    const shrinks = sizeOf(flat) < sizeOf(best);
    best = flat;
    if (!shrinks) break;
  }
  return sizeOf(best) <= sizeOf(expr) ? best : expr;
}

/**
 * MLIR's simplification, repeated if that makes the result smaller, as mlir-opt's canonicalization would. What only
 * bounds could resolve is left to callers that have them.
 */
function simplifyAnywhere(expr: AffineExpr, numDims: number, numSymbols: number): AffineExpr {
  let best = flattenAndRebuild(expr, numDims, numSymbols);
  while (!isLinear(best)) {
    const next = flattenAndRebuild(foldConstantQuotients(best), numDims, numSymbols);
    if (sizeOf(next) >= sizeOf(best)) break;
    best = next;
  }
  return best;
}
