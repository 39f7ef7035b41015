/** Functions of a value and of what it is computed from. */
import type { Id, Value } from './operation.ts';

/** Definitions this far from the value are not followed: chains may be longer than the stack is deep. */
const mostSteps = 256;

/**
 * A function of values that asks for their definitions' operands by `of`, each of which is computed once: definitions
 * form a graph with exponentially many paths. `beyond` is what to assume of a value too many definitions away.
 */
export const followDefinitions = <T>(
  compute: (value: Value, of: (operand: Value) => T) => T,
  beyond: (value: Value) => T,
): ((value: Value) => T) => {
  const known = new Map<Id, { readonly result: T }>();
  let steps = 0;
  const of = (value: Value): T => {
    const before = known.get(value.id);
    if (before !== undefined) return before.result;
    if (steps >= mostSteps) return beyond(value);
    steps += 1;
    const result = compute(value, of);
    steps -= 1;
    known.set(value.id, { result });
    return result;
  };
  return of;
};
