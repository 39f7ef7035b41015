/** Rejects targets that contain the transform op itself, for ops that rewrite anything in a target. */
import type { Failed } from '@sconv/diagnostics';
import { definite, error } from '@sconv/diagnostics';
import type { DraftOperation } from '@sconv/ir';
import type { ApplyContext } from './define-transform-op.ts';
import { noteAt } from './inspect.ts';

/** The failure, for op declarations. */
export const itselfFailures = {
  'transform/applied-to-itself': { mode: 'definite', when: 'the target contains the script' },
} as const;

/** Fails if the script is in one of the targets. */
export const appliedToItself = (
  { rewriter, operation }: ApplyContext,
  targets: readonly DraftOperation[],
): Failed | undefined => {
  const itself = rewriter.lookup(operation.id);
  // In another module this id may be a different operation.
  if (itself?.name !== operation.name || itself.location !== operation.location) return undefined;
  const target = targets.find((each) => rewriter.isWithin(itself, each));
  if (target === undefined) return undefined;
  const message = 'cannot apply transform to itself (or one of its ancestors)';
  return definite(
    error('transform/applied-to-itself', message, target.location, [noteAt('target payload op', target)]),
  );
};
