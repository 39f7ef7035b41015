/** Repeated calls, the first failing one of which ends the work. */
import type { Diagnosed, Failed } from '@sconv/diagnostics';
import { success } from '@sconv/diagnostics';
import type { Call } from '../bench/in-turns.ts';

/** A call of compiled code. */
export type FallibleCall = () => Diagnosed<unknown> | Promise<Diagnosed<unknown>>;

/**
 * The result of work with such calls, passed to `calling`; the failure of the first one that fails. Calls of a payload
 * work on what earlier ones have written, so they may fail even if the first does not.
 */
export const untilFailure = async <T>(
  work: (calling: (call: FallibleCall) => Call) => Promise<T>,
): Promise<Diagnosed<T>> => {
  let failure: Failed | undefined;
  const expectSuccess = (result: Diagnosed<unknown>): void => {
    if (result.status === 'success') return;
    failure ??= result;
    throw new Error('a call failed');
  };
  const calling =
    (call: FallibleCall): Call =>
    () => {
      const result = call();
      if (result instanceof Promise) return result.then(expectSuccess);
      expectSuccess(result);
      return undefined;
    };
  try {
    return success(await work(calling));
  } catch (problem) {
    if (failure === undefined) throw problem;
    return failure;
  }
};
