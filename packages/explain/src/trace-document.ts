/**
 * The trace of a run as JSON data: what a person, a page or another program reads. Texts are kept as lines that name
 * values by id, and each step as the difference to the text before, so that renumbered values are no change and a step
 * costs what it changed.
 */
import type { DiagnosticDocument, LocationDocument, NoteDocument } from '@sconv/diagnostics';
import type { Id } from '@sconv/ir';

/** Incremented when a field changes meaning or is removed; new fields do not count. */
export const traceVersion = 1;

/** The runs of one payload: of one schedule, or of two that are compared. */
export interface TraceDocument {
  readonly version: typeof traceVersion;
  readonly runs: readonly RunDocument[];
}

/** A run of a schedule. */
export interface RunDocument {
  readonly payload: SourceDocument;
  readonly schedule: SourceDocument;
  readonly status: 'success' | 'failed';
  /** Of the whole run, those of its steps included. */
  readonly diagnostics: readonly DiagnosticDocument[];
  /** Every line that some state of the payload has, once. */
  readonly lines: readonly Line[];
  /** Definitions of attribute aliases, by which lines refer to them. */
  readonly aliases: readonly string[];
  /** Every operation that some state has. */
  readonly operations: readonly OperationDocument[];
  /** The payload as it was, as a difference to the empty text. */
  readonly start: TextDelta;
  /** Steps and groups in order of entry, each before those inside it. */
  readonly nodes: readonly NodeDocument[];
}

/** A file as it was read; its text is empty where it was not read from one. */
export interface SourceDocument {
  readonly name: string;
  readonly text: string;
}

export interface OperationDocument {
  readonly id: Id;
  readonly name: string;
  /** The symbol of the enclosing function, when it was first seen. */
  readonly function?: string;
  readonly location?: LocationDocument;
}

/**
 * A line of a payload's text. The pieces are text at even positions; at odd ones what the line names: the id of a value
 * or block, or `-1 - i` for the alias `i`.
 */
export interface Line {
  /** The operation that it belongs to; absent for the definition of an alias, and for resources. */
  readonly op?: Id;
  /** Which of the operation's own lines it is; of an alias, its number. */
  readonly at: number;
  /** The number of spaces before it. */
  readonly indent: number;
  readonly pieces: readonly (string | number)[];
}

/** From one text to the next. */
export interface TextDelta {
  /** In ascending order, with positions in the text before: removes `remove` lines at `at`, and inserts others. */
  readonly lines?: readonly Splice[];
  /** Names that are new or others than before. */
  readonly names?: readonly (readonly [id: number, name: string])[];
}

export interface Splice {
  readonly at: number;
  readonly remove: number;
  /** Positions in the run's `lines`. */
  readonly insert: readonly number[];
}

/** From one moment of the run to the next: what became of the payload, and of handles. */
export interface Moment extends TextDelta {
  readonly handles?: readonly HandleDocument[];
}

/** A step, which is an op of a schedule, or steps that belong together. */
export interface NodeDocument {
  readonly kind: 'step' | 'group';
  /** The position of the enclosing node; absent for the outermost ones. */
  readonly parent?: number;
  /** The op's name; of a group its role and name. */
  readonly title: string;
  /** The op as the schedule has it, without its regions; of a group, absent. */
  readonly text?: string;
  readonly location?: LocationDocument;
  readonly status: 'success' | 'silenceable' | 'definite' | 'running';
  /** What it did was taken back, as of an alternative that failed. */
  readonly undone?: true;
  /** Absent where times are not wanted, as in documents that are compared. */
  readonly seconds?: number;
  readonly diagnostics: readonly DiagnosticDocument[];
  /** What became of replaced operations: nothing, of those that were erased. Only of steps without others inside. */
  readonly replaced?: readonly (readonly [Id, readonly Id[]])[];
  /** The plan that the steps carry out, drawn: a text of SVG. */
  readonly picture?: string;
  /** From the moment before to its start: a difference only where something was taken back in between. */
  readonly enter: Moment;
  /** From the moment before, the end of what is inside of it, to its end. */
  readonly leave: Moment;
}

/** What a script value stands for from now on. */
export interface HandleDocument {
  /** Identifies the script value. */
  readonly key: string;
  /** Its name in the schedule. */
  readonly name: string;
  readonly kind: 'operations' | 'values' | 'params';
  /** Operations or values. */
  readonly ids?: readonly Id[];
  /** Parameters, printed. */
  readonly params?: readonly string[];
  /** Why it may not be used any more. */
  readonly invalid?: NoteDocument;
}
