/** Builds operations with named operands and attributes: one function for everything that `defineOp` declares. */
import type { AttributeInput, BodyBuilder, NamedValues, TypedOpDefinition } from './define-op.ts';
import type { Attributes } from './attribute.ts';
import type { DraftOperation } from './draft.ts';
import type { Location } from '@sconv/diagnostics';
import type { AnyAttributeSpec, Arity, ValueSpec } from './op-spec.ts';
import type { Id, Value } from './operation.ts';
import { hasTrait } from './registry.ts';
import type { Rewriter } from './rewriter.ts';
import type { Type } from './type.ts';

type ValueSpecs = Readonly<Record<string, ValueSpec>>;
type AttributeSpecs = Readonly<Record<string, AnyAttributeSpec>>;

/** An op's operands by name, untyped; groups that may be empty are optional. */
export type OperandInput<O extends ValueSpecs> = {
  readonly [K in keyof O as O[K] extends ValueSpec<'one'> ? K : never]: Value;
} & {
  readonly [K in keyof O as O[K] extends ValueSpec<'one'> ? never : K]?: O[K] extends ValueSpec<'variadic'>
    ? readonly Value[]
    : Value | undefined;
};

/** Whether one of the values has a type that cannot fit; values of unknown type pass. */
type Clashes<V, T extends Type> =
  V extends Value<infer X> ? ([Extract<X, T>] extends [never] ? true : false) : false;
type ElementOf<G> = G extends readonly (infer V)[] ? V : G;

/** The given operands if they fit; else the expected ones, so that the compiler reports the mismatch. */
type Fitting<G, O extends ValueSpecs, A extends AttributeSpecs> = {
  readonly [K in keyof G]: K extends keyof O
    ? O[K] extends ValueSpec<Arity, infer T>
      ? true extends Clashes<ElementOf<G[K]>, T>
        ? NamedValues<O>[K]
        : G[K]
      : never
    : K extends keyof A
      ? G[K]
      : never;
};

type IsOneKey<K, All = K> = [K] extends [never]
  ? false
  : K extends unknown
    ? [All] extends [K]
      ? true
      : false
    : never;

/** An op's results: the value or list of its only group, nothing without results, several groups by name. */
export type Built<R extends ValueSpecs> = [keyof R] extends [never]
  ? undefined
  : IsOneKey<keyof R> extends true
    ? NamedValues<R>[keyof R]
    : NamedValues<R>;

/** Rarely needed parts of a new op. */
export interface BuildOptions {
  /** Required if the declaration does not determine them. */
  readonly resultTypes?: readonly Type[];
  /** The bodies of the regions; implicit terminators are added. */
  readonly bodies?: readonly (BodyBuilder<Builder> | undefined)[];
  readonly successors?: readonly Id[];
  /** Attributes that the declaration does not name. */
  readonly extra?: Attributes;
  readonly location?: Location;
}

/**
 * Builds an operation at the insertion point from named operands and attributes, and returns its results. Throws if
 * the result types are neither inferred nor given. The compiler rejects operands of a wrong type as far as it knows
 * their types; the verifier rejects the rest.
 */
export type Builder = <
  O extends ValueSpecs,
  R extends ValueSpecs,
  A extends AttributeSpecs,
  G extends OperandInput<O> & AttributeInput<A>,
>(
  definition: TypedOpDefinition<O, R, A>,
  given: G & Fitting<G, O, A>,
  options?: BuildOptions,
) => Built<R>;

/** A builder at the insertion point of `rewriter`. */
export const builder =
  (rewriter: Rewriter): Builder =>
  (definition, given, { bodies, ...options } = {}) => {
    const state = definition.state<Rewriter>({
      // Only the op's own names are used; checking the whole covers its parts.
      operands: given as never,
      attributes: given,
      ...options,
    });
    const defaults = definition.defaults?.(state.operands, state.attributes);
    const operation = rewriter.create({
      ...state,
      attributes: { ...defaults?.attributes, ...state.attributes },
      bodies:
        bodies === undefined
          ? (defaults?.bodies ?? [])
          : bodies.map((body) => body && inRewriter(body, definition.implicitTerminator)),
    });
    return resultsOf(definition, operation);
  };

/** A body that a builder fills, with an implicit terminator at the end. */
const inRewriter = (
  { argumentTypes, build }: BodyBuilder<Builder>,
  implicitTerminator: string | undefined,
): BodyBuilder<Rewriter> => ({
  ...(argumentTypes === undefined ? {} : { argumentTypes }),
  build: (rewriter, ...blockArguments) => {
    build(builder(rewriter), ...blockArguments);
    const last = rewriter.insertionBlock.last;
    if (implicitTerminator === undefined || (last && hasTrait(rewriter.registry, last, 'terminator'))) return;
    rewriter.create({
      name: implicitTerminator,
      operands: [],
      resultTypes: [],
    });
  },
});

const resultsOf = <O extends ValueSpecs, R extends ValueSpecs, A extends AttributeSpecs>(
  definition: TypedOpDefinition<O, R, A>,
  operation: DraftOperation,
): Built<R> => {
  const groups = definition.results(operation);
  const names = definition.resultSpecs.map(({ name }) => name);
  const [name] = names;
  // The type derives the same grouping from the declaration.
  return (name === undefined ? undefined : names.length === 1 ? groups[name] : groups) as Built<R>;
};
