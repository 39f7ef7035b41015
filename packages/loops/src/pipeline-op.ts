/** Pipelines a loop: overlaps parts of consecutive iterations (upstream's `transform.loop.pipeline`). */
import type { Diagnosed } from '@sconv/diagnostics';
import { silenceableError, success } from '@sconv/diagnostics';
import { tripCount } from '@sconv/dialects';
import { addi } from '@sconv/dialects/arith';
import type { LoopBounds } from '@sconv/dialects/scf';
import { forBounds, forOp, yieldOp } from '@sconv/dialects/scf';
import type { DraftOperation, Id, Rewriter, Value } from '@sconv/ir';
import { bodyOf } from '@sconv/ir';
import { constantBounds, createInteger } from './constant-bounds.ts';
import type { CarriedValue, ModuloSchedule, LoopPipelineOptions } from './pipeline-plan.ts';
import { carriedValues, moduloSchedule, originOf, reordersMemory, usesOf } from './pipeline-plan.ts';
import { reordered } from './reordered.ts';

/**
 * Overlaps the iterations of an `scf.for`: an iteration starts before the previous ones have ended. A prologue and an
 * epilogue, without loops, run what the loop does not of its first and last iterations. Returns the loop.
 *
 * Fails with `pipeline/loop` for any other op, for bounds that are not constant, for fewer iterations than stages, and
 * where a dependence would be violated. Throws a RangeError for options out of range.
 *
 * @deviation Upstream ignores dependences through memory, and trip counts below the number of stages; both give wrong
 * values. Here such loops are rejected.
 */
export const pipelineOp = (
  rewriter: Rewriter,
  loop: DraftOperation,
  { iterationInterval, readLatency }: LoopPipelineOptions,
): Diagnosed<DraftOperation> => {
  const areCycles = [iterationInterval, readLatency].every((cycles) => Number.isSafeInteger(cycles));
  if (!areCycles || iterationInterval < 1 || readLatency < 0)
    throw new RangeError(`cannot pipeline with interval ${iterationInterval} and latency ${readLatency}`);
  const fail = (why: string) => silenceableError('pipeline/loop', `failed to pipeline: ${why}`, loop);
  if (!forOp.is(loop)) return fail(`expected an scf.for, got '${loop.name}'`);
  const bounds = constantBounds(rewriter, forBounds(loop));
  if (bounds === undefined) return fail('the bounds are not constant');
  const count = tripCount(bounds);
  const schedule = moduloSchedule(rewriter, loop, {
    iterationInterval,
    readLatency: Math.max(0, Math.min(readLatency, count - 1)),
  });
  if (schedule.last > count)
    return fail(`the last stage, ${schedule.last}, exceeds the trip count, ${count}`);
  if (reordersMemory(rewriter, schedule)) return fail(reordered);
  const carried = carriedValues(rewriter, loop, schedule);
  if (carried === undefined) return fail('a value of another iteration would be used before it is computed');
  return success(createPipeline({ rewriter, loop, schedule, bounds, count }, carried));
};

/**
 * A loop to pipeline. Its iterations are numbered from 0; a turn is an iteration of the new loop, which runs each
 * operation for the iteration that has reached its stage. The turns of the prologue are negative.
 */
interface Pipeline {
  readonly rewriter: Rewriter;
  readonly loop: DraftOperation;
  readonly schedule: ModuloSchedule;
  readonly bounds: LoopBounds<number>;
  readonly count: number;
}

/** The values of results and iter args of the body outside of the new loop, by iteration. */
type ValuesOfIterations = ReadonlyMap<Id, Map<number, Value>>;

/** A carried value as the new loop holds it: what was computed `ago` turns before. */
interface Held {
  readonly value: Value;
  readonly ago: number;
}

const createPipeline = (pipeline: Pipeline, carried: readonly CarriedValue[]): DraftOperation => {
  const { rewriter, loop, schedule, count } = pipeline;
  const turns = count - schedule.last;
  const held = carried.flatMap(({ value, turns: length }) =>
    Array.from({ length }, (_, i): Held => ({ value, ago: length - i })),
  );
  const iterArgs = bodyOf(loop).arguments.slice(1);
  const values: ValuesOfIterations = new Map(
    [...iterArgs, ...schedule.order.flatMap((each) => each.results)].map(({ id }) => [id, new Map()]),
  );
  // 1. The prologue.
  rewriter.setInsertionPointBefore(loop);
  for (let turn = -schedule.last; turn < 0; turn++) runTurn(pipeline, values, turn);
  // 2. The loop, which carries each value for as many turns as it is live.
  const inits = held.map((each) => valueIn(pipeline, values, each.value, iterationOf(pipeline, each, 0)));
  const made = createLoop(pipeline, held, inits, turns);
  // 3. The epilogue.
  held.forEach((each, i) =>
    values.get(each.value.id)!.set(iterationOf(pipeline, each, turns), made.results[i]!),
  );
  for (let turn = turns; turn < turns + schedule.last; turn++) runTurn(pipeline, values, turn);
  const results = iterArgs.map((argument) => valueIn(pipeline, values, argument, count));
  rewriter.replaceOperation(loop, results, [made]);
  return made;
};

