/** How One-Shot Bufferize gives up: a thrown list of diagnostics, which its entry points turn into a result. */
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

/** Gives up with diagnostics. */
export const giveUp = (...diagnostics: readonly Diagnostic[]): never => {
  throw new BufferizationFailure(diagnostics);
};

/** Gives up at an operation. */
export const fail = (code: string, message: string, { location }: DraftOperation): never =>
  giveUp(error(code, message, location));

/** The result of `run`; a definite failure where it gave up. */
export const diagnosed = <T>(run: () => Diagnosed<T>): Diagnosed<T> => {
  try {
    return run();
  } catch (problem) {
    if (problem instanceof BufferizationFailure) return definite(...problem.diagnostics);
    throw problem;
  }
};

/** Lets `run` give up with one diagnostic more. */
export const failingAlso = (run: () => void, more: () => Diagnostic): void => {
  try {
    run();
  } catch (problem) {
    if (problem instanceof BufferizationFailure) giveUp(...problem.diagnostics, more());
    throw problem;
  }
};
