/** The transform ops of this package, for a registry. */
import type { TransformOpDefinition } from '@sconv/transform';
import { bufferOps } from './transforms/buffer-ops.ts';
import { oneShotBufferizeOp } from './one-shot-bufferize-op.ts';

export { oneShotBufferizeOp };

export const transforms: readonly { readonly definition: TransformOpDefinition }[] = [
  oneShotBufferizeOp,
  ...bufferOps,
];
