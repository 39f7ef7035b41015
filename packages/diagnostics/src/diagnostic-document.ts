/** Diagnostics as JSON data. */
import type { Diagnostic, Note } from './diagnostic.ts';
import type { Location } from './location.ts';
import { filePosition } from './location.ts';

/** A position in a file, or the name of what has none, such as the node of a model. */
export type LocationDocument =
  { readonly file: string; readonly line: number; readonly column: number } | { readonly name: string };

export interface NoteDocument {
  readonly message: string;
  /** Null where nothing is known. */
  readonly location: LocationDocument | null;
}

export interface DiagnosticDocument extends NoteDocument {
  readonly severity: Diagnostic['severity'];
  readonly code: string;
  readonly notes: readonly NoteDocument[];
}

/** The location, or null where nothing is known. */
export const locationDocument = (location: Location): LocationDocument | null => {
  const position = filePosition(location);
  if (position === undefined) return location.kind === 'name' ? { name: location.name } : null;
  const { file, line, column } = position;
  return { file, line, column };
};

export const noteDocument = ({ message, location }: Note): NoteDocument => ({
  message,
  location: locationDocument(location),
});

export const diagnosticDocument = ({
  severity,
  code,
  message,
  location,
  notes,
}: Diagnostic): DiagnosticDocument => ({
  severity,
  code,
  message,
  location: locationDocument(location),
  notes: notes.map(noteDocument),
});
