/** The transform ops of this package, for a registry. */
import type { TransformOpDefinition } from '@sconv/transform';
import { oneShotBufferizeOp } from './one-shot-bufferize-op.ts';

/** The only one. */
export const transforms: readonly { readonly definition: TransformOpDefinition }[] = [oneShotBufferizeOp];
