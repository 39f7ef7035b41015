/** What a run tells of itself: the interpreter's side of a trace. A run without a tracer does nothing for it. */
import type { Diagnosed, Diagnostic, Note } from '@sconv/diagnostics';
import type { Operation, Value } from '@sconv/ir';
import type { Payload } from './payload.ts';
import type { Expansion } from './run-options.ts';
import type { ScheduleRun } from './schedule-run.ts';
import type { GroupRole } from './trace.ts';

/** The payload that a value of the script stands for now, and stood for. */
export interface Rebinding {
  readonly value: Value;
  readonly before: Payload | undefined;
  readonly after: Payload;
}

export interface Tracer {
  /** Around a step. */
  step(run: ScheduleRun, operation: Operation, body: () => Diagnosed<undefined>): Diagnosed<undefined>;
  /** Around steps that belong together. */
  group<T>(run: ScheduleRun, group: GroupStart, body: () => Diagnosed<T>): Diagnosed<T>;
  /** The step that runs has bound a value, or followed what it stands for. */
  rebound?(change: Rebinding): void;
  /** The step that runs has made a value unusable. */
  invalidated?(value: Value, payload: Payload, note: Note): void;
  warned?(warnings: readonly Diagnostic[]): void;
  /** What the step that runs did so far was taken back. */
  restored?(): void;
}

/** What is known of a group before it runs. */
export interface GroupStart {
  readonly role: GroupRole;
  readonly name: string;
  readonly expansion?: Expansion;
}
