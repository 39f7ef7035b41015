/**
 * `defineTransformOp`: a transform is declared once and gives the textual operation with its parser, printer, verifier and
 * effects on handles; a function that records it into a schedule; its page in the docs; and its failures, each of which a
 * test has to provoke.
 */
import type { Diagnosed, Location, Note } from '@sconv/diagnostics';
import { DiagnosticError, error } from '@sconv/diagnostics';
import type {
  AnyAttributeSpec,
  Arity,
  Attribute,
  Assembly,
  AttributeInput,
  AttributeOutput,
  BodyBuilder,
  DraftOperation,
  Implementation,
  InferResultTypes,
  Module,
  NoSpecs,
  OpDefinition,
  Operation,
  OpSpec,
  Rewriter,
  Type,
  TypeConstraint,
  TypeRelation,
  TypedOpDefinition,
  Value,
  ValueSpec,
} from '@sconv/ir';
import { defineOp, groupSizes, implement, one, optional, typeConstraint, variadic } from '@sconv/ir';
import { callSite } from './call-site.ts';
import { consumedPositions } from './consumed-arguments.ts';
import { matcher } from './matcher.ts';
import { operandProblem, optionProblem } from './checked-inputs.ts';
import type { Handle, NamesOf, Param, ParamValue, ScriptValue, ValueHandle } from './handle.ts';
import { recorderOf, sharedType } from './handle.ts';
import {
  anyOp,
  anyOpType,
  anyValue,
  handleType,
  opHandleType,
  paramOf,
  handleOrParamType,
  paramType,
  promisedName,
  scriptType,
  valueHandleType,
} from './handle-type.ts';
import type { PayloadItem } from './payload.ts';
import type { Schedule } from './schedule.ts';
import type { ScheduleRun } from './schedule-run.ts';

/** What an op does to a handle: a consumed one must not be used again. */
export type HandleEffect = 'consumes' | 'reads';

/** An operand: `V` is what may be given for it. */
export interface HandleSpec<
  A extends Arity = Arity,
  V extends ScriptValue = ScriptValue,
> extends ValueSpec<A> {
  readonly effect: HandleEffect;
  /** The names of the operations that it takes, `linalg.*` for those of a dialect; any, if there are none. */
  readonly accepts: readonly string[];
  /** For the compiler. */
  readonly input?: V | undefined;
}

/** The names that a list of patterns stands for. */
export type Accepted<P extends string> = [P] extends [never]
  ? string
  : P extends `${infer D}.*`
    ? `${D}.${string}`
    : P;

/** A handle to payload operations of the names that fit the patterns. */
const handleSpec =
  <A extends Arity>(arity: (type: TypeConstraint, doc: string) => ValueSpec<A>, effect: HandleEffect) =>
  <const P extends string = never>(
    doc: string,
    ...accepts: readonly P[]
  ): HandleSpec<A, Handle<Accepted<P>>> => ({
    ...arity(handleType, doc),
    effect,
    accepts,
  });

/** An operand whose payload is replaced or erased. `consumes(doc, 'linalg.generic')` takes no ops of other names. */
export const consumes = handleSpec(one, 'consumes');
/** An operand whose payload stays. */
export const reads = handleSpec(one, 'reads');
/** Any number of operands whose payload stays. */
export const readsAll = handleSpec(variadic, 'reads');

/** A handle whose type has to name the operations (`Transform_ConcreteOpType`). */
const exactly = (name: string): TypeConstraint =>
  typeConstraint(`Transform IR handle to ${name} operations`, (type) => promisedName(type) === name);

/** An operand whose payload is replaced, and whose type names it. */
export const consumesExactly = <const N extends string>(
  doc: string,
  name: N,
): HandleSpec<'one', Handle<N>> => ({ ...one(exactly(name), doc), effect: 'consumes', accepts: [name] });

const readsOf = <A extends Arity, V extends ScriptValue>(values: ValueSpec<A>): HandleSpec<A, V> => ({
  ...values,
  effect: 'reads',
  accepts: [],
});

/** A handle whose payload is replaced or erased, or none. */
export const consumesOptional = (doc: string): HandleSpec<'optional', Handle> => ({
  ...optional(handleType, doc),
  effect: 'consumes',
  accepts: [],
});
/** A handle, or none. */
export const readsOptional = (doc: string): HandleSpec<'optional', Handle> =>
  readsOf(optional(handleType, doc));
