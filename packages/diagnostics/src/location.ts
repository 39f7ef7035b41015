/** The origin of a piece of IR, of a schedule or of an argument. The kinds are MLIR's location attributes. */

/** Nothing is known. */
export interface UnknownLocation {
  readonly kind: 'unknown';
}

/** A position in a text; `line` and `column` count from 1. */
export interface FileLocation {
  readonly kind: 'file';
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** A name given by a producer, with the underlying location. */
export interface NameLocation {
  readonly kind: 'name';
  readonly name: string;
  readonly child: Location;
}

/** `callee` as called from `caller`. */
export interface CallLocation {
  readonly kind: 'call';
  readonly callee: Location;
  readonly caller: Location;
}

/** Several origins of one operation. */
export interface FusedLocation {
  readonly kind: 'fused';
  readonly locations: readonly Location[];
  /** Metadata common to all of them: an attribute, in locations of an IR. */
  readonly metadata?: object;
}

/** Any location, discriminated by `kind`. */
export type Location = UnknownLocation | FileLocation | NameLocation | CallLocation | FusedLocation;

/** The location of what has none. */
export const unknownLocation: Location = Object.freeze({ kind: 'unknown' });

/** The location of a character of a file; `line` and `column` count from 1. */
export const fileLocation = (file: string, line: number, column: number): Location =>
  Object.freeze({ kind: 'file', file, line, column });

/** The file position behind a location, if any: the place to show a person. */
export const filePosition = (location: Location): FileLocation | undefined => {
  switch (location.kind) {
    case 'unknown':
      return undefined;
    case 'file':
      return location;
    case 'name':
      return filePosition(location.child);
    case 'call':
      return filePosition(location.callee);
    case 'fused':
      for (const inner of location.locations) {
        const found = filePosition(inner);
        if (found !== undefined) return found;
      }
      return undefined;
  }
};

/** `file:line:column`, `file` alone where it is about all of it, or what else is known. */
export const printLocation = (location: Location): string => {
  const position = filePosition(location);
  if (position !== undefined) {
    const { file, line, column } = position;
    return line === 0 ? file : `${file}:${line}:${column}`;
  }
  return location.kind === 'name' ? location.name : '<unknown>';
};
