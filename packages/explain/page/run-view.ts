/** A run as the page reads it: states, numbers of steps, and where operations come from. */
import { childrenOf } from '../src/children-of.ts';
import type { NodeStates } from '../src/moments.ts';
import { runStates } from '../src/moments.ts';
import type { OperationDocument, RunDocument } from '../src/trace-document.ts';

/** An operation that another one came from, by a step. */
export interface Ancestor {
  readonly id: number;
  readonly node: number;
}

export interface RunView {
  readonly run: RunDocument;
  readonly states: readonly NodeStates[];
  readonly operations: ReadonlyMap<number, OperationDocument>;
  /** The nodes inside of each, and the outermost ones. */
  readonly children: ReadonlyMap<number | undefined, readonly number[]>;
  readonly depths: readonly number[];
  /** What each operation replaced, nearest first. */
  readonly ancestorsOf: (operation: number) => readonly Ancestor[];
}

export const viewOf = (run: RunDocument): RunView => {
  const depths: number[] = [];
  const sources = new Map<number, Ancestor[]>();
  run.nodes.forEach(({ parent, replaced = [] }, node) => {
    depths.push(parent === undefined ? 1 : depths[parent]! + 1);
    for (const [id, others] of replaced) {
      for (const other of others) {
        const known = sources.get(other);
        if (known === undefined) sources.set(other, [{ id, node }]);
        else known.push({ id, node });
      }
    }
  });
  const ancestorsOf = (operation: number): readonly Ancestor[] => {
    const found: Ancestor[] = [];
    const seen = new Set([operation]);
    for (let level = sources.get(operation) ?? []; level.length > 0;) {
      const fresh = level.filter(({ id }) => !seen.has(id));
      for (const each of fresh) seen.add(each.id);
      found.push(...fresh);
      level = fresh.flatMap(({ id }) => sources.get(id) ?? []);
    }
    return found;
  };
  return {
    run,
    states: runStates(run),
    operations: new Map(run.operations.map((each) => [each.id, each])),
    children: childrenOf(run.nodes),
    depths,
    ancestorsOf,
  };
};

/** Whether a node changed the text of the payload. */
export const hasChanged = ({ states }: RunView, node: number): boolean =>
  states[node]!.before.lines !== states[node]!.after.lines;
