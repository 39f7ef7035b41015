/** Operations made by name of their operands and attributes: one function for all that `defineOp` declares. */
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

/** The operands of an op by name, whatever their types; groups that may be empty may be left out. */
export type OperandInput<O extends ValueSpecs> = {
  readonly [K in keyof O as O[K] extends ValueSpec<'one'> ? K : never]: Value;
} & {
  readonly [K in keyof O as O[K] extends ValueSpec<'one'> ? never : K]?: O[K] extends ValueSpec<'variadic'>
    ? readonly Value[]
    : Value | undefined;
};

/** Whether one of the values is of no type that fits; one whose type is not known may. */
type Clashes<V, T extends Type> =
  V extends Value<infer X> ? ([Extract<X, T>] extends [never] ? true : false) : false;
type ElementOf<G> = G extends readonly (infer V)[] ? V : G;

/** What is given, where it fits; else what is wanted, which the compiler then misses. */
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

/** What an op gives: its only group of results, nothing if there is none, and several by name. */
export type Built<R extends ValueSpecs> = [keyof R] extends [never]
  ? undefined
  : IsOneKey<keyof R> extends true
    ? NamedValues<R>[keyof R]
    : NamedValues<R>;

/** What is rarely said of an op that is made. */
export interface BuildOptions {
  /** Where the declaration does not determine them. */
  readonly resultTypes?: readonly Type[];
  /** The blocks of the regions; a terminator that is implied is added. */
  readonly bodies?: readonly (BodyBuilder<Builder> | undefined)[];
  readonly successors?: readonly Id[];
  /** Attributes that the declaration does not name. */
  readonly extra?: Attributes;
  readonly location?: Location;
}

/**
 * Makes an operation at the insertion point from its operands and attributes by name, and gives its results. Throws where the
 * result types are not determined and not given. Operands of a wrong type are found by the compiler as far as it knows their
 * types, what else does not fit by the verifier.
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
      // It takes those of its names; the types of what is given hold for the parts as for the whole.
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

/** A body that is filled through a builder, and ends with the terminator that is implied. */
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
      attributes: {},
      bodies: [],
      successors: [],
      location: undefined,
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
  // The type says the same of the declaration as this does of its groups.
  return (name === undefined ? undefined : names.length === 1 ? groups[name] : groups) as Built<R>;
};
