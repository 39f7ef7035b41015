/**
 * The iteration space of a structured operation: its size, from the operands' shapes, and a bounds check of all
 * accesses, done once for the whole space.
 */
import type { AffineExpr, AffineMap } from '@sconv/affine';
import { evaluate, range, usedDims } from '@sconv/affine';
import type { Operation } from '@sconv/ir';
import { outOfBounds } from './access.ts';
import { printShape, trap } from './trap.ts';

/**
 * Trip counts: loop `d` has the size of the first operand dimension indexed by `d` alone. Other such dimensions must
 * agree.
 */
export const loopCounts = (
  operation: Operation,
  maps: readonly AffineMap[],
  shapes: readonly (readonly number[])[],
): number[] => {
  const counts = new Array<number>(maps[0]?.numDims ?? 0).fill(-1);
  for (const [operand, { results }] of maps.entries()) {
    const shape = shapes[operand]!;
    if (shape.length !== results.length) {
      trap(
        operation,
        'interpreter/invalid-ir',
        `indexes operand #${operand} of ${printShape(shape)} by another rank`,
      );
    }
    for (const [i, result] of results.entries()) {
      if (result.kind !== 'dim') continue;
      const known = counts[result.position]!;
      if (known === -1) counts[result.position] = shape[i]!;
      else if (known !== shape[i]) {
        const size = `${shape[i]} in dimension ${i} of operand #${operand}`;
        trap(
          operation,
          'interpreter/shape-mismatch',
          `runs d${result.position} over ${known} points, but has ${size}`,
        );
      }
    }
  }
  const open = counts.indexOf(-1);
  if (open !== -1)
    trap(operation, 'interpreter/invalid-ir', `has no operand that gives the size of d${open}`);
  return counts;
};

/** Refuses a non-empty space with an out-of-bounds access. */
export const checkAccesses = (
  operation: Operation,
  maps: readonly AffineMap[],
  shapes: readonly (readonly number[])[],
  counts: readonly number[],
): void => {
  const box = { dims: counts.map((count) => [0, count] as const) };
  for (const [operand, map] of maps.entries()) {
    const shape = shapes[operand]!;
    for (const [i, result] of map.results.entries()) {
      const { lo, hi } = range(result, box);
      if (lo >= 0 && hi <= shape[i]!) continue;
      const point = firstOutside(result, shape[i]!, counts);
      // The range is an enclosure; if inexact, there may be no such point.
      if (point === undefined) continue;
      const access = `at the point [${point.join(', ')}] accesses operand #${operand} at`;
      outOfBounds(operation, access, evaluate(map, point), shape);
    }
  }
};

/** The first point at which `expr` is not in `[0, size)`; unused dimensions stay 0. */
const firstOutside = (expr: AffineExpr, size: number, counts: readonly number[]): number[] | undefined => {
  const used = usedDims(expr);
  const point = counts.map(() => 0);
  for (;;) {
    const value = evaluate(expr, point);
    if (value < 0 || value >= size) return point;
    let last = used.length - 1;
    for (; last >= 0; last--) {
      const dim = used[last]!;
      point[dim]! += 1;
      if (point[dim]! < counts[dim]!) break;
      point[dim] = 0;
    }
    if (last < 0) return undefined;
  }
};
