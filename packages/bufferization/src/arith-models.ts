/** Constant tensors: read-only global buffers. */
import { getGlobal } from '@sconv/dialects/memref';
import { memrefType } from '@sconv/ir';
import type { OpModel } from './op-model.ts';
import { noOperands } from './op-model.ts';

export const constantModel: OpModel = {
  ...noOperands,
  unsupported: ({ attributes }) =>
    attributes['value']?.kind === 'dense-elements' ? undefined : 'has no dense elements',
  isWritable: () => false,
  bufferize: (operation, { rewriter, module }) => {
    const { value } = operation.attributes;
    const { type } = operation.results[0]!;
    if (value?.kind !== 'dense-elements' || type.kind !== 'tensor') throw new Error('checked before');
    rewriter.replaceWith(
      operation,
      getGlobal.state({
        attributes: { name: module.globalFor(value) },
        resultTypes: [memrefType(type.shape, type.elementType)],
      }),
    );
  },
};
