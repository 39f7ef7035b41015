/**
 * `defineOp`: an operation is declared once; parser, printer, verifier, builder and typed accessors derive from it.
 */
import type { Attribute, Attributes } from './attribute.ts';
import { denseArrayAttribute } from './attribute.ts';
import type { Assembly } from './assembly.ts';
import type { Block, Id, Operation, Value } from './operation.ts';
import type { AnyAttributeSpec, Trait, ValueSpec } from './op-spec.ts';
import type { Type } from './type.ts';
import type { TypeRelation } from './type-relation.ts';
import { i32 } from './type.ts';
import type { Location } from '@sconv/diagnostics';

type ValueSpecs = Readonly<Record<string, ValueSpec>>;
type AttributeSpecs = Readonly<Record<string, AnyAttributeSpec>>;

/** The declaration of an operation, independent of its own operand and attribute types. */
export interface OpDefinition {
  readonly name: string;
  readonly summary: string;
  readonly operandSpecs: readonly (ValueSpec & { readonly name: string })[];
  readonly resultSpecs: readonly (ValueSpec & { readonly name: string })[];
  /** `name` is the name in the text. */
  readonly attributeSpecs: readonly NamedAttributeSpec[];
  /** Names of the regions; a name that ends in `...` stands for any number. */
  readonly regions: readonly string[];
  /** Names of the successors; a name that ends in `...` stands for any number. */
  readonly successors: readonly string[];
  readonly traits: ReadonlySet<Trait>;
  readonly assembly: Assembly | undefined;
  /** How the types of operands and results determine each other. */
  readonly typeRelations: readonly TypeRelation[];
  /** Result types from operands and attributes, where upstream infers them. */
  readonly inferResultTypes: InferResultTypes | undefined;
  /** What is wrong with an operation whose operands, results and attributes fit the declaration. */
  readonly verify: ((operation: Operation, context: VerifyContext) => Iterable<string>) | undefined;
  /** See `Folder`. */
  readonly fold: Folder | undefined;
  /** A name for the printed results, as upstream's `getAsmResultNames`: `c0`, `extracted_slice`. */
  readonly resultName: ((operation: Operation) => string | undefined) | undefined;
  /** Names for the printed arguments of the entry block of a region. */
  readonly blockArgumentNames:
    ((operation: Operation, region: number) => readonly string[] | undefined) | undefined;
  is(operation: Operation): boolean;
}

/** `key` is the name in code, `name` the one in the text. */
export interface NamedAttributeSpec extends AnyAttributeSpec {
  readonly key: string;
  readonly name: string;
}

export type InferResultTypes = (
  operands: readonly Value[],
  attributes: Attributes,
) => readonly Type[] | undefined;

/** What a verifier may look at besides the operation. */
export interface VerifyContext {
  /** The operations that enclose this one, innermost first. */
  readonly ancestors: readonly Operation[];
  /** Resolves a symbol from the nearest symbol table. */
  lookupSymbol(name: string): Operation | undefined;
  /** The operation that defines a value, or the block whose argument it is. */
  definitionOf(value: Value): Operation | Block | undefined;
}

/**
 * The replacement of each result by an existing value or by a constant; undefined where nothing folds. `constants` holds
 * the attribute of every operand that is a constant.
 */
export type Folder = (
  operation: Operation,
  constants: readonly (Attribute | undefined)[],
) => readonly (Value | Attribute)[] | undefined;

type GroupValue<S> =
  S extends ValueSpec<infer A>
    ? A extends 'one'
      ? Value
      : A extends 'optional'
        ? Value | undefined
        : readonly Value[]
    : never;

type GroupInput<O extends ValueSpecs> = {
  readonly [K in keyof O as O[K] extends ValueSpec<'one'> ? K : never]: Value;
} & {
  readonly [K in keyof O as O[K] extends ValueSpec<'one'> ? never : K]?: GroupValue<O[K]>;
};

type HostValue<S> = S extends { decode(attribute: Attribute): infer T } ? Exclude<T, undefined> : never;

type AttributeInput<A extends AttributeSpecs> = {
  readonly [K in keyof A as A[K] extends { presence: 'required' } ? K : never]: HostValue<A[K]>;
} & {
  readonly [K in keyof A as A[K] extends { presence: 'required' } ? never : K]?: HostValue<A[K]> | undefined;
};

type AttributeOutput<A extends AttributeSpecs> = {
  readonly [K in keyof A]: A[K] extends { presence: 'optional' }
    ? HostValue<A[K]> | undefined
    : HostValue<A[K]>;
};

/** One block to be built into a region: argument types, and the code that fills it. */
export interface BodyBuilder<Inserter> {
  readonly argumentTypes?: readonly Type[];
  readonly build: (builder: Inserter, ...blockArguments: Value[]) => void;
}

