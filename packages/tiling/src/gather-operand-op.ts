/**
 * Gathers an operand: the op reads it in its body, at an index computed from `linalg.index`, instead of through an
 * indexing map. An op in this form can be tiled without slicing the operand.
 *
 *     linalg.generic ins(%input, %filters) {         linalg.generic ins(%filters) {
 *     ^bb0(%in, %filter, %out):                      ^bb0(%filter, %out):
 *       … %in …                                 →      %window = linalg.index 2 …
 *     }                                                %in = tensor.extract %input[… %window floordiv 6 …]
 *                                                      … %in …
 *                                                    }
 *
 * This makes tiling of a linearised convolution sound: a slice restarts the `floordiv`/`mod` map of the input at 0,
 * wherever the tile begins.
 *
 * @deviation ST slices the linearised input at both tiling levels (Listing 7), reads wrong addresses, and repairs the
 * maps afterwards (ST §5.7); its slices are also too small, because the extent of a tile depends on its first column.
 */
import { makeMap } from '@sconv/affine';
import type { Diagnosed } from '@sconv/diagnostics';
import { silenceableError, success } from '@sconv/diagnostics';
import { applyComposed, createGenericLike, createIterations, everyLoopIsIndexed } from '@sconv/dialects';
import { generic, genericView } from '@sconv/dialects/linalg';
import { extract } from '@sconv/dialects/tensor';
import type { DraftOperation, Rewriter } from '@sconv/ir';
import { bodyOf } from '@sconv/ir';

/** Turns input `position` of a `linalg.generic` on tensors into a `tensor.extract` in its body. */
export const gatherOperandOp = (
  rewriter: Rewriter,
  operation: DraftOperation,
  position: number,
): Diagnosed<DraftOperation> => {
  if (!generic.is(operation)) {
    return silenceableError(
      'gather/not-generic',
      `expected a linalg.generic, got '${operation.name}': generalize it first`,
      operation,
    );
  }
  const { inputs, outputs, indexingMaps, iteratorTypes } = genericView(operation);
  const source = inputs[position];
  if (source?.type.kind !== 'tensor') {
    return silenceableError('gather/no-operand', `the op has no tensor input ${position}`, operation);
  }
  const otherMaps = indexingMaps.toSpliced(position, 1);
  if (!everyLoopIsIndexed(otherMaps, iteratorTypes.length)) {
    return silenceableError(
      'gather/loop-range',
      `the range of a loop is known only from input ${position}, which the op would no longer have`,
      operation,
    );
  }
  rewriter.setInsertionPointBefore(operation);
  const gathering = createGenericLike(rewriter, operation, {
    inputs: inputs.toSpliced(position, 1),
    outputs,
    indexingMaps: otherMaps,
    iteratorTypes,
  });
  rewriter.moveRegion(operation.regions[0]!, gathering.regions[0]!);
  const body = bodyOf(gathering);
  rewriter.setInsertionPointToStart(body);
  const map = indexingMaps[position]!;
  const iterations = createIterations(rewriter, map.numDims, map.results);
  const indices = map.results.map((result) =>
    applyComposed(rewriter, makeMap(map.numDims, 0, [result]), iterations),
  );
  const element = rewriter.createValue(
    extract.state({ operands: { tensor: source, indices }, resultTypes: [source.type.elementType] }),
  );
  rewriter.replaceAllUsesWith(body.arguments[position]!, element);
  rewriter.eraseArgument(body, position);
  rewriter.replaceOperation(operation, gathering.results, [gathering]);
  return success(gathering);
};
