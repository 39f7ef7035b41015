import { describeValue, recordProblem } from '@sconv/diagnostics';

/** A value that is no plan, or no part of one. `field` names it as in the caller's code. */
export class PlanError extends Error {
  /** Stable: `plan/` and the reason, as in `plan/node`. */
  readonly code: string;
  readonly field: string;

  constructor(code: string, field: string, message: string) {
    super(`${field}: ${message}`);
    this.name = 'PlanError';
    this.code = code;
    this.field = field;
  }
}

/** Throws a `PlanError` for what is no record, or has no records under these names. */
export const expectRecord = (field: string, value: unknown, ...parts: readonly string[]): void => {
  const problem = recordProblem(field, value, parts);
  if (problem !== undefined) throw new PlanError('plan/not-a-record', problem.field, problem.message);
};

/** Throws a `PlanError` for what is no list. */
export const expectList = (field: string, value: unknown): void => {
  if (Array.isArray(value)) return;
  throw new PlanError('plan/not-a-list', field, `expected a list, not ${describeValue(value)}`);
};
