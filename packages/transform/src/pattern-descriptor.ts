/** What the ops in the body of `apply_patterns` and `apply_conversion_patterns` stand for. */
import type { Operation, OpInterface, RewritePattern, VerifyContext } from '@sconv/ir';
import { opInterface } from '@sconv/ir';

/** A named set of patterns; one that has none here, or none with its attributes, is refused when it is to be applied. */
export interface PatternDescriptor {
  readonly patterns?: (operation: Operation) => readonly RewritePattern[] | undefined;
}

/** Answered by ops that stand for patterns of a greedy rewrite. */
export const patternDescriptor = opInterface<PatternDescriptor>('pattern-descriptor');
/** Answered by ops that stand for patterns of a conversion. */
export const conversionDescriptor = opInterface<PatternDescriptor>('conversion-pattern-descriptor');
/** Answered by ops that stand for a converter of types. */
export const typeConverter = opInterface<PatternDescriptor>('type-converter-builder');

/** What is wrong with a body whose ops have to answer to an interface; `expected` says so in upstream's words. */
export function* descriptorErrors(
  operations: readonly Operation[],
  asked: OpInterface<PatternDescriptor>,
  expected: string,
  context: VerifyContext,
): Generator<string> {
  if (operations.some((operation) => context.modelOf(operation, asked) === undefined))
    yield `expected ${expected}`;
}
