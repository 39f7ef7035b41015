/** `--verify-diagnostics`: compares an input's diagnostics with its `expected-error {{…}}` comments. */
import type { Diagnostic } from '@sconv/diagnostics';
import { error, fileLocation, filePosition } from '@sconv/diagnostics';

type Severity = Diagnostic['severity'] | 'note';

/** A comment: the diagnostic it expects, and where. */
interface Expectation {
  readonly severity: Severity;
  /** The expected line; undefined: a location outside the file. */
  readonly line: number | undefined;
  readonly text: string;
  readonly matches: (message: string) => boolean;
  /** The comment's own line. */
  readonly at: number;
}

/** A diagnostic or note to compare with expectations. */
interface Emitted {
  readonly severity: Severity;
  readonly line: number | undefined;
  readonly message: string;
}

const pattern =
  /expected-(error|note|remark|warning)(-re)? *(?:@([+-]\d+|above|below|unknown))? *\{\{(.*)\}\}$/;

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** In the `-re` form, text in inner braces is a regular expression. */
const matcher = (text: string, isExpression: boolean): ((message: string) => boolean) => {
  if (!isExpression) return (message) => message.includes(text);
  const parts = text.split(/\{\{(.*?)\}\}/).map((part, i) => (i % 2 === 1 ? `(?:${part})` : escaped(part)));
  const expression = new RegExp(parts.join(''));
  return (message) => expression.test(message);
};

const expectationsOf = (text: string): readonly Expectation[] => {
  const lines = text.split('\n').map((line) => line.trimEnd());
  /** The nearest line in a direction without an expectation itself. */
  const nearest = (from: number, step: 1 | -1): number => {
    let i = from + step;
    while (i > 0 && i < lines.length && pattern.test(lines[i]!)) i += step;
    return i + 1;
  };
  return lines.flatMap((content, i): readonly Expectation[] => {
    const [, severity, expression, place, wanted = ''] = pattern.exec(content) ?? [];
    if (severity === undefined) return [];
    const line =
      place === 'unknown'
        ? undefined
        : place === 'above'
          ? nearest(i, -1)
          : place === 'below'
            ? nearest(i, 1)
            : i + 1 + Number(place ?? 0);
    return [
      {
        severity: severity as Severity,
        line,
        text: wanted,
        matches: matcher(wanted, expression !== undefined),
        at: i + 1,
      },
    ];
  });
};

const emittedBy = (diagnostics: readonly Diagnostic[], file: string): readonly Emitted[] => {
  const lineOf = (location: Diagnostic['location']): number | undefined => {
    const position = filePosition(location);
    return position?.file === file ? position.line : undefined;
  };
  return diagnostics.flatMap(({ severity, message, location, notes }) => [
    { severity, message, line: lineOf(location) },
    ...notes.map((note) => ({
      severity: 'note' as const,
      message: note.message,
      line: lineOf(note.location),
    })),
  ]);
};

/**
 * Mismatches: unmet expectations, and unexpected errors, warnings and remarks. Unexpected notes are ignored, as
 * upstream.
 */
export const compareDiagnostics = (
  text: string,
  file: string,
  diagnostics: readonly Diagnostic[],
): readonly Diagnostic[] => {
  const left = [...emittedBy(diagnostics, file)];
  const missing: Diagnostic[] = [];
  for (const { severity, line, text: wanted, matches, at } of expectationsOf(text)) {
    const found = left.findIndex(
      (each) => each.severity === severity && each.line === line && matches(each.message),
    );
    if (found >= 0) left.splice(found, 1);
    else {
      const message = `expected ${severity} "${wanted}" was not produced`;
      missing.push(error('sconv-opt/not-produced', message, fileLocation(file, at, 1)));
    }
  }
  const surplus = left
    .filter(({ severity }) => severity !== 'note')
    .map(({ severity, message, line }) =>
      error('sconv-opt/unexpected', `unexpected ${severity}: ${message}`, fileLocation(file, line ?? 1, 1)),
    );
  return [...missing, ...surplus];
};
