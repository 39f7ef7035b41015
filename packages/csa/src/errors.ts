import { describeValue, recordProblem } from '@sconv/diagnostics';

/** Input that cannot be planned. `field` names the offending quantity as the caller wrote it. */
export class CsaError extends Error {
  /** Stable: `csa/` and the reason, as in `csa/not-positive`. */
  readonly code: string;
  readonly field: string;

  constructor(code: string, field: string, message: string) {
    super(`${field}: ${message}`);
    this.name = 'CsaError';
    this.code = code;
    this.field = field;
  }
}

/** Throws a `CsaError` for what is no record, or has no records under these names. */
export const expectRecord = (field: string, value: unknown, ...parts: readonly string[]): void => {
  const problem = recordProblem(field, value, parts);
  if (problem !== undefined) throw new CsaError('csa/not-a-record', problem.field, problem.message);
};

/** Throws a `CsaError` for what is no list. */
export const expectList = (field: string, value: unknown): void => {
  if (Array.isArray(value)) return;
  throw new CsaError('csa/not-a-list', field, `expected a list, not ${describeValue(value)}`);
};
