/** Inlines the bodies of operations, or rebuilds operations with fewer results and arguments. */
import type { DraftBlock, DraftOperation, Rewriter, Value } from '@sconv/ir';
import { terminatorOf } from '@sconv/ir';
import { stateOf } from './match.ts';

/** The first block of a region, if there is one. */
export const blockOf = (operation: DraftOperation, region = 0): DraftBlock | undefined =>
  operation.regions[region]?.blocks[0];

/** Replaces an operation by the contents of one of its blocks, and its results by the terminator operands. */
export const inlineInPlace = (
  rewriter: Rewriter,
  operation: DraftOperation,
  block: DraftBlock,
  values: readonly Value[],
  results = (terminator: DraftOperation): readonly Value[] => terminator.operands,
): void => {
  const terminator = terminatorOf(block);
  rewriter.scoped(() => {
    rewriter.setInsertionPointBefore(operation);
    rewriter.inlineBlock(block, values);
  });
  const given = results(terminator);
  // The terminator must not be the only user of the replacement.
  rewriter.replaceOperation(operation, given, []);
  rewriter.eraseOperation(terminator);
};

/** The `values` whose `keep` is true. */
export const kept = <T>(values: readonly T[], keep: readonly boolean[]): readonly T[] =>
  values.filter((_, i) => keep[i]);

/**
 * Recreates an operation with only the results that `keep` selects, and moves its regions to it. `given` replaces
 * dropped results; those without a replacement must be unused.
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

/**
 * Removes the arguments of a block, from `first` on, that `keep` does not select; `given` replaces those that are
 * used.
 */
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
