/** Alias queries on buffers. */
import type { DraftOperation, Rewriter, Value } from '@sconv/ir';
import { closestParent, hasTrait, modelOf } from '@sconv/ir';
import { viewLike } from './interfaces.ts';
import { alloc } from './memref.ts';

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
 * Whether a use of a buffer or its views passes it on: to another function, as an iter arg, or out of a block. It may
 * be aliased there.
 */
export const isHandedOn = (rewriter: Rewriter, buffer: Value): boolean =>
  rewriter.users(buffer).some((user) => {
    if (modelOf(rewriter.registry, viewLike, user)?.source(user).id === buffer.id)
      return user.results.some((view) => view.type.kind === 'memref' && isHandedOn(rewriter, view));
    return (
      hasTrait(rewriter.registry, user, 'terminator') ||
      user.name.startsWith('func.') ||
      user.results.some(({ type }) => type.kind === 'memref')
    );
  });

/** Whether a buffer is an argument of the function around an operation. */
const isArgumentAround = (rewriter: Rewriter, operation: DraftOperation, buffer: Value): boolean => {
  const isIsolated = (parent: DraftOperation) => hasTrait(rewriter.registry, parent, 'isolated-from-above');
  const around = closestParent(operation, isIsolated);
  return around?.regions[0]?.blocks[0]?.arguments.some(({ id }) => id === buffer.id) === true;
};

/** Whether an allocation cannot alias a buffer that is no view of it. */
const isApart = (rewriter: Rewriter, allocation: Value, other: Value): boolean => {
  const [definition, otherDefinition] = [allocation, other].map((each) => rewriter.definingOperation(each));
  if (definition === undefined || !alloc.is(definition)) return false;
  return (
    (otherDefinition !== undefined && alloc.is(otherDefinition)) ||
    isArgumentAround(rewriter, definition, other) ||
    !isHandedOn(rewriter, allocation)
  );
};

/** Whether two buffers may alias, judging by their allocations and views. */
export const mayShareMemory = (rewriter: Rewriter, a: Value, b: Value): boolean => {
  const [first, second] = [bufferOf(rewriter, a), bufferOf(rewriter, b)];
  return first.id === second.id || !(isApart(rewriter, first, second) || isApart(rewriter, second, first));
};
