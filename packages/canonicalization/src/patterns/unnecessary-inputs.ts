/** Inputs of `linalg.generic` that it need not read: upstream's `populateEraseUnnecessaryInputsPatterns`. */
import { equals } from '@sconv/affine';
import { everyLoopIsIndexed } from '@sconv/dialects';
import { generic } from '@sconv/dialects/linalg';
import type { DraftOperation, RewritePattern, Rewriter } from '@sconv/ir';
import { affineMapAttribute, arrayAttribute, bodyOf, denseArrayAttribute, i32 } from '@sconv/ir';
import { isSame, onOp, stateOf } from '../match.ts';

/**
 * Erases inputs that the body does not use, if the other operands determine the loops, and inputs that are the same
 * as one before them.
 */
const unusedInputs = onOp(generic, 'unused-input', (rewriter, operation) => {
  const { inputs } = generic.operands(operation);
  const { indexingMaps, iteratorTypes } = generic.attributes(operation);
  const body = bodyOf(operation);
  const dropped = new Set<number>();
  for (const [i, input] of inputs.entries()) {
    dropped.add(i);
    const others = indexingMaps.filter((_, position) => !dropped.has(position));
    const isUnused = !rewriter.hasUses(body.arguments[i]!);
    if (isUnused && everyLoopIsIndexed(others, iteratorTypes.length)) continue;
    const first = inputs.findIndex(
      (other, j) => !dropped.has(j) && isSame(other, input) && equals(indexingMaps[j]!, indexingMaps[i]!),
    );
    if (first >= 0 && first < i) rewriter.replaceAllUsesWith(body.arguments[i]!, body.arguments[first]!);
    else dropped.delete(i);
  }
  if (dropped.size > 0) withoutInputs(rewriter, operation, dropped);
});

/**
 * An input that is also an output is read as that.
 *
 * @deviation Not if iterations change an element of the output after others: upstream then reads what they wrote
 * instead of the input.
 */
const inputsOfOutputs = onOp(generic, 'input-is-output', (rewriter, operation) => {
  const { inputs, outputs } = generic.operands(operation);
  const { indexingMaps, iteratorTypes } = generic.attributes(operation);
  const body = bodyOf(operation);
  for (const [i, input] of inputs.entries()) {
    if (!rewriter.hasUses(body.arguments[i]!)) continue;
    const map = indexingMaps[i]!;
    // A buffer has its current elements either way.
    const isOnce = input.type.kind === 'memref' || everyLoopIsIndexed([map], iteratorTypes.length);
    const output = outputs.findLastIndex(
      (other, j) => isSame(other, input) && equals(indexingMaps[inputs.length + j]!, map),
    );
    if (!isOnce || output < 0) continue;
    rewriter.replaceAllUsesWith(body.arguments[i]!, body.arguments[inputs.length + output]!);
  }
});

const withoutInputs = (rewriter: Rewriter, operation: DraftOperation, dropped: ReadonlySet<number>): void => {
  const { inputs, outputs } = generic.operands(operation);
  const { indexingMaps } = generic.attributes(operation);
  const isKept = (_: unknown, position: number): boolean => !dropped.has(position);
  const segments = [inputs.length - dropped.size, outputs.length];
  const state = stateOf(operation, {
    operands: operation.operands.filter(isKept),
    attributes: {
      ...operation.attributes,
      indexing_maps: arrayAttribute(indexingMaps.filter(isKept).map(affineMapAttribute)),
      operandSegmentSizes: denseArrayAttribute(segments, i32),
    },
  });
  const created = rewriter.create({ ...state, bodies: [undefined] });
  rewriter.moveRegion(operation.regions[0]!, created.regions[0]!);
  for (const position of [...dropped].toSorted((a, b) => b - a))
    rewriter.eraseArgument(bodyOf(created), position);
  rewriter.replaceOperation(operation, created.results, [created]);
};

/** `transform.apply_patterns.linalg.erase_unnecessary_inputs`. */
export const unnecessaryInputPatterns: readonly RewritePattern[] = [unusedInputs, inputsOfOutputs];
