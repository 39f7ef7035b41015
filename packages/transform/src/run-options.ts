/** How a schedule is run, and what it gives. */
import type { Module, Operation, Registry } from '@sconv/ir';
import type { ResolvedPayload } from './payload.ts';
import type { Schedule } from './schedule.ts';

/** How a schedule is run, and what is told of it. */
export interface RunOptions {
  /** Knows the ops of the script and of the payload. */
  readonly registry: Registry;
  /** The named sequence to run; `__transform_main` if not given. */
  readonly entryPoint?: string;
  /** Called after each op of the script, not of its expansions, with the payload as it then is. */
  readonly onStep?: (operation: Operation, payload: Module) => void;
  /** Called for each payload operation that an op of the script has expanded for, when that op has succeeded. */
  readonly onExpand?: (expansion: Expansion) => void;
  /** Called when the last op of a stage is done; an op with several targets goes through its stages for each. */
  readonly onStage?: (stage: string, payload: Module) => void;
  /** Stops between two ops. */
  readonly signal?: AbortSignalLike;
}

/** What an op became for one of its targets. */
export interface Expansion {
  readonly operation: Operation;
  /** As it was before. */
  readonly target: Operation;
  readonly schedule: Schedule;
}

/** The part of `AbortSignal` that is read. */
export interface AbortSignalLike {
  readonly aborted: boolean;
}

/** What a schedule made. */
export interface RunResult {
  readonly module: Module;
  /** What each handle that the sequence yields stands for in `module`. */
  readonly yielded: readonly ResolvedPayload[];
}
