import { FieldError, fieldChecks } from '@sconv/diagnostics';

/** A value that is no plan, or no part of one. */
export class PlanError extends FieldError {
  override readonly name = 'PlanError';
}

const checks = fieldChecks(PlanError, {
  record: 'plan/not-a-record',
  list: 'plan/not-a-list',
});

/** Throws a `PlanError` for what is no record, or has no records under these names. */
export const expectRecord = checks.expectRecord;

/** Throws a `PlanError` for what is no list. */
export const expectList = checks.expectList;
