/** The trace of a run as text for a terminal: a tree of steps with what each changed. */
import type { DiagnosticDocument } from '@sconv/diagnostics';
import type { LineChange } from './changes.ts';
import { changesBetween, signOf } from './changes.ts';
import { childrenOf } from './children-of.ts';
import { handleText } from './handle-text.ts';
import { printLocationDocument } from './location-document.ts';
import type { NodeStates, RunState } from './moments.ts';
import { marksOf, runStates } from './moments.ts';
import { outcome } from './outcome.ts';
import type { StepFilter } from './step-filter.ts';
import { changeFilter, narrowsChanges } from './step-filter.ts';
import type { HandleDocument, NodeDocument, RunDocument } from './trace-document.ts';
import { visibleText } from './visible-text.ts';

export interface ExplanationOptions extends StepFilter {
  /** Shows each step that changed nothing, too, instead of a line for several of them. */
  readonly unfolded?: boolean;
  /** Paints a line, in colours of a terminal say; characters tell the kinds of lines apart, too. */
  readonly paint?: (kind: LineKind, text: string) => string;
}

/** What a line is about: a step, one that failed or did not apply, a warning, a change, or a handle. */
export type LineKind =
  'step' | 'error' | 'warning' | 'removed' | 'added' | 'changed' | 'moved' | 'handle' | 'note';

/** A line of the explanation. */
interface Printed {
  readonly kind: LineKind;
  readonly text: string;
}

/**
 * The steps with numbers, as `--step` takes them; below each what it changed. Lines are marked by a character: `-`
 * removed, `+` added, `~` changed, with `[-old-]{+new+}` words, `>` moved. Behind an op stand the handles to it.
 */
export const printExplanation = (run: RunDocument, options: ExplanationOptions = {}): string => {
  const { paint = (_, text) => text } = options;
  const printer = new Printer(run, options);
  return printer
    .nodesBelow(undefined, '')
    .map(({ kind, text }) => `${paint(kind, visibleText(text))}\n`)
    .join('');
};

class Printer {
  private readonly run: RunDocument;
  private readonly options: ExplanationOptions;
  private readonly states: readonly NodeStates[];
  private readonly isSelected: (change: LineChange) => boolean;
  private readonly children: ReadonlyMap<number | undefined, readonly number[]>;
  private readonly names: ReadonlyMap<number, string>;
  private readonly functions: ReadonlyMap<number, string | undefined>;
  /** By node, as they are asked for. */
  private readonly changes = new Map<number, readonly LineChange[]>();

  constructor(run: RunDocument, options: ExplanationOptions) {
    this.run = run;
    this.options = options;
    this.states = runStates(run);
    this.isSelected = changeFilter(run, options);
    this.names = new Map(run.operations.map(({ id, name }) => [id, name]));
    this.functions = new Map(run.operations.map(({ id, function: symbol }) => [id, symbol]));
    this.children = childrenOf(run.nodes);
  }

  nodesBelow(parent: number | undefined, indent: string): readonly Printed[] {
    const lines: Printed[] = [];
    let idle: number[] = [];
    const flush = (): void => {
      if (idle.length === 1 || this.options.unfolded === true)
        lines.push(...idle.flatMap((number) => this.node(number, indent)));
      else if (idle.length > 1) lines.push({ kind: 'step', text: `${indent}${this.folded(idle)}` });
      idle = [];
    };
    for (const number of this.children.get(parent) ?? []) {
      if (!this.isShown(number)) continue;
      if (this.isIdle(number)) idle.push(number);
      else {
        flush();
        lines.push(...this.node(number, indent));
      }
    }
    flush();
    return lines;
  }

  /** Whether a node, or one inside it, is asked for. */
  private isShown(number: number): boolean {
    const { steps } = this.options;
    const inside = this.children.get(number) ?? [];
    if (inside.some((child) => this.isShown(child))) return true;
    if (steps !== undefined && (number + 1 < steps[0] || number + 1 > steps[1])) return false;
    return !narrowsChanges(this.options) || this.changesOf(number).length > 0;
  }

  /** Whether it said and changed nothing: only handles may be others. */
  private isIdle(number: number): boolean {
    const { kind, status, undone, diagnostics, leave } = this.run.nodes[number]!;
    const { before, after } = this.states[number]!;
    const isQuiet = status === 'success' && undone !== true && diagnostics.length === 0;
    // A handle to nothing is mostly a mistake.
    const isEmpty = (leave.handles ?? []).some(
      ({ ids, invalid }) => ids?.length === 0 && invalid === undefined,
    );
    const isWithoutEffect = kind === 'step' && before.lines === after.lines && !this.children.has(number);
    return isQuiet && isWithoutEffect && !isEmpty;
  }

