/**
 * Rows of tiles: a loop that only calls a microkernel on consecutive tiles becomes one call, whose code advances from
 * tile to tile. With few k steps the calls would take as long as the sums.
 */
import type { AffineExpr } from '@sconv/affine';
import { substitute, symbol } from '@sconv/affine';
import { microkernel } from '@sconv/dialects/kernel';
import type { Block, Id, Operation } from '@sconv/ir';
import { positionsOf, termsOf } from './index-expressions.ts';

/** A loop around a microkernel that may become one call. */
export interface TileRow {
  /** Position of the loop counter among the index variables. */
  readonly position: number;
  readonly lower: number;
  readonly step: number;
  readonly trips: number;
  /** Set by whoever emits the whole loop. */
  isDone: boolean;
}

/** Operations that neither write memory nor allocate: index arithmetic and views. */
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

/** The microkernel of a loop body that otherwise only selects its operands; undefined for other bodies. */
export const onlyWorkOf = ({ arguments: variables, operations }: Block): Operation | undefined => {
  const work = operations.at(-2);
  if (work === undefined || !microkernel.is(work) || variables.length !== 1) return undefined;
  const changing = new Set<Id>(variables.map(({ id }) => id));
  for (const operation of operations.slice(0, -2)) {
    if (!views.has(operation.name)) return undefined;
    if (!operation.operands.some(({ id }) => changing.has(id))) continue;
    for (const { id } of operation.results) changing.add(id);
  }
  const { start, condition } = microkernel.operands(work);
  // A start that depends on the iteration needs code in each one.
  return [start, condition].some((value) => value && changing.has(value.id)) ? undefined : work;
};

/** The increment of an expression per iteration; undefined if it is not constant. */
export const growthOf = (expr: AffineExpr, { position, lower, step }: TileRow): number | undefined => {
  const symbols = Array.from({ length: position + 1 }, (_, i) =>
    i === position ? symbol(i).mul(step).add(lower) : symbol(i),
  );
  let growth = 0;
  for (const { expr: part, factor } of termsOf(substitute(expr, { symbols })).terms) {
    const positions = positionsOf(part);
    // Later variables are computed in the body from values unknown here.
    if (positions.some((each) => each > position)) return undefined;
    if (part.kind === 'symbol' && part.position === position) growth += factor;
    else if (positions.includes(position)) return undefined;
  }
  return growth;
};