/** A handle to values. */
export const readsValues = (doc: string): HandleSpec<'one', ValueHandle> =>
  readsOf(one(valueHandleType, doc));
/** A parameter; `readsParam<number>(doc)` takes numbers alone. */
export const readsParam = <T extends ParamValue = ParamValue>(doc: string): HandleSpec<'one', Param<T>> =>
  readsOf(one(paramType, doc));
/** Any number of parameters. */
export const readsParams = <T extends ParamValue = ParamValue>(
  doc: string,
): HandleSpec<'variadic', Param<T>> => readsOf(variadic(paramType, doc));
/** Any number of handles and parameters; `V` says which. */
export const readsAny = <V extends ScriptValue = ScriptValue>(doc: string): HandleSpec<'variadic', V> =>
  readsOf(variadic(scriptType, doc));
/** A handle or a parameter. */
export const readsEither = (doc: string): HandleSpec<'one'> => readsOf(one(scriptType, doc));
/** A handle to values, or none. */
export const readsOptionalValues = (doc: string): HandleSpec<'optional', ValueHandle> =>
  readsOf(optional(valueHandleType, doc));
/** A handle or a parameter, or none. */
export const readsOptionalEither = (doc: string): HandleSpec<'optional'> =>
  readsOf(optional(scriptType, doc));
/** A parameter, or none. */
export const readsOptionalParam = (doc: string): HandleSpec<'optional', Param> =>
  readsOf(optional(paramType, doc));
/** Sizes that parameters hold, or the operations of handles. */
export const readsSizes = (doc: string): HandleSpec<'variadic', Handle | Param<number>> =>
  readsOf(variadic(handleOrParamType, doc));
/** A size that a parameter holds, or the operation of a handle, or none. */
export const readsOptionalSize = (doc: string): HandleSpec<'optional', Handle | Param<number>> =>
  readsOf(optional(handleOrParamType, doc));

type ResultArity = Arity;

/** A result: `V` is what stands for it in code. */
export interface ResultHandleSpec<
  A extends ResultArity = ResultArity,
  V extends ScriptValue = ScriptValue,
> extends ValueSpec<A> {
  /** The type that the recorded function gives the result. */
  readonly handle: Type;
  /** For the compiler. */
  readonly output?: V | undefined;
}

const resultSpec =
  <A extends ResultArity>(arity: (type: TypeConstraint, doc: string) => ValueSpec<A>) =>
  <const N extends string = string>(doc: string, opName?: N): ResultHandleSpec<A, Handle<N>> => ({
    ...arity(handleType, doc),
    handle: opName === undefined ? anyOp : opHandleType(opName),
  });

/** A result handle; with `opName` it promises that all its payload has this name. */
export const produces = resultSpec(one);

/** A result handle whose type names its payload. */
export const producesExactly = <const N extends string>(
  doc: string,
  name: N,
): ResultHandleSpec<'one', Handle<N>> => ({ ...one(exactly(name), doc), handle: opHandleType(name) });

/** A handle to any operations, of which the text does not say the type. */
export const producesAnyOp = (doc: string): ResultHandleSpec<'one', Handle> => ({
  ...one(anyOpType, doc),
  handle: anyOp,
});

/** Several result handles; how many is said where the op is written. */
export const producesAll = resultSpec(variadic);

/** A result of any kind, whose type is said where the op is written. */
export const producesEither = (doc: string): ResultHandleSpec<'one'> => ({
  ...one(scriptType, doc),
  handle: anyOp,
});

/** A result of any kind, or none. */
export const producesOptional = (doc: string): ResultHandleSpec<'optional'> => ({
  ...optional(scriptType, doc),
  handle: anyOp,
});

/** Several results of any kind; how many and of which types is said where the op is written. */
export const producesAny = (doc: string): ResultHandleSpec<'variadic'> => ({
  ...variadic(scriptType, doc),
  handle: anyOp,
});

/** A result handle to values. */
export const producesValues = (doc: string): ResultHandleSpec<'one', ValueHandle> => ({
  ...one(valueHandleType, doc),
  handle: anyValue,
});

/** A parameter as result, whose attributes have a type. */
export const producesParam = <T extends ParamValue = ParamValue>(
  doc: string,
  type: Type,
): ResultHandleSpec<'one', Param<T>> => ({ ...one(paramType, doc), handle: paramOf(type) });

