/** The states of a run, recovered from its document: the payload's text and the handles around each step. */
import type { Id } from '@sconv/ir';
import { lineText } from './payload-lines.ts';
import type { NumberedText } from './text-delta.ts';
import { applyDelta, emptyText } from './text-delta.ts';
import type { HandleDocument, Moment, NodeDocument, RunDocument } from './trace-document.ts';

/** The payload and the handles at a moment of a run. */
export interface RunState extends NumberedText {
  /** By key; out of scope are those of bodies that have ended. */
  readonly handles: ReadonlyMap<string, HandleDocument>;
}

/** The states around a node. */
export interface NodeStates {
  readonly before: RunState;
  readonly after: RunState;
}

/** The states of all nodes, in their order. Takes time and memory in proportion to nodes times lines. */
export const runStates = ({ start, nodes }: RunDocument): readonly NodeStates[] => {
  const states: { before: RunState; after: RunState }[] = [];
  let state: RunState = { ...applyDelta(emptyText, start), handles: new Map() };
  /** Open nodes, with the handles around them. */
  const open: { readonly number: number; readonly handles: RunState['handles'] }[] = [];
  const close = (): void => {
    const { number, handles } = open.pop()!;
    const { leave, undone } = nodes[number]!;
    const inside = next(state, leave);
    const visible = undone === true ? handles : outside(inside.handles, handles, nodes[number]!);
    states[number]!.after = { ...inside, handles: undone === true ? inside.handles : visible };
    state = { ...inside, handles: visible };
  };
  nodes.forEach((node, number) => {
    while (open.length > 0 && open.at(-1)!.number !== node.parent) close();
    state = next(state, node.enter);
    states.push({ before: state, after: state });
    open.push({ number, handles: state.handles });
  });
  while (open.length > 0) close();
  return states;
};

const next = (state: RunState, moment: Moment): RunState => {
  const { lines, names } = applyDelta(state, moment);
  if (moment.handles === undefined) return { lines, names, handles: state.handles };
  const handles = new Map(state.handles);
  for (const handle of moment.handles) handles.set(handle.key, handle);
  return { lines, names, handles };
};

/** The handles that are visible after a node: of a step, those from before, as they are now, and what its end binds. */
const outside = (
  inside: RunState['handles'],
  before: RunState['handles'],
  { kind, leave }: NodeDocument,
): RunState['handles'] => {
  if (kind === 'group') return inside;
  const bound = new Set((leave.handles ?? []).map(({ key }) => key));
  return new Map([...inside].filter(([key]) => before.has(key) || bound.has(key)));
};

/** The text of a state, as `printModule` prints it. */
export const textOf = ({ lines: all }: Pick<RunDocument, 'lines'>, { lines, names }: NumberedText): string =>
  lines.map((number) => `${' '.repeat(all[number]!.indent)}${lineText(all[number]!, names)}\n`).join('');

/** Which operations the handles of a state that are valid refer to: the names of handles, by operation. */
export const marksOf = ({ handles }: RunState): ReadonlyMap<Id, readonly string[]> => {
  const marks = new Map<Id, string[]>();
  for (const { name, kind, ids = [], invalid } of handles.values()) {
    if (kind !== 'operations' || invalid !== undefined) continue;
    for (const id of ids) {
      const known = marks.get(id);
      if (known === undefined) marks.set(id, [name]);
      else known.push(name);
    }
  }
  return marks;
};
