/** What the callbacks of sequences and bodies return. */
import { describeValue, DiagnosticError, error } from '@sconv/diagnostics';
import { callSite } from './call-site.ts';
import type { ScriptValue } from './handle.ts';
import { isScriptValue } from './handle.ts';

/**
 * What a sequence or body may yield. `void` stands beside `undefined` for TypeScript before 6.0, which infers it for a
 * callback without a `return`.
 */
// eslint-disable-next-line @typescript-eslint/no-invalid-void-type -- as the comment says
export type Yields = void | undefined | ScriptValue | readonly ScriptValue[];

/** The yielded values, and their form. */
export interface Yielded {
  readonly form: 'nothing' | 'one' | 'list';
  readonly values: readonly ScriptValue[];
}

/** What a callback returned; undefined if it is not a script value. */
export const yieldedOf = (given: unknown): Yielded | undefined => {
  if (given === undefined) return { form: 'nothing', values: [] };
  if (isScriptValue(given)) return { form: 'one', values: [given] };
  return Array.isArray(given) && given.every(isScriptValue) ? { form: 'list', values: given } : undefined;
};

/** Values in the form of an earlier yield. */
export const inForm = (form: Yielded['form'], values: readonly ScriptValue[]): Yields => {
  if (form === 'nothing') return undefined;
  return form === 'one' ? values[0] : values;
};

/** The arguments of a body for one or several targets. */
export type Items<T> = T extends readonly ScriptValue[] ? T : readonly [T];

/** A function that records a body on one or several targets; first the overload whose body yields nothing. */
export interface RecordBody<Options = undefined> {
  <const T extends ScriptValue | readonly ScriptValue[]>(
    targets: T,
    body: (...items: Items<T>) => undefined,
    options?: Options,
  ): undefined;
  <const T extends ScriptValue | readonly ScriptValue[], const R extends Yields>(
    targets: T,
    body: (...items: Items<T>) => R,
    options?: Options,
  ): R;
}

/** One or several values as a list. */
export const itemsOf = (values: ScriptValue | readonly ScriptValue[]): readonly ScriptValue[] => {
  const items: unknown = isScriptValue(values) ? [values] : values;
  if (Array.isArray(items) && items.every(isScriptValue)) return items;
  const message = `expected a handle or a parameter, or a list of them, got ${describeValue(values)}`;
  throw new DiagnosticError([error('schedule/operand', message, callSite())]);
};
