/** Which memory a value is. */
import type { Rewriter, Value } from '@sconv/ir';
import { modelOf } from '@sconv/ir';
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

/** Whether nothing but what is made of the value leads to its memory. */
const isNew = (rewriter: Rewriter, value: Value): boolean => {
  const definition = rewriter.definingOperation(value);
  return definition !== undefined && alloc.is(definition);
};

/** Whether two buffers may have elements in common: neither is an allocation that the other is no view of. */
export const mayShareMemory = (rewriter: Rewriter, a: Value, b: Value): boolean => {
  const [first, second] = [bufferOf(rewriter, a), bufferOf(rewriter, b)];
  return first.id === second.id || !(isNew(rewriter, first) || isNew(rewriter, second));
};
