/** Constants, casts and selects of arith, and branches of cf. */
import { getGlobal } from '@sconv/dialects/memref';
import { memrefType } from '@sconv/ir';
import { fail } from '../failure.ts';
import type { OpModel } from '../op-model.ts';
import { viewOf } from '../op-model.ts';
import { identityLayout } from '../options.ts';
import { argumentsGivenBy } from '../rewriting/block-signature.ts';
import { rankedTypeOf, tensorTypeOf } from '../rewriting/buffer-types.ts';

/** Branches forward operands to block arguments; only upstream's analysis follows them. */
const branchModel: OpModel = {
  unsupported: () => 'is unstructured control flow',
  upstream: {
    aliases: ({ operation, index }, state) =>
      argumentsGivenBy(operation, index, state).map((value) => ({ value, relation: 'either' })),
  },
  // Rewritten with the successor block.
  bufferize: () => undefined,
};

export const arithModels: Readonly<Record<string, OpModel>> = {
  // A read-only global buffer.
  'arith.constant': {
    unsupported: ({ attributes: { value } }) =>
      value?.kind === 'dense-elements' || value?.kind === 'dense-resource'
        ? undefined
        : 'has a value without dense elements',
    isWritable: () => false,
    bufferType: (value, operation, types) =>
      identityLayout(tensorTypeOf(value), types.defaultSpace(operation)),
    bufferize: (operation, b) => {
      const { value } = operation.attributes;
      const result = operation.results[0]!;
      if (value?.kind !== 'dense-elements' && value?.kind !== 'dense-resource')
        throw new Error('a constant tensor has its elements');
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
    ...viewOf('same'),
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
    aliases: ({ operation }) => [{ value: operation.results[0]!, relation: 'either' }],
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

  'cf.br': branchModel,
  'cf.cond_br': branchModel,
};
