/**
 * `defineOp`: an operation is declared once; parser, printer, verifier, builder and typed accessors derive from it.
 */
import type { Location } from '@sconv/diagnostics';
import type { Attribute, Attributes } from './attribute.ts';
import { denseArrayAttribute } from './attribute.ts';
import { checkOpSpec } from './check-op-spec.ts';
import type { Assembly } from './assembly.ts';
import type { Implementation, OpInterface } from './op-interface.ts';
import type { Block, Id, Operation, Value } from './operation.ts';
import type { AnyAttributeSpec, Arity, Trait, ValueSpec } from './op-spec.ts';
import type { Rewriter } from './rewriter.ts';
import type { Type } from './type.ts';
import type { TypeRelation } from './type-relation.ts';
import { inferRelatedTypes } from './type-relation.ts';
import { groupsByName, groupSizes, needsSegments } from './value-groups.ts';
import type { NamedValueSpec } from './value-groups.ts';
import { i32 } from './type.ts';

type ValueSpecs = Readonly<Record<string, ValueSpec>>;
type AttributeSpecs = Readonly<Record<string, AnyAttributeSpec>>;

/** The declaration of an operation, without its operand and attribute types. */
export interface OpDefinition {
  readonly name: string;
  readonly summary: string;
  readonly operandSpecs: readonly (ValueSpec & { readonly name: string })[];
  readonly resultSpecs: readonly (ValueSpec & { readonly name: string })[];
  /** `name` is the name in the text. */
  readonly attributeSpecs: readonly NamedAttributeSpec[];
  /** Region names; a name that ends in `...` stands for any number. */
  readonly regions: readonly string[];
  /** Those regions that are never empty (`SizedRegion<1>`). */
  readonly bodies: readonly string[];
  /** Successor names; a name that ends in `...` stands for any number. */
  readonly successors: readonly string[];
  readonly traits: ReadonlySet<Trait>;
  /** Interface implementations by interface name; use `modelOf`. */
  readonly models: ReadonlyMap<string, unknown>;
  /** The allowed parent ops (`HasParent`); any if undefined. */
  readonly parents: readonly string[] | undefined;
  /** The operand group that its tensor results are tied to, one by one (`DestinationStyleOpInterface`). */
  readonly destinations: string | undefined;
  readonly assembly: Assembly | undefined;
  /** How operand and result types determine one another. */
  readonly typeRelations: readonly TypeRelation[];
  /** Infers result types from operands and attributes, where upstream does. */
  readonly inferResultTypes: InferResultTypes | undefined;
  /** Errors of an operation whose operands, results and attributes match the declaration. */
  readonly verify: ((operation: Operation, context: VerifyContext) => Iterable<VerifyProblem>) | undefined;
  /** See `Folder`. */
  readonly fold: Folder | undefined;
  /** The name of printed results, as upstream's `getAsmResultNames`: `c0`, `extracted_slice`. */
  readonly resultName: ResultNamer | undefined;
  /** The names of printed entry block arguments of a region. */
  readonly blockArgumentNames:
    ((operation: Operation, region: number) => readonly string[] | undefined) | undefined;
  /** The dialect whose prefix is elided in the regions of this op, as upstream's `getDefaultDialect`. */
  readonly defaultDialect: string | undefined;
  /** The terminator that the assembly may elide (`SingleBlockImplicitTerminator`). */
  readonly implicitTerminator: string | undefined;
  /** What an op gets if it is built without it. */
  readonly defaults: OpDefaults | undefined;
  is(operation: Operation): boolean;
  /** The operands of one group; throws if the operation does not match the declaration. */
  operandGroup(operation: Operation, name: string): readonly Value[];
}

/**
 * A name for the first result, or one per result: `undefined` adds a result to the preceding group (`%0:2`), and an
 * empty string starts a numbered group.
 */
export type ResultNamer = (
  operation: Operation,
  /** The operation that defines a value, where it is printed too. */
  definitionOf: (value: Value) => Operation | undefined,
) => string | readonly (string | undefined)[] | undefined;

