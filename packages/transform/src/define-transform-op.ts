/**
 * `defineTransformOp`: a transform is declared once. The declaration yields the textual operation with its parser,
 * printer, verifier and effects on handles; a function that records it into a schedule; its page in the docs; and its
 * failures, each of which a test must provoke.
 */
import type { Diagnosed, Location, Note } from '@sconv/diagnostics';
import { describeValue, DiagnosticError, error, expectObject } from '@sconv/diagnostics';
import type {
  AnyAttributeSpec,
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
  TypeRelation,
  TypedOpDefinition,
  Value,
} from '@sconv/ir';
import { defineOp, groupSizes, implement } from '@sconv/ir';
import { callSite } from './call-site.ts';
import { consumedPositions } from './consumed-arguments.ts';
import { matcher } from './matcher.ts';
import type { InputProblem } from './checked-inputs.ts';
import { encodedOptions, operandProblem } from './checked-inputs.ts';
import type { Handle, NamesOf, Param, ScriptValue, ValueHandle } from './handle.ts';
import { recorderOf, sharedType } from './handle.ts';
import type { HandleEffect, HandleSpec, ResultHandleSpec } from './handle-specs.ts';
import type { PayloadItem } from './payload.ts';
import type { Schedule } from './schedule.ts';
import type { ScheduleRun } from './schedule-run.ts';

/** A failure that an op may end in, by its code. */
export interface FailureSpec {
  readonly mode: 'silenceable' | 'definite';
  readonly when: string;
}

type Handles = Readonly<Record<string, HandleSpec>>;
type Results = Readonly<Record<string, ResultHandleSpec>>;
type AttributeSpecs = Readonly<Record<string, AnyAttributeSpec>>;

/** The payload items of a script value: operations, values, or attributes; `O` is the operation type. */
type ItemOf<V, O> = V extends Handle
  ? O
  : V extends ValueHandle
    ? Value
    : V extends Param
      ? Attribute
      : never;

type Many<A, V> = A extends 'one' ? V : A extends 'optional' ? V | undefined : readonly V[];

/** The payload of each operand; a list of payloads for a variadic one. */
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

/** What `apply` receives besides its operands. */
export interface ApplyContext {
  readonly rewriter: Rewriter;
  /** The transform op itself. */
  readonly operation: Operation;
  /** Of the transform op, or of the call site that recorded it. */
  readonly location: Location;
  /** The number of payload lists of a variadic result. */
  readonly resultCount: number;
  /** Reports that the op did less than expected, with one of its declared `warnings`. */
  readonly warn: (code: string, message: string, notes?: readonly Note[]) => void;
}

/** The implementation of an op, in one of three forms. */
export interface Behaviour<O extends Handles, R extends Results, A> {
  /**
   * Changes the payload, for all targets in one edit. Failures are located at the payload op; the interpreter puts
   * the transform op in front.
   */
  readonly apply?: (
    context: ApplyContext,
    payload: PayloadOf<O>,
    attributes: A,
  ) => Diagnosed<ResultPayload<R>>;
  /** Returns a schedule of smaller ops for one payload operation of the only operand; its yields are the results. */
  readonly expand?: (target: Operation, attributes: A, module: Module) => Diagnosed<Schedule>;
  /** Control flow: runs regions and binds handles itself. */
  readonly interpret?: (run: ScheduleRun, operation: Operation, attributes: A) => Diagnosed<undefined>;
}

/** The payload of a single operand, or a list of payloads for a variadic one. */
export type PayloadLists = readonly PayloadItem[] | readonly (readonly PayloadItem[])[];

