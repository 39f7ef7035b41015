/** The transform op of this package, for a registry. */
import type { TransformOpDefinition } from '@sconv/transform';
import { oneShotBufferizeOp } from './one-shot-bufferize-op.ts';

export { oneShotBufferizeOp };

/** The only one. */
export const transforms: readonly { readonly definition: TransformOpDefinition }[] = [oneShotBufferizeOp];
