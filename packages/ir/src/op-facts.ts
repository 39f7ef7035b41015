/** What the core asks of each operation of a draft again and again: found by its name once, when the draft is made of it. */
import type { ConstantLike } from './constant-like.ts';
import { constantLike } from './constant-like.ts';
import type { OpDefinition } from './define-op.ts';
import type { Registry } from './registry.ts';
import { definitionOf, modelOf } from './registry.ts';

export interface OpFacts {
  /** Undefined where the registry has none: then nothing is assumed of the operation. */
  readonly definition: OpDefinition | undefined;
  /**
   * Whether its regions see no value from outside, so that it can be thawed alone. One that the registry does not know
   * loses only that: it is thawed together with what surrounds it.
   */
  readonly isIsolated: boolean;
  readonly constant: ConstantLike | undefined;
  /** Whether there is a fold to try: of its own, or of its traits. */
  readonly folds: boolean;
  /** Whether it may go when it is not used: always, never, or as its effects are. */
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
