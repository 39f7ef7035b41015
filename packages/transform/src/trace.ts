/**
 * The trace of a run, as a tree: the steps of the schedule in execution order, each with its effect on the payload
 * and on handles, and with the nested steps of its expansion or bodies. Printing the IR after each step, explaining
 * and stepping are built on it.
 */
import type { Diagnosed, Diagnostic, Location, Note } from '@sconv/diagnostics';
import { expectObject } from '@sconv/diagnostics';
import type { Forward, Module, Operation, Value } from '@sconv/ir';
import type { Payload } from './payload.ts';
import type { Expansion } from './run-options.ts';

/** How a step ended; `running` while it has not. */
export type TraceStatus = 'running' | Diagnosed<unknown>['status'];

/** What steps and groups have in common. */
export interface TraceSpan {
  readonly status: TraceStatus;
  readonly seconds: number;
  readonly children: readonly TraceNode[];
  /** Its effect was undone, as for an alternative that failed. */
  readonly isUndone: boolean;
  /** The op whose expansion it is part of; undefined for the user's own steps. */
  readonly expandedFrom: Operation | undefined;
  /**
   * The payload before and after it. It is stored for steps of the entry point; for nested ones the enclosing step is
   * rerun up to there. Ids are assigned deterministically, so the payload is equal, though not identical.
   */
  before(): Module;
  after(): Module;
}

/** An op of a script that ran. */
export interface TraceStep extends TraceSpan {
  readonly kind: 'step';
  readonly operation: Operation;
  /** Of the op, or of the user's op whose expansion it is part of. */
  readonly location: Location;
  /** The step's own warnings, and the failure that arose in it; children have their own. */
  readonly diagnostics: readonly Diagnostic[];
  /** Its effect on the payload, including its children's. */
  readonly forward: Forward;
  readonly handles: readonly HandleChange[];
}

/** Steps that belong together: a named stage, an iteration, an alternative, or an expansion. */
export interface TraceGroup extends TraceSpan {
  readonly kind: 'group';
  readonly role: GroupRole;
  /** For a stage, its own location; for an expansion, its target's. */
  readonly name: string;
  readonly expansion: Expansion | undefined;
}

/** Why steps belong together: a name in their locations, or an op that ran them together. */
export type GroupRole = 'stage' | 'iteration' | 'alternative' | 'expansion';

/** A step that ran, or a group of them. */
export type TraceNode = TraceStep | TraceGroup;

/** A step's effect on the binding of a script value. */
export interface HandleChange {
  readonly value: Value;
  /** Undefined for a value that was not bound yet. */
  readonly before: Payload | undefined;
  readonly after: Payload;
  /** Why it is invalid, if this step invalidated it. */
  readonly invalidated: Note | undefined;
}

/** What a run of a schedule did: its steps, with the payload around each. */
export interface Trace {
  readonly children: readonly TraceNode[];
}

/** Notified of each step and group, with the payload at that point. Open ones have no status yet. */
export interface TraceObserver {
  enter?(node: TraceNode, payload: Module): void;
  leave?(node: TraceNode, payload: Module): void;
}

/** An observer that keeps the whole trace: the way to trace a failing schedule. */
export const collectTrace = (): Trace & TraceObserver => {
  const children: TraceNode[] = [];
  let depth = 0;
  return {
    children,
    enter: (node) => {
      if (depth === 0) children.push(node);
      depth += 1;
    },
    leave: () => {
      depth -= 1;
    },
  };
};

/** All steps and groups of a trace or a part of it, in pre-order. */
export function* traceNodes(trace: Pick<Trace, 'children'>): Generator<TraceNode, undefined> {
  expectObject('a trace', trace);
  for (const node of trace.children) {
    yield node;
    yield* traceNodes(node);
  }
  return undefined;
}

/** The expansions in a trace, or in a part of it, that were not undone. */
export const expansionsIn = ({ children }: Pick<Trace, 'children'>): readonly Expansion[] =>
  children.flatMap((node) => {
    if (node.isUndone) return [];
    const below = expansionsIn(node);
    return node.kind === 'group' && node.expansion !== undefined ? [node.expansion, ...below] : below;
  });
