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

/** Text of the files that locations point into, by file name. */
export type Sources = ReadonlyMap<string, string>;

/** Longest source line that is shown; a longer one would hide the message. */
const longestExcerpt = 200;

const excerpt = (location: Location, sources: Sources | undefined): string[] => {
  const position = filePosition(location);
  const text = position === undefined ? undefined : sources?.get(position.file);
  if (position === undefined || text === undefined) return [];
  const line = text.split('\n', position.line)[position.line - 1];
  if (line === undefined || line.length > longestExcerpt) return [];
  return [line, `${' '.repeat(Math.max(0, position.column - 1))}^`];
};

/**
 * A diagnostic as a person reads it on a terminal: `file:line:column: severity: message [code]`, the source line with
 * a caret where `sources` has it, then the notes in the same form.
 */
export const render = (diagnostic: Diagnostic, sources?: Sources): string =>
  [
    `${printLocation(diagnostic.location)}: ${diagnostic.severity}: ${diagnostic.message} [${diagnostic.code}]`,
    ...excerpt(diagnostic.location, sources),
    ...diagnostic.notes.flatMap((note) => [
      `${printLocation(note.location)}: note: ${note.message}`,
      ...excerpt(note.location, sources),
    ]),
  ].join('\n');
