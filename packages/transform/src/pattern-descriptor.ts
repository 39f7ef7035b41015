/** Interfaces of the ops in the bodies of `apply_patterns` and `apply_conversion_patterns`. */
import type { Operation, OpInterface, RewritePattern, VerifyContext } from '@sconv/ir';
import { opInterface } from '@sconv/ir';

/** A named set of patterns; applying one that is not implemented, or not with its attributes, fails. */
export interface PatternDescriptor {
  readonly patterns?: (operation: Operation) => readonly RewritePattern[] | undefined;
}

/** Implemented by ops that stand for greedy rewrite patterns. */
export const patternDescriptor = opInterface<PatternDescriptor>('pattern-descriptor');
/** Implemented by ops that stand for conversion patterns. */
export const conversionDescriptor = opInterface<PatternDescriptor>('conversion-pattern-descriptor');
/** Implemented by ops that stand for a type converter. */
export const typeConverter = opInterface<PatternDescriptor>('type-converter-builder');

/** Errors of a body whose ops must implement an interface, described by `expected` in upstream's words. */
export function* descriptorErrors(
  operations: readonly Operation[],
  asked: OpInterface<PatternDescriptor>,
  expected: string,
  context: VerifyContext,
): Generator<string> {
  if (operations.some((operation) => context.modelOf(operation, asked) === undefined))
    yield `expected ${expected}`;
}
