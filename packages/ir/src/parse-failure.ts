/** Aborts a parse: thrown by the parsers, caught at their entry points and returned as a diagnostic. */
import type { Location, Note } from '@sconv/diagnostics';

/** Private to this package: `parseModule` and its siblings turn it into a definite failure. */
export class ParseFailure extends Error {
  readonly code: string;
  readonly location: Location;
  readonly notes: readonly Note[];

  constructor(code: string, message: string, location: Location, notes: readonly Note[] = []) {
    super(message);
    this.code = code;
    this.location = location;
    this.notes = notes;
  }
}
