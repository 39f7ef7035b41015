/**
 * Reads sets and relations: isl's `[n] -> { [i, j] -> [k] : exists (e : …) and … or …; … }`, and MLIR's
 * `affine_set<(d0)[s0] : (…)>` and `affine_map<(d0) -> (…)>`.
 */
import { affineMap, integerSet, isAffineError } from '@sconv/affine';
import type { BasicSet } from '../basic-set.ts';
import type { AffineNames } from '../from-affine.ts';
import { fromMap, fromSet } from '../from-affine.ts';
import { withinSteps } from '../budget.ts';
import type { PresburgerSet, PresburgerUnion, Relation } from '../presburger-set.ts';
import { presburgerSet, relation } from '../presburger-set.ts';
import { relationSpace, unusedName } from '../space.ts';
import type { Atom } from './formula.ts';
import { differenceOf, Joined, Locals, variableForm } from './formula.ts';
import { FormulaParser, reserved } from './formula-parser.ts';
import { syntaxError, tokensOf } from './tokens.ts';

/**
 * The set that a text describes, in isl's or in MLIR's syntax: `[n] -> { [i, j] : 0 <= i <= j < n }`,
 * `(d0, d1)[s0] : (d0 >= 0, d1 - d0 >= 0)`. Errors: `presburger/syntax` and `presburger/not-affine` with the offset
 * of the mistake, `presburger/name` for a name given twice, `presburger/undecided` for more than there is time to read.
 */
export function parseSet(text: string): PresburgerSet {
  const result = parseUnion(text);
  if (result.kind === 'presburger-set') return narrowed(result, 'presburger-set');
  throw syntaxError('a relation or map where a set was expected: a set has no ->', arrowOf(text));
}

/**
 * The relation that a text describes, in isl's syntax or as MLIR's affine map: `{ [i] -> [floor(i / 4), i mod 4] }`,
 * `(d0) -> (d0 floordiv 4, d0 mod 4)`. Errors: as for `parseSet`.
 */
export function parseRelation(text: string): Relation {
  const result = parseUnion(text);
  if (result.kind === 'relation') return narrowed(result, 'relation');
  throw syntaxError('a set where a relation or map was expected: write [i] -> [j] or (d0) -> (d1)', 0);
}

/** The set or relation that a text describes. Errors: as for `parseSet`. */
export const parseUnion = (text: string): PresburgerUnion => withinSteps(() => read(text));

function read(text: string): PresburgerUnion {
  const start = /^\s*/.exec(text)?.[0].length ?? 0;
  const rest = text.slice(start);
  if (rest.startsWith('(') || rest.startsWith('affine_')) return parseAffine(text);
  if (rest.startsWith('{') || rest.startsWith('[')) return new UnionParser(text).union();
  throw syntaxError(
    rest === ''
      ? 'nothing where a set was expected: write { [i] : … }'
      : 'an expression where a set was expected: write { [i] : … } or (d0) : (…)',
    start,
  );
}

/** The message of an error in text with the text and a caret below it, one line each; the message alone for others. */
export function withCaret(
  error: { readonly message: string; readonly offset?: number | undefined },
  text: string,
) {
  if (error.offset === undefined) return error.message;
  const before = text.slice(0, error.offset);
  const lineStart = before.lastIndexOf('\n') + 1;
  const [line = ''] = text.slice(lineStart).split('\n');
  return `${error.message}\n${line}\n${' '.repeat(before.length - lineStart)}^`;
}

function narrowed<Kind extends PresburgerUnion['kind']>(
  { space, pieces }: PresburgerUnion,
  kind: Kind,
): PresburgerUnion<Kind> {
  return Object.freeze({ kind, space, pieces });
}

const arrowOf = (text: string): number => Math.max(text.lastIndexOf('->'), 0);

/** The names in the head of an affine map or set: `(i, j)[n]`. */
function headNames(text: string): AffineNames {
  const [, dims = '', symbols = ''] = /\(([^)]*)\)\s*(?:\[([^\]]*)\])?/.exec(text) ?? [];
  const names = (list: string) => list.split(',').flatMap((name) => name.trim() || []);
  return { dims: names(dims), symbols: names(symbols) };
}

function parseAffine(text: string): PresburgerUnion {
  try {
    const names = headNames(text);
    return text.includes('->') ? fromMap(affineMap(text), names) : fromSet(integerSet(text), names);
  } catch (error) {
    if (isAffineError(error)) throw syntaxError(error.message, error.offset ?? 0);
    throw error;
  }
}

/** A tuple as it is read: the names of its variables, and what they equal. */
interface Tuple {
  readonly names: readonly string[];
  readonly equalities: readonly Atom[];
}

class UnionParser {
  readonly #parser: FormulaParser;

  constructor(text: string) {
    this.#parser = new FormulaParser(tokensOf(text), new Locals(0));
  }

