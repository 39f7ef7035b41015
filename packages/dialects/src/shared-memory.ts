/**
 * Whether two buffers may touch the same memory: what every pass asks that moves, forwards or erases accesses. They do
 * unless proven apart by where they come from (see `originsOf`).
 */
import type { DraftOperation, Id, Rewriter, Value } from '@sconv/ir';
import { closestParent, hasTrait, modelOf } from '@sconv/ir';
import { viewLike } from './interfaces.ts';
import type { Origin } from './memory-flow.ts';
import { originsOf } from './memory-flow.ts';

/** The buffer that a value is a view of. */
export const bufferOf = (rewriter: Rewriter, value: Value): Value => {
  let buffer = value;
  for (;;) {
    const definition = rewriter.definingOperation(buffer);
    const view = definition && modelOf(rewriter.registry, viewLike, definition);
    if (definition === undefined || view === undefined) return buffer;
    buffer = view.source(definition);
  }
};

/**
 * Whether two buffers may share memory. Allocations are apart from each other, from arguments of the function around
 * them, from globals and, unless a reference to them escapes, from all else. Arguments of a function may be one buffer:
 * they are apart if one has the attribute `llvm.noalias`, or if both are in `apart`.
 */
export const mayShareMemory = (
  rewriter: Rewriter,
  a: Value,
  b: Value,
  apart: ReadonlySet<Id> = new Set(),
): boolean => a.id === b.id || mayMeet(rewriter, originsOf(rewriter, a), originsOf(rewriter, b), apart);

/** `mayShareMemory` of two buffers whose origins are known. */
export const mayMeet = (
  rewriter: Rewriter,
  origins: readonly Origin[],
  others: readonly Origin[],
  apart: ReadonlySet<Id> = new Set(),
): boolean =>
  origins.some((origin) =>
    others.some(
      (other) =>
        !(
          isApart(rewriter, origin, other) ||
          isApart(rewriter, other, origin) ||
          (origin.value.id !== other.value.id && apart.has(origin.value.id) && apart.has(other.value.id))
        ),
    ),
  );

/** Whether a buffer is another one, by its kind and that of the other. */
const isApart = (rewriter: Rewriter, origin: Origin, other: Origin): boolean => {
  if (origin.value.id === other.value.id) return false;
  switch (origin.kind) {
    case 'allocation':
      return (
        other.kind === 'allocation' ||
        other.kind === 'global' ||
        (other.kind === 'argument' && isAround(rewriter, other.value, origin.value)) ||
        !origin.escapes()
      );
    case 'global':
      return other.kind === 'global' && globalOf(rewriter, origin) !== globalOf(rewriter, other);
    case 'argument':
      return other.kind === 'argument' && isRestricted(rewriter, origin.value);
    case 'unknown':
      return false;
  }
};

/** The name of a global, as text. */
const globalOf = (rewriter: Rewriter, { value }: Origin): string => {
  const name = rewriter.definingOperation(value)?.attributes['name'];
  return name?.kind === 'symbol-ref' ? [name.root, ...name.nested].join('::') : '';
};

/** Whether a buffer is an argument of the function that an allocation is in: it was there before. */
const isAround = (rewriter: Rewriter, argument: Value, allocation: Value): boolean => {
  const isIsolated = (parent: DraftOperation) => hasTrait(rewriter.registry, parent, 'isolated-from-above');
  const around = closestParent(rewriter.definingOperation(allocation)!, isIsolated);
  return around !== undefined && rewriter.owningBlock(argument)?.region.operation === around;
};

/** Whether a function promises that its other arguments do not alias an argument. */
const isRestricted = (rewriter: Rewriter, argument: Value): boolean => {
  const block = rewriter.owningBlock(argument)!;
  const all = block.region.operation.attributes['arg_attrs'];
  const own =
    all?.kind === 'array'
      ? all.elements[block.arguments.findIndex(({ id }) => id === argument.id)]
      : undefined;
  return own?.kind === 'dictionary' && own.entries['llvm.noalias'] !== undefined;
};
