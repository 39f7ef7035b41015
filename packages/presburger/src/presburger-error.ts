/** What can be wrong with a set, a relation or a question about them. */
export type PresburgerErrorCode =
  /** Sets of different numbers of dimensions, or relations that do not fit together. */
  | 'presburger/arity-mismatch'
  /** A name given to two dimensions or symbols, or a name that the set does not have. */
  | 'presburger/name'
  /** A set or map that divides by a symbol, which is not Presburger arithmetic. */
  | 'presburger/not-affine'
  /** A question about bounded sets, asked of an unbounded one. */
  | 'presburger/unbounded'
  /** A question about concrete sets, asked of one with symbols. */
  | 'presburger/symbolic'
  /** The answer would take more steps than the call may take. */
  | 'presburger/undecided'
  /** Text that is no set or relation. */
  | 'presburger/syntax'
  /** An argument that makes no sense for the function; the message tells why. */
  | 'presburger/invalid-argument';

/**
 * Every error that this package throws. Identify it by `code` (or `isPresburgerError`), not `instanceof`: two copies
 * of the package may be loaded side by side.
 */
export class PresburgerError extends Error {
  override readonly name = 'PresburgerError';
  readonly code: PresburgerErrorCode;
  /** Of an error in text: where in it, in UTF-16 units from its start. */
  readonly offset: number | undefined;

  constructor(code: PresburgerErrorCode, message: string, offset?: number) {
    super(message);
    this.code = code;
    this.offset = offset;
  }
}

/** Whether `error` was thrown by any copy of this package. */
export function isPresburgerError(error: unknown): error is PresburgerError {
  return error instanceof Error && error.name === 'PresburgerError' && 'code' in error;
}
