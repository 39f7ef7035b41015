/** Converts mixed indices to values or numbers. */
import { constantIndexOf, createIndex } from './composed-apply.ts';
import type { MixedIndex } from './mixed-indices.ts';
import type { Rewriter, Value } from '@sconv/ir';

/** The index as a value: a new constant for a number. */
export const indexValue = (rewriter: Rewriter, index: MixedIndex): Value =>
  typeof index === 'number' ? createIndex(rewriter, index) : index;

/** The index as a number, if known. */
export const indexNumber = (rewriter: Rewriter, index: MixedIndex): number | undefined =>
  typeof index === 'number' ? index : constantIndexOf(rewriter, index);
