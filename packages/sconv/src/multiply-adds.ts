/** Counts a function's multiply-adds, and those in microkernels, from its loops. */
import { kernelCallSizes } from '@sconv/blas';
import type { MixedIndex } from '@sconv/dialects';
import { countedLoops, kernelAttributeName } from '@sconv/dialects';
import type { StructuredOp } from '@sconv/dialects/linalg';
import { structured } from '@sconv/dialects/linalg';
import { forall, forOp } from '@sconv/dialects/scf';
import type { Id, Operation, Registry } from '@sconv/ir';
import { children, expectOperation, expectRegistry, walk } from '@sconv/ir';
import { microkernelAttribute } from '@sconv/packing';

/** The multiply-adds of a function, and those of them in microkernels. */
export interface MultiplyAdds {
  readonly total: number;
  /** Those in operations marked as microkernels, and in calls of a library's microkernels. */
  readonly inMicrokernels: number;
}

/** Multiplications paired with an addition in linalg bodies. */
const multiplications: ReadonlySet<string> = new Set(['arith.mulf', 'arith.muli']);

/**
 * Counts the multiply-adds of the structured operations in `operation` and of microkernel calls, times the trip counts
 * of the enclosing scf loops. Undefined if a trip count or size is not constant.
 */
export const countMultiplyAdds = (registry: Registry, operation: Operation): MultiplyAdds | undefined => {
  expectRegistry('countMultiplyAdds', { registry });
  expectOperation('what is counted', operation);
  const constants = constantsOf(operation);
  const count = (current: Operation, times: number): MultiplyAdds | undefined => {
    const view = structured(registry, current);
    if (view !== undefined) return countStructured(current, view, times);
    const sizes = kernelCallSizes(current)?.map(({ id }) => constants.get(id));
    if (sizes !== undefined) return countCall(sizes, times);
    const trips = tripsOf(current, constants);
    if (trips === undefined) return undefined;
    let sum: MultiplyAdds = { total: 0, inMicrokernels: 0 };
    for (const child of children(current)) {
      const inner = count(child, times * trips);
      if (inner === undefined) return undefined;
      sum = { total: sum.total + inner.total, inMicrokernels: sum.inMicrokernels + inner.inMicrokernels };
    }
    return sum;
  };
  return count(operation, 1);
};

/** What marks a microkernel on packed operands, and one that reads them in place. */
const marks = [microkernelAttribute, kernelAttributeName];

const countStructured = (
  operation: Operation,
  { body, loopRanges }: StructuredOp,
  times: number,
): MultiplyAdds | undefined => {
  const each = (body?.operations ?? []).filter(({ name }) => multiplications.has(name)).length;
  if (each === 0) return { total: 0, inMicrokernels: 0 };
  // A dynamic size is negative.
  if (loopRanges.some((size) => size < 0)) return undefined;
  const total = loopRanges.reduce((product, size) => product * size, times * each);
  return { total, inMicrokernels: marks.some((mark) => mark in operation.attributes) ? total : 0 };
};

/** A call of a library's microkernel: the product of its size arguments. */
const countCall = (sizes: readonly (number | undefined)[], times: number): MultiplyAdds | undefined => {
  const total = sizes.reduce<number | undefined>(
    (product, size) => (product === undefined || size === undefined ? undefined : product * size),
    times,
  );
  return total === undefined ? undefined : { total, inMicrokernels: total };
};

const constantsOf = (operation: Operation): ReadonlyMap<Id, number> => {
  const constants = new Map<Id, number>();
  for (const { name, attributes, results } of walk(operation)) {
    const value = attributes['value'];
    if (name === 'arith.constant' && value?.kind === 'integer')
      constants.set(results[0]!.id, Number(value.value));
  }
  return constants;
};

/** How often an operation's body runs; undefined if unknown. */
const tripsOf = (operation: Operation, constants: ReadonlyMap<Id, number>): number | undefined => {
  if (!forOp.is(operation) && !forall.is(operation)) return 1;
  const valueOf = (index: MixedIndex) => (typeof index === 'number' ? index : constants.get(index.id));
  return countedLoops(operation, valueOf)?.reduce((all, { trips }) => all * trips, 1);
};
