import { describeValue } from '@sconv/diagnostics';

/** The message of a failure of Node or the language, which throw only errors. */
export const reason = (problem: unknown): string => (problem as Error).message;

/** The message of what a user's code throws, which may be anything. */
export const messageOf = (problem: unknown): string =>
  problem instanceof Error ? problem.message : describeValue(problem);
