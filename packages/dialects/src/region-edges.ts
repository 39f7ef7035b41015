/** What upstream's `RegionBranchOpInterface` checks: values that flow along an edge of control fit where they arrive. */
import type { Operation, Region, Value } from '@sconv/ir';
import { typeEquals } from '@sconv/ir';
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

/** The values that a region of a single block ends with. */
export const yieldedBy = (region: Region | undefined): readonly Value[] =>
  region?.blocks[0]?.operations.at(-1)?.operands ?? [];

/** Each region that has a block ends with values for the results of its operation; without one, nothing does. */
export function* conditionalEdgeErrors({ regions, results }: Operation): Generator<string> {
  if (results.length > 0 && regions.some(({ blocks }) => blocks.length === 0)) {
    yield* edgeErrors('parent operands', 'parent results', [], results);
    return;
  }
  for (const [i, region] of regions.entries()) {
    if (region.blocks.length > 0)
      yield* edgeErrors(`Region #${i}`, 'parent results', yieldedBy(region), results);
  }
}
