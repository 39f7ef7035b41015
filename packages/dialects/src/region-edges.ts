/** What upstream's `RegionBranchOpInterface` checks: values that flow along an edge of control fit where they arrive. */
import type { Block, Operation, Type, Value } from '@sconv/ir';
import { terminatorOf, typeEquals } from '@sconv/ir';
import { typeText } from './type-text.ts';

/** Where control comes from or goes to, in upstream's words. */
export type RegionPoint = 'parent operands' | 'parent results' | `Region #${number}`;

/** What is wrong with `given`, which flows from one point to another that has a place for each of `wanted`. */
export function* edgeErrors(
  from: RegionPoint,
  to: RegionPoint,
  given: readonly Value[],
  wanted: readonly Value[],
): Generator<string> {
  if (given.length !== wanted.length) {
    yield ` region control flow edge from ${from} to ${to}: source has ${given.length} operands, but target successor needs ${wanted.length}`;
    return;
  }
  const i = given.findIndex(({ type }, position) => !typeEquals(type, wanted[position]!.type));
  if (i < 0) return;
  yield ` along control flow edge from ${from} to ${to}: source type #${i} '${typeText(given[i]!.type)}' should match input type #${i} '${typeText(wanted[i]!.type)}'`;
}

/** The first block of a region that is declared to have one. */
export const firstBlockOf = (operation: Operation, region = 0): Block =>
  operation.regions[region]!.blocks[0]!;

/** The values that a block ends with. */
export const yieldedBy = (block: Block): readonly Value[] => terminatorOf(block).operands;

/** Whether the first value that a block ends with, if it has any, is of this type. */
export const yieldsFirst = (block: Block, type: Type): boolean => {
  const [value] = yieldedBy(block);
  return value === undefined || typeEquals(value.type, type);
};

/** Each region that has a block ends with values for the results of its operation; without one, nothing does. */
export function* conditionalEdgeErrors({ regions, results }: Operation): Generator<string> {
  if (results.length > 0 && regions.some(({ blocks }) => blocks.length === 0)) {
    yield* edgeErrors('parent operands', 'parent results', [], results);
    return;
  }
  for (const [i, { blocks }] of regions.entries()) {
    for (const block of blocks)
      yield* edgeErrors(`Region #${i}`, 'parent results', yieldedBy(block), results);
  }
}
