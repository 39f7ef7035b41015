/**
 * What stands for the payload while a schedule is being recorded: handles to operations, which carry the names of the
 * operations that they may stand for, handles to values, and parameters.
 */
import { DiagnosticError, error } from '@sconv/diagnostics';
import type { Type, Value } from '@sconv/ir';
import { typeEquals } from '@sconv/ir';
import { callSite } from './call-site.ts';
import { payloadKindOf } from './payload.ts';
import type { Recorder } from './recorder.ts';

// Types alone: what a value of the script promises, seen by the compiler and by nobody else.
declare const names: unique symbol;
declare const host: unique symbol;

/** A value of the script and the schedule that it belongs to. */
interface Recorded<K extends 'handle' | 'value-handle' | 'param'> {
  readonly kind: K;
  readonly value: Value;
  readonly recorder: Recorder;
}

/**
 * A handle to payload operations that all have one of the names `N`; of any name, if it is left out. Where an op of one
 * name is asked for, a handle to any is made one by `cast`, which fails where that is not true.
 */
export interface Handle<N extends string = string> extends Recorded<'handle'> {
  readonly [names]?: N | undefined;
}

/** A handle to values of the payload. */
export type ValueHandle = Recorded<'value-handle'>;

/** What a parameter holds for the host. */
export type ParamValue = number | string | boolean;

/** A parameter of the script, of which the host knows the type. */
export interface Param<T extends ParamValue = ParamValue> extends Recorded<'param'> {
  readonly [host]?: T | undefined;
}

/** Whatever an op of a script works on. */
export type ScriptValue = Handle | ValueHandle | Param;

/** The names that a handle, or a list of handles, may stand for. */
export type NamesOf<V> = V extends Handle<infer N> ? N : V extends readonly Handle<infer N>[] ? N : never;

const kinds = { operations: 'handle', values: 'value-handle', params: 'param' } as const;

/** What stands for a value of the script, by its type. */
export const scriptValueOf = (value: Value, recorder: Recorder): ScriptValue => ({
  kind: kinds[payloadKindOf(value.type)],
  value,
  recorder,
});

/** Whether something given is a handle or a parameter of some schedule. */
export const isScriptValue = (given: unknown): given is ScriptValue =>
  typeof given === 'object' && given !== null && 'recorder' in given && 'value' in given && 'kind' in given;

/** The schedule that handles belong to. */
export const recorderOf = (handles: readonly ScriptValue[]): Recorder => {
  const recorder = handles[0]?.recorder;
  if (recorder === undefined) throw new Error('an op without operands is recorded through the recorder');
  if (handles.some((handle) => handle.recorder !== recorder)) {
    const message =
      'handles of different schedules, or of a body that sees its own arguments alone, are used together';
    throw new DiagnosticError([error('schedule/foreign-handle', message, callSite())]);
  }
  return recorder;
};

/** The type that all of these have in the script; undefined for none, or for several types. */
export const sharedType = (values: readonly ScriptValue[]): Type | undefined => {
  const [type, ...others] = values.map(({ value }) => value.type);
  return type !== undefined && others.every((other) => typeEquals(other, type)) ? type : undefined;
};
