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