/** The attributes and bodies that upstream's builders add. */
export type OpDefaults = (
  operands: readonly Value[],
  attributes: Attributes,
) => { readonly attributes?: Attributes; readonly bodies?: readonly BodyBuilder<Rewriter>[] };

/** `key` is the name in code, `name` the one in the text. */
export interface NamedAttributeSpec extends AnyAttributeSpec {
  readonly key: string;
  readonly name: string;
}

export type InferResultTypes = (
  operands: readonly Value[],
  attributes: Attributes,
) => readonly Type[] | undefined;

/**
 * An error: a message printed after the operation's name, or one that upstream prints without it (`emitError` instead
 * of `emitOpError`), on the operation or on another.
 */
export type VerifyProblem =
  string | { readonly message: string; readonly bare?: boolean; readonly operation?: Operation };

/** The context that a verifier may inspect. */
export interface VerifyContext {
  /** The enclosing operations, innermost first. */
  readonly ancestors: readonly Operation[];
  /** Whether an operation is declared with this trait. */
  hasTrait(operation: Operation, trait: Trait): boolean;
  /** The operation's implementation of an interface; undefined if there is none. */
  modelOf<Model>(operation: Operation, asked: OpInterface<Model>): Model | undefined;
  /** Resolves a symbol in the nearest symbol table. */
  lookupSymbol(name: string): Operation | undefined;
  /** The operation that defines a value, or the block that it is an argument of. */
  definitionOf(value: Value): Operation | Block | undefined;
  /** A successor of the operation: the block with this id, if it is in a region of the operation around. */
  successor(id: Id): Block | undefined;
}

/**
 * Folds an operation, given the `constants` among its operands (undefined for others): returns a value or a constant
 * for each result, or a simplified form of the operation in place. Undefined if nothing folds. `definitionOf` returns
 * the defining operation of a value, if known, and `constantOf` the value of any constant; without it, none is known. A
 * fold creates no operations, and no types beyond those of the operation; anything else is a pattern.
 */
export type Folder = (
  operation: Operation,
  constants: readonly (Attribute | undefined)[],
  definitionOf: (value: Value) => Operation | undefined,
  constantOf?: (value: Value) => Attribute | undefined,
) => readonly (Value | Attribute)[] | FoldedInPlace | undefined;

/** The operation in place, with other operands or attributes; omitted ones stay. */
export interface FoldedInPlace {
  readonly kind: 'in-place';
  readonly operands?: readonly Value[];
  readonly attributes?: Attributes;
}

type GroupOf<A extends Arity, T extends Type> = A extends 'one'
  ? Value<T>
  : A extends 'optional'
    ? Value<T> | undefined
    : readonly Value<T>[];

/** The values of each group by name, with the declared types. */
export type NamedValues<S extends ValueSpecs> = {
  readonly [K in keyof S]: S[K] extends ValueSpec<infer A, infer T> ? GroupOf<A, T> : never;
};

type GroupInput<O extends ValueSpecs> = {
  readonly [K in keyof O as O[K] extends ValueSpec<'one'> ? K : never]: Value;
} & {
  readonly [K in keyof O as O[K] extends ValueSpec<'one'> ? never : K]?: GroupOf<O[K]['arity'], Type>;
};

type HostValue<S> = S extends { decode(attribute: Attribute): infer T } ? Exclude<T, undefined> : never;

/** Attributes as input: by camelCase name, those with defaults optional. */
export type AttributeInput<A extends AttributeSpecs> = {
  readonly [K in keyof A as A[K] extends { presence: 'required' } ? K : never]: HostValue<A[K]>;
} & {
  readonly [K in keyof A as A[K] extends { presence: 'required' } ? never : K]?: HostValue<A[K]> | undefined;
};

/** Attributes as read: defaults filled in. */
export type AttributeOutput<A extends AttributeSpecs> = {
  readonly [K in keyof A]: A[K] extends { presence: 'optional' }
    ? HostValue<A[K]> | undefined
    : HostValue<A[K]>;
};

