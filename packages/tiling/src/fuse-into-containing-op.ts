/**
 * Fuses producers into a loop that reads slices of their results, as `transform.structured.fuse_into_containing_op`.
 */
import type { Diagnosed } from '@sconv/diagnostics';
import { error, silenceable, silenceableError, success } from '@sconv/diagnostics';
import type { MixedBox } from '@sconv/dialects';
import { parallelInsertSliceState, tileableOf, unitStrideSlice } from '@sconv/dialects';
import { segmentsOf } from './forall-parts.ts';
import { generic, structured } from '@sconv/dialects/linalg';
import { forall, inParallel } from '@sconv/dialects/scf';
import { extractSlice, pack, parallelInsertSlice } from '@sconv/dialects/tensor';
import { maskAround } from '@sconv/dialects/vector';
import type { DraftOperation, Rewriter, Value } from '@sconv/ir';
import { bodyOf, effectsOf } from '@sconv/ir';
import { fusedSlice } from './fuse-slice.ts';
import { overwritesAll } from './overwritten-output.ts';

/** The fused producers, and the loop. */
export interface FusedIntoContaining {
  readonly fused: readonly DraftOperation[];
  readonly containing: DraftOperation;
}

/**
 * Computes the uses of each producer in `containing` inside it: a tile for a slice, a clone of the op for any other
 * use. The producers stay for their other users.
 *
 * @deviation A shared output is replaced by the producer's destination only if the loop overwrites all of it, and
 * reads it by one slice: upstream's other elements are those of the destination. An op with effects is not cloned:
 * upstream's clones have them again in each iteration, and read what was written since. A clone for a masked op
 * precedes the mask: upstream's is in it, which is invalid.
 */
export const fuseIntoContainingOp = (
  rewriter: Rewriter,
  producers: readonly DraftOperation[],
  containing: DraftOperation,
): Diagnosed<FusedIntoContaining> => {
  const remaining = [...new Set(producers)];
  const fused: DraftOperation[] = [];
  let loop = containing;
  while (remaining.length > 0) {
    const next = remaining.findIndex((producer) => usesWithin(rewriter, producer, loop) > 0);
    const producer = remaining[next];
    if (producer === undefined) {
      const names = [...new Set(remaining.map((each) => `'${each.name}'`))].join(', ');
      const message =
        'could not find next producer to fuse into container: ' +
        `no operation inside this '${loop.name}' uses a result of ${names}`;
      return silenceableError('fuse/no-producer', message, containing);
    }
    if (usesWithin(rewriter, producer, loop) === 1) remaining.splice(next, 1);
    const step = fuseUse(rewriter, producer, loop);
    if (step.status !== 'success') return step;
    fused.push(step.value.fused);
    loop = step.value.loop;
  }
  return success({ fused, containing: loop });
};

/** The users of an op's results that are `loop` or in it, latest first, as in upstream. */
const usersWithin = (
  rewriter: Rewriter,
  producer: DraftOperation,
  loop: DraftOperation,
): readonly DraftOperation[] =>
  producer.results
    .flatMap((result) => rewriter.users(result))
    .filter((user) => rewriter.isWithin(user, loop))
    .toReversed();

const usesWithin = (rewriter: Rewriter, producer: DraftOperation, loop: DraftOperation): number => {
  const ids = new Set(producer.results.map(({ id }) => id));
  const users = new Set(usersWithin(rewriter, producer, loop));
  return [...users].reduce((sum, { operands }) => sum + operands.filter(({ id }) => ids.has(id)).length, 0);
};

/** The op that replaces a use, and the loop afterwards. */
interface FusedUse {
  readonly fused: DraftOperation;
  readonly loop: DraftOperation;
}

const fuseUse = (rewriter: Rewriter, producer: DraftOperation, loop: DraftOperation): Diagnosed<FusedUse> => {
  const inside = usersWithin(rewriter, producer, loop).filter((user) => user !== loop);
  const slice = inside.find((user) => extractSlice.is(user));
  const isTileable = tileableOf(rewriter.registry, producer)?.boxOfResult !== undefined;
  if (slice !== undefined && isTileable) {
    const result = producer.results.findIndex(({ id }) => id === slice.operands[0]!.id);
    const made = fusedSlice(rewriter, producer, result, slice);
    if (made.status === 'success') {
      rewriter.eraseOperation(slice);
      const { tile, box } = made.value;
      return success({
        fused: tile.operation,
        loop: withResult(rewriter, producer, result, loop, tile.operation, box),
      });
    }
    // A packing is copied if the slice has parts of its inner tiles.
    if (!pack.is(producer)) return made;
  }
  if (isTileable && forall.is(loop)) {
    const made = fuseShared(rewriter, producer, loop);
    if (made !== undefined) return made;
  }
  const [user] = inside;
  // The terminator of a parallel loop may only contain insertions.
  const holder = user?.parent;
  if (
    user === undefined ||
    (holder !== undefined && inParallel.is(holder)) ||
    usersWithin(rewriter, producer, loop).includes(loop)
  )
    return notFused(producer, loop, 'producer op use by containing op cannot be fused by cloning');
  if (effectsOf(rewriter.registry, producer)?.length !== 0)
    return notFused(producer, loop, 'producer op has effects, or reads memory, and cannot be cloned');
  // A mask holds nothing but what it masks.
  rewriter.setInsertionPointBefore(maskAround(user) ?? user);
  const copy = rewriter.clone(producer);
  const position = user.operands.findIndex(({ id }) => producer.results.some((result) => result.id === id));
  const result = producer.results.findIndex(({ id }) => id === user.operands[position]!.id);
  rewriter.setOperand(user, position, copy.results[result]!);
  return success({ fused: copy, loop });
};

