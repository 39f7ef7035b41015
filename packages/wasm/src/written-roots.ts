/** Which buffers an operation stores to, by the effects that it declares. */
import type { Id, Operation, Registry, Value } from '@sconv/ir';
import { effectsOf, hasTrait, memoryEffects, modelOf } from '@sconv/ir';
import type { LoweredValue } from './lowering.ts';

/**
 * The roots of the buffers that an operation, without those in its regions, may store to: all that it says to write.
 * `undefined` stands for any memory, which is all that is known of an operation without declared effects.
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
  // What is defined in a body is not known yet; its own operation will store to it.
  return lowered?.kind === 'buffer' ? [lowered.root] : [];
};
