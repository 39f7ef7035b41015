/** Bufferizes one op on tensors into a newly allocated buffer (upstream's `bufferizeToAllocationOp`). */
import type { Diagnosed } from '@sconv/diagnostics';
import { error, silenceable, success } from '@sconv/diagnostics';
import { createSizes, createSlice } from '@sconv/dialects';
import { allocTensor, materializeInDestination, toMemref, toTensor } from '@sconv/dialects/bufferization';
import { copy as linalgCopy, namedOpBody } from '@sconv/dialects/linalg';
import { alloc, alloca, copy, dealloc } from '@sconv/dialects/memref';
import { mixedPadding, pad } from '@sconv/dialects/tensor';
import type { Attribute, DraftOperation, Rewriter, TensorType, Value } from '@sconv/ir';
import { unitAttribute } from '@sconv/ir';
import { AnalysisState } from '../analysis/analysis-state.ts';
import { dynamicSizes } from '../rewriting/allocate-tensor.ts';
import { Bufferizer } from '../rewriting/bufferizer.ts';
import { diagnosed } from '../failure.ts';
import type { Operand } from '../op-model.ts';
import { isTensor } from '../op-model.ts';
import { dynamicLayout, identityLayout, resolveOptions } from '../options.ts';
import { createPadContent, isZero } from './pad-content.ts';

/** How the buffer is allocated and filled. */
export interface AllocationOptions {
  readonly memorySpace?: Attribute | undefined;
  readonly memcpyOp?: 'bufferization.materialize_in_destination' | 'memref.copy' | 'linalg.copy';
  readonly allocOp?: 'memref.alloc' | 'memref.alloca';
  /** Whether only the destination becomes a buffer; the op itself stays on tensors. */
  readonly destinationOnly?: boolean;
  /** Whether the buffer is freed at the end of its block. */
  readonly emitDealloc?: boolean;
}

/** Allocates a buffer for the result of an op; returns that buffer. */
export const bufferizeToAllocationOp = (
  rewriter: Rewriter,
  operation: DraftOperation,
  options: AllocationOptions = {},
): Diagnosed<Value> => {
  const { location } = operation;
  const buffer = pad.is(operation)
    ? bufferizePad(rewriter, operation, options)
    : allocTensor.is(operation) && allocTensor.operands(operation).copy === undefined
      ? bufferizeAllocTensor(rewriter, operation, options)
      : bufferizeOther(rewriter, operation, options);
  if (buffer !== undefined) return success(buffer);
  return silenceable(
    error('bufferize-to-allocation/failed', 'failed to bufferize operation', location, [
      { message: 'target payload op', location },
    ]),
  );
};

/** Allocates a buffer of the size of a tensor, at the insertion point. */
const allocate = (rewriter: Rewriter, tensor: Value, options: AllocationOptions): Value => {
  const { memorySpace, allocOp = 'memref.alloc', emitDealloc = false } = options;
  const type = identityLayout(tensor.type as TensorType, memorySpace);
  const operands = { dynamicSizes: dynamicSizes(rewriter, tensor) };
  if (allocOp === 'memref.alloca')
    return rewriter.createValue(alloca.state({ operands, resultTypes: [type] }));
  const buffer = rewriter.createValue(alloc.state({ operands, resultTypes: [type] }));
  const end = rewriter.insertionBlock.last;
  if (emitDealloc && end !== undefined) {
    rewriter.scoped(() => {
      rewriter.setInsertionPointBefore(end);
      rewriter.create(dealloc.state({ operands: { memref: buffer } }));
    });
  }
  return buffer;
};

/** Copies a tensor into a buffer, at the insertion point. */
const copyInto = (
  rewriter: Rewriter,
  tensor: Value,
  buffer: Value,
  { memcpyOp }: AllocationOptions,
): void => {
  if (memcpyOp === undefined || memcpyOp === 'bufferization.materialize_in_destination') {
    const operands = { source: tensor, dest: buffer };
    rewriter.create(
      materializeInDestination.state({ operands, attributes: { writable: true }, resultTypes: [] }),
    );
    return;
  }
  const source = rewriter.createValue(
    toMemref.state({
      operands: { tensor },
      attributes: { readOnly: true },
      resultTypes: [dynamicLayout(tensor.type as TensorType)],
    }),
  );
  if (memcpyOp === 'memref.copy') rewriter.create(copy.state({ operands: { source, target: buffer } }));
  else
    rewriter.create(
      linalgCopy.state<Rewriter>({
        operands: { inputs: [source], outputs: [buffer] },
        resultTypes: [],
        bodies: [namedOpBody(linalgCopy, [source, buffer])],
      }),
    );
};

