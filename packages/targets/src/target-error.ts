/** Errors of this package, and what its functions refuse at their entry. */
import { describeValue, FieldError, fieldChecks, recordProblem } from '@sconv/diagnostics';

/** An impossible machine or microkernel; `field` is the path to the offending number. */
export class TargetError extends FieldError {
  override readonly name = 'TargetError';
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

const checks = fieldChecks(TargetError, {
  record: 'targets/not-a-record',
  list: 'targets/not-a-list',
});

/** Throws a `TargetError` for what is no record, or has no records under these names. */
export const expectRecord = checks.expectRecord;

/** Throws a `TargetError` for what is no list. */
export const expectList = checks.expectList;
