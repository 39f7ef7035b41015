/** The failures of packing a structured op. */
import type { FailureSpec } from '@sconv/transform';

export const packFailures: Readonly<Record<string, FailureSpec>> = {
  'pack/not-structured': {
    mode: 'silenceable',
    when: 'the target is not a structured op on tensors, or has no body',
  },
  'pack/sizes': {
    mode: 'silenceable',
    when: 'the number of sizes differs from the number of loops, or a size is negative',
  },
  'pack/maps': {
    mode: 'definite',
    when: 'a packed dimension is only part of an index, as the rows of a convolution are',
  },
  'pack/padding': {
    mode: 'silenceable',
    when: 'a size does not divide its dimension, and no padding value leaves the results unchanged',
  },
  'pack/order': {
    mode: 'silenceable',
    when: 'iterations of a reduction would run in another order, which may change the result',
  },
};
