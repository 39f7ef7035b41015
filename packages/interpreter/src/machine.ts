/** The limits of an execution: steps, memory, call depth, cancellation. */
import type { Operation, Type } from '@sconv/ir';
import { printType } from '@sconv/ir';
import type { ElementArray, ElementKind } from './element.ts';
import { elementKind, fillElements } from './element.ts';
import { printShape, trap } from './trap.ts';

/**
 * Polled during an execution, which is synchronous: an `AbortSignal`, or any object whose `aborted` reads a clock or
 * shared memory.
 */
export interface StopSignal {
  readonly aborted: boolean;
}

/** Resource limits of an execution. */
export interface Limits {
  /** Maximum number of executed operations; those of a linalg body count once per point. Default 10^12. */
  readonly maxSteps?: number;
  /** Maximum elements of one tensor or buffer. Default 2^31. */
  readonly maxElements?: number;
  /** Maximum call depth. Default 200. */
  readonly maxCallDepth?: number;
  readonly signal?: StopSignal;
}

/** Steps between two polls of the signal. */
const stepsPerLook = 1 << 20;

/** The resource accounting of one execution at a time. */
export interface Accounting {
  /** Accounts for `steps` steps about to be executed; traps at `operation` if that exceeds the limit. */
  readonly tick: (steps: number, operation: Operation) => void;
  /** Resets the accounting for a new execution. */
  readonly reset: () => void;
  /** Runs `call` one level deeper. */
  readonly enter: <T>(operation: Operation, call: () => T) => T;
  /** New zeroed elements of `type`: for results that will be fully overwritten. */
  readonly allocate: (operation: Operation, shape: readonly number[], type: Type) => ElementArray;
  /** New elements of `type`, all poison: uninitialized from the program's view. */
  readonly allocatePoison: (operation: Operation, shape: readonly number[], type: Type) => ElementArray;
}

/** A machine with these limits; `reset` it before each execution. */
export const createMachine = (limits: Limits): Accounting => {
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

/** Undefined if the host is out of memory, which it signals by a RangeError. */
const tryAllocate = (allocate: () => ElementArray): ElementArray | undefined => {
  try {
    return allocate();
  } catch {
    return undefined;
  }
};
