/** Memory effects of operations, for code that moves, merges or erases them. */
import { opInterface } from './op-interface.ts';
import type { Operation, Value } from './operation.ts';
import { children } from './operation.ts';
import type { Registry } from './registry.ts';
import { definitionOf, modelOf } from './registry.ts';

/** An effect on a buffer or, without a value, on unknown memory. */
export interface MemoryEffect {
  readonly kind: 'read' | 'write' | 'allocate' | 'free';
  readonly value?: Value;
}

/** An op's effects beyond those of its traits; undefined if unknown. */
export const memoryEffects =
  opInterface<(operation: Operation, registry: Registry) => readonly MemoryEffect[] | undefined>(
    'memory-effects',
  );

/** All effects of an operation and its regions; undefined if one is unknown. */
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

/** The effects of the contents of an operation's regions; undefined if one is unknown. */
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
 * Whether an unused operation may be erased: it is no terminator and no symbol, and only reads, or allocates its
 * results.
 */
export const isErasable = (registry: Registry, operation: Operation): boolean => {
  const traits = definitionOf(registry, operation)?.traits;
  if (traits === undefined || traits.has('terminator') || traits.has('symbol')) return false;
  return hasErasableEffects(registry, operation);
};

/** Whether an operation only reads, or allocates its results. */
export const hasErasableEffects = (registry: Registry, operation: Operation): boolean =>
  effectsOf(registry, operation)?.every(
    ({ kind, value }) =>
      kind === 'read' || (kind === 'allocate' && operation.results.some((result) => result.id === value?.id)),
  ) === true;
