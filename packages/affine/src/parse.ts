/**
 * Recursive-descent parser for MLIR's text of affine maps, integer sets and expressions. It serves whole texts
 * (`affineMap('(d0) -> (d0)')`) and text within a larger one (`parseMapPrefix(text, offset)`).
 */
import { AffineError } from './affine-error.ts';
import type { AffineBinaryKind, AffineExpr } from './affine-expr.ts';
import { add, binary, constant, dim, maxDepth, neg, sub, symbol } from './affine-expr.ts';
import { isSymbolicOrConstant } from './expr-properties.ts';
import type { AffineMap, Constraint, IntegerSet } from './affine-map.ts';
import { makeMap, makeSet } from './affine-map.ts';
import { expectFunction, expectText } from './expect-kind.ts';
import { exact } from './integer.ts';
import { rememberNames } from './names.ts';

/** The longest text that is parsed, in UTF-16 units; within a larger text, the longest piece. */
export const maxTextLength = 1_000_000;

/**
 * The meaning of an identifier; undefined if it is not declared. `symbolic`: the text has `symbol(%name)`, as operands
 * of `affine.load` may.
 */
export type ResolveIdentifier = (identifier: string, symbolic: boolean) => AffineExpr | undefined;

/** What `tryParse…` returns. */
export type ParseResult<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: AffineError };

/**
 * Parses a map, `(d0, d1)[s0] -> (d0 + s0, d1)`, with or without `affine_map<…>`. Throws `AffineError` with the offset
 * of the mistake.
 */
export function affineMap(text: string): AffineMap {
  return parseWhole(text, (parser) => parser.wrapped('affine_map', () => parser.map()));
}

/** Parses a set, `(d0)[s0] : (d0 >= 0, s0 - d0 == 0)`, with or without `affine_set<…>`. */
export function integerSet(text: string): IntegerSet {
  return parseWhole(text, (parser) => parser.wrapped('affine_set', () => parser.set()));
}

/** Parses an expression over the identifiers `d0`, `d1`, … and `s0`, `s1`, …. */
export function affineExpr(text: string): AffineExpr {
  return parseWhole(text, (parser) => parser.expression(resolvePositional));
}

/** `affineMap` that returns errors. */
export function tryParseMap(text: string): ParseResult<AffineMap> {
  return attempt(() => affineMap(text));
}

/** `integerSet` that returns errors. */
export function tryParseSet(text: string): ParseResult<IntegerSet> {
  return attempt(() => integerSet(text));
}

/** `affineExpr` that returns errors. */
export function tryParseExpr(text: string): ParseResult<AffineExpr> {
  return attempt(() => affineExpr(text));
}

/** The map whose `(` is at `offset` (ignoring white space), and the offset after it. */
export function parseMapPrefix(text: string, offset: number): { map: AffineMap; end: number } {
  const parser = parserAt(text, offset);
  const map = parser.map();
  return { map, end: parser.end };
}

/** The set whose `(` is at `offset` (ignoring white space), and the offset after it. */
export function parseSetPrefix(text: string, offset: number): { set: IntegerSet; end: number } {
  const parser = parserAt(text, offset);
  const set = parser.set();
  return { set, end: parser.end };
}

/**
 * The longest expression at `offset`, and the offset after it. `resolve` gives the meaning of identifiers, including
 * `%i` and `symbol(%n)`.
 */
export function parseExprPrefix(
  text: string,
  offset: number,
  resolve: ResolveIdentifier = resolvePositional,
): { expr: AffineExpr; end: number } {
  expectFunction(resolve, 'resolve');
  const parser = parserAt(text, offset);
  const expr = parser.expression(resolve);
  return { expr, end: parser.end };
}

function parserAt(text: string, offset: number): Parser {
  expectText(text);
  return new Parser(text, exact(offset));
}

function parseWhole<T>(text: string, parse: (parser: Parser) => T): T {
  expectText(text);
  if (text.length > maxTextLength) throw textTooLong(0);
  const parser = new Parser(text, 0);
  const value = parse(parser);
  parser.expectEnd();
  return value;
}

