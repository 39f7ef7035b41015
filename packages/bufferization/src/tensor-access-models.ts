/** Element accesses and size queries of tensors. */
import { extract, insert } from '@sconv/dialects/tensor';
import { dim, load, rank, store } from '@sconv/dialects/memref';
import type { OpModel } from './op-model.ts';
import { noOperands, readsOnly } from './op-model.ts';

export const tensorAccessModels: Readonly<Record<string, OpModel>> = {
  'tensor.extract': {
    ...readsOnly,
    bufferize: (operation, { rewriter }) => {
      const { tensor, indices } = extract.operands(operation);
      rewriter.replaceWith(operation, load.state({ operands: { memref: tensor, indices } }));
    },
  },

  'tensor.insert': {
    reads: () => true,
    writes: () => true,
    aliases: ({ operation }) => [{ value: operation.results[0]!, relation: 'same' }],
    bufferize: (operation, context) => {
      const { rewriter } = context;
      const { scalar, indices } = insert.operands(operation);
      const memref = context.bufferFor(operation, 1);
      const written = rewriter.create(store.state({ operands: { value: scalar, memref, indices } }));
      rewriter.replaceOperation(operation, [memref], [written]);
    },
  },

  'tensor.dim': {
    ...noOperands,
    bufferize: (operation, { rewriter }) => {
      const [source, index] = operation.operands;
      rewriter.replaceWith(operation, dim.state({ operands: { source: source!, index: index! } }));
    },
  },

  'tensor.rank': {
    ...noOperands,
    bufferize: (operation, { rewriter }) => {
      rewriter.replaceWith(operation, rank.state({ operands: { memref: operation.operands[0]! } }));
    },
  },
};