const notFused = (producer: DraftOperation, loop: DraftOperation, message: string) =>
  silenceable(
    error('fuse/no-use', `could not fuse '${producer.name}' into '${loop.name}'`, producer.location, [
      { message, location: loop.location },
    ]),
  );

/**
 * Fuses a shared output of which the loop reads a slice: the tile works on that slice of the producer's destination.
 * Undefined if there is none, or if the loop does not overwrite the output, or reads more of it: those elements would
 * be the destination's.
 */
const fuseShared = (
  rewriter: Rewriter,
  producer: DraftOperation,
  loop: DraftOperation,
): Diagnosed<FusedUse> | undefined => {
  const { outputs, variables } = segmentsOf(loop);
  const shared = outputs.findIndex(({ id }) => producer.results.some((result) => result.id === id));
  if (shared < 0) return undefined;
  const argument = bodyOf(loop).arguments[variables.length + shared]!;
  const users = rewriter.users(argument);
  const [slice, ...otherReads] = users.filter((user) => !isInsertion(user, argument));
  if (slice === undefined || !extractSlice.is(slice) || otherReads.length > 0) return undefined;
  const result = producer.results.findIndex(({ id }) => id === outputs[shared]!.id);
  const alike = [argument, outputs[shared]!, ...destinationOf(rewriter, producer, result)];
  const isOverwritten = users.some(
    (user) => isInsertion(user, argument) && overwritesAll(rewriter, loop, user, alike),
  );
  if (!isOverwritten) return undefined;
  const destinations = tileableOf(rewriter.registry, producer)!.destinations(rewriter);
  const made = fusedSlice(rewriter, producer, result, slice, destinations.with(result, argument));
  if (made.status !== 'success') return made;
  rewriter.eraseOperation(slice);
  const first = loop.operands.length - outputs.length;
  rewriter.setOperand(loop, first + shared, destinations[result]!);
  return success({ fused: made.value.tile.operation, loop });
};

/** Whether a user of a shared output overwrites a slice of it. */
const isInsertion = (user: DraftOperation, { id }: Value): boolean =>
  parallelInsertSlice.is(user) &&
  parallelInsertSlice.operands(user).dest.id === id &&
  parallelInsertSlice.operands(user).source.id !== id;

/** The destination of a result of a structured op, which has its sizes. */
const destinationOf = (rewriter: Rewriter, producer: DraftOperation, result: number): Value[] => {
  const destination = structured(rewriter.registry, producer)?.outputs[result];
  return destination === undefined ? [] : [destination];
};

/**
 * The loop, which also returns the fused result if an op after it uses that: for `linalg.generic` producers, as
 * upstream.
 */
const withResult = (
  rewriter: Rewriter,
  producer: DraftOperation,
  result: number,
  loop: DraftOperation,
  tile: DraftOperation,
  box: MixedBox,
): DraftOperation => {
  if (!generic.is(producer) || !forall.is(loop)) return loop;
  const users = rewriter
    .users(producer.results[result]!)
    .filter((user) => !rewriter.isWithin(user, loop) && isBehind(rewriter, user, loop));
  if (users.length === 0) return loop;
  const output = generic.operands(producer).outputs[result]!;
  rewriter.setInsertionPointBefore(loop);
  const { dynamicLowerBound, dynamicUpperBound, dynamicStep, outputs } = forall.operands(loop);
  const { variables } = segmentsOf(loop);
  const all = [...outputs, output];
  const wider = rewriter.create(
    forall.state<Rewriter>({
      operands: { dynamicLowerBound, dynamicUpperBound, dynamicStep, outputs: all },
      attributes: forall.attributes(loop),
      resultTypes: all.map(({ type }) => type),
      location: loop.location,
      bodies: [
        {
          argumentTypes: [...variables, ...all].map(({ type }) => type),
          build: (body, ...values) => {
            body.inlineBlock(bodyOf(loop), values.slice(0, -1));
          },
        },
      ],
    }),
  );
  const body = bodyOf(wider);
  const insertions = body.last!;
  rewriter.setInsertionPointToEnd(bodyOf(insertions));
  rewriter.create(
    parallelInsertSliceState(tile.results[result]!, body.arguments.at(-1)!, unitStrideSlice(box)),
  );
  rewriter.replaceUsesIf(producer.results[result]!, wider.results.at(-1)!, (user) => users.includes(user));
  rewriter.replaceOperation(loop, wider.results.slice(0, -1), [wider]);
  return wider;
};

/** Whether `loop` precedes `user`, or its ancestor, in the block of `loop`. */
const isBehind = (rewriter: Rewriter, user: DraftOperation, loop: DraftOperation): boolean => {
  for (let at: DraftOperation | undefined = loop.next; at !== undefined; at = at.next)
    if (rewriter.isWithin(user, at)) return true;
  return false;
};
