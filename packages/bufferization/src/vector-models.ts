/** Transfers between vectors and tensors. */
import { transferWrite } from '@sconv/dialects/vector';
import type { OpModel } from './op-model.ts';
import { readsOnly } from './op-model.ts';

/** A read of a tensor into a vector works on a buffer unchanged. */
const reading: OpModel = { ...readsOnly, bufferize: () => undefined };

export const vectorModels: Readonly<Record<string, OpModel>> = {
  'vector.transfer_read': reading,
  'vector.gather': reading,

  'vector.transfer_write': {
    // A vector rarely covers the whole tensor.
    reads: () => true,
    writes: () => true,
    aliases: ({ operation }) => [{ value: operation.results[0]!, relation: 'same' }],
    bufferize: (operation, context) => {
      const { rewriter } = context;
      const buffer = context.bufferFor(operation, 1);
      const operands = transferWrite.operands(operation);
      const written = rewriter.create(
        transferWrite.state({
          operands: { ...operands, source: buffer },
          attributes: transferWrite.attributes(operation),
          resultTypes: [],
        }),
      );
      rewriter.replaceOperation(operation, [buffer], [written]);
    },
  },
};