/** An operation that matches its declaration, by declared names and types; fields are computed on access. */
export interface DeclaredOperation<
  O extends ValueSpecs = ValueSpecs,
  R extends ValueSpecs = ValueSpecs,
  A extends AttributeSpecs = AttributeSpecs,
> {
  readonly operation: Operation;
  readonly operands: NamedValues<O>;
  readonly results: NamedValues<R>;
  readonly attributes: AttributeOutput<A>;
}

/** A block to build into a region: argument types, and the code that fills it. */
export interface BodyBuilder<Inserter> {
  readonly argumentTypes?: readonly Type[];
  readonly build: (builder: Inserter, ...blockArguments: Value[]) => void;
}

/** The parts of a new operation; a rewriter's `create` instantiates it. Omitted lists are empty. */
export interface OperationState<Inserter> {
  readonly name: string;
  readonly operands: readonly Value[];
  readonly resultTypes: readonly Type[];
  readonly attributes?: Attributes;
  /** One per region; undefined for a region without blocks. */
  readonly bodies?: readonly (BodyBuilder<Inserter> | undefined)[];
  readonly successors?: readonly Id[];
  readonly location?: Location | undefined;
}

/**
 * A definition by `defineOp`: recognizes (`is`), takes apart (`operands`, `attributes`) and makes (`state`) its
 * operations.
 */
export interface TypedOpDefinition<
  O extends ValueSpecs = ValueSpecs,
  R extends ValueSpecs = ValueSpecs,
  A extends AttributeSpecs = AttributeSpecs,
> extends OpDefinition {
  /** The operands by name. */
  operands(operation: Operation): NamedValues<O>;
  /** The results by name. */
  results(operation: Operation): NamedValues<R>;
  /** The attributes as host values by camelCase name, defaults filled in. Throws on one that does not verify. */
  attributes(operation: Operation): AttributeOutput<A>;
  /**
   * Everything that a rewriter's `create` needs. `resultTypes` may be omitted if inferred; `extra` holds attributes
   * that the declaration does not name.
   */
  state<Inserter>(args: {
    readonly operands?: GroupInput<O>;
    readonly attributes?: AttributeInput<A> | undefined;
    readonly extra?: Attributes;
    readonly resultTypes?: readonly Type[];
    readonly bodies?: readonly (BodyBuilder<Inserter> | undefined)[] | undefined;
    readonly successors?: readonly Id[];
    readonly location?: Location | undefined;
  }): Required<OperationState<Inserter>>;
}

/** The declaration of an operation, for `defineOp`. */
export interface OpSpec<O extends ValueSpecs, R extends ValueSpecs, A extends AttributeSpecs> {
  /** With the dialect's prefix: `my.scale`. */
  readonly name: string;
  /** What the op does, in a line for lists and documents. */
  readonly summary: string;
  /** The operands by name, in order: `{ input: one(anyTensor), sizes: variadic(index) }`. None by default. */
  readonly operands?: O;
  /** The results, likewise. */
  readonly results?: R;
  /** The attributes by camelCase name; `map` and `loweringAs` are `map` and `lowering_as` in text. None by default. */
  readonly attributes?: A;
  /** Region names, in order; one that ends in `...` stands for any number. None by default. */
  readonly regions?: readonly string[];
  /** Those of `regions` that must have a block. None by default. */
  readonly bodies?: readonly string[];
  /** Successor names; one that ends in `...` stands for any number. None by default. */
  readonly successors?: readonly string[];
  /** What the verifier checks, or passes assume, such as `'pure'`. None by default. */
  readonly traits?: readonly Trait[];
  /** Implementations of interfaces, by `implement`. None by default. */
  readonly interfaces?: readonly Implementation[];
  /** The only ops in whose regions it may be; any by default. */
  readonly parents?: readonly string[];
  /** The operand group to which its tensor results are tied, one by one. None by default. */
  readonly destinations?: Extract<keyof O, string>;
  /** The custom form: a format, or a parser and a printer. Generic form by default. */
  readonly assembly?: Assembly;
  /** How operand and result types determine one another; types that follow are inferred, others are verified. */
  readonly typeRelations?: readonly TypeRelation[];
  /**
   * The result types where `typeRelations` do not tell; undefined from it if operands and attributes do not, either.
   */
  readonly inferResultTypes?: InferResultTypes;
  /** Errors of an operation that matches the declaration. */
  readonly verify?: (declared: DeclaredOperation<O, R, A>, context: VerifyContext) => Iterable<VerifyProblem>;
  /** What an operation is equal to; see `Folder`. */
  readonly fold?: Folder;
  /** How printed results are named: `%c0`. Numbers by default. */
  readonly resultName?: ResultNamer;
  /** How the arguments of a region's first block are named in print; numbers by default, and where undefined. */
  readonly blockArgumentNames?: (operation: Operation, region: number) => readonly string[] | undefined;
  /** The dialect whose prefix ops in its regions may omit in the custom form. None by default. */
  readonly defaultDialect?: string;
  /** The op that ends its regions and need not be written. None by default. */
  readonly implicitTerminator?: string;
  /** What an operation gets that is built without it. */
  readonly defaults?: OpDefaults;
}