/** A type-erased behaviour; the interpreter only applies it to operations with its own name. */
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
  /** The source in the papers. */
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
   * The operand whose handle type the results have, since the assembly prints one type for all; the declared type if
   * its handles have several.
   */
  readonly resultsLike?: L & keyof O;
  /** Whether a consumed handle may refer to an operation more than once (upstream's `allowsRepeatedHandleOperands`). */
  readonly allowsRepeatedPayload?: boolean;
  /** Whether an operation keeps all payload, given its attributes: its handles stay valid. */
  readonly keepsPayload?: (operation: Operation) => boolean;
  /** Whether it leaves the payload unchanged, so that matchers may contain it (upstream's `MatchOpInterface`). */
  readonly isMatcher?: boolean;
  /** The number of handles of the variadic result, for ops whose attributes determine it. */
  readonly variadicResults?: (attributes: AttributeInput<A>) => number;
  /** By code. */
  readonly failures?: Readonly<Record<string, FailureSpec>>;
  /** When it says that it did less than expected, by code. */
  readonly warnings?: Readonly<Record<string, string>>;
}

type OpSpecTraits = NonNullable<Parameters<typeof defineOp>[0]['traits']>;

/** The type-erased declaration, for interpreter, docs and tests. */
export interface TransformOpDefinition extends OpDefinition {
  readonly transform: {
    readonly paper: readonly string[];
    /** The effect on each operand group, in order. */
    readonly effects: readonly HandleEffect[];
    /** The positions of the operands that an operation consumes; none if they do not match the declaration. */
    readonly consumed: (operation: Operation) => readonly number[];
    readonly failures: Readonly<Record<string, FailureSpec>>;
    readonly warnings: Readonly<Record<string, string>>;
    readonly allowsRepeatedPayload: boolean;
    readonly behaviour: AnyBehaviour;
    /** Attributes as host values. */
    readonly readAttributes: (operation: Operation) => unknown;
  };
}

type Input<S> = S extends HandleSpec<infer A, infer V> ? Many<A, V> : never;

/** The operands; the handle that determines the result types may have fewer names. */
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

/** The op names accepted by the operand that determines the result types. */
type LikeNames<O extends Handles, L extends string> = [L] extends [never]
  ? string
  : L extends keyof O
    ? NamesOf<Input<O[L]>>
    : string;

/** Options that only some ops need. */
export interface RecordOptions {
  readonly bodies?: readonly BodyBuilder<Rewriter>[];
  /** The number of handles of the variadic result, if the attributes do not determine it. */
  readonly resultCount?: number;
  /** The types of all results, if they differ from the declaration. */
  readonly resultTypes?: readonly Type[];
  /** The call site. */
  readonly location?: Location;
  /** The file of a helper that records the op for its caller: the op gets the helper's call site (see `callSite`). */
  readonly helper?: Location;
}

/**
 * The function form: records the op into the schedule of its operands. Throws `DiagnosticError` for an operand that
 * is no handle (`schedule/operand`), and for a missing, unknown or ill-typed option (`schedule/option`).
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

/** A transform op: its recording function and its declaration. `L` is the operand that determines the result types. */
export type TransformOp<
  O extends Handles = Handles,
  R extends Results = Results,
  A extends AttributeSpecs = AttributeSpecs,
  L extends string = never,
> = RecordTransform<O, R, A, L> & { readonly definition: TransformOpDefinition & TypedOpDefinition<O, R, A> };

