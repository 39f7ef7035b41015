/** What can be wrong with an affine expression, map or set, or its text. */
export type AffineErrorCode =
  /** The text does not follow the grammar. */
  | 'affine/syntax'
  /** An identifier in the text is neither a dimension nor a symbol. */
  | 'affine/undeclared-identifier'
  /** An identifier list repeats an identifier. */
  | 'affine/redefined-identifier'
  /** A product of two dimensions, or a division by one. */
  | 'affine/not-affine'
  /** A division or modulo by zero, in an expression or during evaluation. */
  | 'affine/zero-divisor'
  /** A value outside the integers that a JS number represents exactly, |value| < 2^53. */
  | 'affine/overflow'
  /** A position, a value or a bound that is not an integer. */
  | 'affine/not-an-integer'
  /** An expression nested deeper than `maxDepth`. */
  | 'affine/too-deep'
  /** An expression of more than `maxNodes` nodes. */
  | 'affine/too-large'
  /** A text longer than `maxTextLength`. */
  | 'affine/text-too-long'
  /** Mismatched numbers of dimensions, symbols or results. */
  | 'affine/arity-mismatch'
  /** A dimension or symbol position that the map does not have. */
  | 'affine/position-out-of-range'
  /** A box without points. */
  | 'affine/empty-domain'
  /** A box that is unbounded or has too many points to enumerate. */
  | 'affine/domain-too-large'
  /** A matcher's question that only sampling could answer; the message tells how to accept that. */
  | 'affine/undecided'
  /** An argument that makes no sense for the function; the message tells why. */
  | 'affine/invalid-argument';

/**
 * Every error that this package throws. Identify it by `code` (or `isAffineError`), not `instanceof`: two copies of the
 * package may be loaded side by side.
 */
export class AffineError extends Error {
  override readonly name = 'AffineError';
  readonly code: AffineErrorCode;
  /** UTF-16 offset into the parsed text; undefined without text. */
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

/**
 * The result of `compute`; undefined where it throws an AffineError: what is not affine, or has numbers beyond 2^53.
 */
export function ifAffine<T>(compute: () => T): T | undefined {
  if (typeof (compute as unknown) !== 'function')
    throw new AffineError(
      'affine/invalid-argument',
      `expected a function that computes, not ${typeof compute}`,
    );
  try {
    return compute();
  } catch (problem) {
    if (!isAffineError(problem)) throw problem;
    return undefined;
  }
}
