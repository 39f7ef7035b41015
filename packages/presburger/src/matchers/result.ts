/** What matchers give a test framework. */

/** Whether an assertion holds, and the message of it, or of its negation, failing. */
export interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
}

/** A result; `because` tells why an assertion fails, and is undefined where it holds. */
export function result(expected: string, negated: string, because: string | undefined): MatcherResult {
  return {
    pass: because === undefined,
    message: () => (because === undefined ? negated : `${expected},\nbut ${because}`),
  };
}
