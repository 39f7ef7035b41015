/** Equivalence of computations. */
import type { Block, Id, Operation, Value } from '@sconv/ir';
import { attributesEqual, typeEquals } from '@sconv/ir';

/**
 * Whether two operations without side effects beyond their operands compute the same: their backward slices are equal
 * up to renaming of values, with `pairs` given as equivalent.
 */
export const isSameComputation = (
  definitions: ReadonlyMap<Id, Operation>,
  a: Operation,
  b: Operation,
  pairs: readonly (readonly [Value, Value])[],
): boolean => {
  const partners = new Map<Id, Id>();
  const pair = (x: Value, y: Value): boolean => {
    partners.set(x.id, y.id);
    return typeEquals(x.type, y.type);
  };
  const isSameValue = (x: Value, y: Value): boolean => {
    if (partners.get(x.id) === y.id) return true;
    const [p, q] = [definitions.get(x.id), definitions.get(y.id)];
    if (p === undefined || q === undefined) return x.id === y.id && !partners.has(x.id);
    return isSameOperation(p, q) && partners.get(x.id) === y.id;
  };
  const isSameBlock = (x: Block, y: Block): boolean =>
    allPairs(x.arguments, y.arguments, pair) && allPairs(x.operations, y.operations, isSameOperation);
  const isSameOperation = (x: Operation, y: Operation): boolean =>
    x.name === y.name &&
    x.successors.length + y.successors.length === 0 &&
    attributesEqual(x.attributes, y.attributes) &&
    allPairs(x.operands, y.operands, isSameValue) &&
    allPairs(x.regions, y.regions, (p, q) => allPairs(p.blocks, q.blocks, isSameBlock)) &&
    allPairs(x.results, y.results, pair);
  return pairs.every(([x, y]) => pair(x, y)) && isSameOperation(a, b);
};

const allPairs = <T>(a: readonly T[], b: readonly T[], holds: (x: T, y: T) => boolean): boolean =>
  a.length === b.length && a.every((x, i) => holds(x, b[i]!));