  union(): PresburgerUnion {
    const parser = this.#parser;
    const symbols = parser.peek().text === '[' ? this.#parameters() : [];
    parser.expect('{', "expected '{'");
    if (parser.peek().text === '}')
      throw parser.error('how many dimensions? Write { [i] : false } for an empty set');
    const items = [this.#item(symbols)];
    while (parser.takeIf(';')) items.push(this.#item(symbols, items[0]));
    parser.expect('}', "expected 'and', 'or', ';' or '}'");
    if (parser.peek().kind !== 'end') throw parser.error('expected nothing after the set');
    const [first] = items;
    const { inputs, dims } = first!;
    const space = relationSpace(inputs ?? [], dims, symbols);
    const pieces = items.flatMap((item) => item.pieces);
    return inputs === undefined ? presburgerSet(space, pieces) : relation(space, pieces);
  }

  /** `[n, m] ->`. */
  #parameters(): readonly string[] {
    const parser = this.#parser;
    const names: string[] = [];
    parser.expect('[', "expected '['");
    while (!parser.takeIf(']')) {
      if (names.length > 0) parser.expect(',', "expected ',' or ']'");
      names.push(this.#newName(names));
    }
    parser.expect('->', "expected '->' after the parameters");
    return names;
  }

  #newName(taken: readonly string[]): string {
    const { kind, text, offset } = this.#parser.peek();
    if (kind !== 'name' || reserved.has(text)) throw this.#parser.error('expected a name');
    if (taken.includes(text)) throw syntaxError(`two variables are named ${text}`, offset, 'presburger/name');
    this.#parser.take();
    return text;
  }

  /** `[i] -> [j] : formula`, of the same numbers of dimensions as `other`. */
  #item(
    symbols: readonly string[],
    other?: { readonly inputs?: readonly string[]; readonly dims: readonly string[] },
  ) {
    const parser = this.#parser;
    const { offset } = parser.peek();
    const counts = this.#countDims();
    const [from = 0, to = 0] = counts.length === 2 ? counts : [0, ...counts];
    parser.locals = new Locals(from + to + symbols.length);
    parser.scope = new Map(symbols.map((name, i) => [name, variableForm(from + to + i)]));
    const inputs = counts.length === 2 ? this.#tuple(0, 'd') : undefined;
    if (inputs !== undefined) parser.expect('->', "expected '->'");
    const results: Tuple = counts.length === 0 ? { names: [], equalities: [] } : this.#tuple(from, 'r');
    if (other !== undefined && (other.inputs?.length !== inputs?.names.length || other.dims.length !== to)) {
      const message = 'all parts between ; need the same numbers of dimensions';
      throw syntaxError(message, offset, 'presburger/arity-mismatch');
    }
    const formula = parser.takeIf(':') && !this.#atEnd() ? parser.formula() : [[]];
    const equalities = [...(inputs?.equalities ?? []), ...results.equalities];
    const all = new Joined();
    all.add([equalities], Infinity);
    all.add(formula, Infinity);
    const pieces: BasicSet[] = all.formula.map((conjunction) => parser.locals.pieceOf(conjunction));
    return { ...(inputs === undefined ? {} : { inputs: inputs.names }), dims: results.names, pieces };
  }

  #atEnd(): boolean {
    const { text } = this.#parser.peek();
    return text === '}' || text === ';';
  }

  /** The numbers of entries of the tuples of the item that begins here: none, one or two. */
  #countDims(): readonly number[] {
    const parser = this.#parser;
    if (parser.peek().text === ':') return [];
    this.#refuseNamedTuple();
    if (parser.peek().text !== '[') throw parser.error("expected '[' and the dimensions");
    const first = parser.countItems();
    const second = parser.countItemsAfterArrow();
    return second === undefined ? [first] : [first, second];
  }

  #refuseNamedTuple(): void {
    const { kind, text, offset } = this.#parser.peek();
    if (kind === 'name' && this.#parser.peek(1).text === '[')
      throw syntaxError(`named tuples are not read: leave out ${text}`, offset);
  }

  /** `[i, j + 1, k = 3]`: an entry is a new name, or what its dimension equals. */
  #tuple(firstColumn: number, prefix: string): Tuple {
    const parser = this.#parser;
    this.#refuseNamedTuple();
    parser.expect('[', "expected '[' and the dimensions");
    const names: string[] = [];
    const equalities: Atom[] = [];
    while (!parser.takeIf(']')) {
      if (names.length > 0) parser.expect(',', "expected ',' or ']'");
      const column = variableForm(firstColumn + names.length);
      const { kind, text } = parser.peek();
      const next = parser.peek(1).text;
      const isNew = kind === 'name' && !reserved.has(text) && !parser.scope.has(text);
      const isPlain = kind === 'name' && (next === ',' || next === ']');
      if (isNew && (isPlain || next === '=')) {
        parser.take();
        names.push(text);
        if (parser.takeIf('='))
          equalities.push({ form: differenceOf(column, parser.expression()), kind: 'eq' });
        parser.scope.set(text, column);
      } else {
        equalities.push({ form: differenceOf(column, parser.expression()), kind: 'eq' });
        names.push(unusedName(isPlain ? `${text}'` : `${prefix}${names.length}`, new Set(names)));
      }
    }
    return { names, equalities };
  }
}
