import { error, fileLocation, unknownLocation, warning } from '@sconv/diagnostics';
import type { Diagnostic } from '@sconv/diagnostics';
import { describe, expect, it } from 'vitest';
import { compareDiagnostics } from '../src/opt/expected-diagnostics.ts';

const at = (line: number) => fileLocation('a.mlir', line, 5);
const wrong = (line: number, message = 'it is wrong'): Diagnostic => error('test/wrong', message, at(line));
const nowhere = error('test/wrong', 'it is wrong', unknownLocation);
const elsewhere = error('test/wrong', 'it is wrong', fileLocation('b.mlir', 2, 1));
const noted: Diagnostic = { ...wrong(2), notes: [{ message: 'see here', location: at(3) }] };

/** The mismatches of `compareDiagnostics`, with their lines. */
const compared = (lines: readonly string[], ...diagnostics: readonly Diagnostic[]): readonly string[] =>
  compareDiagnostics(lines.join('\n'), 'a.mlir', diagnostics).map(({ code, message, location }) => {
    const line = location.kind === 'file' ? location.line : 'nowhere';
    return `${line}: ${code}: ${message}`;
  });

const missing = (line: number, what = 'error "it is wrong"'): string =>
  `${line}: sconv-opt/not-produced: expected ${what} was not produced`;
const surplus = (line: number, what = 'error: it is wrong'): string =>
  `${line}: sconv-opt/unexpected: unexpected ${what}`;

describe('where a comment expects it', () => {
  it.each<[string, readonly string[], readonly Diagnostic[], readonly string[]]>([
    ['on its own line', ['x // expected-error {{it is wrong}}'], [wrong(1)], []],
    ['not on the next', ['x // expected-error {{it is wrong}}'], [wrong(2)], [missing(1), surplus(2)]],
    ['lines below', ['// expected-error @+2 {{it is wrong}}'], [wrong(3)], []],
    ['lines above', ['', '', '// expected-error @-2 {{it is wrong}}'], [wrong(1)], []],
    ['below', ['// expected-error @below {{it is wrong}}', 'x'], [wrong(2)], []],
    ['above', ['x', '// expected-error @above {{it is wrong}}'], [wrong(1)], []],
    [
      'below and above other comments',
      ['x', '// expected-error @above {{one}}', '// expected-error @above {{two}}', '// expected-error @below {{three}}', '// expected-error @below {{four}}', 'y'],
      [wrong(1, 'one'), wrong(1, 'two'), wrong(6, 'three'), wrong(6, 'four')],
      [],
    ],
    ['nowhere', ['// expected-error @unknown {{it is wrong}}'], [nowhere], []],
    ['nowhere, but it is somewhere', ['// expected-error @unknown {{it is wrong}}'], [wrong(1)], [missing(1), surplus(1)]],
    ['in no other file', ['x', 'x // expected-error {{it is wrong}}'], [elsewhere], [missing(2), surplus(1)]],
    ['once', ['// expected-error {{it is wrong}}'], [wrong(1), wrong(1)], [surplus(1)]],
    ['twice', ['x', '// expected-error @above {{it}}', '// expected-error @above {{it}}'], [wrong(1)], [missing(3, 'error "it"')]],
    ['of another severity', ['// expected-warning {{it is wrong}}'], [wrong(1)], [missing(1, 'warning "it is wrong"'), surplus(1)]],
    ['a warning', ['// expected-warning {{it is odd}}'], [warning('test/odd', 'it is odd', at(1))], []],
    ['a note', ['', '// expected-error {{it is wrong}}', '// expected-note {{see here}}'], [noted], []],
    ['a note that nobody expects', ['', '// expected-error {{it is wrong}}'], [noted], []],
    ['a note at another line', ['', '// expected-error {{it is wrong}}', '', '// expected-note {{see here}}'], [noted], [missing(4, 'note "see here"')]],
  ])('%s', (_, lines, diagnostics, said) => {
    expect(compared(lines, ...diagnostics)).toEqual(said);
  }); // prettier-ignore
});

describe('the message', () => {
  it.each<[string, string, boolean]>([
    ['{{is}}', 'it is wrong', true],
    ['{{is not}}', 'it is wrong', false],
    ['{{i.}}', 'it is wrong', false],
    ['-re {{it {{i.}} wrong}}', 'it is wrong', true],
    ['-re {{it {{[0-9]+}} wrong}}', 'it is wrong', false],
    ['-re {{it {{is|was}} (wrong)}}', 'it is (wrong)', true],
    ['-re {{it. is}}', 'itx is', false],
    ['-re {{. * + ? ^ $ { } ( ) | [ ] \\ {{a+}}}}', '. * + ? ^ $ { } ( ) | [ ] \\ aaa', true],
    ['-re {{{{a+}} {{b+}}}}', 'aa bb', true],
  ])('expected-error%s of "%s": %s', (comment, message, isMet) => {
    const text = comment.startsWith('-re') ? `// expected-error${comment}` : `// expected-error ${comment}`;
    expect(compared([text], wrong(1, message)).length).toBe(isMet ? 0 : 2);
  });
});
