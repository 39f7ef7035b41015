/** Aliasing of buffers, with what a caller knows besides. */
import { bufferOf, mayShareMemory } from '@sconv/dialects';
import type { Id, Rewriter, Value } from '@sconv/ir';

/** Whether two buffers may alias; the values `apart` do not alias each other. */
export const mayShare = (
  rewriter: Rewriter,
  first: Value,
  second: Value,
  apart: ReadonlySet<Id>,
): boolean => {
  const [a, b] = [bufferOf(rewriter, first), bufferOf(rewriter, second)];
  const areApart = a.id !== b.id && apart.has(a.id) && apart.has(b.id);
  return !areApart && mayShareMemory(rewriter, first, second);
};
