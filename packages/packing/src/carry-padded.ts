/** Lets a loop carry a padded tensor, instead of padding the carried tensor in each iteration. */
import { mixedSlice } from '@sconv/dialects';
import { structured } from '@sconv/dialects/linalg';
import { forOp } from '@sconv/dialects/scf';
import { extractSlice, mixedPadding } from '@sconv/dialects/tensor';
import type { DraftOperation, Rewriter, Value } from '@sconv/ir';
import { bodyOf } from '@sconv/ir';
import type { HoistablePad } from './hoistable-pad.ts';
import { isSameIndex } from './hoist-subset.ts';

/**
 * Rewrites a `loop` whose iterations pad a carried tensor, update the padded one, and yield its unpadded slice: it
 * carries the padded tensor instead, and the slice follows the loop. False, without changes, if the loop does
 * anything else.
 *
 * Structured ops change each element of a destination by itself: the padding, which is now computed on repeatedly, has
 * no influence on other elements.
 *
 * @deviation Upstream slices the result where the slice was in the whole tensor, beyond the end of the padded one.
 */
export const carryPadded = (
  rewriter: Rewriter,
  { pad: operation, slice }: HoistablePad,
  loop: DraftOperation,
  padded: Value,
): boolean => {
  const body = bodyOf(loop);
  const argument = operation.operands[0]!;
  const position = body.arguments.findIndex(({ id }) => id === argument.id) - 1;
  const end = body.last!;
  const part = position < 0 ? undefined : rewriter.definingOperation(end.operands[position]!);
  if (part === undefined || operation.block !== body || rewriter.users(argument).length !== 1) return false;
  if (!extractSlice.is(part) || !isUnpadded(rewriter, operation, slice, part)) return false;
  if (!isChangedInPlace(rewriter, operation.results[0]!, part)) return false;
  const hoisted = rewriter.definingOperation(padded)!;
  rewriter.setInsertionPointBefore(loop);
  const initArgs = forOp.operands(loop).initArgs.with(position, padded);
  const created = rewriter.create({
    name: loop.name,
    attributes: loop.attributes,
    operands: [...loop.operands.slice(0, 3), ...initArgs],
    resultTypes: initArgs.map(({ type }) => type),
    bodies: [undefined],
    location: loop.location,
  });
  rewriter.moveRegion(loop.regions[0]!, created.regions[0]!);
  const carried = rewriter.changeArgumentType(bodyOf(created), position + 1, padded.type);
  rewriter.replaceOperation(operation, [carried], [hoisted]);
  const { source: whole } = extractSlice.operands(part);
  rewriter.setOperand(end, position, whole);
  rewriter.setInsertionPointAfter(created);
  const after = rewriter.clone(part, new Map([[whole.id, created.results[position]!]]));
  rewriter.eraseOperation(part);
  rewriter.replaceOperation(loop, created.results.with(position, after.results[0]!), [created]);
  return true;
};

/** Whether `part` slices what is not padding, as wide as `slice`, by indices from outside of its loop. */
const isUnpadded = (
  rewriter: Rewriter,
  operation: DraftOperation,
  slice: DraftOperation,
  part: DraftOperation,
): boolean => {
  const { offsets, sizes, strides } = mixedSlice(part);
  const { low } = mixedPadding(operation);
  const wanted = mixedSlice(slice).sizes;
  return (
    wanted.length === sizes.length &&
    strides.every((stride) => stride === 1) &&
    offsets.every((offset, i) => isSameIndex(offset, low[i])) &&
    sizes.every((size, i) => isSameIndex(size, wanted[i])) &&
    part.operands.slice(1).every((index) => rewriter.isDefinedOutside(index, part.parent!))
  );
};

/** Whether `part` slices `padded` after structured ops that each write the result of the one before. */
const isChangedInPlace = (rewriter: Rewriter, padded: Value, part: DraftOperation): boolean => {
  for (let value = padded; ;) {
    const [user, ...others] = rewriter.users(value);
    if (user === undefined || others.length > 0) return false;
    if (user === part) return rewriter.users(part.results[0]!).length === 1;
    const uses = user.operands.filter(({ id }) => id === value.id).length;
    const outputs = structured(rewriter.registry, user)?.outputs ?? [];
    const output = outputs.findIndex(({ id }) => id === value.id);
    if (uses !== 1 || output < 0 || user.block !== part.block) return false;
    value = user.results[output]!;
  }
};
