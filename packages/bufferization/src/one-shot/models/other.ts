/** Constants, casts and selects of arith, the bufferization dialect, and branches of cf. */
import { getGlobal } from '@sconv/dialects/memref';
import { allocTensor, materializeInDestination, toMemref, toTensor } from '@sconv/dialects/bufferization';
import { dealloc } from '@sconv/dialects/memref';
import { memrefType } from '@sconv/ir';
import { argumentsGivenBy } from '../block-signature.ts';
import { bufferTypeOf, rankedTypeOf, tensorTypeOf } from '../buffer-types.ts';
import { fail } from '../failure.ts';
import type { OneShotModel } from '../model.ts';
import { equivalent, readsOperands, sameBuffer } from '../model.ts';
import { identityLayout } from '../options.ts';

const arithModels: Readonly<Record<string, OneShotModel>> = {
  'arith.constant': {
    isWritable: () => false,
    bufferType: (value, operation, types) =>
      identityLayout(tensorTypeOf(value), types.defaultSpace(operation)),
    bufferize: (operation, b) => {
      const { value } = operation.attributes;
      const result = operation.results[0]!;
      if (value?.kind !== 'dense-elements') throw new Error('a constant tensor has its elements');
      const created = b.rewriter.create(
        getGlobal.state({
          attributes: { name: b.globalFor(operation, value) },
          resultTypes: [b.types.of(result)],
        }),
      );
      b.replace(operation, created.results, [created]);
    },
  },

  'arith.index_cast': {
    ...sameBuffer,
    bufferType: (value, operation, types) => {
      const from = rankedTypeOf({ type: types.ofBuffer(operation.operands[0]!) });
      const { elementType } = tensorTypeOf(value);
      return memrefType(from.shape, elementType, from.layout, from.memorySpace);
    },
    bufferize: (operation, b) => {
      const source = b.buffer(operation.operands[0]!);
      const { elementType } = tensorTypeOf(operation.results[0]!);
      const { shape, layout, memorySpace } = rankedTypeOf(source);
      const created = b.createLike(operation, {
        operands: [source],
        resultTypes: [memrefType(shape, elementType, layout, memorySpace)],
      });
      b.replace(operation, created.results, [created]);
    },
  },

  'arith.select': {
    aliasingValues: ({ operation }) => [equivalent(operation.results[0]!, false)],
    bufferType: (value, operation, types) => {
      const [, yes, no] = operation.operands;
      return types.common(value, types.ofBuffer(yes!), [types.ofBuffer(no!)], () =>
        fail('bufferize/select-memory-space', 'inconsistent memory space on true/false operands', operation),
      );
    },
    bufferize: (operation, b) => {
      const [condition, ...sides] = operation.operands;
      const buffers = sides.map((side) => b.buffer(side));
      const type = b.types.of(operation.results[0]!);
      const created = b.createLike(operation, {
        operands: [condition!, ...buffers.map((buffer) => b.createCast(buffer, type))],
        resultTypes: [type],
      });
      b.replace(operation, created.results, [created]);
    },
  },
};

const bufferizationOneShotModels: Readonly<Record<string, OneShotModel>> = {
  'bufferization.alloc_tensor': {
    ...readsOperands,
    allocates: true,
    definesResult: (_result, operation) => allocTensor.operands(operation).copy !== undefined,
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
        source === undefined ? dynamicSizes : b.createDims(source, type.shape),
      );
      if (source !== undefined) b.createCopy(source, buffer);
      b.replace(operation, [buffer]);
    },
  },

  'bufferization.dealloc_tensor': {
    bufferize: (operation, b) => {
      b.rewriter.create(dealloc.state({ operands: { memref: b.buffer(operation.operands[0]!) } }));
      b.rewriter.eraseOperation(operation);
    },
  },

  'bufferization.materialize_in_destination': {
    reads: ({ index }) => index === 0,
    writes: ({ index }) => index === 1,
    isAlwaysInPlace: true,
    isElementwise: () => true,
    isWritable: (_value, operation) =>
      operation.results.length > 0 || materializeInDestination.attributes(operation).writable,
    aliasingValues: ({ operation, index }) => (index === 1 ? [equivalent(operation.results[0]!)] : []),
    bufferize: (operation, b) => {
      const [source, destination] = operation.operands;
      const target = b.bufferOr(destination!);
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
    bufferize: () => undefined,
  },

  'bufferization.to_tensor': {
    isWritable: (_value, operation) => toTensor.attributes(operation).writable,
    bufferType: (_value, operation) => bufferTypeOf(operation.operands[0]!),
    bufferize: () => undefined,
  },
};

/** Branches forward operands to block arguments. */
const branchModel: OneShotModel = {
  aliasingValues: ({ operation, index }, state) =>
    argumentsGivenBy(operation, index, state).map((value) => equivalent(value, false)),
  // Rewritten with the successor block.
  bufferize: () => undefined,
};

export const otherModels: Readonly<Record<string, OneShotModel>> = {
  ...arithModels,
  ...bufferizationOneShotModels,
  'cf.br': branchModel,
  'cf.cond_br': branchModel,
};
