/** The sets of patterns of `apply_patterns` that are about vectors. */
import type { Attachment } from '@sconv/ir';

export const patternSets: readonly Attachment[] = [];
