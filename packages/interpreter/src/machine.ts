/** The limits of an execution: steps, memory, depth of calls, and the caller's wish to stop. */
import type { Operation, Type } from '@sconv/ir';
import { printType } from '@sconv/ir';
import type { ElementArray, ElementKind } from './element.ts';
import { elementKind, fillElements } from './element.ts';
import { printShape, trap } from './trap.ts';

/**
 * Asked now and then during an execution, which is synchronous: an `AbortSignal`, or any object whose `aborted` looks at
 * a clock or at shared memory.
 */
export interface StopSignal {
  readonly aborted: boolean;
}

/** What an execution may use. */
export interface Limits {
  /** Operations executed at most; those of a linalg body count once for each point. Default 10^12. */
  readonly maxSteps?: number;
  /** Elements of one tensor or buffer at most. Default 2^31. */
  readonly maxElements?: number;
  /** Calls within calls at most. Default 200. */
  readonly maxCallDepth?: number;
  readonly signal?: StopSignal;
}

/** Steps between two looks at the signal. */
const stepsPerLook = 1 << 20;

/** The accounts of one execution at a time. */
export interface Machine {
  /** Accounts for `steps` steps that are about to be executed; traps at `operation` when there are no more. */
  readonly tick: (steps: number, operation: Operation) => void;
  /** Starts the accounts of a new execution. */
  readonly reset: () => void;
  /** Runs `call` one level deeper. */
  readonly enter: <T>(operation: Operation, call: () => T) => T;
  /** New elements of `type`, zero: for results that will be written as a whole. */
  readonly allocate: (operation: Operation, shape: readonly number[], type: Type) => ElementArray;
  /** New elements of `type`, all poison: for what the program has not written yet. */
  readonly allocatePoison: (operation: Operation, shape: readonly number[], type: Type) => ElementArray;
}

/** A machine with these limits; `reset` it before each execution. */
export const createMachine = (limits: Limits): Machine => {
  const { maxSteps = 1e12, maxElements = 2 ** 31, maxCallDepth = 200, signal } = limits;
  let left = maxSteps;
  let untilLook = 0;
  let depth = 0;

  const look = (operation: Operation): void => {
    untilLook = stepsPerLook;
    if (signal?.aborted === true)
      trap(operation, 'interpreter/aborted', 'was about to run when the caller stopped it');
  };

  const allocate = (operation: Operation, shape: readonly number[], type: Type): ElementArray => {
    const count = shape.reduce((product, size) => product * size, 1);
    if (shape.some((size) => size < 0)) {
      trap(operation, 'interpreter/shape-mismatch', `has a negative size: ${printShape(shape)}`);
    }
    const kind = kindOf(operation, type);
    const data = count > maxElements ? undefined : tryAllocate(() => kind.allocate(count));
    if (data === undefined) {
      const limit = count > maxElements ? maxElements : 'there is memory for';
      trap(operation, 'interpreter/too-large', `needs ${count} elements, more than ${limit}`);
    }
    return data;
  };

  return {
    tick: (steps, operation) => {
      left -= steps;
      untilLook -= steps;
      if (left < 0) {
        trap(operation, 'interpreter/step-limit', `is reached after the limit of ${maxSteps} steps`);
      }
      if (untilLook <= 0) look(operation);
    },
    reset: () => {
      left = maxSteps;
      untilLook = 0;
      depth = 0;
    },
    enter: (operation, call) => {
      if (depth >= maxCallDepth) {
        trap(operation, 'interpreter/call-depth', `is more than ${maxCallDepth} calls deep`);
      }
      depth += 1;
      const results = call();
      depth -= 1;
      return results;
    },
    allocate,
    allocatePoison: (operation, shape, type) => {
      const data = allocate(operation, shape, type);
      fillElements(data, kindOf(operation, type).poison);
      return data;
    },
  };
};

const kindOf = (operation: Operation, type: Type): ElementKind =>
  elementKind(type) ??
  trap(operation, 'interpreter/unsupported-type', `has elements of the unsupported type ${printType(type)}`);

/** Undefined when the host has no memory for it, which it says by a RangeError. */
const tryAllocate = (allocate: () => ElementArray): ElementArray | undefined => {
  try {
    return allocate();
  } catch {
    return undefined;
  }
};
