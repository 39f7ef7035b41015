/** Unrolls an outer loop and jams the copies into its inner loops: upstream's `loopUnrollJamByFactor`. */
import type { Diagnosed } from '@sconv/diagnostics';
import { silenceableError, success } from '@sconv/diagnostics';
import { addi } from '@sconv/dialects/arith';
import { forOp } from '@sconv/dialects/scf';
import type { DraftBlock, DraftOperation, Id, Rewriter, Value } from '@sconv/ir';
import { bodyOf, builder, terminatorOf } from '@sconv/ir';
import { boundsOf, constantBounds, createInteger, tripCount } from './constant-bounds.ts';
import { promoteIfOneIterationOp } from './promote-if-one-iteration-op.ts';

/**
 * Unrolls an `scf.for` by `factor`, or by its trip count if that is smaller. The operations between inner loops are
 * replicated in place, and the inner loops' iter args are replicated for each copy.
 *
 * Fails with `unroll-and-jam/failed` for a loop with iter args, one whose trip count is unknown or not a multiple of
 * the factor, or one that defines the bounds of an inner loop. As upstream, the caller is responsible for the legality
 * of reordering iterations.
 */
export const unrollAndJamOp = (
  rewriter: Rewriter,
  loop: DraftOperation,
  factor: number,
): Diagnosed<undefined> => {
  const failed = (): Diagnosed<undefined> =>
    silenceableError('unroll-and-jam/failed', 'failed to unroll and jam', loop);
  if (!forOp.is(loop)) {
    const message = 'failed to unroll and jam, incorrect type of payload';
    return silenceableError('unroll-and-jam/failed', message, loop);
  }
  if (factor === 1) return success(undefined);
  const inner = rewriter.walk(loop).filter((each) => each !== loop && forOp.is(each));
  const isInvariant = inner.every((each) =>
    each.operands.slice(0, 3).every((bound) => rewriter.isDefinedOutside(bound, loop)),
  );
  const bounds = constantBounds(rewriter, boundsOf(loop));
  const count = bounds && tripCount(bounds);
  if (!isInvariant || loop.results.length > 0 || bounds === undefined || !count) return failed();
  const times = Math.min(factor, count);
  if (count % times !== 0) return failed();
  if (bodyOf(loop).operations.length === 1) return success(undefined);

  const copies = Array.from({ length: times - 1 }, () => new Map<Id, Value>());
  const widened = inner.toReversed().map((each) => withCopies(rewriter, each, copies));
  rewriter.setInsertionPointBefore(loop);
  const { lower, upper, step } = boundsOf(loop);
  createInteger(rewriter, times, step.type);
  const wide = createInteger(rewriter, bounds.step * times, step.type);
  rewriter.setOperands(loop, [lower, upper, wide]);
  const variable = bodyOf(loop).arguments[0]!;
  const parts = partsOf(bodyOf(loop));
  for (let copy = times - 1; copy >= 1; copy--) {
    const mapping = copies[copy - 1]!;
    for (const part of parts) {
      rewriter.setInsertionPointAfter(part.at(-1)!);
      if (rewriter.hasUses(variable)) {
        const distance = createInteger(rewriter, bounds.step * copy, variable.type);
        mapping.set(variable.id, builder(rewriter)(addi, { lhs: variable, rhs: distance }));
      }
      for (const operation of part) rewriter.clone(operation, mapping);
    }
    for (const each of widened) carryOwn(rewriter, each, times, copy, mapping);
  }
  promoteIfOneIterationOp(rewriter, loop);
  return success(undefined);
};

/** The runs of operations between the loops of a block, recursively and in order, without terminators. */
const partsOf = (block: DraftBlock): readonly (readonly DraftOperation[])[] => {
  const parts: (readonly DraftOperation[])[] = [];
  let part: DraftOperation[] = [];
  const end = (): void => {
    if (part.length > 0) parts.push(part);
    part = [];
  };
  for (const operation of block.operations.slice(0, -1)) {
    if (forOp.is(operation)) {
      end();
      parts.push(...partsOf(bodyOf(operation)));
    } else part.push(operation);
  }
  end();
  return parts;
};

/** The loop with its iter args replicated per copy; records the mapping from the originals. */
const withCopies = (
  rewriter: Rewriter,
  loop: DraftOperation,
  copies: readonly Map<Id, Value>[],
): DraftOperation => {
  const { initArgs } = forOp.operands(loop);
  const count = initArgs.length;
  if (count === 0) return loop;
  const repeated = <T>(list: readonly T[]): readonly T[] => [list, ...copies.map(() => list)].flat();
  rewriter.setInsertionPointBefore(loop);
  const made = rewriter.create({
    name: loop.name,
    attributes: loop.attributes,
    operands: [...loop.operands.slice(0, 3), ...repeated(initArgs)],
    resultTypes: repeated(loop.results.map(({ type }) => type)),
    bodies: [undefined],
    location: loop.location,
  });
  rewriter.moveRegion(loop.regions[0]!, made.regions[0]!);
  const body = bodyOf(made);
  for (const mapping of copies) {
    for (const [i, { type }] of initArgs.entries())
      mapping.set(body.arguments[1 + i]!.id, rewriter.addArgument(body, type));
  }
  const terminator = terminatorOf(body);
  rewriter.setOperands(terminator, repeated(terminator.operands));
  loop.results.forEach((result, i) => {
    rewriter.replaceAllUsesWith(result, made.results[i]!);
    copies.forEach((mapping, copy) =>
      mapping.set(made.results[i]!.id, made.results[(copy + 1) * count + i]!),
    );
  });
  rewriter.eraseOperation(loop);
  return made;
};

/** Makes a loop yield a copy's own values. */
const carryOwn = (
  rewriter: Rewriter,
  loop: DraftOperation,
  times: number,
  copy: number,
  mapping: ReadonlyMap<Id, Value>,
): void => {
  const count = loop.results.length / times;
  const own = (values: readonly Value[], start: number): readonly Value[] =>
    values.map((value, i) => {
      const at = i - start - copy * count;
      const first = values[start + at];
      return at < 0 || at >= count || first === undefined ? value : (mapping.get(first.id) ?? first);
    });
  rewriter.setOperands(loop, own(loop.operands, 3));
  const terminator = terminatorOf(bodyOf(loop));
  rewriter.setOperands(terminator, own(terminator.operands, 0));
};