/** `staticChunkSizes` → `static_chunk_sizes`. */
export const snakeCase = (key: string): string =>
  key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const namedSpecs = (specs: ValueSpecs | undefined): readonly NamedValueSpec[] =>
  // All of one shape, with the same property order: these are read for every new operation.
  Object.entries(specs ?? {}).map(([name, { type, arity, doc, equalSize = false }]) => ({
    name,
    type,
    arity,
    doc,
    equalSize,
  }));

/** An empty group of operands, results or attributes. */
// eslint-disable-next-line @typescript-eslint/no-generated-empty-object-type -- a record without keys is meant
export type NoSpecs = Readonly<Record<never, never>>;

/** Declares an operation; throws a TypeError for what is no declaration. */
export const defineOp = <
  const O extends ValueSpecs = NoSpecs,
  const R extends ValueSpecs = NoSpecs,
  const A extends AttributeSpecs = NoSpecs,
>(
  spec: OpSpec<O, R, A>,
): TypedOpDefinition<O, R, A> => {
  checkOpSpec(spec);
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

  const encodeInto = (encoded: Record<string, Attribute>, given: Readonly<Record<string, unknown>>): void => {
    for (const attribute of attributeSpecs) {
      const value = given[attribute.key];
      // A false unit attribute is absent.
      if (value === undefined || (value === false && attribute.description === 'unit attribute')) continue;
      encoded[attribute.name] = attribute.encode(value);
    }
  };

  // Computed once: `state` is called for every new operation.
  const defaults = storedDefaults({ attributeSpecs });
  const hasSegments = needsSegments(operandSpecs);
  const fixedTypes = spec.inferResultTypes === undefined ? fixedResultTypes(resultSpecs) : undefined;

  const definition: TypedOpDefinition<O, R, A> = {
    name: spec.name,
    summary: spec.summary,
    operandSpecs,
    resultSpecs,
    attributeSpecs,
    regions: spec.regions ?? [],
    bodies: spec.bodies ?? [],
    successors: spec.successors ?? [],
    traits: new Set(spec.traits ?? []),
    models: new Map((spec.interfaces ?? []).map(({ interface: asked, model }) => [asked.name, model])),
    parents: spec.parents,
    destinations: spec.destinations,
    assembly: spec.assembly,
    typeRelations: spec.typeRelations ?? [],
    inferResultTypes: spec.inferResultTypes,
    verify:
      spec.verify === undefined
        ? undefined
        : (operation, context) => spec.verify!(declaredOperation(definition, operation), context),
    fold: spec.fold,
    resultName: spec.resultName,
    blockArgumentNames: spec.blockArgumentNames,
    defaultDialect: spec.defaultDialect,
    implicitTerminator: spec.implicitTerminator,
    defaults: spec.defaults,
    is: (operation) => operation.name === spec.name,
    operandGroup: (operation, name) => {
      const group = groupsByName(
        operandSpecs,
        operation.operands,
        operation.attributes['operandSegmentSizes'],
        `operands of '${spec.name}'`,
      )[name];
      return group === undefined ? [] : 'id' in group ? [group] : group;
    },
    // The following three casts are where the declaration's types meet the IR, which only knows strings.
    operands: (operation) =>
      groupsByName(
        operandSpecs,
        operation.operands,
        operation.attributes['operandSegmentSizes'],
        `operands of '${spec.name}'`,
      ) as NamedValues<O>,
    results: (operation) =>
      groupsByName(
        resultSpecs,
        operation.results,
        operation.attributes['resultSegmentSizes'],
        `results of '${spec.name}'`,
      ) as NamedValues<R>,
    attributes: (operation) => readAttributes(operation) as AttributeOutput<A>,
    state: (args) => {
      const given: Readonly<Record<string, Value | readonly Value[] | undefined>> = args.operands ?? {};
      const operands: Value[] = [];
      const sizes = operandSpecs.map((operand) => {
        const value = given[operand.name];
        if (value === undefined) return 0;
        if ('id' in value) {
          operands.push(value);
          return 1;
        }
        operands.push(...value);
        return value.length;
      });
      const attributes = { ...defaults };
      if (args.attributes !== undefined) encodeInto(attributes, args.attributes);
      if (hasSegments) attributes['operandSegmentSizes'] = denseArrayAttribute(sizes, i32);
      if (args.extra !== undefined) Object.assign(attributes, args.extra);
      const resultTypes =
        args.resultTypes ?? fixedTypes ?? inferResultTypesOf(definition, operands, attributes);
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

const declaredOperation = <O extends ValueSpecs, R extends ValueSpecs, A extends AttributeSpecs>(
  definition: TypedOpDefinition<O, R, A>,
  operation: Operation,
): DeclaredOperation<O, R, A> => ({
  operation,
  get operands() {
    return definition.operands(operation);
  },
  get results() {
    return definition.results(operation);
  },
  get attributes() {
    return definition.attributes(operation);
  },
});

/** The attributes that an op stores by default. */
export const storedDefaults = ({
  attributeSpecs,
}: Pick<OpDefinition, 'attributeSpecs'>): Record<string, Attribute> => {
  const attributes: Record<string, Attribute> = {};
  for (const spec of attributeSpecs) {
    if (spec.storesDefault === true) attributes[spec.name] = spec.encode(spec.default);
  }
  return attributes;
};

/** The result types of most ops: they have no results, or only results of a fixed type. */
const fixedResultTypes = (specs: readonly NamedValueSpec[]): readonly Type[] | undefined => {
  const types = specs.map(({ arity, type }) => (arity === 'one' ? type.buildable : undefined));
  return types.every((type) => type !== undefined) ? types : undefined;
};

/** The result types, if the declaration determines them: by inference, relations, traits or constraints. */
export const inferResultTypesOf = (
  definition: OpDefinition,
  operands: readonly Value[],
  attributes: Attributes,
): readonly Type[] | undefined => {
  if (definition.inferResultTypes !== undefined) return definition.inferResultTypes(operands, attributes);
  const { resultSpecs } = definition;
  const fixed = fixedResultTypes(resultSpecs);
  if (fixed !== undefined) return fixed;
  const sizes = groupSizes(definition.operandSpecs, operands.length, attributes['operandSegmentSizes']);
  if (sizes === undefined) return undefined;
  const known = new Map<string, readonly Type[]>();
  let next = 0;
  definition.operandSpecs.forEach((spec, i) => {
    const end = next + (sizes[i] ?? 0);
    known.set(
      spec.name,
      operands.slice(next, end).map((operand) => operand.type),
    );
    next = end;
  });
  const counts = new Map(resultSpecs.map((spec) => [spec.name, spec.arity === 'one' ? 1 : 0]));
  inferRelatedTypes(definition, known, counts);
  const inferred: Type[] = [];
  for (const spec of resultSpecs) {
    const group = spec.arity === 'one' ? known.get(spec.name) : undefined;
    if (group === undefined) return undefined;
    inferred.push(...group);
  }
  return inferred;
};
