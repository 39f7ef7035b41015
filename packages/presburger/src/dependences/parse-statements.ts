/** Statements as text: a domain and its accesses, one a line. */
import { isPresburgerError, PresburgerError } from '../presburger-error.ts';
import type { PresburgerSet, Relation } from '../presburger-set.ts';
import { syntaxError } from '../text/tokens.ts';
import { parseRelation, parseSet } from '../text/parse.ts';
import type { Access, Statement } from './dependences.ts';

/** A statement that was read: its sets are values, and all lists are there. */
interface ParsedStatement extends Statement {
  readonly domain: PresburgerSet;
  readonly reads: Access[];
  readonly writes: Access[];
  schedule?: Relation;
}

/**
 * The statements of a text. `domain` begins one; its `read`s and `write`s name an array and its elements, and a
 * `schedule` says when it runs, if not after the statements above. What follows `//` on a line of its own is a comment.
 *
 *     domain   { [t, i] : 1 <= t < 9 and 1 <= i < 9 }
 *     read a   { [t, i] -> [t - 1, i + 1] }
 *     write a  (t, i) -> (t, i)
 *
 * Errors: those of `parseSet` and `parseRelation`, `presburger/syntax` for other lines, `presburger/arity-mismatch`
 * for a relation of other loops than its domain; with their offset in the whole text.
 */
export function parseStatements(text: string): readonly Statement[] {
  const statements: ParsedStatement[] = [];
  let start = 0;
  for (const line of text.split('\n')) {
    parseLine(line, start, statements);
    start += line.length + 1;
  }
  if (statements.length === 0) throw syntaxError('no statement: write domain { [i] : … }', text.length);
  return statements;
}

const linePattern = /^(\s*)(\S+)(\s*)/;
const arrayPattern = /^[A-Za-z_%@][\w$.]*/;

/** Adds what a line says; `start` is its offset in the text. */
function parseLine(line: string, start: number, statements: ParsedStatement[]): void {
  const [before, indent = '', keyword = ''] = linePattern.exec(line) ?? [];
  if (before === undefined || keyword.startsWith('//')) return;
  const rest = start + before.length;
  const text = line.slice(before.length);
  if (keyword === 'domain') {
    statements.push({ domain: at(rest, text, parseSet), reads: [], writes: [] });
    return;
  }
  const keywordStart = start + indent.length;
  if (!['read', 'write', 'schedule'].includes(keyword))
    throw syntaxError(`expected domain, read, write or schedule, not '${keyword}'`, keywordStart);
  const statement = statements.at(-1);
  if (statement === undefined)
    throw syntaxError(`a statement begins with its domain, not with ${keyword}`, keywordStart);
  if (keyword === 'schedule') {
    if (statement.schedule !== undefined) throw syntaxError('the statement has a schedule', keywordStart);
    statement.schedule = relationOf(rest, text, statement);
    return;
  }
  const [array] = arrayPattern.exec(text) ?? [];
  if (array === undefined) throw syntaxError(`expected the name of an array after ${keyword}`, rest);
  const after = text.slice(array.length);
  const uses = keyword === 'read' ? statement.reads : statement.writes;
  uses.push({ array, elements: relationOf(rest + array.length, after, statement) });
}

/** The relation, of as many inputs as the statement has loops. */
function relationOf(start: number, text: string, { domain }: ParsedStatement): Relation {
  const relation = at(start, text, parseRelation);
  const [given, loops] = [relation.space.inputs.length, domain.space.dims.length];
  if (given === loops) return relation;
  const offset = start + text.search(/\S/);
  throw syntaxError(`of ${given} loops, in a domain of ${loops}`, offset, 'presburger/arity-mismatch');
}

/** What `parse` makes of a part of the text that begins at an offset, to which those of errors are added. */
function at<T>(start: number, text: string, parse: (text: string) => T): T {
  try {
    return parse(text);
  } catch (error) {
    if (!isPresburgerError(error)) throw error;
    throw new PresburgerError(error.code, error.message, start + (error.offset ?? 0));
  }
}
