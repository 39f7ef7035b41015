/** The loops of a state as nested boxes, with what is computed in them. */
import { lineText } from '../src/payload-lines.ts';
import type { RunState } from '../src/moments.ts';
import { element } from './dom.ts';
import type { RunView } from './run-view.ts';

const loops = new Set([
  'scf.for',
  'scf.forall',
  'scf.parallel',
  'scf.while',
  'affine.for',
  'affine.parallel',
]);
const computes = /^(linalg|kernel|vector\.(contract|outerproduct|fma)|func\.func$)/;

/** Undefined where there are no loops. */
export const loopNest = (view: RunView, { lines, names }: RunState): HTMLElement | undefined => {
  const root = element('div', { class: 'nest' });
  const open: { readonly indent: number; readonly box: HTMLElement }[] = [{ indent: -1, box: root }];
  let count = 0;
  for (const number of lines) {
    const line = view.run.lines[number]!;
    const name = line.op === undefined ? '' : (view.operations.get(line.op)?.name ?? '');
    if (line.at !== 0 || (!loops.has(name) && !computes.test(name)) || name === 'linalg.yield') continue;
    while (open.at(-1)!.indent >= line.indent) open.pop();
    if (loops.has(name)) count += 1;
    const isLoop = loops.has(name);
    const label = isLoop ? loopLabel(name, lineText(line, names)) : name;
    const box = element('div', { class: isLoop ? 'loop' : 'leaf' }, label);
    open.at(-1)!.box.append(box);
    open.push({ indent: line.indent, box });
  }
  return count === 0 ? undefined : root;
};

/** `for %arg3 = %c0 to %c4 step %c2` */
const loopLabel = (name: string, text: string): string => {
  const start = text.indexOf(name);
  return text.slice(start).replace(/ (?:iter_args|shared_outs)\(.*$| \{$/, '');
};
