/** The transform ops of this package, for a registry. */
import type { TransformOpDefinition } from '@sconv/transform';
import { bufferOps } from './transforms/buffer-ops.ts';
import { oneShotBufferize } from './one-shot-bufferize-op.ts';

export { oneShotBufferize };

export const transforms: readonly { readonly definition: TransformOpDefinition }[] = [
  oneShotBufferize,
  ...bufferOps,
];
