/** Builds the trace during a run. */
import type { Diagnosed, Diagnostic, Location, Note } from '@sconv/diagnostics';
import type { Forward, Module, Operation, Value } from '@sconv/ir';
import { forwardSince } from './follow-payload.ts';
import type { Payload } from './payload.ts';
import type { ReplayStart } from './replay.ts';
import { replay, replayStart } from './replay.ts';
import type { Expansion } from './run-options.ts';
import type { EditList } from './run-state.ts';
import type { ScheduleRun } from './schedule-run.ts';
import type { GroupRole, HandleChange, TraceGroup, TraceObserver, TraceStatus, TraceStep } from './trace.ts';
import type { GroupStart, Rebinding, Tracer } from './tracer.ts';

/** Where a step's or group's modules come from. */
interface Modules {
  before(): Module;
  after(): Module;
}

/** Steps and groups during recording; a `TraceSpan` once they have ended. */
abstract class RecordedSpan {
  status: TraceStatus = 'running';
  seconds = 0;
  readonly children: (RecordedStep | RecordedGroup)[] = [];
  isUndone = false;
  modules: Modules | undefined;
  readonly expandedFrom: Operation | undefined;

  constructor(expandedFrom: Operation | undefined) {
    this.expandedFrom = expandedFrom;
  }

  before(): Module {
    return this.modules!.before();
  }

  after(): Module {
    return this.modules!.after();
  }
}

class RecordedStep extends RecordedSpan implements TraceStep {
  readonly kind = 'step';
  readonly operation: Operation;
  readonly location: Location;
  readonly diagnostics: Diagnostic[] = [];
  readonly handles: HandleChange[] = [];
  /** The edits before and after it. */
  private readonly start: EditList | undefined;
  end: EditList | undefined;
  private composed: Forward | undefined;

  constructor(operation: Operation, { expanded, edits }: ScheduleRun) {
    super(expanded);
    this.operation = operation;
    this.location = (expanded ?? operation).location;
    this.start = edits;
  }

  get forward(): Forward {
    this.composed ??= forwardSince(this.end, this.start);
    return this.composed;
  }
}

class RecordedGroup extends RecordedSpan implements TraceGroup {
  readonly kind = 'group';
  readonly role: GroupRole;
  readonly name: string;
  readonly expansion: Expansion | undefined;

  constructor({ role, name, expansion }: GroupStart, { expanded }: ScheduleRun) {
    super(expanded);
    this.role = role;
    this.name = name;
    this.expansion = expansion;
  }
}

/** A tracer that builds the tree, and notifies an observer. */
export class TraceRecorder implements Tracer {
  private readonly observer: TraceObserver;
  private readonly now: () => number;
  /** The open steps and groups, innermost last. */
  private readonly open: (RecordedStep | RecordedGroup)[] = [];
  private readonly openSteps: RecordedStep[] = [];
  private readonly noted = new WeakSet<Diagnostic>();
  /** The state for replaying the entry point's current step. */
  private top: ReplayStart | undefined;
  /** The number of steps and groups entered in it. */
  private entered = 0;

  /** `now` is a clock in milliseconds. */
  constructor(observer: TraceObserver, now: () => number = Date.now) {
    this.observer = observer;
    this.now = now;
  }

  step(run: ScheduleRun, operation: Operation, body: () => Diagnosed<undefined>): Diagnosed<undefined> {
    const isTop = this.top === undefined;
    if (isTop) {
      // A step's forward only needs the edits inside it.
      run.forgetEdits();
      this.top = replayStart(run, operation);
      this.entered = 0;
    }
    const node = new RecordedStep(operation, run);
    this.openSteps.push(node);
    return this.within(node, run, isTop, body);
  }

  group<T>(run: ScheduleRun, group: GroupStart, body: () => Diagnosed<T>): Diagnosed<T> {
    return this.within(new RecordedGroup(group, run), run, this.top === undefined, body);
  }

  rebound({ value, before, after }: Rebinding): void {
    this.openSteps.at(-1)?.handles.push({ value, before, after, invalidated: undefined });
  }

  invalidated(value: Value, payload: Payload, note: Note): void {
    this.openSteps.at(-1)?.handles.push({ value, before: payload, after: payload, invalidated: note });
  }

  warned(warnings: readonly Diagnostic[]): void {
    const step = this.openSteps.at(-1);
    for (const each of warnings) {
      if (this.noted.has(each)) continue;
      this.noted.add(each);
      step?.diagnostics.push(each);
    }
  }

  restored(): void {
    for (const child of this.open.at(-1)?.children ?? []) child.isUndone = true;
  }

  private within<T>(
    node: RecordedStep | RecordedGroup,
    run: ScheduleRun,
    isKept: boolean,
    body: () => Diagnosed<T>,
  ): Diagnosed<T> {
    const before = run.payload;
    node.modules = isKept
      ? { before: () => before, after: notOver }
      : replayedModules(this.top!, this.entered);
    this.entered += 1;
    this.open.at(-1)?.children.push(node);
    this.open.push(node);
    this.observer.enter?.(node, before);
    const start = this.now();
    const result = body();
    node.seconds = (this.now() - start) / 1000;
    node.status = result.status;
    if (result.status !== 'success') this.warned(result.diagnostics);
    if (node.kind === 'step') {
      node.end = run.edits;
      this.openSteps.pop();
    }
    this.open.pop();
    const after = run.payload;
    if (isKept) {
      node.modules = { before: () => before, after: () => after };
      if (node.kind === 'step') this.top = undefined;
    }
    this.observer.leave?.(node, after);
    return result;
  }
}

const notOver = (): never => {
  throw new Error('the step is not over: there is no payload after it yet');
};

const replayedModules = (top: ReplayStart, position: number): Modules => ({
  before: () => replay(top, position, 'before'),
  after: () => replay(top, position, 'after'),
});
