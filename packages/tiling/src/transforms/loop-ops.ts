/** Ops on loops, not implemented yet. */
import { i64Attribute } from '@sconv/ir';
import { consumes, defineTransformOp, functional, produces } from '@sconv/transform';

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

export const loopOps = [makeTensorLoopIndependent, makeMemrefLoopIndependent];
