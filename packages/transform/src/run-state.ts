/**
 * The state of a run as a record: saved before something is tried, restored if it fails. Saving costs nothing; the
 * first change afterwards copies the tables.
 */
import type { Diagnostic, Note } from '@sconv/diagnostics';
import type { Forward, Id, Module, Value } from '@sconv/ir';
import type { Successors } from './handle-tracking.ts';
import type { Payload } from './payload.ts';
import { idsIn } from './payload.ts';

/** The binding of a script value. */
export interface Binding {
  readonly value: Value;
  readonly payload: Payload;
}

/** Payload that is tracked through every edit by provenance: one operation may become several. */
export interface TrackedPayload {
  readonly payload: Payload;
}

/** The effect of an edit on operations and values, and on handles. */
export interface PayloadEdit {
  readonly forward: Forward;
  readonly successors: Successors;
}

/** The edits of a run so far, newest first. */
export interface EditList extends PayloadEdit {
  readonly before: EditList | undefined;
}

/** Why a script value is invalid. */
export interface Invalidation {
  /** An op consumed it, or no replacement was found. */
  readonly reason: 'consumed' | 'lost';
  /** Names the cause and its location. */
  readonly note: Note;
  /** Further notes. */
  readonly notes: readonly Note[];
}

/** The complete state of a run. */
export interface RunState {
  readonly payload: Module;
  /** By the id of the script value. */
  readonly handles: ReadonlyMap<Id, Binding>;
  readonly invalidated: ReadonlyMap<Id, Invalidation>;
  readonly warnings: readonly Diagnostic[];
  readonly tracked: ReadonlyMap<TrackedPayload, Payload>;
  readonly edits: EditList | undefined;
}

/** A mutable `RunState`; handles change through the cell, which maintains the reverse index. */
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
  /** The script values that refer to each payload operation or value; created on demand. */
  private holders: Map<Id, Set<Id>> | undefined;
  /** The current record has been saved, so it must not change. */
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

  /** The current state, for reading; it changes as the run proceeds. */
  get now(): RunState {
    return this.current;
  }

  /** The current state, for writing. */
  get mutable(): MutableRunState {
    if (this.isKept) this.take(this.current);
    return this.current;
  }

  /** Saves the current state. */
  keep(): RunState {
    this.isKept = true;
    return this.current;
  }

  /** Restores a saved state, earlier or later. */
  restore(state: RunState): void {
    this.take(state);
    this.holders = undefined;
  }

  /** Binds a script value to payload. */
  setHandle(value: Value, payload: Payload): void {
    this.dropHandle(value.id);
    this.handles.set(value.id, { value, payload });
    if (this.holders !== undefined) addHolder(this.holders, value.id, payload);
  }

  /** Unbinds a script value. */
  dropHandle(value: Id): void {
    if (this.isKept) this.take(this.current);
    const binding = this.handles.get(value);
    if (binding === undefined) return;
    this.handles.delete(value);
    for (const id of idsIn(binding.payload)) this.holders?.get(id)?.delete(value);
  }

  /** The script values that refer to any of these operations or values. */
  holdersOf(ids: Iterable<Id>): ReadonlySet<Id> {
    const holders = this.allHolders();
    const found = new Set<Id>();
    for (const id of ids) holders.get(id)?.forEach((value) => found.add(value));
    return found;
  }

  /** Whether a script value refers to this operation or value. */
  isHeld(id: Id): boolean {
    return (this.allHolders().get(id)?.size ?? 0) > 0;
  }

  private allHolders(): ReadonlyMap<Id, ReadonlySet<Id>> {
    if (this.holders === undefined) {
      this.holders = new Map();
      for (const [value, { payload }] of this.handles) addHolder(this.holders, value, payload);
    }
    return this.holders;
  }

  /** Continues with a copy of a state. */
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
