/** Which buffers a function may write. */
import { extractAlignedPointerAsIndex } from '@sconv/dialects/memref';
import type { Id, Operation, Registry, Value } from '@sconv/ir';
import { effectsOf, hasTrait, memoryEffects, modelOf } from '@sconv/ir';

/** A predicate: whether the function may write a buffer's memory, by declared effects, through all possible aliases. */
export const writtenValues = (registry: Registry, operation: Operation): ((value: Value) => boolean) => {
  /** Values that may alias another value. */
  const made = new Map<Id, Id[]>();
  const stored = new Set<Id>();
  const visit = (parent: Operation): void => {
    const blocks = parent.regions.flatMap((region) => region.blocks);
    const inBlocks = blocks.flatMap((block) => block.arguments);
    // Returning a value does not write it.
    const handedOn = parent === operation ? [] : [...parent.results, ...inBlocks];
    for (const inner of blocks.flatMap((block) => block.operations)) {
      const isTerminator = hasTrait(registry, inner, 'terminator');
      const targets = inner.successors.length > 0 ? inBlocks : isTerminator ? handedOn : madeBy(inner);
      const ids = targets.filter(isBuffer).map(({ id }) => id);
      const hasOnlyThoseOfItsBody =
        hasTrait(registry, inner, 'recursive-effects') &&
        modelOf(registry, memoryEffects, inner) === undefined;
      const effects = hasOnlyThoseOfItsBody || isTerminator ? [] : effectsOf(registry, inner);
      const writes = effects?.filter(({ kind }) => kind === 'write');
      // Whoever has the address may write there.
      const isUnknown =
        writes === undefined ||
        extractAlignedPointerAsIndex.is(inner) ||
        writes.some(({ value }) => value === undefined);
      for (const { id } of inner.operands.filter(isBuffer)) {
        made.set(id, [...(made.get(id) ?? []), ...ids]);
        if (isUnknown || writes.some(({ value }) => value?.id === id)) stored.add(id);
      }
      visit(inner);
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

/** The results of an operation, and the arguments of its blocks. */
const madeBy = ({ results, regions }: Operation): readonly Value[] => [
  ...results,
  ...regions.flatMap(({ blocks }) => blocks.flatMap((block) => block.arguments)),
];
