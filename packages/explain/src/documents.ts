/** Diagnostics and locations as data. */
import type { Diagnostic, Location, Note } from '@sconv/diagnostics';
import { filePosition } from '@sconv/diagnostics';
import type { DiagnosticDocument, NoteDocument, Place } from './trace-document.ts';

/** Undefined where nothing is known. */
export const placeOf = (location: Location): Place | undefined => {
  const position = filePosition(location);
  if (position === undefined) return location.kind === 'name' ? { file: location.name } : undefined;
  const { file, line, column } = position;
  return { file, line, column };
};

export const withPlace = (location: Location): { readonly place?: Place } => {
  const place = placeOf(location);
  return place === undefined ? {} : { place };
};

export const noteDocument = ({ message, location }: Note): NoteDocument => ({
  message,
  ...withPlace(location),
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
  ...withPlace(location),
  notes: notes.map(noteDocument),
});

/** `file:line:column`, or `file` alone where it is about all of it. */
export const printPlace = ({ file, line = 0, column }: Place): string =>
  line === 0 ? file : `${file}:${line}:${column ?? 1}`;
