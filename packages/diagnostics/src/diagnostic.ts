import { recordProblem } from './record-problem.ts';
import { filePosition, printLocation, type Location } from './location.ts';

/** Context for a diagnostic: the payload operation, the cause, the operation in its current form. */
export interface Note {
  readonly message: string;
  readonly location: Location;
}

/** What went wrong or deserves attention, and where. */
export interface Diagnostic {
  readonly severity: 'error' | 'warning' | 'remark';
  /** Stable and greppable: the package or op, a slash, the reason, as in `split/dimension-overflow`. */
  readonly code: string;
  /** One sentence with the offending values. */
  readonly message: string;
  readonly location: Location;
  readonly notes: readonly Note[];
  /** What another program said of it, with paths of this machine: for programs and logs, rendered on request only. */
  readonly details?: string;
}

/** An error diagnostic. */
export const error = (
  code: string,
  message: string,
  location: Location,
  notes: readonly Note[] = [],
): Diagnostic => ({
  severity: 'error',
  code,
  message,
  location,
  notes,
});

/** A warning: processing continued, but probably not as the author intended. */
export const warning = (
  code: string,
  message: string,
  location: Location,
  notes: readonly Note[] = [],
): Diagnostic => ({ severity: 'warning', code, message, location, notes });

/** A remark: information that was asked for. */
export const remark = (
  code: string,
  message: string,
  location: Location,
  notes: readonly Note[] = [],
): Diagnostic => ({ severity: 'remark', code, message, location, notes });

/** Text of the files that locations point into, by file name. */
export type Sources = ReadonlyMap<string, string>;

/** Maximum length of a source excerpt; a longer one would drown the message. */
const longestExcerpt = 160;

/** How much of a longer line precedes the position. */
const contextBefore = 40;

/** Maximum length of a line of a message, for instance with a name of the input. */
const longestLine = 4000;

/** A text for a terminal: control characters of the input, which would do something there, as symbols; tabs stay. */
const visible = (text: string): string =>
  text.replace(/[^\P{Cc}\t\n]/gu, (control) => {
    const code = control.charCodeAt(0);
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : '\ufffd';
  });

/** A message for a terminal, in lines of bearable length. */
const bearable = (message: string): string =>
  visible(message)
    .split('\n')
    .map((line) => (line.length > longestLine ? `${line.slice(0, longestLine)}…` : line))
    .join('\n');

/** The source line of a position with a caret below it; for long lines, an excerpt around the position. */
const excerpt = (location: Location, sources: Sources | undefined): readonly string[] => {
  const position = filePosition(location);
  const text = position === undefined ? undefined : sources?.get(position.file);
  if (position === undefined || text === undefined) return [];
  const line = text.split('\n', position.line)[position.line - 1]?.replace(/\r$/, '');
  if (line === undefined) return [];
  const at = Math.min(position.column - 1, line.length);
  const start = line.length > longestExcerpt ? Math.max(0, at - contextBefore) : 0;
  const end = start + longestExcerpt;
  const [before, after] = [start > 0 ? '…' : '', end < line.length ? '…' : ''];
  // Tabs are kept, so that the caret lines up whatever their width.
  const indent = (before + line.slice(start, at)).replace(/[^\t]/g, ' ');
  return [before + visible(line.slice(start, end)) + after, `${indent}^`];
};

/** Position and message; the source line only if it differs from the one shown last. */
const renderPart = (
  location: Location,
  what: string,
  sources: Sources | undefined,
  shownLast: Location | undefined,
): readonly string[] => {
  const place = printLocation(location);
  const isShown = shownLast !== undefined && printLocation(shownLast) === place;
  return [bearable(`${place}: ${what}`), ...(isShown ? [] : excerpt(location, sources))];
};

/**
 * A diagnostic as text for a terminal: `file:line:column: severity: message [code]`, the source line with a caret if
 * `sources` has it, then the notes in the same form, and the details if they are asked for.
 */
export const render = (
  diagnostic: Diagnostic,
  sources?: Sources,
  options: { readonly details?: boolean } = {},
): string => {
  const problem = recordProblem('diagnostic', diagnostic, ['location']) ?? recordProblem('options', options);
  if (problem !== undefined) throw new TypeError(`render: ${problem.field}: ${problem.message}`);
  const { notes = [], details } = diagnostic as Partial<Diagnostic>;
  return [
    ...renderPart(
      diagnostic.location,
      `${diagnostic.severity}: ${diagnostic.message} [${diagnostic.code}]`,
      sources,
      undefined,
    ),
    ...notes.flatMap((note, i) =>
      renderPart(note.location, `note: ${note.message}`, sources, (notes[i - 1] ?? diagnostic).location),
    ),
    ...(options.details === true && details !== undefined ? [bearable(details)] : []),
  ].join('\n');
};
