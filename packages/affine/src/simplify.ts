/**
 * Simplification. Without bounds: what MLIR's `simplifyAffineExpr` gives, and again until nothing shrinks. With bounds:
 * quotients and remainders whose low part provably stays within one period are resolved first, which also undoes a
 * linearisation: `(d0 * 152 + d1) floordiv 152` is `d0` where `0 <= d1 < 152`.
 */
import type { AffineExpr, AffineExprData } from './affine-expr.ts';
import { adopt, arityOf, isLinear, sizeOf } from './affine-expr.ts';
import type { AffineMap, AffineMapData, IntegerSet, IntegerSetData } from './affine-map.ts';
import { adoptMap, adoptSet, makeMap, makeSet } from './affine-map.ts';
import type { Domain } from './box.ts';
import { IntervalBox } from './box.ts';
import { expectKind } from './expect-kind.ts';
import { flattenAndRebuild } from './flatten.ts';
import { fixVariables } from './range.ts';
import { foldConstantQuotients, resolve } from './resolve.ts';

/**
 * An expression, map or set with the same value at every point of the box (without one: everywhere) and at most as
 * large under bounds. Without them the text of an expression or a map is that of
 * `mlir-opt --affine-simplify-structures`, or something smaller; the constraints of a set are simplified one by one.
 * Symbolic divisors are taken to be positive, as MLIR does.
 */
export function simplify(expr: AffineExprData, over?: Domain): AffineExpr;
export function simplify(map: AffineMapData, over?: Domain): AffineMap;
export function simplify(set: IntegerSetData, over?: Domain): IntegerSet;
export function simplify(
  subject: AffineExprData | AffineMapData | IntegerSetData,
  over?: Domain,
): AffineExpr | AffineMap | IntegerSet {
  expectKind(subject, 'expression', 'map', 'set');
  const box = over === undefined ? undefined : new IntervalBox(over);
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

function simplifyExpr(
  expr: AffineExpr,
  numDims: number,
  numSymbols: number,
  box: IntervalBox | undefined,
): AffineExpr {
  if (box === undefined) return simplifyAnywhere(expr, numDims, numSymbols);
  // The tree keeps a mod where the flat form expands it; the flat form cancels what the tree does not see. Each may
  // open the way for the other.
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
 * MLIR's simplification; where another round makes it smaller, as mlir-opt's canonicalization would, that. What only
 * a bound could resolve is left to the caller who knows one.
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
