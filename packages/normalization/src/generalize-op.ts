/** Generalization (ST §5.1, task 1a): a named structured op becomes the equivalent `linalg.generic`. */
import type { Diagnosed } from '@sconv/diagnostics';
import { silenceableError, success } from '@sconv/diagnostics';
import { createGenericLike, takeBody } from '@sconv/dialects';
import { generic, structured } from '@sconv/dialects/linalg';
import type { DraftOperation, Rewriter } from '@sconv/ir';

/** Replaces a named structured op by a `linalg.generic` with the same operands and body. */
export const generalizeOp = (rewriter: Rewriter, operation: DraftOperation): Diagnosed<DraftOperation> => {
  if (generic.is(operation)) return success(operation);
  const view = structured(rewriter.registry, operation);
  if (view?.body === undefined) {
    return silenceableError(
      'generalize/not-structured',
      `'${operation.name}' is not a structured op with a body`,
      operation,
    );
  }
  const { inputs, outputs, indexingMaps, iteratorTypes } = view;
  rewriter.setInsertionPointBefore(operation);
  const general = createGenericLike(rewriter, operation, { inputs, outputs, indexingMaps, iteratorTypes });
  takeBody(rewriter, operation, general);
  rewriter.replaceOperation(operation, general.results, [general]);
  return success(general);
};
