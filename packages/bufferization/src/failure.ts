/** Error handling of One-Shot Bufferize: a thrown list of diagnostics, which its entry points turn into a result. */
import type { Diagnosed, Diagnostic } from '@sconv/diagnostics';
import { definite, error } from '@sconv/diagnostics';
import type { DraftOperation } from '@sconv/ir';

class BufferizationFailure extends Error {
  readonly diagnostics: readonly Diagnostic[];

  constructor(diagnostics: readonly Diagnostic[]) {
    super(diagnostics[0]?.message ?? '');
    this.diagnostics = diagnostics;
  }
}

/** Throws diagnostics. */
export const giveUp = (...diagnostics: readonly Diagnostic[]): never => {
  throw new BufferizationFailure(diagnostics);
};

/** Throws one diagnostic, at an operation. */
export const fail = (code: string, message: string, { location }: DraftOperation): never =>
  giveUp(error(code, message, location));

/** The result of `run`; a definite failure if it gave up. */
export const diagnosed = <T>(run: () => Diagnosed<T>): Diagnosed<T> => {
  try {
    return run();
  } catch (problem) {
    if (problem instanceof BufferizationFailure) return definite(...problem.diagnostics);
    throw problem;
  }
};

/** Runs `run`; if it gives up, adds one more diagnostic. */
export const failingAlso = (run: () => void, more: () => Diagnostic): void => {
  try {
    run();
  } catch (problem) {
    if (problem instanceof BufferizationFailure) giveUp(...problem.diagnostics, more());
    throw problem;
  }
};
