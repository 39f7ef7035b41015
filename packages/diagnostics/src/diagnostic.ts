import { filePosition, printLocation, type Location } from './location.ts';

/** A further fact about a diagnostic: the payload operation, the cause, the operation as it looks now. */
export interface Note {
  readonly message: string;
  readonly location: Location;
}

/** What went wrong, or is worth knowing, and where. */
export interface Diagnostic {
  readonly severity: 'error' | 'warning' | 'remark';
  /** Stable and greppable: the package or op, a slash, the reason, as in `split/dimension-overflow`. */
  readonly code: string;
  /** One sentence with the offending values. */
  readonly message: string;
  readonly location: Location;
  readonly notes: readonly Note[];
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

/** A warning: the work went on, but probably not as the author meant. */
export const warning = (
  code: string,
  message: string,
  location: Location,
  notes: readonly Note[] = [],
): Diagnostic => ({ severity: 'warning', code, message, location, notes });

/** A remark: something that a person has asked to be told. */
export const remark = (
  code: string,
  message: string,
  location: Location,
  notes: readonly Note[] = [],
): Diagnostic => ({ severity: 'remark', code, message, location, notes });

/** Text of the files that locations point into, by file name. */
export type Sources = ReadonlyMap<string, string>;

/** The most that is shown of a source line; all of a longer one would hide the message. */
const longestExcerpt = 160;

/** How much of a longer line is shown in front of the place. */
const contextBefore = 40;

/** The source line of a place with a caret under it; of a long line, the part around the place. */
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
  // Tabs stay, so that the caret stands under the place however wide they are.
  const indent = (before + line.slice(start, at)).replace(/[^\t]/g, ' ');
  return [before + line.slice(start, end) + after, `${indent}^`];
};

/** Where something is, and what; the line only where it is not the one shown last. */
const renderPart = (
  location: Location,
  what: string,
  sources: Sources | undefined,
  shownLast: Location | undefined,
): readonly string[] => {
  const place = printLocation(location);
  const isShown = shownLast !== undefined && printLocation(shownLast) === place;
  return [`${place}: ${what}`, ...(isShown ? [] : excerpt(location, sources))];
};

/**
 * A diagnostic as a person reads it on a terminal: `file:line:column: severity: message [code]`, the source line with
 * a caret where `sources` has it, then the notes in the same form.
 */
export const render = (diagnostic: Diagnostic, sources?: Sources): string =>
  [
    ...renderPart(
      diagnostic.location,
      `${diagnostic.severity}: ${diagnostic.message} [${diagnostic.code}]`,
      sources,
      undefined,
    ),
    ...diagnostic.notes.flatMap((note, i) =>
      renderPart(
        note.location,
        `note: ${note.message}`,
        sources,
        (diagnostic.notes[i - 1] ?? diagnostic).location,
      ),
    ),
  ].join('\n');
