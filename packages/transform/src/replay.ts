/** Reruns a step of a schedule to recover the payload inside it. */
import type { Diagnosed } from '@sconv/diagnostics';
import { definite, error } from '@sconv/diagnostics';
import type { Id, Module, Operation } from '@sconv/ir';
import { walk } from '@sconv/ir';
import type { Binding, Invalidation, RunState } from './run-state.ts';
import type { RunContext } from './schedule-run.ts';
import { ScheduleRun } from './schedule-run.ts';
import type { Tracer } from './tracer.ts';

/** The state that a step starts from, as far as it can observe it. */
export interface ReplayStart {
  readonly script: Module;
  readonly operation: Operation;
  readonly context: RunContext;
  readonly state: RunState;
}

/** The state from which a run is about to start `operation`. */
export const replayStart = (run: ScheduleRun, operation: Operation): ReplayStart => {
  const handles = new Map<Id, Binding>();
  const invalidated = new Map<Id, Invalidation>();
  for (const { operands } of walk(operation)) {
    for (const { id } of operands) {
      const binding = run.now.handles.get(id);
      const invalidation = run.now.invalidated.get(id);
      if (binding !== undefined) handles.set(id, binding);
      if (invalidation !== undefined) invalidated.set(id, invalidation);
    }
  }
  const { script, payload, context } = run;
  const state = { payload, handles, invalidated, warnings: [], tracked: new Map(), edits: undefined };
  return { script, operation, context, state };
};

/**
 * The payload before or after the step or group at this position in order of entry; the step itself has position 0.
 * Ids are assigned deterministically, so it equals what the run saw.
 */
export const replay = (start: ReplayStart, position: number, side: 'before' | 'after'): Module => {
  const { script, operation, context, state } = start;
  const tracer = new Replay(position, side);
  const run = new ScheduleRun(script, state.payload, { ...context, tracer, signal: tracer });
  run.restore(state);
  run.runOperations([operation]);
  if (tracer.found === undefined) throw new Error(`a step of ${operation.name} went another way than before`);
  return tracer.found;
};

/** Counts steps and groups up to one, captures the payload there, and stops the run. */
class Replay implements Tracer {
  found: Module | undefined;
  private count = 0;
  private readonly position: number;
  private readonly side: 'before' | 'after';

  constructor(position: number, side: 'before' | 'after') {
    this.position = position;
    this.side = side;
  }

  get aborted(): boolean {
    return this.found !== undefined;
  }

  step(run: ScheduleRun, _operation: Operation, body: () => Diagnosed<undefined>): Diagnosed<undefined> {
    return this.visit(run, body);
  }

  group<T>(run: ScheduleRun, _group: unknown, body: () => Diagnosed<T>): Diagnosed<T> {
    return this.visit(run, body);
  }

  private visit<T>(run: ScheduleRun, body: () => Diagnosed<T>): Diagnosed<T> {
    const isHere = this.count === this.position;
    this.count += 1;
    if (isHere && this.side === 'before') {
      this.found = run.payload;
      return definite(error('transform/aborted', 'replayed as far as asked', run.script.root.location));
    }
    const result = body();
    if (isHere) this.found = run.payload;
    return result;
  }
}
