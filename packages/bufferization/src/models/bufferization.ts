/** The bufferization dialect: explicit conversions between tensors and buffers. */
import { createDynamicSizes } from '@sconv/dialects';
import { allocTensor, materializeInDestination, toMemref, toTensor } from '@sconv/dialects/bufferization';
import { dealloc } from '@sconv/dialects/memref';
import type { OpModel } from '../op-model.ts';
import { readsOnly } from '../op-model.ts';
import { identityLayout } from '../options.ts';
import { bufferTypeOf, rankedTypeOf, tensorTypeOf } from '../rewriting/buffer-types.ts';

export const bufferizationModels: Readonly<Record<string, OpModel>> = {
  'bufferization.alloc_tensor': {
    ...readsOnly,
    allocates: true,
    hasContent: (operation) => allocTensor.operands(operation).copy !== undefined,
    bufferType: (value, operation, types) => {
      const { copy } = allocTensor.operands(operation);
      const { memorySpace } = allocTensor.attributes(operation);
      const space =
        memorySpace ??
        (copy === undefined ? types.defaultSpace(operation) : types.ofBuffer(copy).memorySpace);
      return identityLayout(tensorTypeOf(value), space);
    },
    bufferize: (operation, b) => {
      const result = operation.results[0]!;
      if (!b.rewriter.hasUses(result)) {
        b.rewriter.eraseOperation(operation);
        return;
      }
      const { dynamicSizes, copy } = allocTensor.operands(operation);
      const source = copy === undefined ? undefined : b.buffer(copy);
      const type = rankedTypeOf({ type: b.types.of(result) });
      const buffer = b.createAlloc(
        type,
        source === undefined ? dynamicSizes : createDynamicSizes(b.rewriter, source, type.shape),
      );
      if (source !== undefined) b.createCopy(source, buffer);
      b.replace(operation, [buffer]);
    },
  },

  'bufferization.dealloc_tensor': {
    ...readsOnly,
    upstream: { reads: () => false },
    bufferize: (operation, b) => {
      b.rewriter.create(dealloc.state({ operands: { memref: b.buffer(operation.operands[0]!) } }));
      b.rewriter.eraseOperation(operation);
    },
  },

  'bufferization.materialize_in_destination': {
    reads: ({ index }) => index === 0,
    writes: ({ index }) => index === 1,
    aliases: ({ operation, index }) =>
      index === 1 ? operation.results.map((value) => ({ value, relation: 'same' })) : [],
    upstream: {
      isAlwaysInPlace: true,
      isElementwise: () => true,
      isWritable: (_value, operation) =>
        operation.results.length > 0 || materializeInDestination.attributes(operation).writable,
    },
    bufferize: (operation, b) => {
      const [source, destination] = operation.operands;
      const target = b.buffer(destination!);
      b.createCopy(b.buffer(source!), target);
      b.replace(
        operation,
        operation.results.map(() => target),
      );
    },
  },

  'bufferization.to_memref': {
    reads: () => true,
    // Users of the buffer may do anything with it.
    writes: ({ operation }) => !toMemref.attributes(operation).readOnly,
    bufferize: (operation, b) => {
      if (b.isBridging) return;
      const wanted = rankedTypeOf(operation.results[0]!);
      b.replace(operation, [b.castOrCopy(b.buffer(operation.operands[0]!), wanted)!]);
    },
  },

  'bufferization.to_tensor': {
    unsupported: (operation) =>
      toTensor.attributes(operation).restrict ? undefined : "is not marked 'restrict'",
    isWritable: (_value, operation) => toTensor.attributes(operation).writable,
    bufferType: (_value, operation) => bufferTypeOf(operation.operands[0]!),
    bufferize: (operation, b) => {
      if (!b.isBridging) b.replace(operation, operation.operands);
    },
  },
};
