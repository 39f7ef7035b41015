/**
 * The rule for slices that are taken out, changed and put back at the same place (upstream's
 * `SubsetInsertionOpInterface`):
 *
 *     %0 = tensor.extract_slice %t[%a] [%b] [1]
 *     %1 = linalg.fill … outs(%0)
 *     %2 = tensor.insert_slice %1 into %t[%a] [%b] [1]
 *
 * The insertion reads only the part of %t that the fill does not write, and what it writes is there already.
 */
import { mixedSlice, sameSlice } from '@sconv/dialects';
import { extractSlice, insertSlice, parallelInsertSlice } from '@sconv/dialects/tensor';
import type { DraftOperation, Value } from '@sconv/ir';
import type { InPlaceAnalysis } from './in-place-analysis.ts';
import type { Use } from './tensor-facts.ts';

const isDestination = ({ operation, index }: Use): boolean =>
  (insertSlice.is(operation) || parallelInsertSlice.is(operation)) && index === 1;

/** Whether every definition of `value` is the part of the destination that `insertion` overwrites. */
const isOverwrittenPart = (analysis: InPlaceAnalysis, value: Value, insertion: DraftOperation): boolean => {
  const { facts } = analysis;
  const destination = insertion.operands[1]!;
  const isPart = (candidate: Value): boolean => {
    const extraction = facts.rewriter.definingOperation(candidate);
    return (
      extraction !== undefined &&
      extractSlice.is(extraction) &&
      analysis.areEquivalent(extraction.operands[0]!, destination) &&
      sameSlice(facts.rewriter, mixedSlice(extraction), mixedSlice(insertion))
    );
  };
  return facts.upwards(value, isPart).every(isPart);
};

/** Whether a write cannot change what a read sees, because one of the two inserts the part that is written. */
export const accessesSameSubset = (analysis: InPlaceAnalysis, read: Use, write: Use): boolean => {
  // The insertion does not read the part that the write writes.
  if (isDestination(read) && isOverwrittenPart(analysis, write.value, read.operation)) return true;
  if (!isDestination(write)) return false;
  const insertion = write.operation;
  // The insertion writes what it reads, in place.
  if (read.operation === insertion) return isOverwrittenPart(analysis, read.value, insertion);
  // The insertion overwrites the part only with what the reader's tensor already has there.
  const source = insertion.operands[0]!;
  return analysis.areEquivalent(read.value, source) && isOverwrittenPart(analysis, source, insertion);
};
