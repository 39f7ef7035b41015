/** The transform ops of this package: functions that record them, and a list for a registry. */
import type { TransformOpDefinition } from '@sconv/transform';
import { split } from './transforms/split.ts';
import { splitReduction } from './transforms/split-reduction.ts';

export { split, splitReduction };

export const transforms: readonly { readonly definition: TransformOpDefinition }[] = [split, splitReduction];
