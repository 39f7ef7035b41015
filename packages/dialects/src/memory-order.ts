/** Whether accesses to memory may run in another order. */
import { writtenLinearForm } from '@sconv/affine';
import type { DraftOperation, MemoryEffect, Rewriter, Value } from '@sconv/ir';
import { effectsOf, hasTrait, memoryEffects, modelOf } from '@sconv/ir';
import { apply } from './affine.ts';
import { areElementsApart } from './elements-apart.ts';
import { valueBound } from './index-bounds.ts';
import { loopLike } from './interfaces.ts';
import type { KnownOrigins, Origin } from './memory-flow.ts';
import { knownOrigins, originsOf } from './memory-flow.ts';
import { load, store, subview } from './memref.ts';
import type { MixedIndex } from './mixed-indices.ts';
import { mixedSlice } from './mixed-indices.ts';
import { indexNumber } from './mixed-values.ts';
import { forall, forallBounds, forOp } from './scf.ts';
import { mayMeet } from './shared-memory.ts';

/** A part of a buffer. */
interface Place {
  readonly buffer: Value;
  readonly offsets: readonly MixedIndex[];
  readonly sizes: readonly MixedIndex[];
}

/** An effect: on unknown memory without origins, on an unknown part of it without a place. */
export interface Access {
  readonly kind: MemoryEffect['kind'];
  /** What the accessed buffer may be, or view. */
  readonly origins: readonly Origin[] | undefined;
  readonly place: Place | undefined;
}

/** An operation with effects; `accesses`: undefined if they are unknown. */
export interface Accessing {
  readonly operation: DraftOperation;
  readonly accesses: readonly Access[] | undefined;
}

/** What an operation does to memory, its regions included. */
export const accessingOf = (
  rewriter: Rewriter,
  operation: DraftOperation,
  known?: KnownOrigins,
): Accessing => ({
  operation,
  accesses: effectsOf(rewriter.registry, operation)?.map(({ kind, value }) => ({
    kind,
    origins: value && originsOf(rewriter, value, known),
    place: value && placeOf(rewriter, operation, value),
  })),
});

/**
 * The operations in `operation`, itself included, that have effects of their own. What terminators contain has none.
 */
export const accessesIn = (rewriter: Rewriter, operation: DraftOperation): readonly Accessing[] => {
  const { registry } = rewriter;
  const known = knownOrigins();
  return rewriter
    .walk(operation)
    .filter(
      (each) =>
        ![each, each.parent].some((at) => at !== undefined && hasTrait(registry, at, 'terminator')) &&
        (!hasTrait(registry, each, 'recursive-effects') ||
          modelOf(registry, memoryEffects, each) !== undefined),
    )
    .map((each) => accessingOf(rewriter, each, known))
    .filter(({ accesses }) => accesses?.length !== 0);
};

/**
 * Whether the order of two operations may matter: both access memory that they may share, and one of them writes it.
 * Accesses for which `areApart` holds are of different elements.
 */
export const mayConflict = (
  rewriter: Rewriter,
  a: Accessing,
  b: Accessing,
  areApart: (one: Access, other: Access) => boolean = () => false,
): boolean => {
  if (a.accesses?.length === 0 || b.accesses?.length === 0) return false;
  if (a.accesses === undefined || b.accesses === undefined) return true;
  const others = b.accesses;
  return a.accesses.some((one) =>
    others.some((other) => {
      if (one.kind === 'read' && other.kind === 'read') return false;
      const isShared =
        one.origins === undefined ||
        other.origins === undefined ||
        mayMeet(rewriter, one.origins, other.origins);
      return isShared && !areApart(one, other);
    }),
  );
};

const placeOf = (rewriter: Rewriter, operation: DraftOperation, value: Value): Place | undefined => {
  if (load.is(operation) || store.is(operation)) {
    const { indices } = load.is(operation) ? load.operands(operation) : store.operands(operation);
    return { buffer: value, offsets: indices, sizes: indices.map(() => 1) };
  }
  const view = rewriter.definingOperation(value);
  if (view === undefined || !subview.is(view)) return undefined;
  const { offsets, sizes, strides } = mixedSlice(view);
  if (strides.some((stride) => stride !== 1)) return undefined;
  return { buffer: subview.operands(view).source, offsets, sizes };
};

/** An induction variable; its values are `step` apart at least. */
export interface Counter {
  readonly variable: Value;
  readonly step: number;
}

/** The induction variables of an `scf.for` or `scf.forall`. */
export const countersOf = (rewriter: Rewriter, loop: DraftOperation): readonly Counter[] => {
  const variables = modelOf(rewriter.registry, loopLike, loop)?.inductionVariables(loop) ?? [];
  const steps: readonly MixedIndex[] = forall.is(loop)
    ? forallBounds(loop).map(({ step }) => step)
    : [forOp.operands(loop).step];
  return variables.map((variable, i) => ({
    variable,
    step: Math.max(1, indexNumber(rewriter, steps[i]!) ?? 1),
  }));
};

/**
 * Whether accesses are of different elements whenever one of their counters differs: each counter is, with one
 * factor, an index of both. `loop` contains both.
 */
export const differWith = (
  rewriter: Rewriter,
  [one, counters]: readonly [Access, readonly Counter[]],
  [other, others]: readonly [Access, readonly Counter[]],
  loop?: DraftOperation,
): boolean => {
  const [a, b] = [one.place, other.place];
  return (
    a !== undefined &&
    a.buffer.id === b?.buffer.id &&
    areElementsApart(rewriter, a.buffer) &&
    (loop === undefined || rewriter.isDefinedOutside(a.buffer, loop)) &&
    counters.every((counter, k) => isIndexedBy(rewriter, [a, counter], [b, others[k]!]))
  );
};

/** Whether an index of both is the same multiple of their counters, and neither size reaches the next one. */
const isIndexedBy = (
  rewriter: Rewriter,
  [one, counter]: readonly [Place, Counter],
  [other, otherCounter]: readonly [Place, Counter],
): boolean =>
  one.offsets.some((index, at) => {
    const a = multipleOf(rewriter, index, counter.variable);
    const b = multipleOf(rewriter, other.offsets[at]!, otherCounter.variable);
    if (a === undefined || a.factor !== b?.factor || a.constant !== b.constant) return false;
    const distance = Math.abs(a.factor) * Math.min(counter.step, otherCounter.step);
    return [one, other].every(({ sizes }) => valueBound(rewriter, sizes[at]!) <= distance);
  });

/** `factor * variable + constant`. */
interface Multiple {
  readonly factor: number;
  readonly constant: number;
}

const multipleOf = (rewriter: Rewriter, index: MixedIndex, variable: Value): Multiple | undefined => {
  if (typeof index === 'number') return undefined;
  if (index.id === variable.id) return { factor: 1, constant: 0 };
  const definition = rewriter.definingOperation(index);
  if (definition === undefined || !apply.is(definition)) return undefined;
  const [operand, ...others] = definition.operands;
  if (operand?.id !== variable.id || others.length > 0) return undefined;
  const form = writtenLinearForm(apply.attributes(definition).map.results[0]!);
  const factor = form?.dims[0] ?? form?.symbols[0];
  return form === undefined || factor === undefined || factor === 0
    ? undefined
    : { factor, constant: form.constant };
};
