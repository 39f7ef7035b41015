/** Ops on loops, not implemented yet. */
import { i64Attribute, withDefault } from '@sconv/ir';
import { consumes, consumesExactly, defineTransformOp, functional, produces } from '@sconv/transform';

export const pipeline = defineTransformOp({
  name: 'transform.loop.pipeline',
  summary: 'Pipelines a loop: overlaps parts of consecutive iterations.',
  operands: { target: consumesExactly('loops', 'scf.for') },
  attributes: { iterationInterval: withDefault(i64Attribute, 1), readLatency: withDefault(i64Attribute, 10) },
  results: { transformed: produces('the loop') },
  assembly: functional(),
});

/** An op that moves loop-independent code out of loops. */
const makeLoopIndependent = (dialect: 'tensor' | 'memref') =>
  defineTransformOp({
    name: `transform.${dialect}.make_loop_independent`,
    summary: 'Makes the sizes of the target independent of enclosing loops.',
    operands: { target: consumes('ops whose sizes depend on loops') },
    attributes: { numLoops: i64Attribute },
    results: { transformed: produces('what replaces the target') },
    assembly: functional(),
  });

export const makeTensorLoopIndependent = makeLoopIndependent('tensor');
export const makeMemrefLoopIndependent = makeLoopIndependent('memref');

export const loopOps = [pipeline, makeTensorLoopIndependent, makeMemrefLoopIndependent];
