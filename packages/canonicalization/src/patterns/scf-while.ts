/** `scf.while`: redundant iter args, and the condition's value in the body. */
import { cmpi } from '@sconv/dialects/arith';
import { whileOp } from '@sconv/dialects/scf';
import type { DraftBlock, DraftOperation, RewritePattern, Rewriter, Value } from '@sconv/ir';
import { booleanAttribute, i1, terminatorOf } from '@sconv/ir';
import { blockOf, kept, withoutArguments, withResults } from '../bodies.ts';
import { createConstant, definedBy, isSame, onOp, recreate, sameValues } from '../match.ts';
import { opposite } from './comparisons.ts';

/** The parts of a loop. */
interface Loop {
  readonly before: DraftBlock;
  readonly after: DraftBlock;
  readonly condition: Value;
  /** Forwarded to the after region, or the results. */
  readonly going: readonly Value[];
  /** Forwarded to the before region. */
  readonly yielded: readonly Value[];
}

const loopOf = (operation: DraftOperation): Loop => {
  const [before, after] = [blockOf(operation, 0)!, blockOf(operation, 1)!];
  const [condition, ...going] = terminatorOf(before).operands as [Value, ...Value[]];
  return { before, after, condition, going, yielded: terminatorOf(after).operands };
};

/** A loop with fewer arguments of its before region; `given` replaces the dropped ones. */
const carryLess = (
  rewriter: Rewriter,
  operation: DraftOperation,
  keep: readonly boolean[],
  given: readonly (Value | undefined)[],
): void => {
  const { before, after, yielded } = loopOf(operation);
  rewriter.setOperands(terminatorOf(after), kept(yielded, keep));
  withoutArguments(rewriter, before, keep, given);
  rewriter.setOperands(operation, kept(operation.operands, keep));
};

/** A loop with fewer forwarded values; `given` replaces the dropped ones, in the after region and as results. */
const giveLess = (
  rewriter: Rewriter,
  operation: DraftOperation,
  keep: readonly boolean[],
  given: (argumentsOrResults: readonly Value[]) => readonly (Value | undefined)[] = () => [],
): void => {
  const { before, after, condition, going } = loopOf(operation);
  rewriter.setOperands(terminatorOf(before), [condition, ...kept(going, keep)]);
  const inside = given(after.arguments);
  after.arguments.forEach((argument, i) => {
    const value = inside[i];
    if (keep[i] !== true && value !== undefined) rewriter.replaceAllUsesWith(argument, value);
  });
  withoutArguments(rewriter, after, keep);
  const outside = given(operation.results);
  operation.results.forEach((result, i) => {
    const value = outside[i];
    if (keep[i] !== true && value !== undefined) rewriter.replaceAllUsesWith(result, value);
  });
  withResults(rewriter, operation, keep);
};

const unusedArguments = onOp(whileOp, 'while-unused-arguments', (rewriter, operation) => {
  const { before } = loopOf(operation);
  const keep = before.arguments.map((argument) => rewriter.hasUses(argument));
  if (keep.every((each) => each)) return;
  carryLess(rewriter, operation, keep, []);
});

/** Loop-invariant arguments. */
const invariantArguments = onOp(whileOp, 'while-invariant-arguments', (rewriter, operation) => {
  const { before, after, going, yielded } = loopOf(operation);
  const keep = yielded.map((value, i) => {
    const init = operation.operands[i];
    if (isSame(value, init)) return false;
    const position = after.arguments.findIndex(({ id }) => id === value.id);
    const source = going[position];
    return !(isSame(source, before.arguments[i]) || isSame(source, init));
  });
  if (keep.every((each) => each)) return;
  carryLess(rewriter, operation, keep, operation.operands);
});

const unusedResults = onOp(whileOp, 'while-unused-results', (rewriter, operation) => {
  const { after } = loopOf(operation);
  const keep = operation.results.map(
    (result, i) => rewriter.hasUses(result) || rewriter.hasUses(after.arguments[i]!),
  );
  if (keep.every((each) => each)) return;
  giveLess(rewriter, operation, keep);
});

