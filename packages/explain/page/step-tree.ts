/** The tree of steps: a list whose items have levels, moved through by keyboard. */
import { element } from './dom.ts';
import type { RunView } from './run-view.ts';
import { outcome } from '../src/outcome.ts';
import { hasChanged } from './run-view.ts';

/** Above this many nodes, the tree begins folded. */
const mostUnfolded = 80;

export class StepTree {
  readonly root: HTMLElement;
  selected = 0;
  private readonly view: RunView;
  private readonly items: readonly HTMLElement[];
  private readonly folded = new Set<number>();
  private found: ReadonlySet<number> | undefined;
  private readonly onSelect: (node: number) => void;

  constructor(view: RunView, label: string, onSelect: (node: number) => void) {
    this.view = view;
    this.onSelect = onSelect;
    this.items = view.run.nodes.map((_, node) => this.item(node));
    this.root = element('div', { role: 'tree', 'aria-label': label }, ...this.items);
    if (view.run.nodes.length > mostUnfolded)
      for (const node of view.children.keys()) if (node !== undefined) this.folded.add(node);
    this.root.addEventListener('click', ({ target }) => {
      const item = target instanceof Element ? target.closest('[role=treeitem]') : null;
      const node = this.items.findIndex((each) => each === item);
      if (node >= 0) this.select(node);
    });
    this.show();
  }

  /** Selects a node, unfolds what is around it, and tells of it. */
  select(node: number): void {
    const item = this.items[node];
    if (item === undefined) return;
    this.mark(this.selected, false);
    this.selected = node;
    this.mark(node, true);
    let isUnfolded = false;
    for (let at = this.view.run.nodes[node]!.parent; at !== undefined; at = this.view.run.nodes[at]!.parent)
      isUnfolded = this.folded.delete(at) || isUnfolded;
    if (isUnfolded) this.show();
    item.scrollIntoView({ block: 'nearest' });
    this.onSelect(node);
  }

  focus(): void {
    this.items[this.selected]?.focus();
  }

  /** Shows only these nodes and what is around them; all if undefined. */
  narrow(found: ReadonlySet<number> | undefined): void {
    this.found = found;
    this.show();
    if (this.items[this.selected]?.hidden !== true) return;
    const first = this.items.findIndex(({ hidden }) => !hidden);
    if (first >= 0) this.select(first);
  }

  /** Does what a key of a tree means; false for other keys. */
  key(name: string): boolean {
    const shown = this.items.flatMap((item, node) => (item.hidden ? [] : [node]));
    const at = shown.indexOf(this.selected);
    const { children, run } = this.view;
    const inside = children.get(this.selected);
    const isFolded = this.folded.has(this.selected);
    const go = (node: number | undefined): boolean => {
      if (node !== undefined) this.select(node);
      this.focus();
      return true;
    };
    switch (name) {
      case 'j':
      case 'ArrowDown':
        return go(shown[at + 1]);
      case 'k':
      case 'ArrowUp':
        return go(at > 0 ? shown[at - 1] : undefined);
      case 'Home':
        return go(shown[0]);
      case 'End':
        return go(shown.at(-1));
      case 'ArrowRight':
        if (inside === undefined) return true;
        if (isFolded) return this.fold(false);
        return go(inside[0]);
      case 'ArrowLeft':
        if (inside !== undefined && !isFolded) return this.fold(true);
        return go(run.nodes[this.selected]!.parent);
      default:
        return false;
    }
  }

  private fold(isFolded: boolean): true {
    if (isFolded) this.folded.add(this.selected);
    else this.folded.delete(this.selected);
    this.show();
    return true;
  }

  private item(node: number): HTMLElement {
    const { title, text = '', undone, diagnostics, status } = this.view.run.nodes[node]!;
    const item = element(
      'div',
      {
        role: 'treeitem',
        'aria-level': String(this.view.depths[node]),
        'aria-selected': 'false',
        tabindex: '-1',
      },
      element('span', { class: 'number' }, String(node + 1)),
      element('span', { class: 'sign' }, hasChanged(this.view, node) ? '±' : '·'),
      ` ${text === '' ? title : title.replace('transform.', '')}`,
    );
    item.style.setProperty('--level', String(this.view.depths[node]));
    if (undone === true) item.classList.add('undone');
    const said = outcome(this.view.run.nodes[node]!);
    if (said !== '') item.append(element('em', {}, ` ${said}`));
    else if (status === 'success' && diagnostics.length > 0) item.append(element('em', {}, ' warned'));
    return item;
  }

  private mark(node: number, isSelected: boolean): void {
    this.items[node]?.setAttribute('aria-selected', String(isSelected));
    if (this.items[node] !== undefined) this.items[node].tabIndex = isSelected ? 0 : -1;
  }

  private show(): void {
    const { nodes } = this.view.run;
    const hidden: boolean[] = [];
    const around = this.found === undefined ? undefined : withParents(this.view, this.found);
    this.items.forEach((item, node) => {
      const { parent } = nodes[node]!;
      const isInFolded = parent !== undefined && (hidden[parent]! || this.folded.has(parent));
      hidden.push(around === undefined ? isInFolded : !around.has(node));
      item.hidden = hidden[node]!;
      if (this.view.children.has(node)) item.setAttribute('aria-expanded', String(!this.folded.has(node)));
    });
  }
}

const withParents = ({ run }: RunView, found: ReadonlySet<number>): ReadonlySet<number> => {
  const all = new Set(found);
  for (const node of found)
    for (let at = run.nodes[node]!.parent; at !== undefined; at = run.nodes[at]!.parent) all.add(at);
  return all;
};
