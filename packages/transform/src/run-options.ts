/** How a schedule is run, and what it gives. */
import type { Id, Module, Operation, Registry } from '@sconv/ir';
import type { Payload } from './payload.ts';
import type { ResolvedPayload } from './payload.ts';
import type { Schedule } from './schedule.ts';
import type { Trace, TraceObserver } from './trace.ts';

/** How a schedule is run, and what is told of it. */
export interface RunOptions {
  /** Knows the ops of the script and of the payload. */
  readonly registry: Registry;
  /** The named sequence to run; `__transform_main` if not given. */
  readonly entryPoint?: string;
  /** `true` gives the trace with the result; an observer is told of it while the schedule runs, also of one that fails. */
  readonly trace?: true | TraceObserver;
  /** A clock in milliseconds, for the trace; `Date.now` by default. */
  readonly now?: () => number;
  /** The operation of the payload that is its root for the schedule; that of the module if not given. */
  readonly root?: Id;
  /** What the arguments of the entry point after the first stand for. */
  readonly bindings?: readonly Payload[];
  /** Takes what `transform.print` writes; without it, that is a remark among the diagnostics. */
  readonly print?: (text: string) => void;
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

/** What a schedule made, and what it did. */
export interface TracedRunResult extends RunResult {
  readonly trace: Trace;
}

/** What running with these options gives: a trace where `trace: true` asks for it. */
export type RunResultOf<O> = O extends { readonly trace: true } ? TracedRunResult : RunResult;
