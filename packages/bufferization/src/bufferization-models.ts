/** The bufferization dialect: explicit conversions between tensors and buffers. */
import { allocTensor, materializeInDestination, toMemref, toTensor } from '@sconv/dialects/bufferization';
import { dealloc } from '@sconv/dialects/memref';
import type { TensorType } from '@sconv/ir';
import {
  allocate,
  allocateCopy,
  allocateLike,
  bufferType,
  createCast,
  createCopy,
  isMoreGeneral,
} from './buffers.ts';
import type { OpModel } from './op-model.ts';
import { noOperands, readsOnly } from './op-model.ts';
import { identityBuffer } from './options.ts';

export const bufferizationModels: Readonly<Record<string, OpModel>> = {
  'bufferization.alloc_tensor': {
    ...readsOnly,
    hasContent: (operation) => allocTensor.operands(operation).copy !== undefined,
    bufferize: (operation, { rewriter, alignment }) => {
      const { dynamicSizes, copy } = allocTensor.operands(operation);
      const type = identityBuffer(operation.results[0]!.type as TensorType);
      rewriter.replaceOperation(operation, [
        copy === undefined
          ? allocate(rewriter, type, dynamicSizes, alignment)
          : allocateCopy(rewriter, copy, alignment),
      ]);
    },
  },

  'bufferization.to_tensor': {
    ...noOperands,
    unsupported: (operation) =>
      toTensor.attributes(operation).restrict ? undefined : "is not marked 'restrict'",
    isWritable: (_, operation) => toTensor.attributes(operation).writable,
    bufferize: (operation, { rewriter }) => {
      rewriter.replaceOperation(operation, operation.operands);
    },
  },

  'bufferization.to_memref': {
    reads: () => true,
    // Users of the buffer may do anything with it.
    writes: ({ operation }) => !toMemref.attributes(operation).readOnly,
    aliases: () => [],
    bufferize: (operation, context) => {
      const { rewriter } = context;
      const wanted = bufferType(operation.results[0]!);
      const buffer = context.bufferFor(operation, 0);
      const fits = isMoreGeneral(wanted, bufferType(buffer));
      const source = fits ? buffer : allocateLike(rewriter, buffer, context.alignment);
      if (!fits) createCopy(rewriter, buffer, source);
      rewriter.replaceOperation(operation, [createCast(rewriter, source, wanted)]);
    },
  },

  'bufferization.materialize_in_destination': {
    reads: ({ index }) => index === 0,
    writes: ({ index }) => index === 1,
    aliases: ({ operation, index }) =>
      index === 1 ? operation.results.map((value) => ({ value, relation: 'same' })) : [],
    bufferize: (operation, context) => {
      const { rewriter } = context;
      const { source } = materializeInDestination.operands(operation);
      const target = operation.results.length > 0 ? context.bufferFor(operation, 1) : operation.operands[1]!;
      if (source.id !== target.id) createCopy(rewriter, source, target);
      rewriter.replaceOperation(
        operation,
        operation.results.map(() => target),
      );
    },
  },

  'bufferization.dealloc_tensor': {
    ...readsOnly,
    bufferize: (operation, { rewriter }) => {
      rewriter.replaceWith(operation, dealloc.state({ operands: { memref: operation.operands[0]! } }));
    },
  },
};
