/** Runs a schedule and records what it does as a document. */
import type { Diagnosed, Diagnostic, Note, NoteDocument } from '@sconv/diagnostics';
import { diagnosticDocument, noteDocument } from '@sconv/diagnostics';
import type { Id, Module, Operation, Registry } from '@sconv/ir';
import { printAttribute, symbolNameOf } from '@sconv/ir';
import { drawTree } from '@sconv/csa';
import { isSlicingSchedule } from '@sconv/slicing';
import type { HandleChange, Payload, RunResult, TraceNode, TraceObserver, TraceStep } from '@sconv/transform';
import { entryPoint, findSequence, operationsPayload, runSchedule } from '@sconv/transform';
import { withLocation } from './location-document.ts';
import type { AliasNumbers } from './payload-lines.ts';
import { createAliasNumbers, payloadLines } from './payload-lines.ts';
import type { ScriptText } from './script-text.ts';
import { scriptText } from './script-text.ts';
import type { NumberedText } from './text-delta.ts';
import { deltaBetween, emptyText } from './text-delta.ts';
import type {
  HandleDocument,
  Line,
  Moment,
  NodeDocument,
  OperationDocument,
  RunDocument,
  SourceDocument,
  TextDelta,
} from './trace-document.ts';

export interface RecordOptions {
  readonly registry: Registry;
  /** The files of payload and schedule, for their texts and for names of handles. */
  readonly payloadSource?: SourceDocument;
  readonly scheduleSource?: SourceDocument;
  /** Whether steps have their times: documents without are equal for equal runs. Default true. */
  readonly times?: boolean;
  /** Told of each moment, with the payload then. */
  readonly observer?: TraceObserver;
}

/** A run, and what it did: also if it failed. */
export interface RecordedRun {
  readonly document: RunDocument;
  readonly result: Diagnosed<RunResult>;
}

/** Runs the entry point of `script` on `payload`. What fails is in the document, and in the result. */
export const recordRun = (script: Module, payload: Module, options: RecordOptions): RecordedRun => {
  const recorder = new Recorder(script, payload, options);
  const result = runSchedule(script, payload, { registry: options.registry, trace: recorder });
  return { document: recorder.document(result.status === 'success', result.diagnostics), result };
};

const noSource: SourceDocument = { name: '', text: '' };

/** A node while it is open. */
interface OpenNode {
  readonly node: TraceNode;
  readonly number: number;
  /** How many of its changes of handles are recorded. */
  seen: number;
}

interface RecordedNode {
  readonly node: TraceNode;
  readonly parent: number | undefined;
  readonly enter: Moment;
  leave: Moment;
}

class Recorder implements TraceObserver {
  private readonly options: RecordOptions;
  private readonly aliases: AliasNumbers = createAliasNumbers();
  private readonly lines: Line[] = [];
  private readonly lineNumbers = new Map<string, number>();
  private readonly operations = new Map<Id, OperationDocument>();
  private readonly nodes: RecordedNode[] = [];
  private readonly open: OpenNode[] = [];
  private readonly scripts = new Map<Module, ScriptText>();
  private readonly script: Module;
  private readonly start: TextDelta;
  private readonly root: HandleDocument | undefined;
  private payload: Module | undefined;
  private text: NumberedText = emptyText;

  constructor(script: Module, payload: Module, options: RecordOptions) {
    this.script = script;
    this.options = options;
    this.start = this.textDelta(payload);
    const argument = findSequence(script, entryPoint)?.regions[0]?.blocks[0]?.arguments[0];
    if (argument !== undefined)
      this.root = this.handleDocument('', this.scriptTextOf(script), {
        value: argument,
        before: undefined,
        after: operationsPayload([payload.root.id]),
        invalidated: undefined,
      });
  }

  enter(node: TraceNode, payload: Module): void {
    const parent = this.open.at(-1)?.number;
    const enter = this.moment(payload);
    const first = this.nodes.length === 0 && this.root !== undefined ? [this.root] : [];
    const handles = [...first, ...(enter.handles ?? [])];
    this.open.push({ node, number: this.nodes.length, seen: 0 });
    this.nodes.push({ node, parent, enter: handles.length > 0 ? { ...enter, handles } : enter, leave: {} });
    this.options.observer?.enter?.(node, payload);
  }

  leave(node: TraceNode, payload: Module): void {
    const { number } = this.open.at(-1)!;
    this.nodes[number]!.leave = this.moment(payload);
    this.open.pop();
    this.options.observer?.leave?.(node, payload);
  }

  document(succeeded: boolean, diagnostics: readonly Diagnostic[]): RunDocument {
    return {
      payload: this.options.payloadSource ?? noSource,
      schedule: this.options.scheduleSource ?? noSource,
      status: succeeded ? 'success' : 'failed',
      diagnostics: diagnostics.map(diagnosticDocument),
      lines: this.lines,
      aliases: this.aliases.all,
      operations: [...this.operations.values()],
      start: this.start,
      nodes: this.nodes.map((each) => this.nodeDocument(each)),
    };
  }

  // --- Moments ---

  /** What is different from the moment before. */
  private moment(payload: Module): Moment {
    const handles = this.newHandles();
    return { ...this.textDelta(payload), ...(handles.length > 0 ? { handles } : {}) };
  }