  private folded(numbers: readonly number[]): string {
    const titles = new Map<string, number>();
    for (const number of numbers) {
      const { title } = this.run.nodes[number]!;
      titles.set(title, (titles.get(title) ?? 0) + 1);
    }
    const list = [...titles].map(([title, count]) => (count === 1 ? title : `${count} ${title}`)).join(', ');
    return `${numbers[0]! + 1}-${numbers.at(-1)! + 1} ${list}: no change`;
  }

  private node(number: number, indent: string): readonly Printed[] {
    const node = this.run.nodes[number]!;
    const inner = `${indent}  `;
    const lines: Printed[] = [{ kind: 'step', text: `${indent}${number + 1} ${headline(node)}` }];
    for (const each of node.diagnostics)
      lines.push(...said(node, each).map(({ kind, text }) => ({ kind, text: `${inner}${text}` })));
    if (this.children.has(number)) return [...lines, ...this.nodesBelow(number, inner)];
    const changes = this.changesOf(number);
    lines.push(...this.changeLines(changes, this.states[number]!, inner));
    if (!narrowsChanges(this.options))
      for (const text of this.handleLines(node.leave.handles ?? []))
        lines.push({ kind: 'handle', text: `${inner}${text}` });
    return lines;
  }

  private changesOf(number: number): readonly LineChange[] {
    const known = this.changes.get(number);
    if (known !== undefined) return known;
    const changes = this.findChanges(number);
    this.changes.set(number, changes);
    return changes;
  }

  private findChanges(number: number): readonly LineChange[] {
    const { before, after } = this.states[number]!;
    if (before.lines === after.lines) return [];
    return changesBetween(this.run, before, after).filter(
      (change) => (change.kind !== 'same' || change.moved) && !isGoneAlias(change) && this.isSelected(change),
    );
  }

  private changeLines(
    changes: readonly LineChange[],
    { before, after }: { readonly before: RunState; readonly after: RunState },
    indent: string,
  ): readonly Printed[] {
    const [oldMarks, newMarks] = [marksOf(before), marksOf(after)];
    const lines: Printed[] = [];
    let within: string | undefined;
    for (const change of changes) {
      const { op, at, indent: depth } = change.line;
      const symbol = op === undefined ? undefined : this.functions.get(op);
      if (symbol !== within && symbol !== undefined)
        lines.push({ kind: 'note', text: `${indent}@${symbol}` });
      within = symbol;
      const marks = change.kind === 'removed' ? oldMarks : newMarks;
      const handles = op !== undefined && at === 0 ? (marks.get(op) ?? []) : [];
      const behind = handles.length > 0 ? `  // ${handles.join(', ')}` : '';
      const text = `${indent}${signOf(change)} ${' '.repeat(depth)}${changedText(change)}${behind}`;
      lines.push({ kind: change.kind === 'same' ? 'moved' : change.kind, text });
    }
    return lines;
  }

  private handleLines(handles: readonly HandleDocument[]): readonly string[] {
    return handles.map((handle) => {
      const { name, invalid } = handle;
      if (invalid === undefined) return `${name}: ${handleText(handle, (id) => this.names.get(id))}`;
      const { location } = invalid;
      const place = location === null ? '' : `, ${printLocationDocument(location)}`;
      return `${name}: invalid from here on: ${invalid.message}${place}`;
    });
  }
}

/** Definitions of aliases that are not used any more are of no interest. */
const isGoneAlias = ({ kind, line }: LineChange): boolean => kind === 'removed' && line.op === undefined;

const changedText = ({ text, words }: LineChange): string =>
  words === undefined
    ? text
    : words
        .map((word) => {
          if (word.kind === 'same') return word.text;
          return word.kind === 'removed' ? `[-${word.text}-]` : `{+${word.text}+}`;
        })
        .join('');

const headline = (node: NodeDocument): string => {
  const { title, text = '', location, seconds } = node;
  const at = location === undefined ? '' : `  ${printLocationDocument(location)}`;
  const time = seconds === undefined ? '' : `  ${(seconds * 1000).toFixed(1)} ms`;
  const ended = outcome(node);
  return `${text === '' ? title : text}${at}${time}${ended === '' ? '' : `  (${ended})`}`;
};

const said = (
  { status }: NodeDocument,
  { severity, code, message, notes }: DiagnosticDocument,
): readonly Printed[] => {
  const begin = severity === 'error' && status === 'silenceable' ? 'did not apply' : severity;
  return [
    { kind: severity === 'error' ? 'error' : 'warning', text: `${begin}: ${message} [${code}]` },
    ...notes.map(({ message: note, location }): Printed => {
      const place = location === null ? '' : `${printLocationDocument(location)}: `;
      return { kind: 'note', text: `  ${place}${note.replaceAll('\n', ' ')}` };
    }),
  ];
};
