/**
 * Converts an `scf.forall` to sequential loops or to an `scf.parallel`: upstream's `forallToForLoop` and
 * `forallToParallelLoop`.
 */
import type { MixedIndex } from '@sconv/dialects';
import { indexValue } from '@sconv/dialects';
import { forall, forallBounds, forOp, parallel, reduce, yieldOp } from '@sconv/dialects/scf';
import type { Diagnosed } from '@sconv/diagnostics';
import { silenceableError, success } from '@sconv/diagnostics';
import type { DraftOperation, Rewriter, Value } from '@sconv/ir';
import { bodyOf, indexType, terminatorOf } from '@sconv/ir';

/** Converts an `scf.forall` on buffers to a nest of `scf.for` loops, returned outermost first. */
export const forallToForOp = (
  rewriter: Rewriter,
  loop: DraftOperation,
): Diagnosed<readonly DraftOperation[]> => {
  const refused = notConvertible(loop);
  if (refused !== undefined) return refused;
  const { lower, upper, step } = boundValues(rewriter, loop);
  const loops: DraftOperation[] = [];
  const variables: Value[] = [];
  for (const [i, lowerBound] of lower.entries()) {
    const created = rewriter.create(
      forOp.state<Rewriter>({
        operands: { lowerBound, upperBound: upper[i]!, step: step[i]!, initArgs: [] },
        resultTypes: [],
        location: loop.location,
        bodies: [
          {
            argumentTypes: [indexType],
            build: (body, variable) => {
              variables.push(variable);
              body.create(yieldOp.state({}));
            },
          },
        ],
      }),
    );
    rewriter.setInsertionPointToStart(bodyOf(created));
    loops.push(created);
  }
  const body = bodyOf(loop);
  rewriter.eraseOperation(terminatorOf(body));
  rewriter.inlineBlock(body, variables);
  rewriter.replaceOperation(loop, [], loops.slice(0, 1));
  return success(loops);
};

/** Converts an `scf.forall` on buffers to an `scf.parallel`. */
export const forallToParallelOp = (rewriter: Rewriter, loop: DraftOperation): Diagnosed<DraftOperation> => {
  const refused = notConvertible(loop);
  if (refused !== undefined) return refused;
  const { lower, upper, step } = boundValues(rewriter, loop);
  const created = rewriter.create(
    parallel.state<Rewriter>({
      operands: { lowerBound: lower, upperBound: upper, step },
      resultTypes: [],
      location: loop.location,
      bodies: [
        {
          argumentTypes: lower.map(() => indexType),
          build: (_, ...variables) => {
            const body = bodyOf(loop);
            rewriter.eraseOperation(terminatorOf(body));
            rewriter.inlineBlock(body, variables);
            rewriter.create(reduce.state({}));
          },
        },
      ],
    }),
  );
  rewriter.setAttribute(created, 'mapping', loop.attributes['mapping']);
  rewriter.replaceOperation(loop, [], [created]);
  return success(created);
};

const notConvertible = (loop: DraftOperation): Diagnosed<never> | undefined => {
  if (!forall.is(loop)) return silenceableError('forall/kind', 'expected the payload to be scf.forall', loop);
  return loop.results.length === 0
    ? undefined
    : silenceableError('forall/outputs', "unsupported shared outputs (didn't bufferize?)", loop);
};

/** The bounds as values before the loop: numbers become constants. */
const boundValues = (rewriter: Rewriter, loop: DraftOperation) => {
  rewriter.setInsertionPointBefore(loop);
  const bounds = forallBounds(loop);
  const values = (name: 'lower' | 'upper' | 'step'): readonly Value[] =>
    bounds.map(({ [name]: bound }): Value => valueOf(rewriter, bound));
  // In upstream's creation order.
  const [lower, upper, step] = [values('lower'), values('upper'), values('step')];
  return { lower, upper, step };
};

const valueOf = (rewriter: Rewriter, bound: MixedIndex): Value => indexValue(rewriter, bound);
