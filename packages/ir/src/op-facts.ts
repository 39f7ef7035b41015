/** Facts that the core queries for every draft operation: looked up by name once, when that is created. */
import type { ConstantLike } from './constant-like.ts';
import { constantLike } from './constant-like.ts';
import type { OpDefinition } from './define-op.ts';
import type { Registry } from './registry.ts';
import { definitionOf, modelOf } from './registry.ts';

export interface OpFacts {
  /** Undefined for an unregistered operation, about which nothing is assumed. */
  readonly definition: OpDefinition | undefined;
  /**
   * Whether its regions are isolated from above, so that it can be thawed alone. An unregistered op is not: it is
   * thawed with its surroundings.
   */
  readonly isIsolated: boolean;
  readonly constant: ConstantLike | undefined;
  /** Whether folding can be tried: by its own fold or by its traits. */
  readonly folds: boolean;
  /** Whether it may be erased when unused: always, never, or depending on its effects. */
  readonly isErasable: boolean | 'by-effects';
}

const factsByRegistry = new WeakMap<Registry, Map<string, OpFacts>>();

/** The facts of operations by name. */
export const factsIn = (registry: Registry): ((name: string) => OpFacts) => {
  const known = factsByRegistry.get(registry) ?? new Map<string, OpFacts>();
  factsByRegistry.set(registry, known);
  return (name) => {
    const facts = known.get(name);
    if (facts !== undefined) return facts;
    const made = factsOf(registry, name);
    known.set(name, made);
    return made;
  };
};

const factsOf = (registry: Registry, name: string): OpFacts => {
  const definition = definitionOf(registry, { name });
  const traits = definition?.traits;
  return {
    definition,
    isIsolated: traits?.has('isolated-from-above') === true,
    constant: modelOf(registry, constantLike, { name }),
    folds:
      definition !== undefined && (definition.fold !== undefined || definition.traits.has('commutative')),
    isErasable:
      traits === undefined || traits.has('terminator') || traits.has('symbol')
        ? false
        : traits.has('pure') || 'by-effects',
  };
};
