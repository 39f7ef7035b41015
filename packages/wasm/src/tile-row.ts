/**
 * Rows of tiles: a loop that does nothing but to call a microkernel on tile after tile becomes one call, whose code goes on
 * from each tile to the next. Of few steps of k the calls would take as long as the sums.
 */
import type { AffineExpr } from '@sconv/affine';
import { substitute, symbol } from '@sconv/affine';
import type { Block, Id, Operation } from '@sconv/ir';
import { fillBefore } from './fill-before.ts';
import { positionsOf, termsOf } from './index-expressions.ts';

/** The loop around a microkernel that may be one call. */
export interface TileRow {
  /** Of the variable that counts the loop, among the index variables. */
  readonly position: number;
  readonly lower: number;
  readonly step: number;
  readonly trips: number;
  /** Set by who has emitted all of the loop. */
  isDone: boolean;
}

/** Operations that write no memory and make no buffers, but views of those around them. */
const views = new Set([
  'affine.apply',
  'arith.andi',
  'arith.cmpi',
  'arith.constant',
  'memref.cast',
  'memref.collapse_shape',
  'memref.expand_shape',
  'memref.subview',
]);

/** The structured operation of a loop's body that does nothing else but to choose what it works on. */
export const onlyWorkOf = ({ arguments: variables, operations }: Block): Operation | undefined => {
  const work = operations.at(-2);
  if (work?.name !== 'linalg.generic' || variables.length !== 1) return undefined;
  const changing = new Set<Id>(variables.map(({ id }) => id));
  for (const operation of operations.slice(0, -2)) {
    const fill = fillBefore(operation, work);
    if (fill !== undefined) {
      // What is filled in some iterations only needs code in each of them.
      if ([fill.condition, fill.value].some((value) => value !== undefined && changing.has(value.id)))
        return undefined;
    } else if (!views.has(operation.name)) return undefined;
    if (!operation.operands.some(({ id }) => changing.has(id))) continue;
    for (const { id } of operation.results) changing.add(id);
  }
  return work;
};

/** By how much an expression grows from one iteration to the next; undefined where that is not always the same. */
export const growthOf = (expr: AffineExpr, { position, lower, step }: TileRow): number | undefined => {
  const symbols = Array.from({ length: position + 1 }, (_, i) =>
    i === position ? symbol(i).mul(step).add(lower) : symbol(i),
  );
  let growth = 0;
  for (const { expr: part, factor } of termsOf(substitute(expr, { symbols })).terms) {
    const positions = positionsOf(part);
    // Later variables were computed in the body, from what is not known here.
    if (positions.some((each) => each > position)) return undefined;
    if (part.kind === 'symbol' && part.position === position) growth += factor;
    else if (positions.includes(position)) return undefined;
  }
  return growth;
};