/** A failure that an op may end in, by its code. */
export interface FailureSpec {
  readonly mode: 'silenceable' | 'definite';
  readonly when: string;
}

type Handles = Readonly<Record<string, HandleSpec>>;
type Results = Readonly<Record<string, ResultHandleSpec>>;
type AttributeSpecs = Readonly<Record<string, AnyAttributeSpec>>;

/** What the values of a script stand for, one by one: operations, values, or attributes; `O` is how operations are seen. */
type ItemOf<V, O> = V extends Handle
  ? O
  : V extends ValueHandle
    ? Value
    : V extends Param
      ? Attribute
      : never;

type Many<A, V> = A extends 'one' ? V : A extends 'optional' ? V | undefined : readonly V[];

/** The payload of each operand, or lists of them for a variadic operand. */
export type PayloadOf<O extends Handles> = {
  readonly [K in keyof O]: O[K] extends HandleSpec<infer A, infer V>
    ? Many<A, readonly ItemOf<V, DraftOperation>[]>
    : never;
};

/** The payload of each result. */
export type ResultPayload<R extends Results> = {
  readonly [K in keyof R]: R[K] extends ResultHandleSpec<infer A, infer V>
    ? Many<A, readonly ItemOf<V, Operation>[]>
    : never;
};

/** What `apply` works with besides its operands. */
export interface ApplyContext {
  readonly rewriter: Rewriter;
  /** The transform op itself. */
  readonly operation: Operation;
  /** Of the transform op, or the call site that recorded it. */
  readonly location: Location;
  /** How many payload lists each variadic result has. */
  readonly resultCount: number;
  /** Says that the op did less than a person would expect. */
  readonly warn: (code: string, message: string, notes?: readonly Note[]) => void;
}

/** The behaviour of an op, in one of three forms. */
export interface Behaviour<O extends Handles, R extends Results, A> {
  /**
   * Changes the payload, for all targets in one edit. A failure's diagnostics stand at the payload op; the interpreter
   * puts the transform op before them.
   */
  readonly apply?: (
    context: ApplyContext,
    payload: PayloadOf<O>,
    attributes: A,
  ) => Diagnosed<ResultPayload<R>>;
  /** Gives a schedule of smaller ops for one payload operation of the only operand; its yields are the results. */
  readonly expand?: (target: Operation, attributes: A, module: Module) => Diagnosed<Schedule>;
  /** Control flow: runs regions and binds handles itself. */
  readonly interpret?: (run: ScheduleRun, operation: Operation, attributes: A) => Diagnosed<undefined>;
}

/** A list of payload items for one value, or a list of such for several. */
export type PayloadLists = readonly PayloadItem[] | readonly (readonly PayloadItem[])[];

/** A behaviour whose own types are not known; the interpreter pairs it only with operations of its own name. */
export interface AnyBehaviour {
  readonly apply?: (
    context: ApplyContext,
    payload: Readonly<Record<string, PayloadLists | undefined>>,
    attributes: unknown,
  ) => Diagnosed<Readonly<Record<string, PayloadLists>>>;
  readonly expand?: (target: Operation, attributes: unknown, module: Module) => Diagnosed<Schedule>;
  readonly interpret?: (run: ScheduleRun, operation: Operation, attributes: unknown) => Diagnosed<undefined>;
}

/** The declaration of a transform op; see `defineTransformOp`. */
export interface TransformOpSpec<
  O extends Handles,
  R extends Results,
  A extends AttributeSpecs,
  L extends string = string,
> extends Behaviour<O, R, AttributeOutput<A>> {
  readonly name: string;
  readonly summary: string;
  /** Where in the papers it comes from. */
  readonly paper?: readonly string[];
  readonly operands?: O;
  readonly attributes?: A;
  readonly results?: R;
  readonly regions?: readonly string[];
  readonly implicitTerminator?: string;
  readonly defaultDialect?: string;
  readonly traits?: OpSpecTraits;
  readonly interfaces?: readonly Implementation[];
  readonly assembly?: Assembly;
  readonly typeRelations?: readonly TypeRelation[];
  readonly inferResultTypes?: InferResultTypes;
  readonly resultName?: NonNullable<OpSpec<O, R, A>['resultName']>;
  readonly verify?: NonNullable<OpSpec<O, R, A>['verify']>;
  /**
   * The operand whose handles' type the results have, as text that names one type for all says it; those of the declaration
   * where its handles are of several.
   */
  readonly resultsLike?: L & keyof O;
  /** Whether a handle that it consumes may stand for an operation several times (upstream's `allowsRepeatedHandleOperands`). */
  readonly allowsRepeatedPayload?: boolean;
  /** Whether it changes no payload, so that matchers may hold it (upstream's `MatchOpInterface`). */
  readonly isMatcher?: boolean;
  /** How many handles the variadic result has, for ops whose attributes say so. */
  readonly variadicResults?: (attributes: AttributeInput<A>) => number;
  /** By code. */
  readonly failures?: Readonly<Record<string, FailureSpec>>;
}