  private textDelta(payload: Module): TextDelta {
    if (payload === this.payload) return {};
    this.payload = payload;
    this.addOperations(payload.root, undefined);
    const printed = payloadLines(payload, this.options.registry, this.aliases);
    // What is too long to print has no text, and its steps no changes.
    if (printed.status !== 'success') return {};
    const { lines, names } = printed.value;
    const next = { lines: lines.map((line) => this.numberOf(line)), names };
    const delta = deltaBetween(this.text, next);
    // Names of what is gone for now come back with an alternative that is taken back.
    this.text = { lines: next.lines, names: new Map([...this.text.names, ...names]) };
    return delta;
  }

  private numberOf(line: Line): number {
    const key = JSON.stringify(line);
    const known = this.lineNumbers.get(key);
    if (known !== undefined) return known;
    this.lineNumbers.set(key, this.lines.length);
    this.lines.push(line);
    return this.lines.length - 1;
  }

  private addOperations(operation: Operation, within: string | undefined): void {
    const { id, name, location } = operation;
    const inFunction = within ?? (name.endsWith('.func') ? symbolNameOf(operation) : undefined);
    if (!this.operations.has(id)) {
      const symbol = inFunction === undefined ? {} : { function: inFunction };
      this.operations.set(id, { id, name, ...symbol, ...withLocation(location) });
    }
    for (const { blocks } of operation.regions)
      for (const { operations } of blocks)
        for (const child of operations) this.addOperations(child, inFunction);
  }

  // --- Handles ---

  /** The changes of handles since the moment before: those of the innermost step. */
  private newHandles(): readonly HandleDocument[] {
    const index = this.open.findLastIndex(({ node }) => node.kind === 'step');
    const innermost = this.open[index];
    if (innermost?.node.kind !== 'step') return [];
    const { handles } = innermost.node;
    const changes = handles.slice(innermost.seen);
    innermost.seen = handles.length;
    // Only the expansion of this step is between it and the moment.
    const expansion = this.open.findLast(({ node }) => node.kind === 'group' && node.expansion !== undefined);
    const scope = expansion === undefined ? '' : `${expansion.number}/`;
    const script = this.scriptTextOf(this.scriptOf(expansion?.node));
    return changes.map((change) => this.handleDocument(scope, script, change));
  }

  private handleDocument(
    scope: string,
    { nameOf }: ScriptText,
    { value, after, invalidated }: HandleChange,
  ): HandleDocument {
    return {
      key: `${scope}${value.id}`,
      name: nameOf(value.id),
      ...contents(after),
      ...(invalidated === undefined ? {} : { invalid: this.noteOf(scope, invalidated) }),
    };
  }

  /** Places in the code that records an expansion are not the user's. */
  private noteOf(scope: string, { message, location }: Note): NoteDocument {
    return scope === '' ? noteDocument({ message, location }) : { message, location: null };
  }

  // --- Nodes ---

  private nodeDocument({ node, parent, enter, leave }: RecordedNode): NodeDocument {
    return {
      kind: node.kind,
      ...(parent === undefined ? {} : { parent }),
      ...(node.kind === 'step' ? this.stepFields(node, parent) : groupFields(node)),
      status: node.status,
      ...(node.isUndone ? { undone: true } : {}),
      ...(this.options.times === false ? {} : { seconds: node.seconds }),
      enter,
      leave,
    };
  }

  private stepFields(node: TraceStep, parent: number | undefined) {
    const { textOf } = this.scriptTextOf(this.scriptOf(this.expansionAbove(parent)));
    const replaced = node.children.length > 0 ? [] : [...node.forward.operations];
    return {
      title: node.operation.name,
      text: textOf(node.operation.id),
      ...withLocation(node.location),
      diagnostics: node.diagnostics.map(diagnosticDocument),
      ...(replaced.length > 0 ? { replaced } : {}),
    };
  }

  private expansionAbove(number: number | undefined): TraceNode | undefined {
    if (number === undefined) return undefined;
    const { node, parent } = this.nodes[number]!;
    return node.kind === 'group' && node.expansion !== undefined ? node : this.expansionAbove(parent);
  }

  /** The script of an expansion; without one, the user's. */
  private scriptOf(expansion: TraceNode | undefined): Module {
    return expansion?.kind === 'group' && expansion.expansion !== undefined
      ? expansion.expansion.schedule.module
      : this.script;
  }

  private scriptTextOf(script: Module): ScriptText {
    const known = this.scripts.get(script);
    if (known !== undefined) return known;
    const source = script === this.script ? this.options.scheduleSource : undefined;
    const text = scriptText(script, this.options.registry, source);
    this.scripts.set(script, text);
    return text;
  }
}

const groupFields = (node: Extract<TraceNode, { kind: 'group' }>) => {
  const schedule = node.expansion?.schedule;
  const isDrawn = schedule !== undefined && isSlicingSchedule(schedule);
  return {
    title: `${node.role} ${node.name}`,
    diagnostics: [],
    ...(isDrawn ? { picture: drawTree(schedule.plan.tree) } : {}),
  };
};

const contents = (payload: Payload): Pick<HandleDocument, 'kind' | 'ids' | 'params'> =>
  payload.kind === 'params'
    ? { kind: payload.kind, params: payload.attributes.map((attribute) => printAttribute(attribute)) }
    : { kind: payload.kind, ids: payload.ids };
