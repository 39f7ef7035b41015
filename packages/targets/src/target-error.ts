/** Errors of this package, and what its functions refuse at their entry. */
import { describeValue, recordProblem } from '@sconv/diagnostics';

/** An impossible machine or microkernel; `field` is the path to the offending number. */
export class TargetError extends Error {
  readonly code: string;
  readonly field: string;

  constructor(code: string, field: string, message: string) {
    super(`${field}: ${message}`);
    this.name = 'TargetError';
    this.code = code;
    this.field = field;
  }
}

/** One problem of a record. */
export interface TargetProblem {
  readonly code: string;
  readonly field: string;
  readonly message: string;
}

/** Records may come from configuration files and untyped callers. */
export const recordProblems = (field: string, value: unknown): TargetProblem[] => {
  const problem = recordProblem(field, value);
  return problem === undefined ? [] : [{ code: 'targets/not-a-record', ...problem }];
};

/** `recordProblems` for lists of at least one element. */
export const listProblems = (field: string, value: unknown): TargetProblem[] =>
  Array.isArray(value) && value.length > 0
    ? []
    : [
        {
          code: 'targets/not-a-list',
          field,
          message: `expected a list of at least one, not ${describeValue(value)}`,
        },
      ];

/** Throws a `TargetError` for what is no record, or has no records under these names. */
export const expectRecord = (field: string, value: unknown, ...parts: readonly string[]): void => {
  const problem = recordProblem(field, value, parts);
  if (problem !== undefined) throw new TargetError('targets/not-a-record', problem.field, problem.message);
};

/** Throws a `TargetError` for what is no list. */
export const expectList = (field: string, value: unknown): void => {
  if (Array.isArray(value)) return;
  throw new TargetError('targets/not-a-list', field, `expected a list, not ${describeValue(value)}`);
};
