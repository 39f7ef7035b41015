import { FieldError, fieldChecks } from '@sconv/diagnostics';

/** Input that cannot be planned. `field` names the offending quantity as the caller wrote it. */
export class CsaError extends FieldError {
  override readonly name = 'CsaError';
}

const checks = fieldChecks(CsaError, {
  record: 'csa/not-a-record',
  list: 'csa/not-a-list',
});

/** Throws a `CsaError` for what is no record, or has no records under these names. */
export const expectRecord = checks.expectRecord;

/** Throws a `CsaError` for what is no list. */
export const expectList = checks.expectList;