type OpSpecTraits = NonNullable<Parameters<typeof defineOp>[0]['traits']>;

/** The declaration without its own types: what interpreter, docs and tests read. */
export interface TransformOpDefinition extends OpDefinition {
  readonly transform: {
    readonly paper: readonly string[];
    /** Effect of each operand group, in order. */
    readonly effects: readonly HandleEffect[];
    readonly failures: Readonly<Record<string, FailureSpec>>;
    readonly allowsRepeatedPayload: boolean;
    readonly behaviour: AnyBehaviour;
    /** Attributes as host values. */
    readonly readAttributes: (operation: Operation) => unknown;
  };
}

type Input<S> = S extends HandleSpec<infer A, infer V> ? Many<A, V> : never;

/** The operands; handles of the operand that results are like may be of fewer names. */
type HandleInput<O extends Handles, L extends string, N extends string> = {
  readonly [K in keyof O as O[K] extends HandleSpec<'optional'> ? never : K]: K extends L
    ? O[K] extends HandleSpec<infer A>
      ? Many<A, Handle<N>>
      : never
    : Input<O[K]>;
} & { readonly [K in keyof O as O[K] extends HandleSpec<'optional'> ? K : never]?: Input<O[K]> };

type HandleOutput<R extends Results, L extends string, N extends string> = {
  readonly [K in keyof R]: R[K] extends ResultHandleSpec<infer A, infer V>
    ? Many<A, [L] extends [never] ? V : Handle<N>>
    : never;
};

/** The names that the operand takes which results are like. */
type LikeNames<O extends Handles, L extends string> = [L] extends [never]
  ? string
  : L extends keyof O
    ? NamesOf<Input<O[L]>>
    : string;

/** Regions and counts that only some ops have. */
export interface RecordOptions {
  readonly bodies?: readonly BodyBuilder<Rewriter>[];
  /** How many handles the variadic result has, where the attributes do not say so. */
  readonly resultCount?: number;
  /** The types of all results, where they are not those of the declaration. */
  readonly resultTypes?: readonly Type[];
  /** Where it was called. */
  readonly location?: Location;
  /** The file of a function that records the op for its caller: where that was called, it stands (see `callSite`). */
  readonly helper?: Location;
}

/**
 * The function form: records the op into the schedule that its operands belong to. Throws `DiagnosticError` for what is no
 * handle (`schedule/operand`), and for an option that is missing, unknown or of another kind (`schedule/option`).
 */
export type RecordTransform<
  O extends Handles,
  R extends Results,
  A extends AttributeSpecs,
  L extends string = never,
> = <const N extends LikeNames<O, L>>(
  operands: HandleInput<O, L, N>,
  attributes?: AttributeInput<A>,
  options?: RecordOptions,
) => HandleOutput<R, L, N>;

/** A transform op: the function that records it, and its declaration. `L` is the operand that its results are like. */
export type TransformOp<
  O extends Handles = Handles,
  R extends Results = Results,
  A extends AttributeSpecs = AttributeSpecs,
  L extends string = never,
> = RecordTransform<O, R, A, L> & { readonly definition: TransformOpDefinition & TypedOpDefinition<O, R, A> };

/** The positions of the operands that are consumed; none of an op whose operands do not fit its declaration. */
const positionsOf = (
  specs: readonly HandleSpec[],
  { operands, attributes }: Operation,
): readonly number[] => {
  const sizes = groupSizes(specs, operands.length, attributes['operandSegmentSizes']) ?? [];
  const effects = sizes.flatMap((size, i) => Array<HandleEffect>(size).fill(specs[i]!.effect));
  return effects.flatMap((effect, position) => (effect === 'consumes' ? [position] : []));
};

