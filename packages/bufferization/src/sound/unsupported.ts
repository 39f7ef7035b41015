/** Finds unsupported IR before anything is changed. */
import type { Diagnostic, Note } from '@sconv/diagnostics';
import { error } from '@sconv/diagnostics';
import { funcOp } from '@sconv/dialects/func';
import { stridedLayoutOf } from '@sconv/dialects/memref';
import type { DraftOperation, Registry, Type } from '@sconv/ir';
import { modelOf } from '@sconv/ir';
import { bufferizable, hasTensors, isTensorType } from '../op-model.ts';
import type { ResolvedOptions } from '../options.ts';

/** Whether the regions of an operation may contain tensors: a function, or a model that says so. */
const mayHoldTensors = (registry: Registry, operation: DraftOperation): boolean =>
  funcOp.is(operation) || modelOf(registry, bufferizable, operation)?.holdsTensors === true;

/** Whether a type is a function type with tensors: a function as a value. */
const mentionsTensors = (type: Type): boolean =>
  type.kind === 'function' &&
  [...type.inputs, ...type.results].some((part) => isTensorType(part) || mentionsTensors(part));

const problemOf = (
  registry: Registry,
  operation: DraftOperation,
  options: ResolvedOptions,
): string | undefined => {
  const values = [...operation.operands, ...operation.results];
  if (options.bufferizeFunctionBoundaries && values.some(({ type }) => mentionsTensors(type))) {
    return 'uses a function with tensors in its signature as a value';
  }
  if (!hasTensors(operation)) return undefined;
  const model = modelOf(registry, bufferizable, operation);
  if (model === undefined) return 'has no bufferization model';
  if (values.some(({ type }) => type.kind === 'unranked-tensor')) return 'uses an unranked tensor';
  if (values.some(({ type }) => type.kind === 'tensor' && type.encoding !== undefined)) {
    return 'uses a tensor with an encoding';
  }
  if (values.some(({ type }) => type.kind === 'memref' && stridedLayoutOf(type) === undefined)) {
    return 'uses a buffer whose layout is not strided';
  }
  const around = operation.parent;
  if (around !== undefined && !mayHoldTensors(registry, around))
    return `uses tensors in a region of '${around.name}', which does not support them`;
  return model.unsupported?.(operation);
};

const noModels = ({ location }: DraftOperation): Note => ({
  message: 'the registry has no bufferization models: create it with bufferizationInterfaces',
  location,
});

/** The first operation of a function that cannot be bufferized, as a diagnostic. */
export const firstUnsupported = (
  registry: Registry,
  operations: readonly DraftOperation[],
  options: ResolvedOptions,
): Diagnostic | undefined => {
  for (const operation of operations) {
    const problem = problemOf(registry, operation, options);
    if (problem !== undefined) {
      return error(
        'bufferize/unsupported-op',
        `'${operation.name}' cannot be bufferized: it ${problem}`,
        operation.location,
        registry.attachments.has(bufferizable.name) ? [] : [noModels(operation)],
      );
    }
    const { blocks } = operation.block!.region;
    if (blocks.length > 1 && hasTensors(operation)) {
      return error(
        'bufferize/unstructured-control-flow',
        `'${operation.name}' uses tensors in a region of ${blocks.length} blocks; only structured ` +
          'control flow is supported',
        operation.location,
      );
    }
  }
  return undefined;
};
