/** Counts a function's multiply-adds, and those in microkernels, from its loops. */
import { kernelCallSizes } from '@sconv/blas';
import type { MixedIndex } from '@sconv/dialects';
import { countedLoops, kernelAttributeName } from '@sconv/dialects';
import type { StructuredOp } from '@sconv/dialects/linalg';
import { call } from '@sconv/dialects/func';
import { structured } from '@sconv/dialects/linalg';
import { forall, forOp } from '@sconv/dialects/scf';
import type { Id, Module, Operation, Registry } from '@sconv/ir';
import { children, expectOperation, expectRegistry, symbolNameOf, walk } from '@sconv/ir';
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
 * Counts the multiply-adds of the structured operations in `operation`, of microkernel calls, and of the functions of
 * `module` that it calls, times the trip counts of the enclosing scf loops. Undefined if a trip count or size is not
 * constant, or a function calls itself.
 */
export const countMultiplyAdds = (
  registry: Registry,
  operation: Operation,
  module?: Module,
): MultiplyAdds | undefined => {
  expectRegistry('countMultiplyAdds', { registry });
  expectOperation('what is counted', operation);
  const functions = new Map(
    module === undefined ? [] : children(module.root).map((each) => [symbolNameOf(each), each] as const),
  );
  // Undefined while it is counted: it has no end where it calls itself.
  const known = new Map<Operation, MultiplyAdds | undefined>();
  const ofFunction = (definition: Operation): MultiplyAdds | undefined => {
    if (known.has(definition)) return known.get(definition);
    known.set(definition, undefined);
    const counted = countIn(registry, definition, calledIn);
    known.set(definition, counted);
    return counted;
  };
  const calledIn = (current: Operation) => {
    const callee = call.is(current) ? functions.get(call.attributes(current).callee) : undefined;
    return callee === undefined ? undefined : { counted: ofFunction(callee) };
  };
  return ofFunction(operation);
};

/** Counts in one operation; `calledIn` says what a call of a known function counts. */
const countIn = (
  registry: Registry,
  operation: Operation,
  calledIn: (call: Operation) => { readonly counted: MultiplyAdds | undefined } | undefined,
): MultiplyAdds | undefined => {
  const constants = constantsOf(operation);
  const count = (current: Operation, times: number): MultiplyAdds | undefined => {
    const view = structured(registry, current);
    if (view !== undefined) return countStructured(current, view, times);
    const sizes = kernelCallSizes(current)?.map(({ id }) => constants.get(id));
    if (sizes !== undefined) return countCall(sizes, times);
    const called = calledIn(current);
    if (called !== undefined) return called.counted && scaled(called.counted, times);
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

const scaled = ({ total, inMicrokernels }: MultiplyAdds, times: number): MultiplyAdds => ({
  total: total * times,
  inMicrokernels: inMicrokernels * times,
});

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
