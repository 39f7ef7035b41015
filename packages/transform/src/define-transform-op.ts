/**
 * `defineTransformOp`: a transform is declared once and gives four products: the textual operation with its parser,
 * printer, verifier and effects on handles; a function that records it into a schedule; its page in the docs; and its
 * examples and declared failures as tests.
 */
import type { Diagnosed, Location, Note } from '@sconv/diagnostics';
import { DiagnosticError, error } from '@sconv/diagnostics';
import type {
  AnyAttributeSpec,
  Assembly,
  AttributeInput,
  AttributeOutput,
  BodyBuilder,
  DraftOperation,
  Module,
  NoSpecs,
  OpDefinition,
  Operation,
  OpSpec,
  Rewriter,
  Type,
  TypedOpDefinition,
  ValueSpec,
} from '@sconv/ir';
import { defineOp, one, typeEquals, variadic } from '@sconv/ir';
import { anyOp, handleType, opHandleType } from './handle-type.ts';
import type { Handle, Recorder, Schedule } from './schedule.ts';
import { callSite, recorderOf } from './schedule.ts';
import { operandProblem, optionProblem } from './checked-inputs.ts';
import type { PayloadItem } from './payload.ts';
import type { ScheduleRun } from './schedule-run.ts';

/** What an op does to a handle: a consumed one must not be used again. */
export type HandleEffect = 'consumes' | 'reads';

export interface HandleSpec<A extends 'one' | 'variadic' = 'one' | 'variadic'> extends ValueSpec<A> {
  readonly effect: HandleEffect;
}

/** An operand whose payload is replaced or erased. */
export const consumes = (doc: string): HandleSpec<'one'> => ({ ...one(handleType, doc), effect: 'consumes' });
/** An operand whose payload stays. */
export const reads = (doc: string): HandleSpec<'one'> => ({ ...one(handleType, doc), effect: 'reads' });
/** Any number of operands whose payload stays. */
export const readsAll = (doc: string): HandleSpec<'variadic'> => ({
  ...variadic(handleType, doc),
  effect: 'reads',
});

export interface ResultHandleSpec<A extends 'one' | 'variadic' = 'one' | 'variadic'> extends ValueSpec<A> {
  /** The type that the recorded function gives the result. */
  readonly handle: Type;
}

/** A result handle; with `opName` it promises that all its payload has this name. */
export const produces = (doc: string, opName?: string): ResultHandleSpec<'one'> => ({
  ...one(handleType, doc),
  handle: opName === undefined ? anyOp : opHandleType(opName),
});

/** Several result handles; how many is said where the op is written. */
export const producesAll = (doc: string): ResultHandleSpec<'variadic'> => ({
  ...variadic(handleType, doc),
  handle: anyOp,
});

/** A failure that an op may end in, by its code. */
export interface FailureSpec {
  readonly mode: 'silenceable' | 'definite';
  readonly when: string;
}

/** A payload, the same step as text and as code; both must give the same IR. */
export interface TransformExample {
  readonly title: string;
  /** MLIR text of a module. */
  readonly payload: string;
  /** The body of a sequence, `%root` being the payload's root. */
  readonly script: string;
  /** The same as code. */
  readonly record: (recorder: Recorder) => readonly Handle[] | undefined;
}

type Handles = Readonly<Record<string, HandleSpec>>;
type Results = Readonly<Record<string, ResultHandleSpec>>;
type AttributeSpecs = Readonly<Record<string, AnyAttributeSpec>>;

/** The payload of each operand: operations, or lists of them for a variadic operand. */
export type PayloadOf<O extends Handles> = {
  readonly [K in keyof O]: O[K] extends HandleSpec<'one'>
    ? readonly DraftOperation[]
    : readonly (readonly DraftOperation[])[];
};

/** The payload of each result. */
export type ResultPayload<R extends Results> = {
  readonly [K in keyof R]: R[K] extends ResultHandleSpec<'one'>
    ? readonly Operation[]
    : readonly (readonly Operation[])[];
};

