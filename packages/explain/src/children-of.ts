/** The nodes of a trace inside of each node. */
import type { NodeDocument } from './trace-document.ts';

/** By the number of a node, the numbers of those in it, in order; the outermost ones under `undefined`. */
export const childrenOf = (
  nodes: readonly Pick<NodeDocument, 'parent'>[],
): ReadonlyMap<number | undefined, readonly number[]> => {
  const children = new Map<number | undefined, number[]>();
  nodes.forEach(({ parent }, number) => {
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [number]);
    else siblings.push(number);
  });
  return children;
};
