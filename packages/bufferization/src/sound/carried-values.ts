/**
 * How loops carry tensors. A carried tensor lives in one buffer for the whole loop: the yielded value is already in
 * that buffer, or is copied into it at the end of each iteration.
 *
 * @deviation Upstream rejects loops whose yielded tensor is not in the buffer of the carried one, or lets them
 * allocate a buffer in each iteration (`allow-return-allocs-from-loops`).
 */
import type { Diagnosed, Diagnostic } from '@sconv/diagnostics';
import { definite, error, success, warning } from '@sconv/diagnostics';
import { forOp, ifOp } from '@sconv/dialects/scf';
import type { DraftOperation, Value } from '@sconv/ir';
import { bodyOf, DYNAMIC, terminatorOf } from '@sconv/ir';
import { isTensor } from '../op-model.ts';
import type { SoundState } from './sound-state.ts';

/**
 * Where the yielded value lives: in the buffer of its own carried tensor (`same`), in memory that may alias some
 * carried tensor of the loop (`overlaps`), or elsewhere (`apart`). `scalar`: not a tensor.
 */
export type Carried = 'same' | 'overlaps' | 'apart' | 'scalar';

/** By loop id: how each iter arg is carried. Warns about tensors that are copied in each iteration. */
export const carriedValues = (state: SoundState): Diagnosed<ReadonlyMap<number, readonly Carried[]>> => {
  const byLoop = new Map<number, readonly Carried[]>();
  const warnings: Diagnostic[] = [];
  for (const loop of state.operations) {
    if (!forOp.is(loop)) continue;
    const carried = carriedBy(state, loop);
    byLoop.set(loop.id, carried);
    for (const [i, how] of carried.entries()) {
      if (how === 'same' || how === 'scalar') continue;
      const { type } = loop.results[i]!;
      if (type.kind === 'tensor' && type.shape.includes(DYNAMIC)) {
        return definite(
          error(
            'bufferize/loop-carried-size',
            `iteration argument #${i} is not updated in place and may change its size`,
            loop.location,
          ),
        );
      }
      warnings.push(
        warning(
          'bufferize/loop-carried-copy',
          `iteration argument #${i} is not updated in place: every iteration copies it`,
          loop.location,
          [{ message: 'the value is yielded here', location: terminatorOf(bodyOf(loop)).location }],
        ),
      );
    }
  }
  return success(byLoop, warnings);
};

/** Whether a value has the buffer of another; for a branch result, whether both sides do. */
const isInBufferOf = (state: SoundState, argument: Value, value: Value): boolean => {
  if (state.areEquivalent(argument, value)) return true;
  const branch = state.rewriter.definingOperation(value);
  if (branch === undefined || !ifOp.is(branch)) return false;
  const position = branch.results.findIndex(({ id }) => id === value.id);
  return branch.regions.every(({ blocks }) => {
    const side = blocks[0]?.last?.operands[position];
    return side !== undefined && isInBufferOf(state, argument, side);
  });
};

const carriedBy = (state: SoundState, loop: DraftOperation): readonly Carried[] => {
  const body = bodyOf(loop);
  const [, ...iterationArguments] = body.arguments;
  const yielded = terminatorOf(body).operands;
  return iterationArguments.map((argument, i) => {
    const value = yielded[i]!;
    if (!isTensor(argument)) return 'scalar';
    if (isInBufferOf(state, argument, value)) return 'same';
    const sharesMemory = iterationArguments.some((other) => state.mayAlias(other, value));
    return sharesMemory ? 'overlaps' : 'apart';
  });
};
