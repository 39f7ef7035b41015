/** What operations do to memory, for whoever moves, merges or erases them. */
import { opInterface } from './op-interface.ts';
import type { Operation, Value } from './operation.ts';
import { children } from './operation.ts';
import type { Registry } from './registry.ts';
import { definitionOf, modelOf } from './registry.ts';

/** One effect, on a buffer or, without a value, on memory that nothing is known of. */
export interface MemoryEffect {
  readonly kind: 'read' | 'write' | 'allocate' | 'free';
  readonly value?: Value;
}

/** The effects of an op that the traits do not say; undefined where they are not known. */
export const memoryEffects =
  opInterface<(operation: Operation, registry: Registry) => readonly MemoryEffect[] | undefined>(
    'memory-effects',
  );

/** All effects of an operation and of what is in its regions; undefined where one of them is not known. */
export const effectsOf = (registry: Registry, operation: Operation): readonly MemoryEffect[] | undefined => {
  const traits = definitionOf(registry, operation)?.traits;
  if (traits?.has('pure') === true) return [];
  const model = modelOf(registry, memoryEffects, operation);
  if (traits?.has('recursive-effects') !== true) return model?.(operation, registry);
  return joinEffects(
    model === undefined ? [] : model(operation, registry),
    effectsBelow(registry, operation),
  );
};

/** The effects of what is in the regions of an operation; undefined where one of them is not known. */
export const effectsBelow = (registry: Registry, operation: Operation): readonly MemoryEffect[] | undefined =>
  children(operation).reduce<readonly MemoryEffect[] | undefined>(
    (all, child) => all && joinEffects(all, effectsOf(registry, child)),
    [],
  );

const joinEffects = (
  a: readonly MemoryEffect[] | undefined,
  b: readonly MemoryEffect[] | undefined,
): readonly MemoryEffect[] | undefined =>
  a === undefined || b === undefined ? undefined : b.length === 0 ? a : [...a, ...b];

/**
 * Whether nobody would notice that an operation is gone once its results are unused: it is no terminator and no symbol,
 * and all that it does is to read, or to allocate what it returns.
 */
export const isErasable = (registry: Registry, operation: Operation): boolean => {
  const traits = definitionOf(registry, operation)?.traits;
  if (traits === undefined || traits.has('terminator') || traits.has('symbol')) return false;
  return hasErasableEffects(registry, operation);
};

/** Whether all that an operation does is to read, or to allocate what it returns. */
export const hasErasableEffects = (registry: Registry, operation: Operation): boolean =>
  effectsOf(registry, operation)?.every(
    ({ kind, value }) =>
      kind === 'read' || (kind === 'allocate' && operation.results.some((result) => result.id === value?.id)),
  ) === true;
