/** Compares modules by structure, which takes much less time than to print them. */
import type { Id, Module, Operation, Value } from '@sconv/ir';
import { attributesEqual, typeEquals } from '@sconv/ir';

/** Whether two modules are the same up to ids: if so, they print the same. What edits have left is not looked at. */
export const isSameModule = (a: Module, b: Module): boolean => {
  /** The ids of `a` for which `b` has others. */
  const others = new Map<Id, Id>();
  const all = <T>(x: readonly T[], y: readonly T[], isSame: (x: T, y: T) => boolean): boolean =>
    x.length === y.length && x.every((each, i) => isSame(each, y[i]!));
  const isSameId = (x: Id, y: Id): boolean => (others.get(x) ?? x) === y;
  const isDefinedAlike = (x: Value, y: Value): boolean => {
    if (x.id !== y.id) others.set(x.id, y.id);
    return typeEquals(x.type, y.type);
  };
  const isSame = (x: Operation, y: Operation): boolean =>
    x === y ||
    (x.name === y.name &&
      all(x.operands, y.operands, (one, other) => isSameId(one.id, other.id)) &&
      all(x.results, y.results, isDefinedAlike) &&
      attributesEqual(x.attributes, y.attributes) &&
      all(x.regions, y.regions, (one, other) => {
        one.blocks.forEach(({ id }, i) => {
          const block = other.blocks[i];
          if (block !== undefined && block.id !== id) others.set(id, block.id);
        });
        return all(
          one.blocks,
          other.blocks,
          (from, to) =>
            all(from.arguments, to.arguments, isDefinedAlike) && all(from.operations, to.operations, isSame),
        );
      }) &&
      all(x.successors, y.successors, isSameId));
  return isSame(a.root, b.root);
};
