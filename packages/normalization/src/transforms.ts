/** The transform ops of this package, for a registry. */
import type { TransformOpDefinition } from '@sconv/transform';
import { delinearizeOp } from './delinearize.ts';
import { generalizeOp } from './generalize.ts';
import { linearizeOp } from './linearize.ts';

/** In the order of the pipeline. */
export const transforms: readonly { readonly definition: TransformOpDefinition }[] = [
  generalizeOp,
  linearizeOp,
  delinearizeOp,
];
