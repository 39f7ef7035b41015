/**
 * What a run did, as a tree: the steps of the schedule in the order in which they ran, with what each did to the payload
 * and to handles, and inside of it the steps of what it expanded to, or of its bodies. Printing the IR after each step,
 * explaining and stepping are readers of it.
 */
import type { Diagnosed, Diagnostic, Location, Note } from '@sconv/diagnostics';
import type { Forward, Module, Operation, Value } from '@sconv/ir';
import type { Payload } from './payload.ts';
import type { Expansion } from './run-options.ts';

/** How something ended; `running` while it has not. */
export type TraceStatus = 'running' | Diagnosed<unknown>['status'];

/** What steps and groups have in common. */
export interface TraceSpan {
  readonly status: TraceStatus;
  readonly seconds: number;
  readonly children: readonly TraceNode[];
  /** What it did was taken back, such as an alternative that failed. */
  readonly isUndone: boolean;
  /** The op whose expansion it is part of; undefined for what a person wrote. */
  readonly expandedFrom: Operation | undefined;
  /**
   * The payload before and after it. That of a step of the entry point is kept; for one inside of such a step, the step is
   * run again that far: ids are given deterministically, so it is the same in all but identity.
   */
  before(): Module;
  after(): Module;
}

/** One op of a script that ran. */
export interface TraceStep extends TraceSpan {
  readonly kind: 'step';
  readonly operation: Operation;
  /** Of the op, or where a person wrote what it is part of the expansion of. */
  readonly location: Location;
  /** Warnings of this step itself, and the failure that arose in it; what arose in its children stands there. */
  readonly diagnostics: readonly Diagnostic[];
  /** What it did to the payload, with all of its children. */
  readonly forward: Forward;
  readonly handles: readonly HandleChange[];
}

/** Steps that belong together: a named stage, an iteration, an alternative, or what an op was expanded to. */
export interface TraceGroup extends TraceSpan {
  readonly kind: 'group';
  readonly role: GroupRole;
  /** Of a stage: its own; of an expansion: of its target. */
  readonly name: string;
  readonly expansion: Expansion | undefined;
}

/** Why steps belong together: a name in their locations, or that an op ran them together. */
export type GroupRole = 'stage' | 'iteration' | 'alternative' | 'expansion';

export type TraceNode = TraceStep | TraceGroup;

/** What a step did to what a value of the script stands for. */
export interface HandleChange {
  readonly value: Value;
  /** Undefined for a value that stood for nothing yet. */
  readonly before: Payload | undefined;
  readonly after: Payload;
  /** Why it must not be used any more, where this step made it so. */
  readonly invalidated: Note | undefined;
}

/** A whole run. */
export interface Trace {
  readonly children: readonly TraceNode[];
}

/** Is told of each step and group, with the payload as it then is. What is on its way has no status yet. */
export interface TraceObserver {
  enter?(node: TraceNode, payload: Module): void;
  leave?(node: TraceNode, payload: Module): void;
}

/** An observer that keeps the whole trace; of a schedule that fails, this is the way to have it. */
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

/** All steps and groups of a trace or of a part of it, each before its children. */
export function* traceNodes({ children }: Pick<Trace, 'children'>): Generator<TraceNode, undefined> {
  for (const node of children) {
    yield node;
    yield* traceNodes(node);
  }
  return undefined;
}

/** The expansions in a trace, or in a part of it, that stand. */
export const expansionsIn = ({ children }: Pick<Trace, 'children'>): readonly Expansion[] =>
  children.flatMap((node) => {
    if (node.isUndone) return [];
    const below = expansionsIn(node);
    return node.kind === 'group' && node.expansion !== undefined ? [node.expansion, ...below] : below;
  });
