/** The failures of packing a structured op. */
import type { FailureSpec } from '@sconv/transform';

export const packFailures: Readonly<Record<string, FailureSpec>> = {
  'pack/not-structured': { mode: 'silenceable', when: 'the target is not a structured op on tensors' },
  'pack/sizes': {
    mode: 'silenceable',
    when: 'the sizes are not as many as the iteration dimensions, or one is negative',
  },
  'pack/maps': {
    mode: 'definite',
    when: 'a dimension with a size is only part of an index, as the rows of a convolution are',
  },
  'pack/padding': {
    mode: 'silenceable',
    when: 'a size does not divide its dimension, and there is no padding on which the body keeps its outputs',
  },
  'pack/order': {
    mode: 'silenceable',
    when: 'iterations of a reduction would run in another order, and the body does not combine values in any order',
  },
};
