/**
 * Represents the payload while a schedule is recorded: handles to operations, typed by the names of these operations;
 * handles to values; and parameters.
 */
import { DiagnosticError, error } from '@sconv/diagnostics';
import type { Attribute, Type, Value } from '@sconv/ir';
import { typeEquals } from '@sconv/ir';
import { callSite } from './call-site.ts';
import { payloadKindOf } from './payload.ts';
import type { Recorder } from './recorder.ts';

// Type-level only: what a value of the script promises to the compiler.
declare const names: unique symbol;
declare const host: unique symbol;

/** A value of the script, and its schedule. */
interface Recorded<K extends 'handle' | 'value-handle' | 'param'> {
  readonly kind: K;
  readonly value: Value;
  readonly recorder: Recorder;
}

/**
 * A handle to payload operations with one of the names `N`; any name by default. `cast` turns a handle to any
 * operations into one to a single name; it fails at run time if that is not true.
 */
export interface Handle<N extends string = string> extends Recorded<'handle'> {
  readonly [names]?: N | undefined;
}

/** A handle to values of the payload. */
export type ValueHandle = Recorded<'value-handle'>;

/** The host value of a parameter; of other kinds, the attribute itself. */
export type ParamValue = number | string | boolean | Attribute;

/** A parameter of the script with a known host type. */
export interface Param<T extends ParamValue = ParamValue> extends Recorded<'param'> {
  readonly [host]?: T | undefined;
}

/** Anything that a script op operates on. */
export type ScriptValue = Handle | ValueHandle | Param;

/** The op names of a handle, or of a list of handles. */
export type NamesOf<V> = V extends Handle<infer N> ? N : V extends readonly Handle<infer N>[] ? N : never;

const kinds = { operations: 'handle', values: 'value-handle', params: 'param' } as const;

/** The handle or parameter for a value of the script, by its type. */
export const scriptValueOf = (value: Value, recorder: Recorder): ScriptValue => ({
  kind: kinds[payloadKindOf(value.type)],
  value,
  recorder,
});

/** Whether a value is a handle or a parameter of some schedule. */
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

/** The common script type of these values; undefined for none, or for several types. */
export const sharedType = (values: readonly ScriptValue[]): Type | undefined => {
  const [type, ...others] = values.map(({ value }) => value.type);
  return type !== undefined && others.every((other) => typeEquals(other, type)) ? type : undefined;
};