/** The positions of the consumed operands; empty if the operands do not match the declaration. */
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
  expectObject('the declaration of a transform op', spec);
  const { paper, failures, warnings, variadicResults, resultsLike, apply, expand, interpret, ...rest } = spec;
  const { isMatcher, allowsRepeatedPayload, keepsPayload, ...opSpec } = rest;
  const operands = Object.entries<HandleSpec>(spec.operands ?? {}).map(([name, each]) => ({ ...each, name }));
  const results = Object.entries<ResultHandleSpec>(spec.results ?? {});
  if (expand !== undefined && operands.length !== 1) {
    throw new Error(`${spec.name} expands, and so has one operand`);
  }
  const consumed = (op: Operation): readonly number[] =>
    keepsPayload?.(op) === true ? [] : positionsOf(operands, op);
  const operation = defineOp<O, R, A>({
    ...opSpec,
    interfaces: [
      implement(consumedPositions, consumed),
      ...(isMatcher ? [implement(matcher, true)] : []),
      ...(spec.interfaces ?? []),
    ],
  });
  const definition: TransformOpDefinition & TypedOpDefinition<O, R, A> = {
    ...operation,
    transform: {
      paper: paper ?? [],
      effects: operands.map(({ effect }) => effect),
      consumed,
      failures: failures ?? {},
      warnings: warnings ?? {},
      allowsRepeatedPayload: allowsRepeatedPayload ?? false,
      behaviour: { apply, expand, interpret } as AnyBehaviour,
      readAttributes: (op) => operation.attributes(op),
    },
  };

  const record: RecordTransform<O, R, A, L> = <const N extends LikeNames<O, L>>(
    given: HandleInput<O, L, N>,
    attributes?: AttributeInput<A>,
    options: RecordOptions = {},
  ) => {
    const inputs = given as Inputs;
    if (typeof options !== 'object' || (options as unknown) === null) {
      const message = `${spec.name} expects an object as its recording options, got ${describeValue(options)}`;
      throw inputError({ code: 'schedule/option', message }, {});
    }
    const wrong = operandProblem(spec.name, operands, inputs);
    if (wrong !== undefined) throw inputError(wrong, options);
    const encoded = encodedOptions(spec.name, definition.attributeSpecs, attributes ?? {});
    if ('problem' in encoded) throw inputError(encoded.problem, options);
    const recorder = recorderOf(Object.values(inputs).flatMap((input) => (input ? listOf(input) : [])));
    const like = resultsLike === undefined ? undefined : inputs[resultsLike];
    const variadicCount = (): number => {
      const count = options.resultCount ?? variadicResults?.(attributes ?? ({} as AttributeInput<A>));
      if (count === undefined) throw new Error(`say how many results ${spec.name} has: { resultCount: … }`);
      return count;
    };
    const state = operation.state<Rewriter>({
      operands: valuesOf(inputs) as never,
      extra: encoded.attributes,
      resultTypes:
        options.resultTypes ?? resultTypes(results, like && sharedType(listOf(like)), variadicCount),
      bodies: options.bodies,
      location: options.location,
    });
    const values = recorder.record(definition, state, options.helper);
    return resultsByName(results, values) as HandleOutput<R, L, N>;
  };
  return Object.assign(record, { definition });
};

type Inputs = Readonly<Record<string, ScriptValue | readonly ScriptValue[] | undefined>>;

const listOf = (input: ScriptValue | readonly ScriptValue[]): readonly ScriptValue[] =>
  'recorder' in input ? [input] : input;

/** The script values of the given handles, by operand. */
const valuesOf = (inputs: Inputs): Readonly<Record<string, Value | readonly Value[]>> => {
  const values: Record<string, Value | readonly Value[]> = {};
  for (const [name, input] of Object.entries(inputs)) {
    if (input === undefined) continue;
    values[name] = 'recorder' in input ? input.value : input.map(({ value }) => value);
  }
  return values;
};

const inputError = ({ code, message }: InputProblem, { location, helper }: RecordOptions): DiagnosticError =>
  new DiagnosticError([
    error(code, message, location ?? callSite(...(helper === undefined ? [] : [helper]))),
  ]);

/** The types of all results: `shared`, or the declared ones. The variadic result has `variadicCount` handles. */
const resultTypes = (
  results: readonly (readonly [string, ResultHandleSpec])[],
  shared: Type | undefined,
  variadicCount: () => number,
): readonly Type[] =>
  results.flatMap(([, { arity, handle }]) => {
    const size = arity === 'one' ? 1 : arity === 'optional' ? 0 : variadicCount();
    return Array<Type>(size).fill(shared ?? handle);
  });

/** The recorded results by name; the variadic one takes all that are left. */
const resultsByName = (
  results: readonly (readonly [string, ResultHandleSpec])[],
  values: readonly ScriptValue[],
): Readonly<Record<string, ScriptValue | readonly ScriptValue[]>> => {
  const named: Record<string, ScriptValue | readonly ScriptValue[]> = {};
  let next = 0;
  for (const [name, { arity }] of results) {
    named[name] = arity === 'variadic' ? values.slice(next) : values[next]!;
    next = arity === 'variadic' ? values.length : next + 1;
  }
  return named;
};
