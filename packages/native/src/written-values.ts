/** Which buffers a function may store to. */
import type { Id, Operation, Registry, Value } from '@sconv/ir';
import { effectsOf, hasTrait } from '@sconv/ir';

/** Says of a buffer whether the function may store to its memory: by declared effects, through all that may be made of it. */
export const writtenValues = (registry: Registry, operation: Operation): ((value: Value) => boolean) => {
  /** Values that may be the same memory as another one. */
  const made = new Map<Id, Id[]>();
  const stored = new Set<Id>();
  const visit = (parent: Operation): void => {
    for (const block of parent.regions.flatMap(({ blocks }) => blocks)) {
      const branches = parent.results.concat(
        parent.regions.flatMap(({ blocks }) => blocks.flatMap((each) => each.arguments)),
      );
      for (const inner of block.operations) {
        const to = hasTrait(registry, inner, 'terminator')
          ? branches
          : inner.results.concat(
              inner.regions.flatMap(({ blocks }) => blocks.flatMap((each) => each.arguments)),
            );
        for (const { id } of inner.operands.filter(isBuffer)) {
          made.set(id, [...(made.get(id) ?? []), ...to.filter(isBuffer).map((value) => value.id)]);
        }
        // What holds other operations stores what they do.
        const effects =
          inner.regions.length > 0 && effectsOf(registry, inner) === undefined
            ? []
            : effectsOf(registry, inner);
        const writes = effects?.filter(({ kind }) => kind === 'write');
        const isUnknown = writes === undefined || writes.some(({ value }) => value === undefined);
        for (const { id } of inner.operands.filter(isBuffer)) {
          if (
            isUnknown
              ? !hasTrait(registry, inner, 'terminator')
              : writes.some(({ value }) => value?.id === id)
          )
            stored.add(id);
        }
        visit(inner);
      }
    }
  };
  visit(operation);
  return (value) => {
    const seen = new Set<Id>([value.id]);
    for (const id of seen) {
      if (stored.has(id)) return true;
      for (const next of made.get(id) ?? []) seen.add(next);
    }
    return false;
  };
};

const isBuffer = ({ type }: Value): boolean => type.kind === 'memref';
