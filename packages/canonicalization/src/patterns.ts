/** All canonicalization patterns, by dialects. */
import type { RewritePattern } from '@sconv/ir';
import { reshapePatterns } from './patterns/reshapes.ts';
import { slicePatterns } from './patterns/slices.ts';
import { tensorCastPatterns } from './patterns/tensor-cast.ts';
import { tensorElementPatterns } from './patterns/tensor-elements.ts';
import { tensorPackPatterns } from './patterns/tensor-pack.ts';
import { tensorPadPatterns } from './patterns/tensor-pad.ts';

export const canonicalizationPatterns: readonly RewritePattern[] = [
  ...tensorCastPatterns,
  ...tensorElementPatterns,
  ...tensorPadPatterns,
  ...tensorPackPatterns,
  ...slicePatterns,
  ...reshapePatterns,
];
