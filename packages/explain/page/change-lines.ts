/** The payload around a step, with what it changed marked by characters and colours. */
import type { LineChange } from '../src/changes.ts';
import { changesBetween, signOf } from '../src/changes.ts';
import { marksOf } from '../src/moments.ts';
import { button, element } from './dom.ts';
import type { RunView } from './run-view.ts';

/** Unchanged lines around changed ones. */
const context = 2;

/** Lines of the payload after a node; where not `whole`, those around changes. */
export const changeLines = (
  view: RunView,
  node: number,
  whole: boolean,
  onOperation: (operation: number) => void,
): readonly HTMLElement[] => {
  const { before, after } = view.states[node]!;
  const changes = changesBetween(view.run, before, after);
  const isChanged = changes.map(({ kind, moved }) => kind !== 'same' || moved);
  const [oldMarks, newMarks] = [marksOf(before), marksOf(after)];
  const lines: HTMLElement[] = [];
  let isSkipping = false;
  changes.forEach((change, i) => {
    const isNear = isChanged.slice(Math.max(0, i - context), i + context + 1).includes(true);
    if (whole || isNear) {
      const { op, at } = change.line;
      const marks = change.kind === 'removed' ? oldMarks : newMarks;
      const handles = op !== undefined && at === 0 ? (marks.get(op) ?? []) : [];
      lines.push(lineElement(view, change, handles, onOperation));
    } else if (!isSkipping) lines.push(element('div', { class: 'skipped' }, '⋯'));
    isSkipping = !whole && !isNear;
  });
  return lines;
};

const lineElement = (
  view: RunView,
  change: LineChange,
  handles: readonly string[],
  onOperation: (operation: number) => void,
): HTMLElement => {
  const { kind, moved, line, text, words } = change;
  const made = element('div', { class: `line ${moved && kind === 'same' ? 'moved' : kind}` });
  if (line.op !== undefined) made.dataset['op'] = String(line.op);
  made.append(element('span', { class: 'sign' }, signOf(change)), ' '.repeat(line.indent));
  if (words === undefined) made.append(element('span', {}, text));
  else {
    for (const word of words) {
      const name = word.kind === 'added' ? 'ins' : word.kind === 'removed' ? 'del' : 'span';
      made.append(element(name, {}, word.text));
    }
  }
  const { op } = line;
  if (op !== undefined && line.at === 0) {
    const name = view.operations.get(op)?.name ?? 'operation';
    const link = button(handles.length > 0 ? handles.join(', ') : '…', () => {
      onOperation(op);
    });
    link.className = 'handles';
    link.setAttribute('aria-label', `${name}${handles.length > 0 ? `, handles ${handles.join(', ')}` : ''}`);
    made.append(' ', link);
  }
  return made;
};
