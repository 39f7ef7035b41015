/** Which buffers an operation stores to, by its declared effects. */
import type { Id, Operation, Registry, Value } from '@sconv/ir';
import { effectsOf, hasTrait, memoryEffects, modelOf } from '@sconv/ir';
import type { LoweredValue } from './lowering.ts';

/**
 * The roots of the buffers that an operation itself, without its regions, may store to. `undefined` stands for any
 * memory, which is what an operation without declared effects may write.
 */
export const writtenRoots = (
  registry: Registry,
  values: ReadonlyMap<Id, LoweredValue>,
  operation: Operation,
): readonly (Id | undefined)[] => {
  const hasOnlyThoseOfItsBody =
    hasTrait(registry, operation, 'recursive-effects') &&
    modelOf(registry, memoryEffects, operation) === undefined;
  if (hasOnlyThoseOfItsBody) return [];
  const effects = effectsOf(registry, operation);
  if (effects === undefined) return [undefined];
  return effects.flatMap(({ kind, value }) => (kind === 'write' ? rootsOf(values, value) : []));
};

const rootsOf = (
  values: ReadonlyMap<Id, LoweredValue>,
  value: Value | undefined,
): readonly (Id | undefined)[] => {
  if (value === undefined) return [undefined];
  const lowered = values.get(value.id);
  // A value defined in the body is not lowered yet; its own operation will declare the store.
  return lowered?.kind === 'buffer' ? [lowered.root] : [];
};