/** Results that are defined outside the loop. */
const invariantResults = onOp(whileOp, 'while-invariant-results', (rewriter, operation) => {
  const { going } = loopOf(operation);
  const keep = going.map((value) => !rewriter.isDefinedOutside(value, operation));
  if (keep.every((each) => each)) return;
  giveLess(rewriter, operation, keep, () => going);
});

const repeatedResults = onOp(whileOp, 'while-repeated-results', (rewriter, operation) => {
  const { going } = loopOf(operation);
  const first = going.map(({ id }) => going.findIndex((other) => other.id === id));
  const keep = first.map((position, i) => position === i);
  if (keep.every((each) => each)) return;
  giveLess(rewriter, operation, keep, (values) => first.map((position) => values[position]));
});

/** In the after region the condition is true. */
const knownCondition = onOp(whileOp, 'while-condition-holds', (rewriter, operation) => {
  const { after, condition, going } = loopOf(operation);
  going.forEach((value, i) => {
    const argument = after.arguments[i]!;
    if (!isSame(value, condition) || !rewriter.hasUses(argument)) return;
    const constant = rewriter.scoped(() => {
      rewriter.setInsertionPointToStart(after);
      return createConstant(rewriter, operation, booleanAttribute(true), i1);
    });
    if (constant !== undefined) rewriter.replaceAllUsesWith(argument, constant);
  });
});

/** A comparison that is the condition is also known in the after region. */
const knownComparison = onOp(whileOp, 'while-comparison-holds', (rewriter, operation) => {
  const { after, condition, going } = loopOf(operation);
  const comparison = definedBy(rewriter, condition, cmpi);
  if (comparison === undefined) return;
  const { predicate } = cmpi.attributes(comparison);
  going.forEach((value, i) => {
    const argument = after.arguments[i]!;
    const side = comparison.operands.findIndex(({ id }) => id === value.id);
    const other = comparison.operands[1 - side];
    if (side < 0 || other === undefined || !rewriter.isDefinedOutside(other, operation)) return;
    for (const user of rewriter.users(argument)) {
      if (!cmpi.is(user) || !isSame(user.operands[side], argument) || !isSame(user.operands[1 - side], other))
        continue;
      const asked = cmpi.attributes(user).predicate;
      if (asked !== predicate && asked !== opposite[predicate]) continue;
      rewriter.scoped(() => {
        rewriter.setInsertionPointBefore(user);
        const constant = createConstant(rewriter, operation, booleanAttribute(asked === predicate), i1);
        if (constant !== undefined) rewriter.replaceOperation(user, [constant]);
      });
    }
  });
});

/** Arguments that the before region only forwards in another order are forwarded in order. */
const alignedArguments = onOp(whileOp, 'while-aligned-arguments', (rewriter, operation) => {
  const { before, after, condition, going } = loopOf(operation);
  const { arguments: own } = before;
  if (going.length !== own.length || sameValues(going, own)) return;
  const order = own.map(({ id }) => going.findIndex((value) => value.id === id));
  if (order.includes(-1)) return;
  rewriter.setOperands(terminatorOf(before), [condition, ...own]);
  const values = own.map(({ type }) => rewriter.addArgument(after, type));
  const { length } = own;
  for (let i = length - 1; i >= 0; i--) {
    rewriter.replaceAllUsesWith(after.arguments[i]!, values[order.indexOf(i)]!);
    rewriter.eraseArgument(after, i);
  }
  const made = recreate(rewriter, operation, { resultTypes: own.map(({ type }) => type) });
  rewriter.replaceOperation(
    operation,
    operation.results.map((_, i) => made.results[order.indexOf(i)]!),
    [made],
  );
});

export const scfWhilePatterns: readonly RewritePattern[] = [
  invariantArguments,
  invariantResults,
  knownCondition,
  knownComparison,
  unusedResults,
  repeatedResults,
  unusedArguments,
  alignedArguments,
];
