/**
 * Generalization (ST §5.1, task 1a): a named structured op becomes the `linalg.generic` that it stands for.
 */
import type { Diagnosed } from '@sconv/diagnostics';
import { collect, error, mapSuccess, silenceable, success } from '@sconv/diagnostics';
import { createGenericLike, elementTypeOf } from '@sconv/dialects';
import { generic, isLinalgOp, structured } from '@sconv/dialects/linalg';
import type { DraftOperation, Rewriter } from '@sconv/ir';
import { bodyOf } from '@sconv/ir';
import { defineTransformOp, consumes, produces } from '@sconv/transform';
import { generalizeExamples } from './examples.ts';

/** Replaces a named structured op by a `linalg.generic` with the same operands and body. */
export const generalize = (rewriter: Rewriter, operation: DraftOperation): Diagnosed<DraftOperation> => {
  if (generic.is(operation)) return success(operation);
  if (!isLinalgOp(operation)) {
    return silenceable(
      error('generalize/not-structured', `'${operation.name}' is not a structured op`, operation.location),
    );
  }
  const { inputs, outputs, indexingMaps } = structured(operation);
  rewriter.setInsertionPointBefore(operation);
  const general = createGenericLike(rewriter, operation, { inputs, outputs, indexingMaps });
  rewriter.moveRegion(operation.regions[0]!, general.regions[0]!);
  // The body of a linalg.map sees the inputs only.
  const body = bodyOf(general);
  for (const output of outputs.slice(body.arguments.length - inputs.length)) {
    rewriter.addArgument(body, elementTypeOf(output.type));
  }
  rewriter.replaceOperation(operation, general.results, [general]);
  return success(general);
};

/** `transform.structured.generalize`. */
export const generalizeOp = defineTransformOp({
  name: 'transform.structured.generalize',
  summary: 'Transforms a named structured operation into the generic form with the explicit attached region.',
  paper: ['ST §5.1, task 1a'],
  operands: { target: consumes('named structured ops', 'linalg.*') },
  results: { transformed: produces('the generic ops', 'linalg.generic') },
  failures: {
    'generalize/not-structured': { mode: 'silenceable', when: 'a target is not a structured op' },
  },
  assembly: { format: '$target attr-dict `:` functional-type(operands, results)' },
  examples: () => generalizeExamples,
  apply: ({ rewriter }, { target }) =>
    mapSuccess(
      collect(target, (operation) => generalize(rewriter, operation)),
      (transformed) => ({ transformed }),
    ),
});
