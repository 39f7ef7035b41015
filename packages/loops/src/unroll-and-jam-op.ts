/** Unrolls an outer loop and jams the copies into its inner loops: upstream's `loopUnrollJamByFactor`. */
import type { Diagnosed } from '@sconv/diagnostics';
import { silenceableError, success } from '@sconv/diagnostics';
import type { Access, Counter } from '@sconv/dialects';
import { accessesIn, countersOf, differWith, mayConflict, tripCount } from '@sconv/dialects';
import { addi } from '@sconv/dialects/arith';
import { forBounds, forOp } from '@sconv/dialects/scf';
import type { DraftBlock, DraftOperation, Id, Rewriter, Value } from '@sconv/ir';
import { bodyOf, builder, terminatorOf } from '@sconv/ir';
import { constantBounds, createInteger } from './constant-bounds.ts';
import { promoteIfOneIterationOp } from './promote-if-one-iteration-op.ts';
import { reordered } from './reordered.ts';
import { checkFactor, lengthProblem } from './unroll-body.ts';

/**
 * Unrolls an `scf.for` by `factor`, or by its trip count if that is smaller. The operations between inner loops are
 * replicated in place, and the inner loops' iter args are replicated for each copy.
 *
 * Fails with `unroll-and-jam/failed` for a loop with iter args, one whose trip count is unknown or not a multiple of
 * the factor, or one that defines the bounds of an inner loop. Throws a RangeError for a factor that is no integer
 * above 0.
 *
 * @deviation Fails too where accesses that may conflict would run in another order: upstream leaves that to the caller.
 * Iterations are told apart by what they access if their counters are indices. A loop in another op, such as an
 * `scf.if`, is replicated with it: upstream also replicates its iter args, which gives invalid IR.
 */
export const unrollAndJamOp = (
  rewriter: Rewriter,
  loop: DraftOperation,
  factor: number,
): Diagnosed<undefined> => {
  checkFactor(factor);
  const failed = (why = ''): Diagnosed<undefined> =>
    silenceableError('unroll-and-jam/failed', `failed to unroll and jam${why}`, loop);
  if (!forOp.is(loop)) {
    return failed(', incorrect type of payload');
  }
  if (factor === 1) return success(undefined);
  const inner = loopsWithin(loop);
  const isInvariant = inner.every((each) =>
    each.operands.slice(0, 3).every((bound) => rewriter.isDefinedOutside(bound, loop)),
  );
  const bounds = constantBounds(rewriter, forBounds(loop));
  const count = bounds && tripCount(bounds);
  if (!isInvariant || loop.results.length > 0 || bounds === undefined || !count) return failed();
  const times = Math.min(factor, count);
  if (count % times !== 0) return failed();
  if (bodyOf(loop).operations.length === 1) return success(undefined);
  const problem = lengthProblem(rewriter, loop, times);
  if (problem !== undefined) return problem;
  if (reordersMemory(rewriter, loop)) return failed(`: ${reordered}`);

  const copies = Array.from({ length: times - 1 }, () => new Map<Id, Value>());
  const widened = inner.toReversed().map((each) => withCopies(rewriter, each, copies));
  rewriter.setInsertionPointBefore(loop);
  const { lower, upper, step } = forBounds(loop);
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

/** The loops in a loop, and in these, outer before inner; not those in other ops. */
const loopsWithin = (loop: DraftOperation): readonly DraftOperation[] =>
  bodyOf(loop)
    .operations.filter((each) => forOp.is(each))
    .flatMap((each) => [each, ...loopsWithin(each)]);

/**
 * Whether accesses of different iterations of `loop` that may conflict would run in another order. The copies of a
 * part run in order, in each iteration of the loops around the part.
 */
const reordersMemory = (rewriter: Rewriter, loop: DraftOperation): boolean => {
  const [counter] = countersOf(rewriter, loop) as [Counter];
  const parts = partsOf(bodyOf(loop)).map((operations) => ({
    accesses: operations.flatMap((operation) => accessesIn(rewriter, operation)),
    counters: loopsAround(operations[0]!, loop).flatMap((each) => countersOf(rewriter, each)),
  }));
  const differ = (counters: readonly Counter[], one: Access, other: Access): boolean =>
    differWith(rewriter, [one, counters], [other, counters], loop);
  return parts.some(({ accesses, counters }, i) =>
    parts.slice(i).some((part) => {
      const isSame = part.accesses === accesses;
      if (isSame && counters.length === 0) return false;
      return accesses.some((a) =>
        part.accesses.some((b) =>
          mayConflict(
            rewriter,
            a,
            b,
            (one, other) =>
              isOwn(rewriter, one, loop) ||
              differ([counter], one, other) ||
              (isSame && differ(counters, one, other)),
          ),
        ),
      );
    }),
  );
};

/** Whether each iteration of `loop` accesses a buffer that it allocates, and that no other one knows. */
const isOwn = (rewriter: Rewriter, { origins }: Access, loop: DraftOperation): boolean =>
  origins?.every(
    ({ kind, value, escapes }) =>
      kind === 'allocation' && !rewriter.isDefinedOutside(value, loop) && !escapes(),
  ) === true;

/** The loops in `loop` around an operation. */
const loopsAround = (operation: DraftOperation, loop: DraftOperation): readonly DraftOperation[] => {
  const { parent } = operation;
  return parent === undefined || parent === loop ? [] : [...loopsAround(parent, loop), parent];
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
