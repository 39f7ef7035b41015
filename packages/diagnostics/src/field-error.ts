/** Errors of packages that are used without any IR: what a caller passed that is refused. */
import { describeValue } from './describe-value.ts';
import { recordProblem } from './record-problem.ts';

/** A value that a function refuses. Packages derive errors of their own, with names of their own. */
export class FieldError extends Error {
  /** Stable: the package and the reason, as in `csa/not-positive`. */
  readonly code: string;
  /** What is refused, as the caller's code names it. */
  readonly field: string;

  constructor(code: string, field: string, message: string) {
    super(`${field}: ${message}`);
    this.code = code;
    this.field = field;
  }
}

/** What functions check at their entry. */
export interface FieldChecks {
  /** Throws for what is no record, or has no records under these names. */
  readonly expectRecord: (field: string, value: unknown, ...parts: readonly string[]) => void;
  /** Throws for what is no list. */
  readonly expectList: (field: string, value: unknown) => void;
}

/** The checks of a package, which throw errors of this class, with these codes. */
export const fieldChecks = (
  ErrorOf: new (code: string, field: string, message: string) => FieldError,
  codes: { readonly record: string; readonly list: string },
): FieldChecks => ({
  expectRecord: (field, value, ...parts) => {
    const problem = recordProblem(field, value, parts);
    if (problem !== undefined) throw new ErrorOf(codes.record, problem.field, problem.message);
  },
  expectList: (field, value) => {
    if (!Array.isArray(value))
      throw new ErrorOf(codes.list, field, `expected a list, not ${describeValue(value)}`);
  },
});