const createToTensor = (rewriter: Rewriter, memref: Value, isOwn: boolean): Value =>
  rewriter.createValue(
    toTensor.state({
      operands: { memref },
      attributes: { restrict: isOwn, writable: isOwn },
    }),
  );

const bufferizePad = (rewriter: Rewriter, operation: DraftOperation, options: AllocationOptions): Value => {
  rewriter.setInsertionPointBefore(operation);
  const buffer = allocate(rewriter, operation.results[0]!, options);
  const { source } = pad.operands(operation);
  const { low, high } = mixedPadding(operation);
  if (![...low, ...high].every((amount) => isZero(rewriter, amount)))
    createPadContent(rewriter, operation, buffer);
  const sizes = createSizes(rewriter, source);
  const inner = createSlice(rewriter, buffer, { offsets: low, sizes });
  copyInto(rewriter, source, inner, options);
  rewriter.replaceOperation(operation, [createToTensor(rewriter, buffer, true)]);
  return buffer;
};

const bufferizeAllocTensor = (
  rewriter: Rewriter,
  operation: DraftOperation,
  options: AllocationOptions,
): Value => {
  rewriter.setInsertionPointBefore(operation);
  const buffer = allocate(rewriter, operation.results[0]!, options);
  rewriter.replaceOperation(operation, [createToTensor(rewriter, buffer, true)]);
  return buffer;
};

/** Bufferizes an op with a model and exactly one operand that needs a buffer; undefined for others. */
const bufferizeOther = (
  rewriter: Rewriter,
  operation: DraftOperation,
  options: AllocationOptions,
): Value | undefined => {
  const resolved = resolveOptions({ decisions: 'upstream' });
  const state = new AnalysisState(rewriter, resolved);
  const model = state.model(operation);
  const results = operation.results.filter(isTensor);
  if (model === undefined || model.allocates === true || results.some(({ type }) => type.kind !== 'tensor'))
    return undefined;
  const operand = ownOperand(state, operation, results);
  if (operand === undefined) return undefined;
  const tensor = state.valueOf(operand);
  const isAliased = results.filter((result) => state.aliasingOperands(result).length > 0);
  const users = isAliased.flatMap((result) => state.usesOf(result));
  const needsContent = state.definitionsOf(tensor).length > 0;
  rewriter.setInsertionPointBefore(operation);
  const buffer = allocate(rewriter, tensor, options);
  if (needsContent) copyInto(rewriter, tensor, buffer, options);
  const own = createToTensor(rewriter, buffer, options.destinationOnly === true);
  rewriter.setOperand(operation, operand.index, own);
  if (options.destinationOnly === true) return buffer;
  rewriter.setInsertionPointBefore(operation);
  const done = diagnosed(() => {
    model.bufferize(operation, new Bufferizer(rewriter, resolved));
    return success(undefined);
  });
  if (done.status !== 'success') return undefined;
  for (const { operation: user, index } of users) {
    const definition = rewriter.definingOperation(user.operands[index]!);
    if (definition === undefined || !toTensor.is(definition)) continue;
    for (const name of ['restrict', 'writable']) rewriter.setAttribute(definition, name, unitAttribute);
  }
  return buffer;
};

/** The only operand that is written, or that a result aliases. */
const ownOperand = (
  state: AnalysisState,
  operation: DraftOperation,
  results: readonly Value[],
): Operand | undefined => {
  const found = new Set([
    ...results.flatMap((result) => state.aliasingOperands(result).map(({ operand }) => operand)),
    ...state
      .tensorOperands(operation)
      .filter((operand) => state.writes(operand) && state.valueOf(operand).type.kind === 'tensor'),
  ]);
  const [operand, ...others] = found;
  return others.length > 0 ? undefined : operand;
};
