import { describeValue } from '@sconv/diagnostics';
import { produce, type Draft } from 'immer';
import type { KernelShares } from './kernel-family.ts';
import type { KernelSpeeds } from './kernel-speeds.ts';
import type { Machine } from './machine.ts';
import type { Microkernel } from './microkernel.ts';
import { expectList, expectRecord, TargetError } from './target-error.ts';
import { check } from './validate.ts';

/** A machine and the microkernels that run on it. */
export interface Target {
  readonly kind: 'target';
  /** The name used in commands. */
  readonly name: string;
  readonly machine: Machine;
  /** The kernel that plans are made for. */
  readonly microkernel: Microkernel;
  /** Further kernels: smaller ones for the remainders, other operand roles. */
  readonly otherMicrokernels: readonly Microkernel[];
  /** For choosing a plan, if measured. */
  readonly speeds?: KernelSpeeds;
  /** How fast kernels are whose operands lie where they are, if measured. */
  readonly kernels?: KernelShares;
}

/** All kernels of a target, the preferred one first. */
export const microkernels = (target: Target): readonly Microkernel[] => {
  expectRecord('target', target);
  expectList('target.otherMicrokernels', target.otherMicrokernels);
  return [target.microkernel, ...target.otherMicrokernels];
};

type Described = Target | Machine | Microkernel;

/** Deep-freezes plain data. */
const freeze = <T>(value: T): T => {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    for (const field of Object.values(value)) freeze(field);
    Object.freeze(value);
  }
  return value;
};

/** The record, checked and frozen; throws `TargetError` if it is impossible. */
export const define = <T extends Described>(value: T): T => freeze(check(value));

/**
 * A changed copy: `derive(avx512, (draft) => { draft.machine.cache.l2.bytes = 1 << 20; })`. Throws `TargetError` if the
 * changed record is impossible. A changed number loses its citation; add one to `draft.sources`.
 */
export const derive = <T extends Described>(value: T, recipe: (draft: Draft<T>) => void): T => {
  check(value);
  if (typeof (recipe as unknown) !== 'function')
    throw new TargetError(
      'targets/not-a-function',
      'recipe',
      `expected a function, not ${describeValue(recipe)}`,
    );
  return define(produce(value, recipe));
};