/** What an operation is made from; a rewriter's `create` turns it into one. */
export interface OperationState<Inserter> {
  readonly name: string;
  readonly operands: readonly Value[];
  readonly resultTypes: readonly Type[];
  readonly attributes: Attributes;
  readonly bodies: readonly (BodyBuilder<Inserter> | undefined)[];
  readonly successors: readonly Id[];
  readonly location: Location | undefined;
}

export interface TypedOpDefinition<
  O extends ValueSpecs = ValueSpecs,
  R extends ValueSpecs = ValueSpecs,
  A extends AttributeSpecs = AttributeSpecs,
> extends OpDefinition {
  /** The operands by name. */
  operands(operation: Operation): { readonly [K in keyof O]: GroupValue<O[K]> };
  /** The results by name. */
  results(operation: Operation): { readonly [K in keyof R]: GroupValue<R[K]> };
  /** The attributes as host values by camelCase name, defaults filled in. Throws on one that would not verify. */
  attributes(operation: Operation): AttributeOutput<A>;
  /**
   * Everything that `create` of a rewriter needs. `resultTypes` may be left out where they are inferred;
   * `extra` are attributes that the declaration does not name.
   */
  state<Inserter>(args: {
    readonly operands?: GroupInput<O>;
    readonly attributes?: AttributeInput<A>;
    readonly extra?: Attributes;
    readonly resultTypes?: readonly Type[];
    readonly bodies?: readonly (BodyBuilder<Inserter> | undefined)[];
    readonly successors?: readonly Id[];
    readonly location?: Location;
  }): OperationState<Inserter>;
}

export interface OpSpec<O extends ValueSpecs, R extends ValueSpecs, A extends AttributeSpecs> {
  readonly name: string;
  readonly summary: string;
  readonly operands?: O;
  readonly results?: R;
  readonly attributes?: A;
  readonly regions?: readonly string[];
  readonly successors?: readonly string[];
  readonly traits?: readonly Trait[];
  readonly assembly?: Assembly;
  readonly typeRelations?: readonly TypeRelation[];
  readonly inferResultTypes?: InferResultTypes;
  readonly verify?: (operation: Operation, context: VerifyContext) => Iterable<string>;
  readonly fold?: Folder;
  readonly resultName?: (operation: Operation) => string | undefined;
  readonly blockArgumentNames?: (operation: Operation, region: number) => readonly string[] | undefined;
}

/** `staticChunkSizes` → `static_chunk_sizes`. */
export const snakeCase = (key: string): string =>
  key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

type NamedValueSpec = ValueSpec & { readonly name: string };

/** Whether the groups cannot be told apart by their count alone. */
export const needsSegments = (specs: readonly ValueSpec[]): boolean =>
  specs.filter((spec) => spec.arity !== 'one').length > 1;

/**
 * How many values each group takes, from the segment attribute or from the total; undefined if they do not fit.
 */
export const groupSizes = (
  specs: readonly ValueSpec[],
  total: number,
  segments: Attribute | undefined,
): readonly number[] | undefined => {
  if (needsSegments(specs)) {
    if (segments?.kind !== 'dense-array' || segments.values.length !== specs.length) return undefined;
    const sizes = segments.values.map(Number);
    const fits = specs.every((spec, i) => {
      const size = sizes[i] ?? -1;
      return spec.arity === 'variadic'
        ? size >= 0
        : spec.arity === 'optional'
          ? size === 0 || size === 1
          : size === 1;
    });
    return fits && sizes.reduce((sum, size) => sum + size, 0) === total ? sizes : undefined;
  }
  const fixed = specs.filter((spec) => spec.arity === 'one').length;
  const rest = total - fixed;
  const open = specs.find((spec) => spec.arity !== 'one');
  if (rest < 0 || (rest > 0 && open === undefined) || (open?.arity === 'optional' && rest > 1))
    return undefined;
  return specs.map((spec) => (spec.arity === 'one' ? 1 : rest));
};

const groups = (
  specs: readonly NamedValueSpec[],
  values: readonly Value[],
  segments: Attribute | undefined,
  what: string,
): Record<string, Value | readonly Value[] | undefined> => {
  const sizes = groupSizes(specs, values.length, segments);
  if (sizes === undefined) throw new Error(`${what} do not fit their declaration`);
  const byName: Record<string, Value | readonly Value[] | undefined> = {};
  let next = 0;
  specs.forEach((spec, i) => {
    const group = values.slice(next, next + (sizes[i] ?? 0));
    next += group.length;
    byName[spec.name] = spec.arity === 'variadic' ? group : group[0];
  });
  return byName;
};

const namedSpecs = (specs: ValueSpecs | undefined): readonly NamedValueSpec[] =>
  Object.entries(specs ?? {}).map(([name, spec]) => ({ ...spec, name }));

