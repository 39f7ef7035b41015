import { describeValue } from './describe-value.ts';
import type { Diagnostic, Sources } from './diagnostic.ts';
import { error, render } from './diagnostic.ts';
import type { Location } from './location.ts';

/**
 * The result of a transform: MLIR's `DiagnosedSilenceableFailure` as a value.
 *
 * - `success`: done; `diagnostics` holds warnings and remarks.
 * - `silenceable`: the precondition does not hold and the payload is unchanged; `alternatives` and `failures(suppress)`
 *   may continue.
 * - `definite`: unrecoverable.
 */
export type Diagnosed<T> =
  { readonly status: 'success'; readonly value: T; readonly diagnostics: readonly Diagnostic[] } | Failed;

/** A failure of either mode; assignable to every `Diagnosed<T>`. */
export interface Failed {
  readonly status: 'silenceable' | 'definite';
  readonly diagnostics: readonly Diagnostic[];
}

/** A success with its value, warnings and remarks. */
export const success = <T>(value: T, diagnostics: readonly Diagnostic[] = []): Diagnosed<T> => ({
  status: 'success',
  value,
  diagnostics,
});

/** A recoverable failure: the precondition does not hold, nothing has changed. */
export const silenceable = (...diagnostics: readonly Diagnostic[]): Failed => ({
  status: 'silenceable',
  diagnostics,
});

/**
 * A silenceable failure with one error, located at an operation or anything else with a location. Operations built in
 * code often have none: the error is then located at the name of the operation.
 */
export const silenceableError = (
  code: string,
  message: string,
  { location, name }: { readonly location: Location; readonly name?: string },
): Failed => {
  const isKnown = location.kind !== 'unknown' || name === undefined;
  return silenceable(error(code, message, isKnown ? location : { kind: 'name', name, child: location }));
};

/** A silenceable failure of a transform at an operation, with upstream's note. */
export const failedWhenApplied = (
  code: string,
  message: string,
  { location }: { readonly location: Location },
): Failed => silenceable(error(code, message, location, [{ message: 'when applied to this op', location }]));

/** The failure of a transform at an operation of another kind than it takes, in upstream's words. */
export const wrongOpKind = (code: string, operation: { readonly location: Location }): Failed =>
  failedWhenApplied(code, 'transform applied to the wrong op kind', operation);

/** An unrecoverable failure. */
export const definite = (...diagnostics: readonly Diagnostic[]): Failed => ({
  status: 'definite',
  diagnostics,
});

/** Applies `next` to the value of a success and keeps the warnings of both. */
export const andThen = <T, U>(result: Diagnosed<T>, next: (value: T) => Diagnosed<U>): Diagnosed<U> => {
  if (result.status !== 'success') return result;
  const then = next(result.value);
  return result.diagnostics.length === 0
    ? then
    : { ...then, diagnostics: [...result.diagnostics, ...then.diagnostics] };
};

/** Applies `change` to the value of a success. */
export const mapSuccess = <T, U>(result: Diagnosed<T>, change: (value: T) => U): Diagnosed<U> =>
  result.status === 'success' ? success(change(result.value), result.diagnostics) : result;

/** Maps `step` over the items, up to the first failure. */
export const collect = <T, U>(
  items: Iterable<T>,
  step: (item: T) => Diagnosed<U>,
): Diagnosed<readonly U[]> => {
  const values: U[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const item of items) {
    const result = step(item);
    if (result.status !== 'success') return result;
    values.push(result.value);
    diagnostics.push(...result.diagnostics);
  }
  return success(values, diagnostics);
};

/** Thrown by `unwrap`; carries the diagnostics. Its message shows the lines of `sources` that they refer to. */
export class DiagnosticError extends Error {
  readonly diagnostics: readonly Diagnostic[];

  constructor(diagnostics: readonly Diagnostic[], sources?: Sources) {
    super(diagnostics.map((diagnostic) => render(diagnostic, sources)).join('\n'));
    this.name = 'DiagnosticError';
    this.diagnostics = diagnostics;
  }
}

/** Whether an untyped caller has given the result of a function that may fail; what it holds is not looked at. */
export const isDiagnosed = (given: unknown): given is Diagnosed<unknown> =>
  typeof given === 'object' && given !== null && 'status' in given && 'diagnostics' in given;

/** Throws a TypeError for what is no result of a function that may fail, such as a promise. */
export const expectDiagnosed = (by: string, given: unknown): void => {
  if (isDiagnosed(given)) return;
  const hint = given instanceof Promise ? 'a promise: await it first' : describeValue(given);
  throw new TypeError(`${by} expects the result of a function that may fail, not ${hint}`);
};

/**
 * The value of a success; throws `DiagnosticError` otherwise. For code that is known to succeed. With `sources`, the
 * files' texts by name, the error shows lines and carets. Throws a TypeError for what is no result, such as a promise.
 */
export const unwrap = <T>(result: Diagnosed<T>, sources?: Sources): T => {
  expectDiagnosed('unwrap', result);
  if (result.status === 'success') return result.value;
  throw new DiagnosticError(result.diagnostics, sources);
};
