/** The errors of a text, collected while it is parsed: one for each place. */
import type { Diagnostic, Location } from '@sconv/diagnostics';
import { error } from '@sconv/diagnostics';
import { ParseFailure } from './parse-failure.ts';
import type { TolerantLexer } from './source-tokens.ts';

export class ParseProblems {
  readonly diagnostics: Diagnostic[] = [];
  private readonly lexer: TolerantLexer;
  private readonly places = new Set<string>();

  constructor(lexer: TolerantLexer) {
    this.lexer = lexer;
  }

  /** Reports an error, unless there is one at its place. */
  report(code: string, message: string, location: Location, notes: Diagnostic['notes'] = []): void {
    const place = location.kind === 'file' ? `${location.line}:${location.column}` : '';
    if (this.places.has(place)) return;
    this.places.add(place);
    this.diagnostics.push(error(code, message, location, notes));
  }

  /** Reports a failure; rethrows what is none, unless it may follow from an error in a region. */
  reportFailure(failure: unknown, hasBrokenParts = false): void {
    if (!(failure instanceof ParseFailure)) {
      if (!hasBrokenParts) throw failure;
      return;
    }
    const { problem, kind } = this.lexer;
    const { code, message, location, notes } =
      kind === 'invalid' && problem !== undefined ? problem : failure;
    this.report(code, message, location, notes);
  }
}