/** The value of a result or iter arg in an iteration, outside of the new loop. */
const valueIn = (pipeline: Pipeline, values: ValuesOfIterations, value: Value, iteration: number): Value => {
  const known = values.get(value.id)!.get(iteration);
  if (known !== undefined) return known;
  const { computed, iterArg } = originOf(pipeline.loop, value);
  if (iterArg === undefined) throw new Error('the value is not live outside of the loop');
  return iteration === 0
    ? forOp.operands(pipeline.loop).initArgs[iterArg]!
    : valueIn(pipeline, values, computed, iteration - 1);
};

/** The iteration whose value a turn holds. */
const iterationOf = ({ rewriter, loop, schedule }: Pipeline, { value, ago }: Held, turn: number): number => {
  const { computed, distance } = originOf(loop, value);
  return turn - ago + schedule.last - schedule.stages.get(rewriter.definingOperation(computed)!)! + distance;
};

/** Clones the operations of a turn before or after the new loop. */
const runTurn = (pipeline: Pipeline, values: ValuesOfIterations, turn: number): void => {
  const { rewriter, loop, schedule, bounds, count } = pipeline;
  const [induction] = bodyOf(loop).arguments as [Value, ...Value[]];
  for (const operation of schedule.order) {
    const iteration = turn + schedule.last - schedule.stages.get(operation)!;
    if (iteration < 0 || iteration >= count) continue;
    const copy = cloneWith(pipeline, operation, (used) =>
      used.id === induction.id
        ? createInteger(rewriter, bounds.lower + iteration * bounds.step, induction.type)
        : valueIn(pipeline, values, used, iteration),
    );
    operation.results.forEach(({ id }, i) => values.get(id)!.set(iteration, copy.results[i]!));
  }
};

/** A copy of an operation of the body, with other values in place of the body's. */
const cloneWith = (
  { rewriter, loop }: Pipeline,
  operation: DraftOperation,
  valueOf: (used: Value) => Value,
): DraftOperation => {
  const mapping = new Map<Id, Value>();
  for (const used of usesOf(rewriter, loop, operation)) mapping.set(used.id, valueOf(used));
  return rewriter.clone(operation, mapping);
};

/** The new loop, over the first `turns` values of the induction variable. */
const createLoop = (
  pipeline: Pipeline,
  held: readonly Held[],
  initArgs: readonly Value[],
  turns: number,
): DraftOperation => {
  const { rewriter, loop, bounds } = pipeline;
  const { lowerBound, step } = forOp.operands(loop);
  const { type } = lowerBound;
  const resultTypes = held.map(({ value }) => value.type);
  return rewriter.create(
    forOp.state<Rewriter>({
      operands: {
        lowerBound,
        upperBound: createInteger(rewriter, bounds.lower + turns * bounds.step, type),
        step,
        initArgs,
      },
      resultTypes,
      bodies: [
        {
          argumentTypes: [type, ...resultTypes],
          build: (_, variable, ...holders) => {
            fillBody(pipeline, held, variable, holders);
          },
        },
      ],
      location: loop.location,
    }),
  );
};

const fillBody = (
  pipeline: Pipeline,
  held: readonly Held[],
  variable: Value,
  holders: readonly Value[],
): void => {
  const { rewriter, loop, schedule, bounds } = pipeline;
  const [induction] = bodyOf(loop).arguments as [Value, ...Value[]];
  const made = new Map<Id, Value>();
  /** What was computed for a value or, for an iter arg, yielded `ago` turns before. */
  const valueOf = (value: Value, ago: number): Value =>
    ago === 0
      ? made.get(originOf(loop, value).computed.id)!
      : holders[held.findIndex((each) => each.value.id === value.id && each.ago === ago)]!;
  for (const operation of schedule.order) {
    const stage = schedule.stages.get(operation)!;
    const copy = cloneWith(pipeline, operation, (used) => {
      if (used.id === induction.id) return later(rewriter, variable, (schedule.last - stage) * bounds.step);
      const { computed, distance } = originOf(loop, used);
      const source = schedule.stages.get(rewriter.definingOperation(computed)!)!;
      return valueOf(used, stage - source + distance);
    });
    operation.results.forEach(({ id }, i) => made.set(id, copy.results[i]!));
  }
  const results = held.map(({ value, ago }) => valueOf(value, ago - 1));
  rewriter.create(yieldOp.state({ operands: { results } }), loop.location);
};

const later = (rewriter: Rewriter, index: Value, distance: number): Value =>
  distance === 0
    ? index
    : rewriter.createValue(
        addi.state<Rewriter>({
          operands: { lhs: index, rhs: createInteger(rewriter, distance, index.type) },
          resultTypes: [index.type],
        }),
      );