/** What `apply` works with besides its operands. */
export interface ApplyContext {
  readonly rewriter: Rewriter;
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

type PayloadLists = readonly PayloadItem[] | readonly (readonly PayloadItem[])[];

/** A behaviour whose own types are not known; the interpreter pairs it only with operations of its own name. */
export interface AnyBehaviour {
  readonly apply?: (
    context: ApplyContext,
    payload: Readonly<Record<string, PayloadLists>>,
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
> extends Behaviour<O, R, AttributeOutput<A>> {
  readonly name: string;
  readonly summary: string;
  /** Where in the papers it comes from. */
  readonly paper?: readonly string[];
  readonly operands?: O;
  readonly attributes?: A;
  readonly results?: R;
  readonly regions?: readonly string[];
  readonly traits?: OpSpecTraits;
  readonly assembly?: Assembly;
  readonly verify?: NonNullable<OpSpec<O, R, A>['verify']>;
  /**
   * The operand whose handles' type the results have, as text that names one type for all says it; those of the declaration
   * where its handles are of several.
   */
  readonly resultsLike?: keyof O & string;
  /** How many handles the variadic result has, for ops whose attributes say so. */
  readonly variadicResults?: (attributes: AttributeInput<A>) => number;
  /** By code. */
  readonly failures?: Readonly<Record<string, FailureSpec>>;
  /** A function, because examples record ops of other files, which may not be there yet. */
  readonly examples?: () => readonly TransformExample[];
}

type OpSpecTraits = NonNullable<Parameters<typeof defineOp>[0]['traits']>;

/** The declaration without its own types: what interpreter, docs and tests read. */
export interface TransformOpDefinition extends OpDefinition {
  readonly transform: {
    readonly paper: readonly string[];
    /** Effect of each operand group, in order. */
    readonly effects: readonly HandleEffect[];
    readonly failures: Readonly<Record<string, FailureSpec>>;
    readonly examples: () => readonly TransformExample[];
    readonly behaviour: AnyBehaviour;
    /** Attributes as host values. */
    readonly readAttributes: (operation: Operation) => unknown;
  };
}

type HandleInput<O extends Handles> = {
  readonly [K in keyof O]: O[K] extends HandleSpec<'one'> ? Handle : readonly Handle[];
};

type HandleOutput<R extends Results> = {
  readonly [K in keyof R]: R[K] extends ResultHandleSpec<'one'> ? Handle : readonly Handle[];
};

/** Regions and counts that only some ops have. */
export interface RecordOptions {
  readonly bodies?: readonly BodyBuilder<Rewriter>[];
  /** The types of all results, where they are not those of the declaration. */
  readonly resultTypes?: readonly Type[];
  /** Where it was called, for a function that records the op for its caller (see `callSite`). */
  readonly location?: Location;
}

/**
 * The function form: records the op into the schedule that its operands belong to. Throws `DiagnosticError` for what is no
 * handle (`schedule/operand`), and for an option that is missing, unknown or of another kind (`schedule/option`).
 */
export type RecordTransform<O extends Handles, R extends Results, A extends AttributeSpecs> = (
  operands: HandleInput<O>,
  attributes?: AttributeInput<A>,
  options?: RecordOptions,
) => HandleOutput<R>;

/** A transform op: the function that records it, and its declaration. */
export type TransformOp<
  O extends Handles = Handles,
  R extends Results = Results,
  A extends AttributeSpecs = AttributeSpecs,
> = RecordTransform<O, R, A> & { readonly definition: TransformOpDefinition & TypedOpDefinition<O, R, A> };

/** Declares a transform op. */
export const defineTransformOp = <
  const O extends Handles = NoSpecs,
  const R extends Results = NoSpecs,
  const A extends AttributeSpecs = NoSpecs,
>(
  spec: TransformOpSpec<O, R, A>,
): TransformOp<O, R, A> => {
  const { paper, failures, examples, variadicResults, resultsLike, apply, expand, interpret, ...opSpec } =
    spec;
  if (expand !== undefined && Object.keys(spec.operands ?? {}).length !== 1) {
    throw new Error(`${spec.name} expands, and so has one operand`);
  }
  const operation = defineOp<O, R, A>(opSpec);
  const definition: TransformOpDefinition & TypedOpDefinition<O, R, A> = {
    ...operation,
    transform: {
      paper: paper ?? [],
      effects: Object.values<HandleSpec>(spec.operands ?? {}).map((operand) => operand.effect),
      failures: failures ?? {},
      examples: examples ?? (() => []),
      behaviour: { apply, expand, interpret } as AnyBehaviour,
      readAttributes: (op) => operation.attributes(op),
    },
  };

  const variadicCount = (attributes: AttributeInput<A> | undefined): number => {
    if (variadicResults === undefined)
      throw new Error(`say how many results ${spec.name} has: { resultTypes: […] }`);
    return variadicResults(attributes ?? ({} as AttributeInput<A>));
  };

  /** The type that the handles of an operand share. */
  const sharedType = (input: Handle | readonly Handle[] | undefined): Type | undefined => {
    const [type, ...others] = [input ?? []].flat().map(({ value }) => value.type);
    return type !== undefined && others.every((other) => typeEquals(other, type)) ? type : undefined;
  };

  const record: RecordTransform<O, R, A> = (operands, attributes, options) => {
    const inputs: Readonly<Record<string, Handle | readonly Handle[]>> = operands;
    const problem =
      operandProblem(spec.name, definition.operandSpecs, inputs) ??
      optionProblem(spec.name, definition.attributeSpecs, attributes ?? {});
    if (problem !== undefined) {
      throw new DiagnosticError([error(problem.code, problem.message, options?.location ?? callSite())]);
    }
    const recorder = recorderOf(Object.values(inputs).flat());
    const given = Object.fromEntries(
      Object.entries(inputs).map(([name, input]) => [
        name,
        'recorder' in input ? input.value : input.map((handle) => handle.value),
      ]),
    );
    const results = Object.entries<ResultHandleSpec>(spec.results ?? {});
    const shared = resultsLike === undefined ? undefined : sharedType(inputs[resultsLike]);
    const state = operation.state<Rewriter>({
      operands: given as never,
      ...(attributes === undefined ? {} : { attributes }),
      resultTypes:
        options?.resultTypes ??
        results.flatMap(([, { arity, handle }]) =>
          Array<Type>(arity === 'one' ? 1 : variadicCount(attributes)).fill(shared ?? handle),
        ),
      ...(options?.bodies === undefined ? {} : { bodies: options.bodies }),
      ...(options?.location === undefined ? {} : { location: options.location }),
    });
    const values = recorder.record(definition, state);
    const named: Record<string, Handle | readonly Handle[]> = {};
    let next = 0;
    for (const [name, result] of results) {
      const rest = values.slice(next);
      named[name] = result.arity === 'one' ? rest[0]! : rest;
      next += result.arity === 'one' ? 1 : rest.length;
    }
    return named as HandleOutput<R>;
  };
  return Object.assign(record, { definition });
};
