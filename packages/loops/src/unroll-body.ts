/** Copies of a loop's body in the body: what unrolling a loop of any dialect is, besides its bounds. */
import type { DraftBlock, Id, Rewriter, Value } from '@sconv/ir';
import { requiredTerminator } from './required-terminator.ts';

/**
 * Lets a body do `factor` iterations: after its operations stand copies of them, each with what the one before it yields for
 * the carried values, and with `variable(copy)` for the variable, where that is used. The first argument of the body is the
 * variable.
 */
export const unrollBody = (
  rewriter: Rewriter,
  body: DraftBlock,
  factor: number,
  variable: (copy: number, first: Value) => Value,
): void => {
  const [first, ...carried] = body.arguments as readonly [Value, ...Value[]];
  const terminator = requiredTerminator(body);
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
