/** Pipelines a loop: overlaps parts of consecutive iterations (upstream's `transform.loop.pipeline`). */
import type { Diagnosed } from '@sconv/diagnostics';
import { silenceableError, success } from '@sconv/diagnostics';
import { viewLike } from '@sconv/dialects';
import { addi } from '@sconv/dialects/arith';
import { forOp, yieldOp } from '@sconv/dialects/scf';
import { transferRead } from '@sconv/dialects/vector';
import type { DraftOperation, Id, MemoryEffect, Rewriter, Value } from '@sconv/ir';
import { bodyOf, effectsOf, modelOf } from '@sconv/ir';
import { boundsOf, constantBounds, createInteger, tripCount } from './constant-bounds.ts';

export interface PipelineOptions {
  /** Cycles between the starts of two iterations. */
  readonly iterationInterval: number;
  /** Cycles that a `vector.transfer_read` takes; other operations take one. */
  readonly readLatency: number;
}

/**
 * A modulo schedule: the operations of a body in issue order, and by how many iterations each is delayed (its stage).
 */
interface Plan {
  readonly order: readonly DraftOperation[];
  readonly stages: ReadonlyMap<DraftOperation, number>;
  readonly last: number;
}

/**
 * Overlaps the iterations of an `scf.for`: an iteration starts before the previous ones have ended. A prologue and an
 * epilogue, without loops, run what the loop does not of its first and last iterations.
 *
 * @deviation Upstream ignores dependences through memory, and trip counts below the number of stages; both give wrong
 * values. Here such loops are rejected. Buffers that are not views of each other are assumed not to alias.
 */
export const pipelineOp = (
  rewriter: Rewriter,
  loop: DraftOperation,
  options: PipelineOptions,
): Diagnosed<DraftOperation> => {
  const fail = (why: string) => silenceableError('pipeline/loop', `failed to pipeline: ${why}`, loop);
  const bounds = boundsOf(loop);
  const known = constantBounds(rewriter, bounds);
  if (!forOp.is(loop) || known === undefined) return fail('the bounds are not constant');
  const count = tripCount(known);
  const plan = planOf(rewriter, loop, {
    ...options,
    readLatency: Math.max(0, Math.min(options.readLatency, count - 1)),
  });
  if (plan.last > count) return fail(`the last stage, ${plan.last}, exceeds the trip count, ${count}`);
  if (reordersMemory(rewriter, plan)) return fail('accesses of one buffer would be reordered');
  const carried = carriedValues(rewriter, loop, plan);
  if (carried === undefined) return fail('a value of another iteration would be used before it is computed');
  return success(emit(rewriter, loop, { plan, carried, count, first: known.lower, step: known.step }));
};

/** As early as operands allow. As upstream, operands from before the loop take a cycle, too. */
const planOf = (
  rewriter: Rewriter,
  loop: DraftOperation,
  { iterationInterval, readLatency }: PipelineOptions,
): Plan => {
  const cycles = new Map<DraftOperation, number>();
  const groups: DraftOperation[][] = Array.from({ length: iterationInterval }, () => []);
  for (const operation of bodyOf(loop).operations.slice(0, -1)) {
    const starts = operation.operands.map((operand) => {
      const source = rewriter.definingOperation(operand);
      if (source === undefined) return 0;
      return (cycles.get(source) ?? 0) + (transferRead.is(source) ? readLatency : 1);
    });
    const cycle = Math.max(0, ...starts);
    cycles.set(operation, cycle);
    groups[cycle % iterationInterval]!.push(operation);
  }
  const stages = new Map([...cycles].map(([each, cycle]) => [each, Math.floor(cycle / iterationInterval)]));
  return { order: groups.flat(), stages, last: Math.max(0, ...stages.values()) };
};

/** Whether accesses that may conflict, such as a read and a write of one buffer, are in different stages. */
const reordersMemory = (rewriter: Rewriter, { order, stages }: Plan): boolean => {
  const accesses = order.map((operation) => effectsOf(rewriter.registry, operation));
  return order.some((first, i) =>
    order.some(
      (second, j) =>
        i !== j &&
        stages.get(first) !== stages.get(second) &&
        mayConflict(rewriter, accesses[i], accesses[j]),
    ),
  );
};