function attempt<T>(parse: () => T): ParseResult<T> {
  try {
    return { ok: true, value: parse() };
  } catch (error) {
    if (error instanceof AffineError) return { ok: false, error };
    throw error;
  }
}

function textTooLong(offset: number): AffineError {
  return new AffineError(
    'affine/text-too-long',
    `the text is longer than ${maxTextLength} characters`,
    offset,
  );
}

function resolvePositional(identifier: string): AffineExpr | undefined {
  const match = /^([ds])(0|[1-9]\d{0,4})$/.exec(identifier);
  if (match === null) return undefined;
  const position = Number(match[2]);
  return match[1] === 'd' ? dim(position) : symbol(position);
}

interface Token {
  readonly kind: 'identifier' | 'integer' | 'punctuation' | 'end';
  readonly text: string;
  readonly offset: number;
}

const tokenPattern =
  /(?<identifier>[A-Za-z_][\w$.]*|%(?:\d+|[A-Za-z_$.-][\w$.-]*)(?:#\d+)?)|(?<integer>0x[\dA-Fa-f]+|\d+)|(?<punctuation>->|>=|<=|==|[()[\],:+*<>-])/y;
const spacePattern = /(?:\s|\/\/[^\n]*)*/y;

/** What to write instead. */
const otherOperators: ReadonlyMap<string, string> = new Map([
  ['%', 'mod'],
  ['/', 'floordiv or ceildiv'],
]);

const productOperators: ReadonlySet<string> = new Set(['*', 'mod', 'floordiv', 'ceildiv']);

class Parser {
  /** The offset after the last consumed token. */
  end: number;
  readonly #text: string;
  readonly #start: number;
  #token: Token;
  #depth = 0;

  constructor(text: string, offset: number) {
    this.#text = text;
    this.#start = offset;
    this.end = offset;
    this.#token = this.#scan();
  }

  /** `name<…>` around what `parse` reads, or that alone. */
  wrapped<T>(name: string, parse: () => T): T {
    if (this.#token.text !== name) return parse();
    this.#take();
    this.#expect('<', `expected '<' after ${name}`);
    const value = parse();
    this.#expect('>', `expected '>' in ${name.replace('_', ' ')}`);
    return value;
  }

  map(): AffineMap {
    const { numDims, numSymbols, meaning, resolve } = this.#identifiers('map');
    this.#expect('->', "expected '->' in affine map");
    this.#expect('(', "expected '(' in affine map range");
    const results = this.#list(')', "expected ')' in affine map range", () => this.expression(resolve));
    const map = makeMap(numDims, numSymbols, results);
    rememberNames(map, meaning);
    return map;
  }

  set(): IntegerSet {
    const { numDims, numSymbols, meaning, resolve } = this.#identifiers('set');
    this.#expect(':', "expected ':' in integer set");
    this.#expect('(', "expected '(' at start of integer set constraint list");
    const end = "expected ')' at end of integer set constraint list";
    const set = makeSet(
      numDims,
      numSymbols,
      this.#list(')', end, () => this.#constraint(resolve)),
    );
    rememberNames(set, meaning);
    return set;
  }

  expression(resolve: ResolveIdentifier): AffineExpr {
    return this.#nested(() => {
      let lhs = this.#product(resolve);
      for (;;) {
        const operator = this.#token;
        if (operator.text !== '+' && operator.text !== '-') return lhs;
        this.#take();
        const rhs = this.#rightOperand(() => this.#product(resolve));
        const left = lhs;
        lhs = this.#located(operator.offset, () => (operator.text === '+' ? add(left, rhs) : sub(left, rhs)));
      }
    });
  }

  expectEnd(): void {
    if (this.#token.kind !== 'end') throw this.#unexpected('unexpected text after the end');
  }

  /** `(i, j)[n]`, and the meaning of these names. */
  #identifiers(what: 'map' | 'set') {
    const meaning = new Map<string, AffineExpr>();
    const declare = (make: (position: number) => AffineExpr) => {
      let position = 0;
      return () => {
        const { kind, text, offset } = this.#token;
        if (kind !== 'identifier' || text.startsWith('%')) throw this.#unexpected('expected bare identifier');
        if (meaning.has(text)) {
          throw new AffineError(
            'affine/redefined-identifier',
            `redefinition of identifier '${text}'`,
            offset,
          );
        }
        meaning.set(text, make(position));
        position += 1;
        this.#take();
      };
    };
    this.#expect('(', `expected '(' at start of dimensional identifiers list of the ${what}`);
    const dims = this.#list(')', "expected ')' in dimensional identifier list", declare(dim));
    let numSymbols = 0;
    if (this.#token.text === '[') {
      this.#take();
      numSymbols = this.#list(']', "expected ']' in symbol list", declare(symbol)).length;
    }
    const resolve: ResolveIdentifier = (identifier) => meaning.get(identifier);
    return { numDims: dims.length, numSymbols, meaning, resolve };
  }

  /** Comma-separated items up to and including `close`. */
  #list<T>(close: string, expected: string, item: () => T): T[] {
    const items: T[] = [];
    if (this.#token.text !== close) {
      items.push(item());
      while (this.#token.text === ',') {
        this.#take();
        items.push(item());
      }
    }
    this.#expect(close, expected);
    return items;
  }

  #constraint(resolve: ResolveIdentifier): Constraint {
    const lhs = this.expression(resolve);
    const operator = this.#token.text;
    if (operator !== '==' && operator !== '>=' && operator !== '<=') {
      throw this.#unexpected("expected '==', '>=' or '<=' in the constraint");
    }
    this.#take();
    const rhs = this.expression(resolve);
    const expr = operator === '<=' ? sub(rhs, lhs) : sub(lhs, rhs);
    return { expr, kind: operator === '==' ? 'eq' : 'ge' };
  }

  #product(resolve: ResolveIdentifier): AffineExpr {
    let lhs = this.#operand(resolve);
    while (productOperators.has(this.#token.text)) {
      const operator = this.#take();
      const rhs = this.#rightOperand(() => this.#operand(resolve));
      const kind = (operator.text === '*' ? 'mul' : operator.text) as AffineBinaryKind;
      const left = lhs;
      lhs = this.#located(operator.offset, () => {
        if (!isSymbolicOrConstant(rhs) && (kind !== 'mul' || !isSymbolicOrConstant(left)))
          throw notAffine(kind);
        return binary(kind, left, rhs);
      });
    }
    this.#refuseOtherOperators();
    return lhs;
  }

  /** Operators of other languages; `%4` is the name of a value, which no operand can follow. */
  #refuseOtherOperators(): void {
    const { kind, offset } = this.#token;
    const found = this.#text[offset] ?? '';
    const ours = kind === 'end' || kind === 'identifier' ? otherOperators.get(found) : undefined;
    if (ours !== undefined) throw this.#error('affine/syntax', `'${found}' is no operator: use ${ours}`);
  }

  #rightOperand(parse: () => AffineExpr): AffineExpr {
    const { kind, text } = this.#token;
    const starts = kind === 'identifier' || kind === 'integer' || text === '(' || text === '-';
    if (!starts) throw this.#error('affine/syntax', 'missing right operand of binary operator');
    return parse();
  }

  /** An identifier, an integer, a parenthesized sum, or one of these with a sign, which binds tightest. */
  #operand(resolve: ResolveIdentifier): AffineExpr {
    const { kind, text, offset } = this.#token;
    if (kind === 'integer') {
      const value = Number(text);
      if (!Number.isSafeInteger(value)) throw this.#error('affine/overflow', `constant ${text} too large`);
      this.#take();
      return constant(value);
    }
    if (kind === 'identifier') return this.#identifier(resolve);
    if (text === '(') {
      this.#take();
      if (this.#token.text === ')') throw this.#error('affine/syntax', 'no expression inside parentheses');
      const expr = this.expression(resolve);
      this.#expect(')', "expected ')'");
      return expr;
    }
    if (text === '-') {
      this.#take();
      return this.#nested(() => {
        const operand = this.#operand(resolve);
        return this.#located(offset, () => neg(operand));
      });
    }
    throw this.#error('affine/syntax', this.#whyNoOperand());
  }

  #whyNoOperand(): string {
    const { text, offset } = this.#token;
    if (text === '*' || text === '+') return 'missing left operand of binary operator';
    return this.#text[offset] === '%' ? 'invalid SSA name' : 'expected affine expression';
  }

  /** A name, or `symbol(name)`. A name is never followed by a parenthesis, so this is unambiguous. */
  #identifier(resolve: ResolveIdentifier): AffineExpr {
    if (this.#token.text !== 'symbol') return this.#resolved(resolve, false);
    const word = this.#take();
    if (!this.#takeIf('(')) return this.#meaning(word, resolve, false);
    // The dimensions and symbols of a map are what they are.
    if (!this.#token.text.startsWith('%')) throw this.#error('affine/syntax', 'unexpected ssa identifier');
    const expr = this.#resolved(resolve, true);
    this.#expect(')', "expected ')' after the symbol");
    return expr;
  }

  #resolved(resolve: ResolveIdentifier, symbolic: boolean): AffineExpr {
    if (this.#token.kind !== 'identifier') throw this.#unexpected('expected identifier');
    return this.#meaning(this.#take(), resolve, symbolic);
  }

  #meaning({ text, offset }: Token, resolve: ResolveIdentifier, symbolic: boolean): AffineExpr {
    const expr = resolve(text, symbolic);
    if (expr !== undefined) return expr;
    throw new AffineError('affine/undeclared-identifier', `use of undeclared identifier '${text}'`, offset);
  }

  /** Bounds the parser's own recursion, which parentheses and signs can drive without creating nodes. */
  #nested<T>(parse: () => T): T {
    if (this.#depth >= maxDepth) {
      throw this.#error('affine/too-deep', `the expression is nested deeper than ${maxDepth} levels`);
    }
    this.#depth += 1;
    const value = parse();
    this.#depth -= 1;
    return value;
  }

  /** Errors of building a node get the offset of its operator. */
  #located(offset: number, build: () => AffineExpr): AffineExpr {
    try {
      return build();
    } catch (error) {
      if (error instanceof AffineError && error.offset === undefined) {
        throw new AffineError(error.code, error.message, offset);
      }
      throw error;
    }
  }

  #expect(text: string, message: string): void {
    if (!this.#takeIf(text)) throw this.#unexpected(message);
  }

  #takeIf(text: string): boolean {
    if (this.#token.text !== text) return false;
    this.#take();
    return true;
  }

  #take(): Token {
    const token = this.#token;
    this.end = token.offset + token.text.length;
    this.#token = this.#scan();
    return token;
  }

  #scan(): Token {
    spacePattern.lastIndex = this.end;
    spacePattern.exec(this.#text);
    const offset = spacePattern.lastIndex;
    if (offset - this.#start > maxTextLength) throw textTooLong(this.#start);
    tokenPattern.lastIndex = offset;
    const match = tokenPattern.exec(this.#text);
    if (match === null) return { kind: 'end', text: '', offset };
    const { identifier, integer } = match.groups ?? {};
    const kind = identifier !== undefined ? 'identifier' : integer !== undefined ? 'integer' : 'punctuation';
    return { kind, text: match[0], offset };
  }

  #error(code: AffineError['code'], message: string): AffineError {
    return new AffineError(code, message, this.#token.offset);
  }

  /** A wrong token is reported after the last good one, as in MLIR: that is where something is missing. */
  #unexpected(message: string): AffineError {
    return new AffineError('affine/syntax', message, this.end);
  }
}

const operandWords: Readonly<Record<AffineBinaryKind, string>> = {
  add: '',
  mul: 'at least one of the multiply operands',
  mod: 'right operand of mod',
  floordiv: 'right operand of floordiv',
  ceildiv: 'right operand of ceildiv',
};

function notAffine(kind: AffineBinaryKind): AffineError {
  const message = `non-affine expression: ${operandWords[kind]} has to be either a constant or symbolic`;
  return new AffineError('affine/not-affine', message);
}
