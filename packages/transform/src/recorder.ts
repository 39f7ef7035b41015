/** What collects the ops of a schedule while its callback runs, and refuses handles that an op has consumed. */
import type { Location } from '@sconv/diagnostics';
import { DiagnosticError, error } from '@sconv/diagnostics';
import type { Id, OperationState, Rewriter, Value } from '@sconv/ir';
import { callSite } from './call-site.ts';
import type { TransformOpDefinition } from './define-transform-op.ts';
import { consumedOperands } from './effects.ts';
import type { Handle, ScriptValue } from './handle.ts';
import { isScriptValue, scriptValueOf } from './handle.ts';
import { match } from './match.ts';
import { inGroups } from './script.ts';

/** Collects the operations of a schedule; `Root` are the names that the root of the payload may have. */
export interface Recorder<Root extends string = string> {
  /** The root of the payload. */
  readonly root: Handle<Root>;
  /** The payload operations of these names below the root, in the order in which they stand. */
  match<const N extends string>(...names: readonly [N, ...N[]]): Handle<N>;
  /** Appends an operation; what stands for its results. */
  record(definition: TransformOpDefinition, state: OperationState<Rewriter>): readonly ScriptValue[];
  /** Runs `body`; what it records is a group of this name in traces, for its location carries it. */
  stage<T>(name: string, body: () => T): T;
  /** Runs `body`; what it records stands at this place, in place of where it was called: for functions that record many ops. */
  at<T>(place: Location, body: () => T): T;
  /** What stands for a value of the script, such as the argument of a body. */
  handle(value: Value): ScriptValue;
}

/** The recorder of one block of a script. */
export class ScheduleRecorder<Root extends string = string> implements Recorder<Root> {
  readonly root: Handle<Root>;
  private readonly rewriter: Rewriter;
  private readonly consumed = new Map<Id, { readonly by: string; readonly at: Location }>();
  /** The stages that are being recorded, the outermost first. */
  private readonly stages: string[] = [];
  private place: Location | undefined;

  constructor(rewriter: Rewriter, root: Value) {
    this.rewriter = rewriter;
    this.root = this.handle(root) as Handle<Root>;
  }

  match<const N extends string>(...names: readonly [N, ...N[]]): Handle<N> {
    return match({ target: this.root }, { ops: names }).results;
  }

  handle(value: Value): ScriptValue {
    return scriptValueOf(value, this);
  }

  stage<T>(name: string, body: () => T): T {
    this.stages.push(name);
    try {
      return body();
    } finally {
      this.stages.pop();
    }
  }

  at<T>(place: Location, body: () => T): T {
    const outer = this.place;
    this.place = place;
    try {
      return body();
    } finally {
      this.place = outer;
    }
  }

  record(definition: TransformOpDefinition, state: OperationState<Rewriter>): readonly ScriptValue[] {
    const location = state.location ?? this.place ?? callSite();
    for (const operand of state.operands) this.checkUsable(operand, definition.name, location);
    const operation = this.rewriter.create({ ...state, location: inGroups(this.stages, location) });
    for (const operand of consumedOperands(definition, operation)) {
      this.consumed.set(operand.id, { by: definition.name, at: location });
    }
    return operation.results.map((value) => this.handle(value));
  }

  /** The values of the handles that the callback returned. */
  yielded(handles: unknown): readonly Value[] {
    if (handles === undefined) return [];
    const location = this.place ?? callSite();
    if (!Array.isArray(handles) || !handles.every((handle): handle is ScriptValue => this.isMine(handle))) {
      const message = 'a schedule yields nothing, or a list of its own handles';
      throw new DiagnosticError([error('schedule/yield', message, location)]);
    }
    return handles.map(({ value }) => {
      this.checkUsable(value, 'the end of the schedule', location);
      return value;
    });
  }

  private isMine(handle: unknown): boolean {
    return isScriptValue(handle) && handle.recorder === this;
  }

  private checkUsable(value: Value, user: string, location: Location): void {
    const before = this.consumed.get(value.id);
    if (before !== undefined) throw new DiagnosticError([usedAfterConsumed(user, location, before)]);
  }
}

const usedAfterConsumed = (
  name: string,
  location: Location,
  before: { readonly by: string; readonly at: Location },
) =>
  error('schedule/consumed-handle', `${name} uses a handle that ${before.by} has consumed`, location, [
    { message: `consumed here by ${before.by}`, location: before.at },
  ]);