const mayConflict = (
  rewriter: Rewriter,
  a: readonly MemoryEffect[] | undefined,
  b: readonly MemoryEffect[] | undefined,
): boolean => {
  if (a?.length === 0 || b?.length === 0) return false;
  if (a === undefined || b === undefined) return true;
  const bufferOf = ({ value }: MemoryEffect): Id | undefined => value && sourceOf(rewriter, value).id;
  return a.some((one) =>
    b.some((other) => {
      const [first, second] = [bufferOf(one), bufferOf(other)];
      const isShared = first === undefined || second === undefined || first === second;
      return isShared && (one.kind !== 'read' || other.kind !== 'read');
    }),
  );
};

const sourceOf = (rewriter: Rewriter, value: Value): Value => {
  const definition = rewriter.definingOperation(value);
  const model = definition && modelOf(rewriter.registry, viewLike, definition);
  return definition === undefined || model === undefined
    ? value
    : sourceOf(rewriter, model.source(definition));
};

/**
 * The values of the loop's body that an operation, or one nested in it, uses: results, iter args, the induction
 * variable.
 */
const usesOf = (rewriter: Rewriter, loop: DraftOperation, operation: DraftOperation): readonly Value[] => {
  const block = bodyOf(loop);
  return rewriter
    .walk(operation)
    .flatMap(({ operands }) => operands)
    .filter((value) => {
      const source = rewriter.definingOperation(value);
      return source === undefined ? rewriter.owningBlock(value) === block : source.block === block;
    });
};

/** The position of an iter arg; undefined for other values. */
const iterArgOf = (loop: DraftOperation, value: Value): number | undefined => {
  const index = bodyOf(loop).arguments.findIndex(({ id }) => id === value.id) - 1;
  return index < 0 ? undefined : index;
};

/** For how many iterations of the new loop each value is live; undefined if one would be used before it is computed. */
const carriedValues = (
  rewriter: Rewriter,
  loop: DraftOperation,
  { order, stages }: Plan,
): ReadonlyMap<Id, { readonly value: Value; readonly turns: number }> | undefined => {
  const body = bodyOf(loop);
  const carried = new Map<Id, { readonly value: Value; readonly turns: number }>();
  const keep = (value: Value, turns: number): void => {
    if (turns > (carried.get(value.id)?.turns ?? 0)) carried.set(value.id, { value, turns });
  };
  for (const [i, value] of body.last!.operands.entries()) {
    const source = rewriter.definingOperation(value);
    const stage = source === undefined ? undefined : stages.get(source);
    if (stage === undefined) return undefined;
    keep(body.arguments[1 + i]!, 1);
  }
  for (const [at, user] of order.entries()) {
    for (const used of usesOf(rewriter, loop, user)) {
      const iterArg = iterArgOf(loop, used);
      const value = iterArg === undefined ? used : body.last!.operands[iterArg]!;
      const source = rewriter.definingOperation(value);
      if (iterArg === undefined && source === undefined) continue;
      const stage = source === undefined ? undefined : stages.get(source);
      if (source === undefined || stage === undefined) return undefined;
      const turns = stages.get(user)! - stage + (iterArg === undefined ? 0 : 1);
      if (turns < 0 || (turns === 0 && order.indexOf(source) >= at)) return undefined;
      // An iter arg lives in its own chain: its first value comes from before the loop.
      keep(iterArg === undefined ? value : used, turns);
    }
  }
  return carried;
};

interface Emission {
  readonly plan: Plan;
  readonly carried: ReadonlyMap<Id, { readonly value: Value; readonly turns: number }>;
  readonly count: number;
  readonly first: number;
  readonly step: number;
}

