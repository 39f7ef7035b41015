/** The interpreter's side of tracing. A run without a tracer has no overhead. */
import type { Diagnosed, Diagnostic, Note } from '@sconv/diagnostics';
import type { Operation, Value } from '@sconv/ir';
import type { Payload } from './payload.ts';
import type { Expansion } from './run-options.ts';
import type { ScheduleRun } from './schedule-run.ts';
import type { GroupRole } from './trace.ts';

/** The old and new payload of a script value. */
export interface Rebinding {
  readonly value: Value;
  readonly before: Payload | undefined;
  readonly after: Payload;
}

export interface Tracer {
  /** Wraps a step. */
  step(run: ScheduleRun, operation: Operation, body: () => Diagnosed<undefined>): Diagnosed<undefined>;
  /** Wraps a group of steps. */
  group<T>(run: ScheduleRun, group: GroupStart, body: () => Diagnosed<T>): Diagnosed<T>;
  /** The current step bound a value, or updated its payload. */
  rebound?(change: Rebinding): void;
  /** The current step invalidated a value. */
  invalidated?(value: Value, payload: Payload, note: Note): void;
  warned?(warnings: readonly Diagnostic[]): void;
  /** The changes of the current step so far were undone. */
  restored?(): void;
}

/** What is known about a group before it runs. */
export interface GroupStart {
  readonly role: GroupRole;
  readonly name: string;
  readonly expansion?: Expansion;
}
