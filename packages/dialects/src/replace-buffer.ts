/** Replaces buffers by views of others, whose layouts differ. */
import type { DraftOperation, MemRefType, Rewriter, Value } from '@sconv/ir';
import { typeEquals } from '@sconv/ir';
import { subview } from './memref-views.ts';
import type { MixedSlice } from './mixed-indices.ts';
import { mixedSlice } from './mixed-indices.ts';
import { subviewState } from './slice-states.ts';
import { reducedSubviewType } from './slice-types.ts';

/** Creates a subview of this shape, which may leave out dimensions of size 1. Throws if the slice has another shape. */
export const createSubview = (
  rewriter: Rewriter,
  source: Value,
  slice: MixedSlice,
  shape: readonly number[],
): Value =>
  rewriter.createValue(
    subviewState(source, slice, reducedSubviewType(source.type as MemRefType, slice, shape)),
  );

/**
 * Replaces `buffer` by `view`; its subviews are created again on `view`, since their types change. Where the types
 * differ, `adapt` may give a user something else than the view of the buffer, or of its subview, that it used.
 */
export const replaceBuffer = (
  rewriter: Rewriter,
  buffer: Value,
  view: Value,
  adapt: (user: DraftOperation, view: Value, buffer: Value) => Value = (_user, same) => same,
): void => {
  if (typeEquals(buffer.type, view.type)) {
    rewriter.replaceAllUsesWith(buffer, view);
    return;
  }
  for (const user of rewriter.users(buffer)) {
    if (subview.is(user)) {
      const { result } = subview.results(user);
      rewriter.setInsertionPointBefore(user);
      const renewed = createSubview(rewriter, view, mixedSlice(user), result.type.shape);
      replaceBuffer(rewriter, result, renewed, adapt);
      rewriter.replaceOperation(user, [renewed]);
    } else {
      const next = adapt(user, view, buffer);
      rewriter.replaceUsesIf(buffer, next, (each) => each === user);
    }
  }
};
