/**
 * SwapInductionVars (ST §5.7, task 3c): exchanges two loops of a perfect nest by rewiring their bounds and induction
 * variables.
 *
 *     scf.for %i = 0 to 4 step 2 {           scf.for %i = 0 to 24 step 8 {
 *       scf.for %j = 0 to 24 step 8 {   →      scf.for %j = 0 to 4 step 2 {
 *         … %c[%i, %j] …                         … %c[%j, %i] …
 *     } }                                    } }
 *
 * @deviation ST introduces it because "MLIR's interchange is not applied for IS". It is: positions refer to iteration
 * dimensions and short lists are padded with the identity, so `[1, 0]` exchanges N and F, one of them untiled; with
 * `[0, 2, 1]`, `tile_using_for` gives the same loops as this transform.
 */
import type { Diagnosed } from '@sconv/diagnostics';
import { silenceableError, success } from '@sconv/diagnostics';
import { forOp } from '@sconv/dialects/scf';
import type { DraftOperation, Rewriter, Value } from '@sconv/ir';
import { bodyOf, printType, terminatorOf, typeEquals } from '@sconv/ir';
import { areSwappable } from './swappable-loops.ts';

/** The loop that is the whole body of `outer`, with iter args passed through unchanged. */
const perfectlyNested = (outer: DraftOperation): DraftOperation | undefined => {
  const body = bodyOf(outer);
  const inner = body.operations[0]!;
  // The other operation is the terminator.
  if (body.operations.length !== 2 || !forOp.is(inner)) return undefined;
  const same = (a: readonly Value[], b: readonly Value[]) =>
    a.length === b.length && a.every((value, i) => value.id === b[i]!.id);
  const passesThrough =
    same(forOp.operands(inner).initArgs, body.arguments.slice(1)) &&
    same(terminatorOf(body).operands, inner.results);
  return passesThrough ? inner : undefined;
};

/**
 * Exchanges an `scf.for` and the loop that is its whole body, provided that iteration order does not matter;
 * reordering float sums is allowed.
 */
export const swapInductionVarsOp = (rewriter: Rewriter, outer: DraftOperation): Diagnosed<undefined> => {
  if (!forOp.is(outer))
    return silenceableError('swap/not-a-loop', `expected an scf.for, got '${outer.name}'`, outer);
  const inner = perfectlyNested(outer);
  if (inner === undefined) {
    return silenceableError(
      'swap/not-perfect',
      'the body of the loop is not one loop that passes its iter arguments through',
      outer,
    );
  }
  const innerBounds = inner.operands.slice(0, 3);
  const outerBounds = outer.operands.slice(0, 3);
  if (innerBounds.some((bound) => !rewriter.isDefinedOutside(bound, outer))) {
    return silenceableError(
      'swap/dependent-bounds',
      'the bounds of the inner loop are computed in the outer one',
      outer,
    );
  }
  const outerVariable = bodyOf(outer).arguments[0]!;
  const innerVariable = bodyOf(inner).arguments[0]!;
  if (!typeEquals(outerVariable.type, innerVariable.type)) {
    const types = `${printType(outerVariable.type)} and ${printType(innerVariable.type)}`;
    return silenceableError('swap/types', `the loops count in different types, ${types}`, outer);
  }
  if (!areSwappable(rewriter, outer, inner)) {
    return silenceableError(
      'swap/order',
      'iterations of the loops may depend on each other, and would run in another order',
      outer,
    );
  }
  rewriter.setOperands(outer, [...innerBounds, ...outer.operands.slice(3)]);
  rewriter.setOperands(inner, [...outerBounds, ...inner.operands.slice(3)]);
  const users = new Set([...rewriter.users(outerVariable), ...rewriter.users(innerVariable)]);
  for (const user of users) {
    rewriter.setOperands(
      user,
      user.operands.map((operand) => {
        if (operand.id === outerVariable.id) return innerVariable;
        return operand.id === innerVariable.id ? outerVariable : operand;
      }),
    );
  }
  return success(undefined);
};
