/** `transform.tensor.make_loop_independent` and `transform.memref.make_loop_independent`. */
import type { Diagnosed } from '@sconv/diagnostics';
import { collect, mapSuccess } from '@sconv/diagnostics';
import type { DraftOperation, Rewriter } from '@sconv/ir';
import { i64Attribute } from '@sconv/ir';
import { consumes, defineTransformOp, functional, produces } from '@sconv/transform';
import { makeMemrefLoopIndependentOp, makeTensorLoopIndependentOp } from '../make-loop-independent-op.ts';

/** An op that gives its targets sizes which do not depend on loops. */
const makeLoopIndependent = (
  dialect: 'tensor' | 'memref',
  targets: string,
  rewrite: (rewriter: Rewriter, operation: DraftOperation, count: number) => Diagnosed<DraftOperation>,
) =>
  defineTransformOp({
    name: `transform.${dialect}.make_loop_independent`,
    summary: 'Makes the sizes of the target independent of the induction variables of enclosing loops.',
    operands: { target: consumes(targets) },
    attributes: { numLoops: i64Attribute },
    results: { transformed: produces('the part of the larger tensor or buffer that replaces the target') },
    failures: {
      'tile/enclosing-loop': { mode: 'silenceable', when: 'a target is in fewer `scf.for` loops' },
      'tile/dependent-target': { mode: 'silenceable', when: 'a target is another op' },
      'tile/unbounded': {
        mode: 'silenceable',
        when: 'no upper bound of a size is known, or a padding differs from element to element',
      },
    },
    assembly: functional(),
    apply: ({ rewriter }, { target }, { numLoops }) =>
      mapSuccess(
        collect(target, (operation) => rewrite(rewriter, operation, numLoops)),
        (transformed) => ({ transformed }),
      ),
  });

export const makeTensorLoopIndependent = makeLoopIndependent(
  'tensor',
  '`tensor.empty` and `tensor.pad` ops',
  makeTensorLoopIndependentOp,
);
export const makeMemrefLoopIndependent = makeLoopIndependent(
  'memref',
  '`memref.alloca` ops',
  makeMemrefLoopIndependentOp,
);

export const loopOps = [makeTensorLoopIndependent, makeMemrefLoopIndependent];
