/** A run on the page: its tree of steps beside the details of one. */
import { changesBetween } from '../src/changes.ts';
import type { RunDocument } from '../src/trace-document.ts';
import { element } from './dom.ts';
import type { RunView } from './run-view.ts';
import { hasChanged, viewOf } from './run-view.ts';
import { stepDetail } from './step-detail.ts';
import { StepTree } from './step-tree.ts';

export class Explorer {
  readonly root: HTMLElement;
  private readonly view: RunView;
  private readonly tree: StepTree;
  private readonly detail: HTMLElement;
  private readonly search: HTMLInputElement;
  private readonly whole: HTMLInputElement;
  private operation: number | undefined;
  private texts: readonly string[] | undefined;

  constructor(run: RunDocument) {
    const label = run.schedule.name === '' ? 'schedule' : run.schedule.name;
    this.view = viewOf(run);
    this.detail = element('div', { class: 'detail', 'aria-live': 'polite' });
    this.search = element('input', { type: 'search' });
    this.whole = element('input', { type: 'checkbox' });
    this.tree = new StepTree(this.view, `steps of ${label}`, () => {
      this.operation = undefined;
      this.show();
    });
    this.search.addEventListener('input', () => {
      this.find(this.search.value);
    });
    this.whole.addEventListener('change', () => {
      this.show();
    });
    const tools = element(
      'div',
      { class: 'tools' },
      element('label', {}, 'Search ', this.search),
      element('label', {}, this.whole, ' whole payload'),
    );
    this.root = element(
      'section',
      { class: 'run', 'aria-label': label },
      element('h1', {}, `${label}: ${run.nodes.length} steps, ${run.status}`),
      tools,
      element('div', { class: 'columns' }, this.tree.root, this.detail),
    );
    if (run.nodes.length === 0) this.show();
    else this.tree.select(0);
  }

  focus(): void {
    this.tree.focus();
  }

  focusSearch(): void {
    this.search.focus();
  }

  key(name: string): boolean {
    return this.tree.key(name);
  }

  private show(): void {
    if (this.view.run.nodes.length === 0) {
      this.detail.replaceChildren(element('p', {}, 'The schedule has no steps.'));
      return;
    }
    const parts = stepDetail(this.view, this.tree.selected, {
      whole: this.whole.checked,
      operation: this.operation,
      onOperation: (operation) => {
        this.operation = operation;
        this.show();
      },
      onStep: (node) => {
        this.tree.select(node);
        this.focus();
      },
    });
    this.detail.replaceChildren(...parts);
  }

  /** The lines of the payload that a step without nested ones has changed. */
  private changedTexts(node: number): readonly string[] {
    const { run, states, children } = this.view;
    if (children.has(node) || !hasChanged(this.view, node)) return [];
    const { before, after } = states[node]!;
    return changesBetween(run, before, after)
      .filter(({ kind, moved }) => kind !== 'same' || moved)
      .map(({ text }) => text);
  }

  /** Narrows the tree to steps that mention a text, or change lines of the payload with it. */
  private find(text: string): void {
    const wanted = text.trim().toLowerCase();
    if (wanted === '') {
      this.tree.narrow(undefined);
      return;
    }
    this.texts ??= this.view.run.nodes.map((node, number) =>
      [
        node.title,
        node.text ?? '',
        ...node.diagnostics.map(({ code, message }) => `${code} ${message}`),
        ...(node.leave.handles ?? []).map(({ name }) => name),
        ...this.changedTexts(number),
      ]
        .join('\n')
        .toLowerCase(),
    );
    this.tree.narrow(new Set(this.texts.flatMap((each, node) => (each.includes(wanted) ? [node] : []))));
  }
}