/** Declares an operation. */
export const defineOp = <
  const O extends ValueSpecs = Record<never, never>,
  const R extends ValueSpecs = Record<never, never>,
  const A extends AttributeSpecs = Record<never, never>,
>(
  spec: OpSpec<O, R, A>,
): TypedOpDefinition<O, R, A> => {
  const operandSpecs = namedSpecs(spec.operands);
  const resultSpecs = namedSpecs(spec.results);
  const attributeSpecs = Object.entries<AnyAttributeSpec>(spec.attributes ?? {}).map(([key, attribute]) => ({
    ...attribute,
    key,
    name: attribute.textName ?? snakeCase(key),
  }));

  const readAttributes = (operation: Operation): Record<string, unknown> => {
    const values: Record<string, unknown> = {};
    for (const attribute of attributeSpecs) {
      const stored = operation.attributes[attribute.name];
      const value = stored === undefined ? attribute.default : attribute.decode(stored);
      if (value === undefined && (stored !== undefined || attribute.presence === 'required')) {
        throw new Error(`'${spec.name}' has no valid attribute '${attribute.name}'`);
      }
      values[attribute.key] = value;
    }
    return values;
  };

  const encodeAttributes = (given: Readonly<Record<string, unknown>>): Record<string, Attribute> => {
    const encoded: Record<string, Attribute> = {};
    for (const attribute of attributeSpecs) {
      const value = given[attribute.key];
      // A unit attribute that is false is absent.
      if (value === undefined || (value === false && attribute.description === 'unit attribute')) continue;
      encoded[attribute.name] = attribute.encode(value as never);
    }
    return encoded;
  };

  const definition: TypedOpDefinition<O, R, A> = {
    name: spec.name,
    summary: spec.summary,
    operandSpecs,
    resultSpecs,
    attributeSpecs,
    regions: spec.regions ?? [],
    successors: spec.successors ?? [],
    traits: new Set(spec.traits ?? []),
    assembly: spec.assembly,
    typeRelations: spec.typeRelations ?? [],
    inferResultTypes: spec.inferResultTypes,
    verify: spec.verify,
    fold: spec.fold,
    resultName: spec.resultName,
    blockArgumentNames: spec.blockArgumentNames,
    is: (operation) => operation.name === spec.name,
    // The three casts below are where the declaration's types meet the IR, which knows only strings.
    operands: (operation) =>
      groups(
        operandSpecs,
        operation.operands,
        operation.attributes['operandSegmentSizes'],
        `operands of '${spec.name}'`,
      ) as { readonly [K in keyof O]: GroupValue<O[K]> },
    results: (operation) =>
      groups(
        resultSpecs,
        operation.results,
        operation.attributes['resultSegmentSizes'],
        `results of '${spec.name}'`,
      ) as { readonly [K in keyof R]: GroupValue<R[K]> },
    attributes: (operation) => readAttributes(operation) as AttributeOutput<A>,
    state: (args) => {
      const given: Readonly<Record<string, Value | readonly Value[] | undefined>> = args.operands ?? {};
      const lists = operandSpecs.map((operand) => {
        const value = given[operand.name];
        return value === undefined ? [] : 'id' in value ? [value] : value;
      });
      const operands = lists.flat();
      const attributes: Attributes = {
        ...storedDefaults(definition),
        ...encodeAttributes(args.attributes ?? {}),
        ...(needsSegments(operandSpecs)
          ? {
              operandSegmentSizes: denseArrayAttribute(
                lists.map((list) => list.length),
                i32,
              ),
            }
          : {}),
        ...args.extra,
      };
      const resultTypes =
        args.resultTypes ??
        spec.inferResultTypes?.(operands, attributes) ??
        inferFromTraits(definition, operands) ??
        (resultSpecs.length === 0 ? [] : undefined);
      if (resultTypes === undefined) throw new Error(`'${spec.name}' needs its result types`);
      return {
        name: spec.name,
        operands,
        resultTypes,
        attributes,
        bodies: args.bodies ?? [],
        successors: args.successors ?? [],
        location: args.location,
      };
    },
  };
  return definition;
};

/** The attributes that an op gets when it is made without them. */
export const storedDefaults = (definition: OpDefinition): Attributes => {
  const attributes: Record<string, Attribute> = {};
  for (const spec of definition.attributeSpecs) {
    if (spec.storesDefault === true) attributes[spec.name] = spec.encode(spec.default as never);
  }
  return attributes;
};

/** The result types that a trait determines. */
export const inferFromTraits = (
  definition: OpDefinition,
  operands: readonly Value[],
): readonly Type[] | undefined => {
  const type = operands[0]?.type;
  return definition.traits.has('same-operands-and-result-type') && type !== undefined
    ? definition.resultSpecs.map(() => type)
    : undefined;
};
