/** Transforms that replicate a loop body. */
import { collect, mapSuccess } from '@sconv/diagnostics';
import { tripCount } from '@sconv/dialects';
import { forOp as affineFor } from '@sconv/dialects/affine';
import type { LoopBounds } from '@sconv/dialects/scf';
import { forBounds, forOp } from '@sconv/dialects/scf';
import type { DraftOperation, Rewriter } from '@sconv/ir';
import { i64Attribute, positive } from '@sconv/ir';
import { consumes, defineTransformOp, typed } from '@sconv/transform';
import { constantBounds } from '../constant-bounds.ts';
import { constantAffineBounds } from '../unroll-affine-op.ts';
import { unrollAndJamOp } from '../unroll-and-jam-op.ts';
import { unrollOp } from '../unroll-op.ts';

const lengthFailure = {
  'unroll/too-long': { mode: 'silenceable', when: 'the unrolled body would have more than 2^18 operations' },
} as const;

/** `transform.loop.unroll`. */
export const unroll = defineTransformOp({
  name: 'transform.loop.unroll',
  summary: 'Unrolls a loop by a factor.',
  operands: { target: consumes('loops') },
  attributes: { factor: positive(i64Attribute) },
  failures: {
    'unroll/failed': {
      mode: 'silenceable',
      when: 'a target is neither an `scf.for` nor an `affine.for` with constant bounds',
    },
    ...lengthFailure,
  },
  warnings: {
    'unroll/beyond-trip-count':
      'the factor is larger than the number of iterations: all of them are the rest',
  },
  assembly: typed(),
  apply: ({ rewriter, warn }, { target }, { factor }) => {
    const notes = target.flatMap((loop) => {
      const bounds = boundsOf(rewriter, loop);
      const count = bounds === undefined ? Infinity : tripCount(bounds);
      return count < factor && count > 1
        ? [{ message: `this loop has ${count} iterations`, location: loop.location }]
        : [];
    });
    if (notes.length > 0)
      warn(
        'unroll/beyond-trip-count',
        `nothing is unrolled: there are fewer than ${factor} iterations, and all are left to the rest`,
        notes.slice(0, mostListed),
      );
    return mapSuccess(
      collect(target, (loop) => unrollOp(rewriter, loop, factor)),
      () => ({}),
    );
  },
});

/** The most loops that a warning lists. */
const mostListed = 8;

const boundsOf = (rewriter: Rewriter, loop: DraftOperation): LoopBounds<number> | undefined => {
  if (affineFor.is(loop)) return constantAffineBounds(rewriter, loop);
  return forOp.is(loop) ? constantBounds(rewriter, forBounds(loop)) : undefined;
};

/** `transform.loop.unroll_and_jam`. */
export const unrollAndJam = defineTransformOp({
  name: 'transform.loop.unroll_and_jam',
  summary: 'Unrolls an outer loop and jams the copies into its inner loops.',
  operands: { target: consumes('loops') },
  attributes: { factor: positive(i64Attribute) },
  failures: {
    'unroll-and-jam/failed': {
      mode: 'silenceable',
      when:
        'a target is not an `scf.for`, carries values, has a trip count that is unknown or not a ' +
        'multiple of the factor, contains a loop whose bounds depend on it, or would access a buffer ' +
        'in another order',
    },
    ...lengthFailure,
  },
  assembly: typed(),
  apply: ({ rewriter }, { target }, { factor }) =>
    mapSuccess(
      collect(target, (loop) => unrollAndJamOp(rewriter, loop, factor)),
      () => ({}),
    ),
});
