/** The transforms that repeat the body of a loop. */
import { collect, mapSuccess } from '@sconv/diagnostics';
import { i64Attribute, positive } from '@sconv/ir';
import { consumes, defineTransformOp, typed } from '@sconv/transform';
import { unrollOp } from '../unroll-op.ts';

/** `transform.loop.unroll`. */
export const unroll = defineTransformOp({
  name: 'transform.loop.unroll',
  summary: 'Does several iterations of a loop in one.',
  operands: { target: consumes('loops') },
  attributes: { factor: positive(i64Attribute) },
  failures: {
    'unroll/failed': { mode: 'silenceable', when: 'a target is no `scf.for`' },
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
  summary: 'Does several iterations of an outer loop in one inner loop.',
  operands: { target: consumes('loops') },
  attributes: { factor: positive(i64Attribute) },
  assembly: typed(),
});
