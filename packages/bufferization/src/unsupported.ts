/** What bufferization cannot do, found before anything is changed. */
import type { Diagnostic } from '@sconv/diagnostics';
import { error } from '@sconv/diagnostics';
import { isLinalgOp } from '@sconv/dialects/linalg';
import { stridedLayoutOf } from '@sconv/dialects/memref';
import type { DraftOperation, Type } from '@sconv/ir';
import { modelOf } from './models.ts';
import type { ResolvedOptions } from './options.ts';
import { isLoop } from './program-order.ts';
import { hasTensors } from './tensor-facts.ts';

const holders: ReadonlySet<string> = new Set(['func.func', 'scf.if', 'tensor.generate', 'tensor.pad']);

/** Whether tensors may be used in the regions of an operation. */
const mayHoldTensors = (operation: DraftOperation): boolean =>
  holders.has(operation.name) || isLoop(operation) || isLinalgOp(operation);

/** Whether a function type mentions tensors: a function as a value. */
const mentionsTensors = (type: Type): boolean =>
  type.kind === 'function' &&
  [...type.inputs, ...type.results].some(
    (part) => part.kind === 'tensor' || part.kind === 'unranked-tensor' || mentionsTensors(part),
  );

const problemOf = (operation: DraftOperation, options: ResolvedOptions): string | undefined => {
  const values = [...operation.operands, ...operation.results];
  if (options.bufferizeFunctionBoundaries && values.some(({ type }) => mentionsTensors(type))) {
    return 'uses a function of tensors as a value';
  }
  if (!hasTensors(operation)) return undefined;
  const model = modelOf(operation);
  if (model === undefined) return 'has no known effect on buffers';
  if (values.some(({ type }) => type.kind === 'unranked-tensor')) return 'has a tensor without a rank';
  if (values.some(({ type }) => type.kind === 'tensor' && type.encoding !== undefined)) {
    return 'has a tensor with an encoding';
  }
  if (values.some(({ type }) => type.kind === 'memref' && stridedLayoutOf(type) === undefined)) {
    return 'has a buffer whose layout is not strided';
  }
  const around = operation.parent;
  if (around !== undefined && !mayHoldTensors(around)) return `uses tensors inside a '${around.name}'`;
  return model.unsupported?.(operation);
};

/** The first operation of a function that cannot be bufferized. */
export const firstUnsupported = (
  operations: readonly DraftOperation[],
  options: ResolvedOptions,
): Diagnostic | undefined => {
  for (const operation of operations) {
    const problem = problemOf(operation, options);
    if (problem !== undefined) {
      return error(
        'bufferize/unsupported-op',
        `'${operation.name}' cannot be bufferized: it ${problem}`,
        operation.location,
      );
    }
    const blocks = operation.block?.region.blocks.length ?? 1;
    if (blocks > 1 && hasTensors(operation)) {
      return error(
        'bufferize/unstructured-control-flow',
        `'${operation.name}' uses tensors in a region of ${blocks} blocks; only structured control flow is supported`,
        operation.location,
      );
    }
  }
  return undefined;
};
