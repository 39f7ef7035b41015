/** Replicates a loop body within the loop: the dialect-independent part of unrolling. */
import type { Failed } from '@sconv/diagnostics';
import { silenceableError } from '@sconv/diagnostics';
import type { DraftBlock, DraftOperation, Id, Rewriter, Value } from '@sconv/ir';
import { terminatorOf } from '@sconv/ir';

/** The most operations of a body after unrolling: more would take minutes and gigabytes in every later step. */
const mostOperations = 2 ** 18;

/** Throws a RangeError unless a loop can be unrolled by `factor`. */
export const checkFactor = (factor: number): void => {
  if (!Number.isSafeInteger(factor) || factor < 1)
    throw new RangeError(`cannot unroll by a factor of ${factor}`);
};

/** The failure `unroll/too-long` if the body of `loop`, `times` over, has more operations than can be handled. */
export const lengthProblem = (
  rewriter: Rewriter,
  loop: DraftOperation,
  times: number,
): Failed | undefined => {
  // The body alone, without the loop and the terminator.
  const count = (rewriter.walk(loop).length - 2) * times;
  if (count <= mostOperations) return undefined;
  const message = `a body of ${count} operations after unrolling by ${times}; ${mostOperations} are possible`;
  return silenceableError('unroll/too-long', message, loop);
};

/**
 * Makes a body run `factor` iterations: appends copies of its operations, each using the previous copy's yielded values
 * as iter args and `variable(copy)` as the induction variable, if that has uses. The first argument of the body is the
 * induction variable.
 */
export const unrollBody = (
  rewriter: Rewriter,
  body: DraftBlock,
  factor: number,
  variable: (copy: number, first: Value) => Value,
): void => {
  const [first, ...carried] = body.arguments as readonly [Value, ...Value[]];
  const terminator = terminatorOf(body);
  const originals = body.operations.slice(0, -1);
  let yielded = terminator.operands;
  rewriter.setInsertionPointBefore(terminator);
  for (let copy = 1; copy < factor; copy++) {
    const mapping = new Map<Id, Value>(carried.map(({ id }, i) => [id, yielded[i]!]));
    if (rewriter.hasUses(first)) mapping.set(first.id, variable(copy, first));
    for (const operation of originals) rewriter.clone(operation, mapping);
    yielded = terminator.operands.map((value) => mapping.get(value.id) ?? value);
  }
  if (factor > 1) rewriter.setOperands(terminator, yielded);
};
