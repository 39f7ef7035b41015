/**
 * The checks of upstream's `RegionBranchOpInterface`: values that flow along a control-flow edge match their targets.
 */
import type { Block, Operation, Type, Value } from '@sconv/ir';
import { terminatorOf, typeEquals } from '@sconv/ir';
import { typeText } from './type-text.ts';

/** The source or target of a control-flow edge, in upstream's words. */
export type RegionPoint = 'parent operands' | 'parent results' | `Region #${number}`;

/** Errors of an edge that forwards `given` to a target that takes `wanted`. */
export function* edgeErrors(
  from: RegionPoint,
  to: RegionPoint,
  given: readonly Value[],
  wanted: readonly Value[],
): Generator<string> {
  if (given.length !== wanted.length) {
    yield (
      ` region control flow edge from ${from} to ${to}: source has ${given.length} operands, but ` +
      `target successor needs ${wanted.length}`
    );
    return;
  }
  const i = given.findIndex(({ type }, position) => !typeEquals(type, wanted[position]!.type));
  if (i < 0) return;
  yield (
    ` along control flow edge from ${from} to ${to}: source type #${i} '${typeText(given[i]!.type)}' ` +
    `should match input type #${i} '${typeText(wanted[i]!.type)}'`
  );
}

/** The entry block of a region that is declared to have one. */
export const firstBlockOf = (operation: Operation, region = 0): Block =>
  operation.regions[region]!.blocks[0]!;

/** The terminator operands of a block. */
export const yieldedBy = (block: Block): readonly Value[] => terminatorOf(block).operands;

/** Whether the first terminator operand of a block, if any, has this type. */
export const yieldsFirst = (block: Block, type: Type): boolean => {
  const [value] = yieldedBy(block);
  return value === undefined || typeEquals(value.type, type);
};

/** Each non-empty region yields the results of its operation; an empty region yields nothing. */
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
