/**
 * Gathering an operand: the op reads it in its body, at an index computed from `linalg.index`, instead of through an
 * indexing map. An op in this form can be tiled without slicing the operand.
 *
 * This is what makes tiling of a linearised convolution sound: a slice restarts the `floordiv`/`mod` map of the input at
 * 0, wherever the tile begins.
 *
 * @deviation ST slices the linearised input at both tiling levels (Listing 7), reads wrong addresses, and mends the maps
 * afterwards (ST §5.7); its slices are too small besides, because the extent of a tile depends on its first column.
 */
import { makeMap } from '@sconv/affine';
import type { Diagnosed } from '@sconv/diagnostics';
import { collect, error, mapSuccess, silenceable, success } from '@sconv/diagnostics';
import { applyComposed, createGenericLike, eraseUnused, everyLoopIsIndexed } from '@sconv/dialects';
import { generic, index, structured } from '@sconv/dialects/linalg';
import { extract } from '@sconv/dialects/tensor';
import type { DraftOperation, Rewriter } from '@sconv/ir';
import { bodyOf, i64Attribute } from '@sconv/ir';
import { consumes, defineTransformOp, produces } from '@sconv/transform';
import { gatherOperandExamples } from './examples.ts';

/** Turns input `position` of a `linalg.generic` on tensors into a `tensor.extract` in its body. */
export const gatherOperand = (
  rewriter: Rewriter,
  operation: DraftOperation,
  position: number,
): Diagnosed<DraftOperation> => {
  if (!generic.is(operation)) {
    return silenceable(
      error('gather/not-generic', `expected a linalg.generic, got '${operation.name}'`, operation.location),
    );
  }
  const { inputs, outputs, indexingMaps, iteratorTypes } = structured(operation);
  const source = inputs[position];
  if (source?.type.kind !== 'tensor') {
    return silenceable(
      error('gather/no-operand', `the op has no tensor input ${position}`, operation.location),
    );
  }
  const otherMaps = indexingMaps.toSpliced(position, 1);
  if (!everyLoopIsIndexed(otherMaps, iteratorTypes.length)) {
    return silenceable(
      error(
        'gather/loop-range',
        `the range of a loop is known from input ${position} alone, which the op would not have any more`,
        operation.location,
      ),
    );
  }
  rewriter.setInsertionPointBefore(operation);
  const gathering = createGenericLike(rewriter, operation, {
    inputs: inputs.toSpliced(position, 1),
    outputs,
    indexingMaps: otherMaps,
  });
  rewriter.moveRegion(operation.regions[0]!, gathering.regions[0]!);
  const body = bodyOf(gathering);
  rewriter.setInsertionPointToStart(body);
  const iterations = iteratorTypes.map((_, dimension) =>
    rewriter.createValue(index.state({ attributes: { dim: dimension } })),
  );
  const map = indexingMaps[position]!;
  const indices = map.results.map((result) =>
    applyComposed(rewriter, makeMap(map.numDims, 0, [result]), iterations),
  );
  const element = rewriter.createValue(
    extract.state({ operands: { tensor: source, indices }, resultTypes: [source.type.elementType] }),
  );
  rewriter.replaceAllUsesWith(body.arguments[position]!, element);
  rewriter.eraseArgument(body, position);
  for (const iteration of iterations) eraseUnused(rewriter, iteration);
  rewriter.replaceOperation(operation, gathering.results, [gathering]);
  return success(gathering);
};

/** `transform.structured.gather_operand`. */
export const gatherOperandOp = defineTransformOp({
  name: 'transform.structured.gather_operand',
  summary: 'Reads an input in the body of the target, so that tiling leaves it unsliced.',
  paper: ['ST §5.3, with the deviation that tiling reads the input unsliced'],
  operands: { target: consumes('generic ops on tensors', 'linalg.generic') },
  attributes: { operand: i64Attribute },
  results: { gathering: produces('the ops that gather', 'linalg.generic') },
  failures: {
    'gather/not-generic': { mode: 'silenceable', when: 'a target is not a linalg.generic' },
    'gather/no-operand': { mode: 'silenceable', when: 'a target has no tensor input of this number' },
    'gather/loop-range': {
      mode: 'silenceable',
      when: 'no other operand is indexed by one of the loops alone, so that its range would be unknown',
    },
  },
  assembly: { format: '$target attr-dict `:` functional-type(operands, results)' },
  examples: () => gatherOperandExamples,
  apply: ({ rewriter }, { target }, { operand }) =>
    mapSuccess(
      collect(target, (operation) => gatherOperand(rewriter, operation, operand)),
      (gathering) => ({ gathering }),
    ),
});
