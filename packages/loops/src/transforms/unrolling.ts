/** Transforms that replicate a loop body. */
import { collect, mapSuccess } from '@sconv/diagnostics';
import { i64Attribute, positive } from '@sconv/ir';
import { consumes, defineTransformOp, typed } from '@sconv/transform';
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
  assembly: typed(),
  apply: ({ rewriter }, { target }, { factor }) =>
    mapSuccess(
      collect(target, (loop) => unrollOp(rewriter, loop, factor)),
      () => ({}),
    ),
});

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
