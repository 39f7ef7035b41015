/** The loops of a structured operation: row-major over its iteration space, one body execution for each point. */
import type { Exec, Frame } from './context.ts';
import type { PositionFunction } from './access-function.ts';
import type { BigArray, NumberArray } from './element.ts';

/** An operand whose element the body reads (from `slot` after the load) or writes (what is in `slot`). */
export interface ElementMove<A> {
  /** Which position the element is at. */
  readonly operand: number;
  readonly slot: number;
  readonly data: A;
}

export interface LoopNest {
  readonly counts: readonly number[];
  /** Slots of the loops' variables. */
  readonly variables: readonly number[];
  /** By operand. */
  readonly positions: readonly PositionFunction[];
  readonly loads: readonly ElementMove<NumberArray>[];
  readonly bigLoads: readonly ElementMove<BigArray>[];
  readonly stores: readonly ElementMove<NumberArray>[];
  readonly bigStores: readonly ElementMove<BigArray>[];
  /** What to do whenever the variable of a loop has changed, by loop, before the loops within. */
  readonly prologues: readonly (readonly Exec[])[];
  readonly body: readonly Exec[];
  /** Accounts for so many points. */
  readonly tick: (points: number) => void;
}

/** Runs the nest; every count is at least 1. */
export const runLoopNest = (nest: LoopNest, frame: Frame): void => {
  const { counts, variables, positions, prologues, body } = nest;
  const { loads, bigLoads, stores, bigStores } = nest;
  const { numbers, objects } = frame;
  const operands = positions.length;
  const loops = counts.length;
  // Positions at each depth: those of the enclosing point, to which each loop adds its own part.
  const positionsAt = Array.from({ length: loops + 1 }, () => positions.map(({ base }) => base));
  const stepsAt = counts.map((_, depth) => positions.map(({ steps }) => steps[depth]!));
  const termsAt = counts.map((_, depth) =>
    positions.flatMap(({ terms }, operand) =>
      terms.filter((term) => term.depth === depth).map(({ weight, value }) => ({ operand, weight, value })),
    ),
  );

  const runPoint = (at: readonly number[]): void => {
    for (const { slot, data, operand } of loads) numbers[slot] = data[at[operand]!]!;
    for (const { slot, data, operand } of bigLoads) objects[slot] = data[at[operand]!]!;
    for (const exec of body) exec(frame);
    for (const { slot, data, operand } of stores) data[at[operand]!] = numbers[slot]!;
    for (const { slot, data, operand } of bigStores) data[at[operand]!] = objects[slot] as bigint;
  };

  const runLoop = (depth: number): void => {
    const outer = positionsAt[depth]!;
    const inner = positionsAt[depth + 1]!;
    const steps = stepsAt[depth]!;
    const terms = termsAt[depth]!;
    const prologue = prologues[depth]!;
    const variable = variables[depth]!;
    const count = counts[depth]!;
    const isInnermost = depth === loops - 1;
    if (isInnermost) nest.tick(count);
    for (let i = 0; i < count; i++) {
      numbers[variable] = i;
      for (let k = 0; k < operands; k++) inner[k] = outer[k]! + i * steps[k]!;
      for (const { operand, weight, value } of terms) inner[operand]! += weight * value(frame);
      for (const exec of prologue) exec(frame);
      if (isInnermost) runPoint(inner);
      else runLoop(depth + 1);
    }
  };

  if (loops === 0) {
    nest.tick(1);
    runPoint(positionsAt[0]!);
  } else runLoop(0);
};
