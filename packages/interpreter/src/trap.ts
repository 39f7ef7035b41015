/**
 * How an execution aborts: a handler throws a `Trap`, which the interpreter's entry points turn into a definite
 * failure. It never leaves this package.
 */
import type { Diagnostic, Note } from '@sconv/diagnostics';
import { error } from '@sconv/diagnostics';
import type { Operation } from '@sconv/ir';

/** The codes of the diagnostics; stable. */
export type TrapCode =
  | 'interpreter/aborted'
  | 'interpreter/argument-mismatch'
  | 'interpreter/assertion'
  | 'interpreter/call-depth'
  | 'interpreter/division-by-zero'
  | 'interpreter/double-free'
  | 'interpreter/invalid-ir'
  | 'interpreter/nesting-too-deep'
  | 'interpreter/out-of-bounds'
  | 'interpreter/overflow'
  | 'interpreter/resource'
  | 'interpreter/shape-mismatch'
  | 'interpreter/step-limit'
  | 'interpreter/too-large'
  | 'interpreter/unknown-function'
  | 'interpreter/unsupported-op'
  | 'interpreter/unsupported-type'
  | 'interpreter/use-after-free'
  | 'interpreter/zero-step';

/** An aborted execution. */
export class Trap extends Error {
  readonly diagnostic: Diagnostic;

  constructor(diagnostic: Diagnostic) {
    super(diagnostic.message);
    this.name = 'Trap';
    this.diagnostic = diagnostic;
  }
}

/** Aborts the execution with an error at `operation`; `message` follows the operation's name. */
export function trap(
  operation: Operation,
  code: TrapCode,
  message: string,
  notes: readonly Note[] = [],
): never {
  throw new Trap(error(code, `'${operation.name}' ${message}`, operation.location, notes));
}

/** `[0, 3, 7]`: index vectors in diagnostics. */
export const printIndices = (indices: readonly number[]): string => `[${indices.join(', ')}]`;

/** `32x3x3`: shapes in diagnostics; `scalar` for rank 0. */
export const printShape = (shape: readonly number[]): string =>
  shape.length === 0 ? 'scalar' : shape.join('x');
