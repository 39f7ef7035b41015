/** Messages that upstream reports without the operation's name in front. */
import type { VerifyProblem } from './define-op.ts';

/** For verifiers: `emitError` in place of `emitOpError`. */
export function* bare(messages: Iterable<string>): Generator<VerifyProblem> {
  for (const message of messages) yield { message, bare: true };
}
