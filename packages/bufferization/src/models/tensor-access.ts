/** Element accesses and size queries of tensors. */
import { dim, load, rank, store } from '@sconv/dialects/memref';
import { insert } from '@sconv/dialects/tensor';
import type { OpModel } from '../op-model.ts';
import { readsOnly } from '../op-model.ts';
import { destinationStyle } from './destination-style.ts';

export const tensorAccessModels: Readonly<Record<string, OpModel>> = {
  'tensor.extract': {
    ...readsOnly,
    bufferize: (operation, b) => {
      const memref = b.buffer(operation.operands[0]!);
      const indices = operation.operands.slice(1);
      b.rewriter.replaceWith(operation, load.state({ operands: { memref, indices } }));
    },
  },

  'tensor.insert': {
    ...destinationStyle,
    bufferize: (operation, b) => {
      const { scalar, indices } = insert.operands(operation);
      const memref = b.buffer(operation.operands[1]!);
      const written = b.rewriter.create(store.state({ operands: { value: scalar, memref, indices } }));
      b.replace(operation, [memref], [written]);
    },
  },

  'tensor.dim': {
    bufferize: (operation, b) => {
      const source = b.buffer(operation.operands[0]!);
      const index = operation.operands[1]!;
      b.rewriter.replaceWith(operation, dim.state({ operands: { source, index } }));
    },
  },

  'tensor.rank': {
    bufferize: (operation, b) => {
      const memref = b.buffer(operation.operands[0]!);
      b.rewriter.replaceWith(operation, rank.state({ operands: { memref } }));
    },
  },
};
