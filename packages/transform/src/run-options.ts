/** Options and results of a run. */
import type { Id, Module, Operation, Registry } from '@sconv/ir';
import type { Payload } from './payload.ts';
import type { ResolvedPayload } from './payload.ts';
import type { Schedule } from './schedule.ts';
import type { Trace, TraceObserver } from './trace.ts';

/** How a schedule is run, and who observes it. */
export interface RunOptions {
  /** Contains the ops of the script and of the payload. */
  readonly registry: Registry;
  /** The named sequence to run; `__transform_main` by default. */
  readonly entryPoint?: string;
  /** `true` returns the trace with the result; an observer is notified while the schedule runs, even if it fails. */
  readonly trace?: true | TraceObserver;
  /** A clock in milliseconds, for the trace; `Date.now` by default. */
  readonly now?: () => number;
  /** The payload operation that is the root for the schedule; the module's by default. */
  readonly root?: Id;
  /** The payload of the entry point's arguments after the first. */
  readonly bindings?: readonly Payload[];
  /** Receives the output of `transform.print`; by default that becomes a remark. */
  readonly print?: (text: string) => void;
  /** Checked between ops. */
  readonly signal?: AbortSignalLike;
}

/** The expansion of an op for one of its targets. */
export interface Expansion {
  readonly operation: Operation;
  /** As it was before. */
  readonly target: Operation;
  readonly schedule: Schedule;
}

/** The used part of `AbortSignal`. */
export interface AbortSignalLike {
  readonly aborted: boolean;
}

/** The result of a schedule. */
export interface RunResult {
  readonly module: Module;
  /** The payload in `module` of each handle that the sequence yields. */
  readonly yielded: readonly ResolvedPayload[];
}

/** The result of a schedule, with its trace. */
export interface TracedRunResult extends RunResult {
  readonly trace: Trace;
}

/** The result type for these options: with a trace if `trace: true` requests one. */
export type RunResultOf<O> = O extends { readonly trace: true } ? TracedRunResult : RunResult;
