/**
 * Reassociations: the groups of dimensions of the larger shape that form each dimension of the smaller one; here,
 * composed across consecutive reshapes.
 */
import { DYNAMIC } from '@sconv/ir';
import type { Reassociation } from '@sconv/dialects/tensor';

/** Whether these are the same groups. */
export const sameGroups = (a: Reassociation, b: Reassociation): boolean =>
  a.length === b.length && a.every((group, i) => group.length === b[i]!.length);

/** Two collapses or two expansions: the groups of the second in dimensions of the shape before the first. */
export const composed = (first: Reassociation, second: Reassociation): Reassociation =>
  second.map((group) => group.flatMap((dimension) => first[dimension] ?? []));

/**
 * For two groupings of a common larger shape: `fine` by the shape of higher rank, `coarse` by that of lower rank. The
 * grouping of the first shape that gives the second; undefined if a group of `fine` crosses one of `coarse`.
 */
export const regrouped = (fine: Reassociation, coarse: Reassociation): Reassociation | undefined => {
  let next = 0;
  const groups: number[][] = [];
  for (const group of coarse) {
    const last = group.at(-1);
    const members: number[] = [];
    while (last !== undefined && next < fine.length) {
      const end = fine[next]!.at(-1);
      if (end === undefined || end > last) return undefined;
      members.push(next);
      next += 1;
      if (end === last) break;
    }
    groups.push(members);
  }
  return groups;
};

/** The groups of `source` dimensions whose products are the sizes of `target`; undefined if there are none. */
const collapseBetween = (source: readonly number[], target: readonly number[]): Reassociation | undefined => {
  if (source.length < target.length) return undefined;
  if (target.length === 0) return source.every((size) => size === 1) ? [] : undefined;
  const groups: number[][] = [];
  let at = 0;
  for (const [position, wanted] of target.entries()) {
    const group: number[] = [];
    if (wanted === DYNAMIC) {
      // Leading dimensions up to and including a dynamic one.
      while (at < source.length && source[at] !== DYNAMIC) group.push(at++);
      if (at >= source.length) return undefined;
      group.push(at++);
      const following = target[position + 1];
      if (following !== DYNAMIC && following !== undefined) {
        while (at < source.length && source[at] === 1 && following !== 1) group.push(at++);
      }
    } else {
      let product = 1;
      do {
        const size = source[at];
        if (size === undefined || size === DYNAMIC) return undefined;
        product *= size;
        group.push(at++);
      } while (product < wanted);
      if (product !== wanted) return undefined;
      // Unit dimensions join the group before them, unless the next target dimension is one.
      while (at < source.length && source[at] === 1 && target[position + 1] !== 1) group.push(at++);
    }
    groups.push(group);
  }
  while (at < source.length) {
    if (source[at] !== 1) return undefined;
    groups.at(-1)!.push(at++);
  }
  return groups;
};

/** Two expansions of a common smaller shape: the grouping of the larger `source` that gives `target`. */
export const collapsedThrough = (
  sourceGroups: Reassociation,
  targetGroups: Reassociation,
  source: readonly number[],
  target: readonly number[],
): Reassociation | undefined => {
  if (sourceGroups.length === 0) return collapseBetween(source, target);
  const groups: number[][] = [];
  for (const [i, from] of sourceGroups.entries()) {
    const to = targetGroups[i] ?? [];
    const fromSizes = from.map((dimension) => source[dimension]!);
    const toSizes = to.map((dimension) => target[dimension]!);
    if (fromSizes.length === toSizes.length) {
      const dynamic = fromSizes.filter((size) => size === DYNAMIC).length;
      if (String(fromSizes) !== String(toSizes) || dynamic > 1) return undefined;
      groups.push(...from.map((dimension) => [dimension]));
      continue;
    }
    const inner = collapseBetween(fromSizes, toSizes);
    if (inner === undefined) return undefined;
    groups.push(...inner.map((group) => group.map((position) => from[position]!)));
  }
  return groups;
};
