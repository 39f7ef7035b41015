/** Indices that are numbers or values, as numbers or as values. */
import { constantIndexOf, createIndex } from './composed-apply.ts';
import type { MixedIndex } from './mixed-indices.ts';
import type { Rewriter, Value } from '@sconv/ir';

/** The value of an index: a new constant for a number. */
export const indexValue = (rewriter: Rewriter, index: MixedIndex): Value =>
  typeof index === 'number' ? createIndex(rewriter, index) : index;

/** The number of an index, where that is known. */
export const indexNumber = (rewriter: Rewriter, index: MixedIndex): number | undefined =>
  typeof index === 'number' ? index : constantIndexOf(rewriter, index);
