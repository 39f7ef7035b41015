/**
 * The loops of a structured operation: row-major over its iteration space, one execution of the body per point. The
 * inner loop is optimized, with arrays of numbers instead of records, since convolution tests spend most of their time
 * in it.
 */
import type { PositionFunction } from './access-function.ts';
import type { Exec, Frame } from './context.ts';
import type { BigArray, NumberArray } from './element.ts';
import type { MultiplyAddData } from './multiply-add.ts';
import { multiplyAddRow } from './multiply-add.ts';

/** An operand element that the body reads (loaded into `slot` before) or writes (taken from `slot` after). */
export interface ElementMove<A> {
  readonly operand: number;
  readonly slot: number;
  readonly data: A;
}

/** One execution of a structured operation. */
export interface LoopNest {
  readonly counts: readonly number[];
  /** Slots of the induction variables. */
  readonly variables: readonly number[];
  /** By operand. */
  readonly positions: readonly PositionFunction[];
  readonly loads: readonly ElementMove<NumberArray>[];
  readonly bigLoads: readonly ElementMove<BigArray>[];
  readonly stores: readonly ElementMove<NumberArray>[];
  readonly bigStores: readonly ElementMove<BigArray>[];
  /** Per loop, what to run whenever its induction variable changes, before the inner loops. */
  readonly prologues: readonly (readonly Exec[])[];
  readonly body: readonly Exec[];
  /** The operands' elements, if the body has the fast path. */
  readonly shortcut: MultiplyAddData | undefined;
  /** Accounts for this many points. */
  readonly tick: (points: number) => void;
}

/** Runs the nest; every trip count must be at least 1 and every access in bounds. */
export const runLoopNest = (nest: LoopNest, frame: Frame): void => {
  const { counts, variables, positions, prologues } = nest;
  const { numbers } = frame;
  const loops = counts.length;
  const runPoint = pointRunner(nest, frame);
  const bases = Int32Array.from(positions, ({ base }) => base);
  if (loops === 0) {
    nest.tick(1);
    runPoint(bases);
    return;
  }

  const levels = counts.map((count, depth) => ({
    count,
    variable: variables[depth]!,
    prologue: prologues[depth]!,
    // Positions at this depth: those of the enclosing point plus this loop's part.
    at: Int32Array.from(bases),
    steps: Int32Array.from(positions, ({ steps }) => steps[depth]!),
    terms: positions.flatMap(({ terms }, operand) =>
      terms.filter((term) => term.depth === depth).map(({ weight, value }) => ({ operand, weight, value })),
    ),
  }));
  const row = levels.at(-1)!;
  const operands = bases.length;

  const runPoints = (outer: Int32Array): void => {
    const { count, variable, at, steps } = row;
    for (let k = 0; k < operands; k++) at[k] = outer[k]!;
    for (let i = 0; i < count; i++) {
      numbers[variable] = i;
      runPoint(at);
      for (let k = 0; k < operands; k++) at[k]! += steps[k]!;
    }
  };
  const { shortcut } = nest;
  /** The innermost loop, if it has no non-linear terms. */
  const runRow = shortcut === undefined ? runPoints : multiplyAddRow(row, shortcut);
  const runLoop = (depth: number, outer: Int32Array): void => {
    const level = levels[depth]!;
    const { count, variable, prologue, at, steps, terms } = level;
    const isInnermost = level === row;
    if (isInnermost) nest.tick(count);
    if (isInnermost && terms.length === 0) {
      runRow(outer);
      return;
    }
    for (let i = 0; i < count; i++) {
      numbers[variable] = i;
      for (let k = 0; k < operands; k++) at[k] = outer[k]! + i * steps[k]!;
      for (const { operand, weight, value } of terms) at[operand]! += weight * value(frame);
      for (const exec of prologue) exec(frame);
      if (isInnermost) runPoint(at);
      else runLoop(depth + 1, at);
    }
  };
  runLoop(0, bases);
};

/** One point: loads, body, stores. */
const pointRunner = (
  { loads, bigLoads, stores, bigStores, body }: LoopNest,
  frame: Frame,
): ((at: Int32Array) => void) => {
  const { numbers, objects } = frame;
  const loadData = loads.map(({ data }) => data);
  const loadOperands = Int32Array.from(loads, ({ operand }) => operand);
  const loadSlots = Int32Array.from(loads, ({ slot }) => slot);
  const storeData = stores.map(({ data }) => data);
  const storeOperands = Int32Array.from(stores, ({ operand }) => operand);
  const storeSlots = Int32Array.from(stores, ({ slot }) => slot);
  const runNumbers = (at: Int32Array): void => {
    for (let k = 0; k < loadData.length; k++) numbers[loadSlots[k]!] = loadData[k]![at[loadOperands[k]!]!]!;
    for (const exec of body) exec(frame);
    for (let k = 0; k < storeData.length; k++)
      storeData[k]![at[storeOperands[k]!]!] = numbers[storeSlots[k]!]!;
  };
  if (bigLoads.length === 0 && bigStores.length === 0) return runNumbers;
  return (at) => {
    for (const { slot, data, operand } of bigLoads) objects[slot] = data[at[operand]!]!;
    runNumbers(at);
    for (const { slot, data, operand } of bigStores) data[at[operand]!] = objects[slot] as bigint;
  };
};
