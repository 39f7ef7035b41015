/** Plans the pipelining of a loop: a modulo schedule of its body, and what that makes the loop carry. */
import { accessingOf, mayConflict } from '@sconv/dialects';
import { transferRead } from '@sconv/dialects/vector';
import type { DraftOperation, Id, Rewriter, Value } from '@sconv/ir';
import { bodyOf } from '@sconv/ir';

/** How far apart iterations start, and how long operations take. */
export interface LoopPipelineOptions {
  /** Cycles between the starts of two iterations, at least 1. */
  readonly iterationInterval: number;
  /** Cycles that a `vector.transfer_read` takes, at least 0; other operations take one. */
  readonly readLatency: number;
}

/**
 * A modulo schedule: the operations of a body in issue order, and by how many iterations each is delayed (its stage).
 */
export interface ModuloSchedule {
  readonly order: readonly DraftOperation[];
  readonly stages: ReadonlyMap<DraftOperation, number>;
  readonly last: number;
}

/** Operations are issued as early as operands allow. As upstream, operands from before the loop take a cycle, too. */
export const moduloSchedule = (
  rewriter: Rewriter,
  loop: DraftOperation,
  { iterationInterval, readLatency }: LoopPipelineOptions,
): ModuloSchedule => {
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

/**
 * Whether accesses that may conflict would run in another order: they keep theirs if they are in one stage, in the
 * order of the body.
 */
export const reordersMemory = (rewriter: Rewriter, { order, stages }: ModuloSchedule): boolean => {
  const accesses = order.map((operation) => accessingOf(rewriter, operation));
  // The stages list the operations in the order of the body.
  const places = new Map([...stages.keys()].map((operation, i) => [operation, i]));
  return order.some((second, j) =>
    order
      .slice(0, j)
      .some(
        (first, i) =>
          (stages.get(first) !== stages.get(second) || places.get(first)! > places.get(second)!) &&
          mayConflict(rewriter, accesses[i]!, accesses[j]!),
      ),
  );
};

/**
 * The values of the loop's body that an operation, or one nested in it, uses: results, iter args, the induction
 * variable.
 */
export const usesOf = (
  rewriter: Rewriter,
  loop: DraftOperation,
  operation: DraftOperation,
): readonly Value[] => {
  const block = bodyOf(loop);
  return rewriter
    .walk(operation)
    .flatMap(({ operands }) => operands)
    .filter((value) => {
      const source = rewriter.definingOperation(value);
      return source === undefined ? rewriter.owningBlock(value) === block : source.block === block;
    });
};

/** Where an iteration has a value of the body from. */
export interface Origin {
  /** The result that is the value or, for an iter arg, that the body yields for it. */
  readonly computed: Value;
  /** How many iterations before it was computed: 1 for an iter arg. */
  readonly distance: 0 | 1;
  /** The position of the iter arg; undefined for other values. */
  readonly iterArg: number | undefined;
}

/** The origin of a value that is not the induction variable. */
export const originOf = (loop: DraftOperation, value: Value): Origin => {
  const body = bodyOf(loop);
  const iterArg = body.arguments.findIndex(({ id }) => id === value.id) - 1;
  return iterArg < 0
    ? { computed: value, distance: 0, iterArg: undefined }
    : { computed: body.last!.operands[iterArg]!, distance: 1, iterArg };
};

/** A value that the new loop carries, for `turns` of its iterations. */
export interface CarriedValue {
  /** A result or an iter arg of the body; the latter's first value comes from before the loop. */
  readonly value: Value;
  readonly turns: number;
}

/**
 * The values that are live beyond an iteration of the new loop; undefined if one would be used before it is computed.
 */
export const carriedValues = (
  rewriter: Rewriter,
  loop: DraftOperation,
  { order, stages }: ModuloSchedule,
): readonly CarriedValue[] | undefined => {
  const body = bodyOf(loop);
  const [induction, ...iterArgs] = body.arguments;
  const carried = new Map<Id, CarriedValue>();
  const keep = (value: Value, turns: number): void => {
    if (turns > (carried.get(value.id)?.turns ?? 0)) carried.set(value.id, { value, turns });
  };
  const sourceOf = (computed: Value): { readonly place: number; readonly stage: number } | undefined => {
    const source = rewriter.definingOperation(computed);
    const stage = source && stages.get(source);
    return stage === undefined ? undefined : { place: order.indexOf(source!), stage };
  };
  for (const value of iterArgs) {
    if (sourceOf(originOf(loop, value).computed) === undefined) return undefined;
    keep(value, 1);
  }
  for (const [place, user] of order.entries()) {
    for (const value of usesOf(rewriter, loop, user)) {
      if (value.id === induction!.id) continue;
      const { computed, distance } = originOf(loop, value);
      const source = sourceOf(computed);
      if (source === undefined) return undefined;
      const turns = stages.get(user)! - source.stage + distance;
      if (turns < 0 || (turns === 0 && source.place >= place)) return undefined;
      keep(value, turns);
    }
  }
  return [...carried.values()];
};
