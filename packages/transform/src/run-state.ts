/**
 * The state of a run, as a record: kept before something is tried, and restored when it failed. Taking one costs nothing;
 * the first change after it copies the tables.
 */
import type { Diagnostic, Note } from '@sconv/diagnostics';
import type { Forward, Id, Module, Value } from '@sconv/ir';
import type { Successors } from './handle-tracking.ts';
import type { Payload } from './payload.ts';
import { idsIn } from './payload.ts';

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

/** A `RunState` that changes; its handles through the cell, which knows who stands for what. */
export interface MutableRunState extends RunState {
  payload: Module;
  readonly invalidated: Map<Id, Invalidation>;
  readonly warnings: Diagnostic[];
  readonly tracked: Map<TrackedPayload, Payload>;
  edits: EditList | undefined;
}

/** The state of a run in progress. */
export class RunStateCell {
  private current: MutableRunState;
  private handles = new Map<Id, Binding>();
  /** The values of the script that stand for each operation or value of the payload; made when it is asked for. */
  private holders: Map<Id, Set<Id>> | undefined;
  /** Somebody has kept the present record, so it must not change any more. */
  private isKept = false;

  constructor(payload: Module) {
    const { handles } = this;
    this.current = {
      payload,
      handles,
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
    if (this.isKept) this.take(this.current);
    return this.current;
  }

  /** The state as it is now, for good. */
  keep(): RunState {
    this.isKept = true;
    return this.current;
  }

  /** Goes back, or on, to a state that was kept. */
  restore(state: RunState): void {
    this.take(state);
    this.holders = undefined;
  }

  /** Lets a value of the script stand for payload. */
  setHandle(value: Value, payload: Payload): void {
    this.dropHandle(value.id);
    this.handles.set(value.id, { value, payload });
    if (this.holders !== undefined) addHolder(this.holders, value.id, payload);
  }

  /** Lets a value of the script stand for nothing any more. */
  dropHandle(value: Id): void {
    if (this.isKept) this.take(this.current);
    const binding = this.handles.get(value);
    if (binding === undefined) return;
    this.handles.delete(value);
    for (const id of idsIn(binding.payload)) this.holders?.get(id)?.delete(value);
  }

  /** The values of the script that stand for any of these operations or values. */
  holdersOf(ids: Iterable<Id>): ReadonlySet<Id> {
    if (this.holders === undefined) {
      this.holders = new Map();
      for (const [value, { payload }] of this.handles) addHolder(this.holders, value, payload);
    }
    const found = new Set<Id>();
    for (const id of ids) this.holders.get(id)?.forEach((value) => found.add(value));
    return found;
  }

  /** Goes on with a copy of a state. */
  private take({ payload, handles, invalidated, warnings, tracked, edits }: RunState): void {
    this.handles = new Map(handles);
    this.current = {
      payload,
      handles: this.handles,
      invalidated: new Map(invalidated),
      warnings: [...warnings],
      tracked: new Map(tracked),
      edits,
    };
    this.isKept = false;
  }
}

const addHolder = (holders: Map<Id, Set<Id>>, value: Id, payload: Payload): void => {
  for (const id of idsIn(payload)) {
    const values = holders.get(id);
    if (values === undefined) holders.set(id, new Set([value]));
    else values.add(value);
  }
};
