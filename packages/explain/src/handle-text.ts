/** What a handle stands for, in a few words. */
import type { Id } from '@sconv/ir';
import type { HandleDocument } from './trace-document.ts';

/** `2 scf.for, linalg.matmul`, the values of a parameter, or `nothing`; operations have the names that are given. */
export const handleText = (
  { kind, ids = [], params = [] }: HandleDocument,
  nameOf: (operation: Id) => string | undefined,
): string => {
  if (kind === 'params') return params.length === 0 ? 'nothing' : params.join(', ');
  if (ids.length === 0) return 'nothing';
  if (kind === 'values') return `${ids.length} values`;
  const counts = new Map<string, number>();
  for (const id of ids) {
    const name = nameOf(id) ?? 'an operation';
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].map(([name, count]) => (count === 1 ? name : `${count} ${name}`)).join(', ');
};
