/** Rewrites ops that create a tensor to write into an empty one (upstream's `rewriteInDestinationPassingStyle`). */
import type { Diagnosed } from '@sconv/diagnostics';
import { silenceableError, success } from '@sconv/diagnostics';
import { createIndex, createSizes, insertSliceState, unitStrideSlice } from '@sconv/dialects';
import { allocTensor } from '@sconv/dialects/bufferization';
import { copy, namedOpBody } from '@sconv/dialects/linalg';
import { empty, fromElements, generate, insert, mixedPadding, pad } from '@sconv/dialects/tensor';
import type { DraftOperation, Rewriter, TensorType, Value } from '@sconv/ir';
import { dynamicSizes } from '../rewriting/allocate-tensor.ts';
import { createGenericOf, createPadContent, isZero } from './pad-content.ts';

/** Rewrites `tensor.from_elements`, `tensor.generate` or `tensor.pad`; returns the op that now defines the tensor. */
export const destinationStyleOp = (
  rewriter: Rewriter,
  operation: DraftOperation,
): Diagnosed<DraftOperation> => {
  rewriter.setInsertionPointBefore(operation);
  const rewrite = rewrites.get(operation.name);
  if (rewrite !== undefined) return success(rewrite(rewriter, operation));
  return silenceableError('destination-style/operation', 'failed to rewrite operation', operation);
};

const emptyLike = (rewriter: Rewriter, operation: DraftOperation, sizes: readonly Value[]): Value =>
  rewriter.createValue(
    empty.state({ operands: { dynamicSizes: sizes }, resultTypes: [operation.results[0]!.type] }),
  );

/** A chain of insertions, one per element. */
const rewriteElements = (rewriter: Rewriter, operation: DraftOperation): DraftOperation => {
  const { shape } = operation.results[0]!.type as TensorType;
  let dest = emptyLike(rewriter, operation, []);
  const constants = Array.from({ length: Math.max(0, ...shape) }, (_, i) => createIndex(rewriter, i));
  operation.operands.forEach((scalar, position) => {
    const indices: Value[] = [];
    shape.reduceRight((rest, size) => {
      indices.unshift(constants[rest % size]!);
      return Math.floor(rest / size);
    }, position);
    dest = rewriter.createValue(insert.state({ operands: { scalar, dest, indices } }));
  });
  return replaceBy(rewriter, operation, dest);
};

const replaceBy = (rewriter: Rewriter, operation: DraftOperation, value: Value): DraftOperation => {
  const created = rewriter.definingOperation(value)!;
  rewriter.replaceOperation(operation, [value], [created]);
  return created;
};

const rewriteGenerate = (rewriter: Rewriter, operation: DraftOperation): DraftOperation => {
  const created = createGenericOf(rewriter, operation, emptyLike(rewriter, operation, operation.operands));
  rewriter.replaceOperation(operation, created.results, [created]);
  return created;
};

/** Fills the destination with the padding and inserts the source; copies if `nofold` is set and all padding is zero. */
const rewritePad = (rewriter: Rewriter, operation: DraftOperation): DraftOperation => {
  const result = operation.results[0]!;
  const source = pad.operands(operation).source;
  const { low, high } = mixedPadding(operation);
  const sizes = dynamicSizes(rewriter, result);
  if (pad.attributes(operation).nofold && [...low, ...high].every((amount) => isZero(rewriter, amount))) {
    const dest = rewriter.createValue(
      allocTensor.state({ operands: { dynamicSizes: sizes }, resultTypes: [result.type] }),
    );
    return rewriter.replaceWith(
      operation,
      copy.state<Rewriter>({
        operands: { inputs: [source], outputs: [dest] },
        resultTypes: [result.type],
        bodies: [namedOpBody(copy, [source, dest])],
      }),
    );
  }
  const filled = createPadContent(rewriter, operation, emptyLike(rewriter, operation, sizes));
  const slice = unitStrideSlice({ offsets: low, sizes: createSizes(rewriter, source) });
  return rewriter.replaceWith(operation, insertSliceState(source, filled.results[0]!, slice));
};

const rewrites: ReadonlyMap<string, (rewriter: Rewriter, operation: DraftOperation) => DraftOperation> =
  new Map([
    [fromElements.name, rewriteElements],
    [generate.name, rewriteGenerate],
    [pad.name, rewritePad],
  ]);
