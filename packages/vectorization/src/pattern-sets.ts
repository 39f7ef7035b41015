/** The sets of patterns of `apply_patterns` that are about vectors. */
import { patternDescriptor } from '@sconv/transform';
import type { Attachment } from '@sconv/ir';
import { attach } from '@sconv/ir';
import { outerProductPattern } from './lower-outer-product.ts';
import { contractionToOuterProducts } from './lower-contraction.ts';

/** The lowering strategy that is preset, as upstream numbers it. */
const outerProduct = 2n;

/** What the ops in the body of `apply_patterns` stand for; a strategy that has no patterns here is refused. */
export const patternSets: readonly Attachment[] = [
  attach(patternDescriptor, 'transform.apply_patterns.vector.lower_outerproduct', {
    patterns: () => [outerProductPattern],
  }),
  attach(patternDescriptor, 'transform.apply_patterns.vector.lower_contraction', {
    patterns: ({ attributes: { lowering_strategy: strategy } }) =>
      strategy?.kind === 'integer' && strategy.value !== outerProduct
        ? undefined
        : [contractionToOuterProducts],
  }),
];
