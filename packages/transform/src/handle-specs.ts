/** Operands and results of transform ops: which payload they stand for, and whether an op consumes it. */
import type { Arity, Type, TypeConstraint, ValueSpec } from '@sconv/ir';
import { one, optional, typeConstraint, variadic } from '@sconv/ir';
import type { Handle, Param, ParamValue, ScriptValue, ValueHandle } from './handle.ts';
import {
  anyOp,
  anyOpType,
  anyValue,
  handleOrParamType,
  handleType,
  opHandleType,
  paramOf,
  paramType,
  promisedName,
  scriptType,
  valueHandleType,
} from './handle-type.ts';

/** An op's effect on a handle: a consumed handle must not be used again. */
export type HandleEffect = 'consumes' | 'reads';

/** An operand: `V` is the type of its inputs. */
export interface HandleSpec<
  A extends Arity = Arity,
  V extends ScriptValue = ScriptValue,
> extends ValueSpec<A> {
  readonly effect: HandleEffect;
  /** The op names that it accepts, `linalg.*` for a dialect; any, if empty. */
  readonly accepts: readonly string[];
  /** Type-level only. */
  readonly input?: V | undefined;
}

/** The names that a list of patterns matches. */
export type Accepted<P extends string> = [P] extends [never]
  ? string
  : P extends `${infer D}.*`
    ? `${D}.${string}`
    : P;

/** A handle to payload operations whose names match the patterns. */
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

/** An operand whose payload is replaced or erased. `consumes(doc, 'linalg.generic')` accepts no other ops. */
export const consumes = handleSpec(one, 'consumes');
/** An operand whose payload is kept. */
export const reads = handleSpec(one, 'reads');
/** Any number of operands whose payload is kept. */
export const readsAll = handleSpec(variadic, 'reads');

/** A handle whose type must name its operations (`Transform_ConcreteOpType`). */
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

/** An optional handle whose payload is replaced or erased. */
export const consumesOptional = (doc: string): HandleSpec<'optional', Handle> => ({
  ...optional(handleType, doc),
  effect: 'consumes',
  accepts: [],
});
/** An optional handle. */
export const readsOptional = (doc: string): HandleSpec<'optional', Handle> =>
  readsOf(optional(handleType, doc));
/** A handle to values. */
export const readsValues = (doc: string): HandleSpec<'one', ValueHandle> =>
  readsOf(one(valueHandleType, doc));
/** A parameter; `readsParam<number>(doc)` accepts only numbers. */
export const readsParam = <T extends ParamValue = ParamValue>(doc: string): HandleSpec<'one', Param<T>> =>
  readsOf(one(paramType, doc));
/** Any number of parameters. */
export const readsParams = <T extends ParamValue = ParamValue>(
  doc: string,
): HandleSpec<'variadic', Param<T>> => readsOf(variadic(paramType, doc));
/** Any number of handles and parameters, of type `V`. */
export const readsAny = <V extends ScriptValue = ScriptValue>(doc: string): HandleSpec<'variadic', V> =>
  readsOf(variadic(scriptType, doc));
/** A handle or a parameter. */
export const readsEither = (doc: string): HandleSpec<'one'> => readsOf(one(scriptType, doc));
/** An optional handle to values. */
export const readsOptionalValues = (doc: string): HandleSpec<'optional', ValueHandle> =>
  readsOf(optional(valueHandleType, doc));
/** An optional parameter. */
export const readsOptionalParam = (doc: string): HandleSpec<'optional', Param> =>
  readsOf(optional(paramType, doc));
/** Sizes from parameters, or from the payload ops of handles. */
export const readsSizes = (doc: string): HandleSpec<'variadic', Handle | Param<number>> =>
  readsOf(variadic(handleOrParamType, doc));
/** An optional size from a parameter, or from the payload op of a handle. */
export const readsOptionalSize = (doc: string): HandleSpec<'optional', Handle | Param<number>> =>
  readsOf(optional(handleOrParamType, doc));

/** A result: `V` is its type in code. */
export interface ResultHandleSpec<
  A extends Arity = Arity,
  V extends ScriptValue = ScriptValue,
> extends ValueSpec<A> {
  /** The type of the result in recorded scripts. */
  readonly handle: Type;
  /** Type-level only. */
  readonly output?: V | undefined;
}

const resultSpec =
  <A extends Arity>(arity: (type: TypeConstraint, doc: string) => ValueSpec<A>) =>
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

/** A handle to any operations, whose type the assembly omits. */
export const producesAnyOp = (doc: string): ResultHandleSpec<'one', Handle> => ({
  ...one(anyOpType, doc),
  handle: anyOp,
});

/** Several result handles; each use specifies how many. */
export const producesAll = resultSpec(variadic);

/** A result of any kind; each use specifies the type. */
export const producesEither = (doc: string): ResultHandleSpec<'one'> => ({
  ...one(scriptType, doc),
  handle: anyOp,
});

/** An optional result of any kind. */
export const producesOptional = (doc: string): ResultHandleSpec<'optional'> => ({
  ...optional(scriptType, doc),
  handle: anyOp,
});

/** Several results of any kind; each use specifies the types. */
export const producesAny = (doc: string): ResultHandleSpec<'variadic'> => ({
  ...variadic(scriptType, doc),
  handle: anyOp,
});

/** A result handle to values. */
export const producesValues = (doc: string): ResultHandleSpec<'one', ValueHandle> => ({
  ...one(valueHandleType, doc),
  handle: anyValue,
});

/** A parameter result with typed attributes. */
export const producesParam = <T extends ParamValue = ParamValue>(
  doc: string,
  type: Type,
): ResultHandleSpec<'one', Param<T>> => ({ ...one(paramType, doc), handle: paramOf(type) });
