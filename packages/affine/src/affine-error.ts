/** What can be wrong with an affine expression, a map, a set, or the text of one. */
export type AffineErrorCode =
  /** The text does not follow the grammar. */
  | 'affine/syntax'
  /** An identifier of the text names no dimension and no symbol. */
  | 'affine/undeclared-identifier'
  /** An identifier list names the same identifier twice. */
  | 'affine/redefined-identifier'
  /** A product of two dimensions, or a division by one. */
  | 'affine/not-affine'
  /** A division or modulo by zero, written or met while evaluating. */
  | 'affine/zero-divisor'
  /** A value would leave the integers that a JS number holds exactly, |value| < 2^53. */
  | 'affine/overflow'
  /** A position, a value or a bound that is not an integer. */
  | 'affine/not-an-integer'
  /** An expression nested deeper than `maxDepth`. */
  | 'affine/too-deep'
  /** An expression of more than `maxNodes` nodes. */
  | 'affine/too-large'
  /** A text longer than `maxTextLength`. */
  | 'affine/text-too-long'
  /** Numbers of dimensions, symbols or results that do not fit together. */
  | 'affine/arity-mismatch'
  /** A dimension or symbol position that the map does not have. */
  | 'affine/position-out-of-range'
  /** A box that has no points. */
  | 'affine/empty-domain'
  /** A box with too many points, or an unbounded one, where points must be enumerated. */
  | 'affine/domain-too-large'
  /** A matcher's question that only sampling could answer; the message says how to accept that. */
  | 'affine/undecided'
  /** An argument that makes no sense for the function called; the message says why. */
  | 'affine/invalid-argument';

/**
 * Every error this package throws. Tell it by `code` (or `isAffineError`), not by `instanceof`: two copies of the
 * package may be loaded side by side.
 */
export class AffineError extends Error {
  override readonly name = 'AffineError';
  readonly code: AffineErrorCode;
  /** UTF-16 offset into the parsed text; undefined where there is no text. */
  readonly offset: number | undefined;

  constructor(code: AffineErrorCode, message: string, offset?: number) {
    super(message);
    this.code = code;
    this.offset = offset;
  }
}

/** Whether `error` was thrown by any copy of this package. */
export function isAffineError(error: unknown): error is AffineError {
  return error instanceof Error && error.name === 'AffineError' && 'code' in error;
}