const emit = (
  rewriter: Rewriter,
  loop: DraftOperation,
  { plan: { order, stages, last }, carried, count, first, step }: Emission,
): DraftOperation => {
  const body = bodyOf(loop);
  const [induction, ...iterArgs] = body.arguments as [Value, ...Value[]];
  const inits = loop.operands.slice(3);
  const yielded = body.last!.operands;
  /** Values by the iteration that computes them. */
  const values = new Map<string, Value>();
  const key = (id: Id, iteration: number): string => `${id}:${iteration}`;
  /** The value of an iteration's result or iter arg. */
  const valueIn = (value: Value, iteration: number): Value => {
    const index = iterArgOf(loop, value);
    const made = values.get(key(value.id, iteration));
    if (made !== undefined || index === undefined) return made ?? value;
    return iteration === 0 ? inits[index]! : valueIn(body.last!.operands[index]!, iteration - 1);
  };
  /** Clones the operations of an iteration of the new loop, a turn, outside of it; turn 0 is its first. */
  const runTurn = (turn: number): void => {
    for (const operation of order) {
      const iteration = turn + last - stages.get(operation)!;
      if (iteration < 0 || iteration >= count) continue;
      const mapping = new Map<Id, Value>();
      for (const used of usesOf(rewriter, loop, operation)) {
        const value =
          used.id === induction.id
            ? createInteger(rewriter, first + iteration * step, induction.type)
            : valueIn(used, iteration);
        mapping.set(used.id, value);
      }
      const copy = rewriter.clone(operation, mapping);
      operation.results.forEach((result, i) => values.set(key(result.id, iteration), copy.results[i]!));
    }
  };
  // 1. The prologue.
  rewriter.setInsertionPointBefore(loop);
  for (let turn = -last; turn < 0; turn++) runTurn(turn);
  // 2. The loop, which carries each value for as many turns as it is live.
  const turns = count - last;
  const stageOf = (value: Value): number => {
    const index = iterArgOf(loop, value);
    return stages.get(rewriter.definingOperation(index === undefined ? value : yielded[index]!)!)!;
  };
  /** The iteration whose value a turn holds `ago` turns after it was computed. */
  const held = (value: Value, ago: number, turn: number): number =>
    turn - ago + last - stageOf(value) + (iterArgOf(loop, value) === undefined ? 0 : 1);
  const chains = [...carried.values()].flatMap(({ value, turns: length }) =>
    Array.from({ length }, (_, i) => ({ value, ago: length - i })),
  );
  const made = rewriter.create(
    forOp.state<Rewriter>({
      operands: {
        lowerBound: loop.operands[0]!,
        upperBound: createInteger(rewriter, first + turns * step, induction.type),
        step: loop.operands[2]!,
        initArgs: chains.map(({ value, ago }) => valueIn(value, held(value, ago, 0))),
      },
      resultTypes: chains.map(({ value }) => value.type),
      bodies: [undefined],
    }),
    loop.location,
  );
  const block = rewriter.createBlock(made.regions[0]!, [
    induction.type,
    ...chains.map(({ value }) => value.type),
  ]);
  rewriter.scoped(() => {
    rewriter.setInsertionPointToEnd(block);
    const [turn, ...holders] = block.arguments as [Value, ...Value[]];
    const computed = new Map<Id, Value>();
    /** What was computed for a value or, for an iter arg, yielded `ago` turns before. */
    const valueOf = (value: Value, ago: number): Value => {
      const index = iterArgOf(loop, value);
      if (ago === 0) return computed.get((index === undefined ? value : yielded[index]!).id)!;
      return holders[chains.findIndex((chain) => chain.value.id === value.id && chain.ago === ago)]!;
    };
    for (const operation of order) {
      const stage = stages.get(operation)!;
      const mapping = new Map<Id, Value>();
      for (const used of usesOf(rewriter, loop, operation)) {
        const isIterArg = iterArgOf(loop, used) !== undefined;
        mapping.set(
          used.id,
          used.id === induction.id
            ? later(rewriter, turn, (last - stage) * step)
            : valueOf(used, stage - stageOf(used) + (isIterArg ? 1 : 0)),
        );
      }
      const copy = rewriter.clone(operation, mapping);
      operation.results.forEach((result, i) => computed.set(result.id, copy.results[i]!));
    }
    rewriter.create(
      yieldOp.state({ operands: { results: chains.map(({ value, ago }) => valueOf(value, ago - 1)) } }),
      loop.location,
    );
  });
  // 3. The epilogue.
  chains.forEach(({ value, ago }, i) => values.set(key(value.id, held(value, ago, turns)), made.results[i]!));
  for (let turn = turns; turn < turns + last; turn++) runTurn(turn);
  rewriter.replaceOperation(
    loop,
    iterArgs.map((argument) => valueIn(argument, count)),
    [made],
  );
  return made;
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
