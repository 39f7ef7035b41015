/**
 * The state of a run, as a record: kept before something is tried, and restored when it failed. Taking one costs nothing;
 * the first change after it copies the tables.
 */
import type { Diagnostic, Note } from '@sconv/diagnostics';
import type { Forward, Id, Module, Value } from '@sconv/ir';
import type { Successors } from './handle-tracking.ts';
import type { Payload } from './payload.ts';

/** What a value of the script stands for. */
export interface Binding {
  readonly value: Value;
  readonly payload: Payload;
}

/** Payload that is followed through every edit, by what stands for it: one operation may become several. */
export interface TrackedPayload {
  readonly payload: Payload;
}

/** What an edit did to operations and values, and to what handles stand for. */
export interface PayloadEdit {
  readonly forward: Forward;
  readonly successors: Successors;
}

/** The edits of a run so far, the newest first. */
export interface EditList extends PayloadEdit {
  readonly before: EditList | undefined;
}

/** Why a value of the script must not be used any more. */
export interface Invalidation {
  /** An op consumed it, or nothing was found that it could stand for. */
  readonly reason: 'consumed' | 'lost';
  /** Says what did it, and where. */
  readonly note: Note;
  /** More about it. */
  readonly notes: readonly Note[];
}

/** All that a run remembers. */
export interface RunState {
  readonly payload: Module;
  /** By the id of the script's value. */
  readonly handles: ReadonlyMap<Id, Binding>;
  readonly invalidated: ReadonlyMap<Id, Invalidation>;
  readonly warnings: readonly Diagnostic[];
  readonly tracked: ReadonlyMap<TrackedPayload, Payload>;
  readonly edits: EditList | undefined;
}

/** A `RunState` that changes. */
export interface MutableRunState {
  payload: Module;
  readonly handles: Map<Id, Binding>;
  readonly invalidated: Map<Id, Invalidation>;
  readonly warnings: Diagnostic[];
  readonly tracked: Map<TrackedPayload, Payload>;
  edits: EditList | undefined;
}

/** The state of a run in progress. */
export class RunStateCell {
  private current: MutableRunState;
  /** Somebody has kept the present record, so it must not change any more. */
  private isKept = false;

  constructor(payload: Module) {
    this.current = {
      payload,
      handles: new Map(),
      invalidated: new Map(),
      warnings: [],
      tracked: new Map(),
      edits: undefined,
    };
  }

  /** The state to look at now; it changes when the run goes on. */
  get now(): RunState {
    return this.current;
  }

  /** The state to change. */
  get mutable(): MutableRunState {
    if (this.isKept) {
      this.current = copyOf(this.current);
      this.isKept = false;
    }
    return this.current;
  }

  /** The state as it is now, for good. */
  keep(): RunState {
    this.isKept = true;
    return this.current;
  }

  /** Goes back, or on, to a state that was kept. */
  restore(state: RunState): void {
    this.current = copyOf(state);
    this.isKept = false;
  }
}

const copyOf = ({ payload, handles, invalidated, warnings, tracked, edits }: RunState): MutableRunState => ({
  payload,
  handles: new Map(handles),
  invalidated: new Map(invalidated),
  warnings: [...warnings],
  tracked: new Map(tracked),
  edits,
});