/** Declares a transform op. */
export const defineTransformOp = <
  const O extends Handles = NoSpecs,
  const R extends Results = NoSpecs,
  const A extends AttributeSpecs = NoSpecs,
  const L extends string = never,
>(
  spec: TransformOpSpec<O, R, A, L>,
): TransformOp<O, R, A, L> => {
  const {
    paper,
    failures,
    variadicResults,
    resultsLike,
    apply,
    expand,
    interpret,
    isMatcher,
    allowsRepeatedPayload,
    ...opSpec
  } = spec;
  if (expand !== undefined && Object.keys(spec.operands ?? {}).length !== 1) {
    throw new Error(`${spec.name} expands, and so has one operand`);
  }
  const checked = Object.entries<HandleSpec>(spec.operands ?? {}).map(([name, operand]) => ({
    ...operand,
    name,
  }));
  const operation = defineOp<O, R, A>({
    ...opSpec,
    interfaces: [
      implement(consumedPositions, (op) => positionsOf(checked, op)),
      ...(isMatcher ? [implement(matcher, true)] : []),
      ...(spec.interfaces ?? []),
    ],
  });
  const definition: TransformOpDefinition & TypedOpDefinition<O, R, A> = {
    ...operation,
    transform: {
      paper: paper ?? [],
      effects: Object.values<HandleSpec>(spec.operands ?? {}).map((operand) => operand.effect),
      failures: failures ?? {},
      allowsRepeatedPayload: allowsRepeatedPayload ?? false,
      behaviour: { apply, expand, interpret } as AnyBehaviour,
      readAttributes: (op) => operation.attributes(op),
    },
  };

  const results = Object.entries<ResultHandleSpec>(spec.results ?? {});
  const variadicCount = (attributes: AttributeInput<A> | undefined, count: number | undefined): number => {
    if (count !== undefined) return count;
    if (variadicResults === undefined)
      throw new Error(`say how many results ${spec.name} has: { resultCount: … }`);
    return variadicResults(attributes ?? ({} as AttributeInput<A>));
  };
  const resultTypes = (
    shared: Type | undefined,
    attributes: AttributeInput<A> | undefined,
    count: number | undefined,
  ): readonly Type[] => {
    const types: Type[] = [];
    for (const [, { arity, handle }] of results) {
      const size = arity === 'one' ? 1 : arity === 'optional' ? 0 : variadicCount(attributes, count);
      for (let i = 0; i < size; i++) types.push(shared ?? handle);
    }
    return types;
  };

  const record: RecordTransform<O, R, A, L> = <const N extends LikeNames<O, L>>(
    operands: HandleInput<O, L, N>,
    attributes?: AttributeInput<A>,
    options?: RecordOptions,
  ) => {
    const inputs = operands as Readonly<Record<string, ScriptValue | readonly ScriptValue[] | undefined>>;
    const problem =
      operandProblem(spec.name, checked, inputs) ??
      optionProblem(spec.name, definition.attributeSpecs, attributes ?? {});
    if (problem !== undefined) {
      const helpers = options?.helper === undefined ? [] : [options.helper];
      throw new DiagnosticError([
        error(problem.code, problem.message, options?.location ?? callSite(...helpers)),
      ]);
    }
    const handles: ScriptValue[] = [];
    const given: Record<string, Value | readonly Value[]> = {};
    let shared: Type | undefined;
    for (const name of Object.keys(inputs)) {
      const input = inputs[name];
      if (input === undefined) continue;
      const list = 'recorder' in input ? [input] : input;
      handles.push(...list);
      given[name] = 'recorder' in input ? input.value : input.map((handle) => handle.value);
      if (name === resultsLike) shared = sharedType(list);
    }
    const recorder = recorderOf(handles);
    const state = operation.state<Rewriter>({
      operands: given as never,
      attributes,
      resultTypes: options?.resultTypes ?? resultTypes(shared, attributes, options?.resultCount),
      bodies: options?.bodies,
      location: options?.location,
    });
    const values = recorder.record(definition, state, options?.helper);
    const named: Record<string, ScriptValue | readonly ScriptValue[]> = {};
    let next = 0;
    for (const [name, result] of results) {
      named[name] = result.arity === 'variadic' ? values.slice(next) : values[next]!;
      next = result.arity === 'variadic' ? values.length : next + 1;
    }
    return named as HandleOutput<R, L, N>;
  };
  return Object.assign(record, { definition });
};
