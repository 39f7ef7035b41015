/** Bodies of operations: put in their place, or kept while results and arguments go. */
import type { DraftBlock, DraftOperation, Rewriter, Value } from '@sconv/ir';
import { stateOf } from './match.ts';

/** The last operation of a block. */
export const lastOf = (block: DraftBlock): DraftOperation => {
  if (block.last === undefined) throw new Error('an empty block has no terminator');
  return block.last;
};

/** The first block of a region, if there is one. */
export const blockOf = (operation: DraftOperation, region = 0): DraftBlock | undefined =>
  operation.regions[region]?.blocks[0];

/** Replaces an operation by what is in a block of it, and its results by what that ends with. */
export const inlineInPlace = (
  rewriter: Rewriter,
  operation: DraftOperation,
  block: DraftBlock,
  values: readonly Value[],
  results = (terminator: DraftOperation): readonly Value[] => terminator.operands,
): void => {
  const terminator = lastOf(block);
  rewriter.scoped(() => {
    rewriter.setInsertionPointBefore(operation);
    rewriter.inlineBlock(block, values);
  });
  const given = results(terminator);
  // What the operation is replaced by must not be used by the terminator alone.
  rewriter.replaceOperation(operation, given, []);
  rewriter.eraseOperation(terminator);
};

/** `values` at which `keep` is true. */
export const kept = <T>(values: readonly T[], keep: readonly boolean[]): readonly T[] =>
  values.filter((_, i) => keep[i]);

/**
 * The same operation with fewer results: those that `keep` says. Its regions move to the new one. What `given` has stands
 * for the results that go; they are unused where it has nothing.
 */
export const withResults = (
  rewriter: Rewriter,
  operation: DraftOperation,
  keep: readonly boolean[],
  given: readonly (Value | undefined)[] = [],
  change: Parameters<typeof stateOf>[1] = {},
): DraftOperation => {
  const made = rewriter.create(
    stateOf(operation, { resultTypes: kept(operation.results, keep).map(({ type }) => type), ...change }),
  );
  for (const region of operation.regions) rewriter.moveRegion(region, rewriter.createRegion(made));
  let next = 0;
  operation.results.forEach((result, i) => {
    const value = keep[i] === true ? made.results[next++] : given[i];
    if (value !== undefined) rewriter.replaceAllUsesWith(result, value);
  });
  rewriter.eraseOperation(operation);
  return made;
};

/** Removes the arguments of a block that `keep` does not say, from `first` on; `given` stands for those that are used. */
export const withoutArguments = (
  rewriter: Rewriter,
  block: DraftBlock,
  keep: readonly boolean[],
  given: readonly (Value | undefined)[] = [],
  first = 0,
): void => {
  for (let i = keep.length - 1; i >= 0; i--) {
    if (keep[i] === true) continue;
    const argument = block.arguments[first + i]!;
    const value = given[i];
    if (value !== undefined) rewriter.replaceAllUsesWith(argument, value);
    rewriter.eraseArgument(block, first + i);
  }
};
