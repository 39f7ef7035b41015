/** The loops around a packing, whose trip counts are determined before lowering. */
import type { MixedIndex } from '@sconv/dialects';
import { forall, forallBounds, forOp } from '@sconv/dialects/scf';
import type { Operation, Registry, Value } from '@sconv/ir';
import { bodyOf, constantValueOf } from '@sconv/ir';
import type { Uses } from './buffer-uses.ts';

/** A loop around a packing with known bounds and at least one iteration. */
export interface PackingLoop {
  readonly counter: Value;
  readonly lower: number;
  readonly step: number;
  readonly trips: number;
}

/** A loop around a packing. Parallel iterations may run concurrently: none may wait for the first. */
export interface NestedLoop extends PackingLoop {
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
  const isParallel = forall.is(operation);
  if (!isParallel && !forOp.is(operation)) return undefined;
  const bounds = isParallel ? forallBounds(operation) : [boundsOf(operation)];
  const counters = bodyOf(operation).arguments;
  const loops: NestedLoop[] = [];
  for (const [i, { lower: from, upper: to, step: by }] of bounds.entries()) {
    const [lower, upper, step, counter] = [indexOf(from), indexOf(to), indexOf(by), counters[i]];
    if (lower === undefined || upper === undefined || step === undefined || counter === undefined)
      return undefined;
    if (step < 1 || upper <= lower) return undefined;
    loops.push({ counter, lower, step, trips: Math.ceil((upper - lower) / step), isParallel });
  }
  return loops;
};

const boundsOf = (loop: Operation): Readonly<Record<'lower' | 'upper' | 'step', Value>> => {
  const { lowerBound: lower, upperBound: upper, step } = forOp.operands(loop);
  return { lower, upper, step };
};
