/** The loops around a packing, or a call that packs, whose trip counts are determined before lowering. */
import type { CountedLoop, MixedIndex } from '@sconv/dialects';
import { countedLoops } from '@sconv/dialects';
import { forall, forOp } from '@sconv/dialects/scf';
import type { Operation, Registry } from '@sconv/ir';
import { constantValueOf } from '@sconv/ir';
import type { Uses } from './buffer-uses.ts';

/** A loop around a packing. Parallel iterations may run concurrently: none may wait for the first. */
export interface NestedLoop extends CountedLoop {
  readonly isParallel: boolean;
}

/**
 * The loops of a function around a packing, outermost first; undefined if a trip count is unknown, if execution depends
 * on anything but loops, or if the allocation ends up in another function than the packing.
 */
export const loopsAround = (
  registry: Registry,
  { definitions, parents }: Uses,
  { around, packing, allocation }: Readonly<Record<'around' | 'packing' | 'allocation', Operation>>,
): readonly NestedLoop[] | undefined => {
  const indexOf = (value: MixedIndex): number | undefined => {
    if (typeof value === 'number') return value;
    const definition = definitions.get(value.id);
    const constant = definition && constantValueOf(registry, definition);
    return constant?.kind === 'integer' ? Number(constant.value) : undefined;
  };
  const home = parents.get(allocation.id);
  const nest: NestedLoop[] = [];
  let isHome = false;
  for (let at = parents.get(packing.id); at !== undefined && at !== around; at = parents.get(at.id)) {
    isHome ||= at === home;
    const loops = isHome || forOp.is(at) ? loopsOf(at, indexOf) : undefined;
    if (loops === undefined) return undefined;
    nest.push(...loops.toReversed());
  }
  return nest.reverse();
};

/** The loops of an operation; undefined if it is not a loop or a trip count is unknown. */
const loopsOf = (
  operation: Operation,
  indexOf: (value: MixedIndex) => number | undefined,
): readonly NestedLoop[] | undefined => {
  const loops = countedLoops(operation, indexOf);
  return loops?.every(({ trips }) => trips > 0) === true
    ? loops.map((loop) => ({ ...loop, isParallel: forall.is(operation) }))
    : undefined;
};
