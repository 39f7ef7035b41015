/** The body of a contraction, as microkernels compute it. */
import type { Block, Value } from '@sconv/ir';
import { terminatorOf } from '@sconv/ir';

/** Multiplication and the addition that goes with it. */
const pairs: readonly (readonly [string, string])[] = [
  ['arith.mulf', 'arith.addf'],
  ['arith.muli', 'arith.addi'],
];

/** Whether a body is `yield a * b + out`, and nothing else, in either order of each operand pair. */
export const isMultiplyAdd = (body: Block): boolean => {
  const [multiply, accumulate, , ...more] = body.operations;
  const [a, b, out, ...others] = body.arguments;
  if (multiply === undefined || accumulate === undefined || a === undefined || out === undefined)
    return false;
  if (more.length > 0 || others.length > 0) return false;
  if (!pairs.some(([times, plus]) => times === multiply.name && plus === accumulate.name)) return false;
  const both = (operands: readonly Value[], first: Value | undefined, second: Value | undefined): boolean =>
    operands.length === 2 &&
    [first, second].every((value) => operands.some((operand) => operand.id === value?.id));
  const yielded = terminatorOf(body).operands;
  return (
    both(multiply.operands, a, b) &&
    both(accumulate.operands, multiply.results[0], out) &&
    yielded.length === 1 &&
    yielded[0]?.id === accumulate.results[0]?.id
  );
};
