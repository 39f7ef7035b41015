/**
 * Recursive descent over isl's formulas: `or`, `and`, `not`, `exists`, chains of comparisons, and affine expressions
 * with `floor`, `ceil` and `mod` by constants.
 */
import type { Int } from '../int.ts';
import { negInt, normalInt } from '../int.ts';
import type { Atom, Form, Formula, Locals } from './formula.ts';
import {
  always,
  combineForms,
  constantForm,
  constantOf,
  differenceOf,
  Joined,
  negateAtom,
  negateForm,
  never,
  roundedUp,
  variableForm,
} from './formula.ts';
import type { Token } from './tokens.ts';
import { syntaxError } from './tokens.ts';

/** Alternatives that a formula may have: a conjunction of `or`s has their product. */
const mostAlternatives = 10_000;
/** How deep formulas and expressions may be nested. */
const deepest = 400;

const comparisons: ReadonlySet<string> = new Set(['=', '==', '!=', '<', '<=', '>', '>=']);
/** What follows the parenthesis of an expression, never that of a formula. */
const expressionFollows: ReadonlySet<string> = new Set([...comparisons, '+', '-', '*', '/', '%', ',', 'mod']);
const conjunctions: ReadonlySet<string> = new Set(['and', '&&']);
const alternatives: ReadonlySet<string> = new Set(['or', '||']);

/** Words that name no variable. */
export const reserved: ReadonlySet<string> = new Set([
  ...['and', 'or', 'not', 'exists', 'true', 'false', 'mod', 'floor', 'ceil', 'floord', 'ceild'],
]);

/** Reads formulas and expressions from tokens; what its names mean is said by `scope`. */
export class FormulaParser {
  readonly #tokens: readonly Token[];
  readonly #closing: ReadonlyMap<number, number>;
  #position = 0;
  #depth = 0;
  /** What names mean; entered and left by `exists`. */
  scope = new Map<string, Form>();
  /** The locals of the formulas to come. */
  locals: Locals;

  constructor(tokens: readonly Token[], locals: Locals) {
    this.#tokens = tokens;
    this.locals = locals;
    this.#closing = closingOf(tokens);
  }

  /** The token `ahead` of the next one. */
  peek(ahead = 0): Token {
    return this.#tokens[Math.min(this.#position + ahead, this.#tokens.length - 1)]!;
  }

  /** Takes the next token. */
  take(): Token {
    const token = this.peek();
    this.#position += 1;
    return token;
  }

  /** Takes the next token if it is one of these. */
  takeIf(...texts: readonly string[]): boolean {
    if (!texts.includes(this.peek().text)) return false;
    this.#position += 1;
    return true;
  }

  /** Takes this token. Errors: `message` at what is there instead. */
  expect(text: string, message: string): void {
    if (!this.takeIf(text)) throw this.error(message);
  }

  /** An error at the next token. */
  error(message: string): Error {
    const { kind, text, offset } = this.peek();
    if (text === '/')
      return syntaxError('a quotient has to be rounded: write floor(… / c) or ceil(… / c)', offset);
    return syntaxError(kind === 'end' ? `${message}, not the end` : `${message}, not '${text}'`, offset);
  }

  /** Items between commas of the tuple that begins here. */
  countItems(): number {
    return this.#countItemsAt(this.#position);
  }

  /** Items of the tuple that follows the one that begins here and an arrow; undefined if there is none. */
  countItemsAfterArrow(): number | undefined {
    const end = this.#closing.get(this.#position);
    if (end === undefined || this.#tokens[end + 1]?.text !== '->') return undefined;
    return this.#countItemsAt(end + 2);
  }

  #countItemsAt(start: number): number {
    const end = this.#closing.get(start) ?? start;
    if (end === start + 1) return 0;
    let items = 1;
    for (let i = start + 1; i < end; i++) {
      if (this.#tokens[i]!.text === ',') items += 1;
      i = this.#closing.get(i) ?? i;
    }
    return items;
  }

  /** A formula up to what cannot belong to it. */
  formula(): Formula {
    return this.#nested(() => {
      let formula = this.#conjunction();
      while (alternatives.has(this.peek().text)) {
        this.take();
        formula = [...formula, ...this.#conjunction()];
        if (formula.length > mostAlternatives) throw this.#tooMany();
      }
      return formula;
    });
  }

  #conjunction(): Formula {
    const first = this.#primary();
    if (!conjunctions.has(this.peek().text)) return first;
    const all = new Joined();
    this.#join(all, first);
    while (conjunctions.has(this.peek().text)) {
      this.take();
      this.#join(all, this.#primary());
    }
    return all.formula;
  }

  #join(all: Joined, formula: Formula): void {
    if (!all.add(formula, mostAlternatives)) throw this.#tooMany();
  }

  #tooMany(): Error {
    return syntaxError(`the formula has more than ${mostAlternatives} alternatives`, this.peek().offset);
  }

  #primary(): Formula {
    const { text } = this.peek();
    if (this.takeIf('true')) return always;
    if (this.takeIf('false')) return never;
    if (this.takeIf('exists')) return this.#exists();
    if (text === 'not' || text === '!') return this.#nested(() => this.#negation());
    if (text === '(' && !this.#opensExpression()) {
      this.take();
      const formula = this.formula();
      this.expect(')', "expected ')'");
      return formula;
    }
    return this.#comparison();
  }

  /** Whether the parenthesis here is that of an expression, by what follows the other one. */
  #opensExpression(): boolean {
    const end = this.#closing.get(this.#position);
    return end !== undefined && expressionFollows.has(this.#tokens[end + 1]?.text ?? '');
  }

  #negation(): Formula {
    const { offset } = this.take();
    const inner = this.locals.count;
    const formula = this.#primary();
    if (formula.some((atoms) => atoms.some(({ form }) => this.locals.usesUnknown(form, inner)))) {
      throw syntaxError('the negation of an exists is not read: subtract the set instead', offset);
    }
    const all = new Joined();
    for (const atoms of formula) this.#join(all, atoms.flatMap(negateAtom));
    return all.formula;
  }

  #exists(): Formula {
    const parenthesized = this.takeIf('(');
    const outer = this.scope;
    this.scope = new Map(outer);
    do {
      const { kind, text } = this.peek();
      if (kind !== 'name' || reserved.has(text)) throw this.error('expected a name after exists');
      this.take();
      const form = this.takeIf('=') ? this.expression() : variableForm(this.locals.unknown());
      this.scope.set(text, form);
    } while (this.takeIf(','));
    this.expect(':', "expected ':' after the names of exists");
    const formula = this.formula();
    this.scope = outer;
    if (parenthesized) this.expect(')', "expected ')' at the end of exists");
    return formula;
  }

  /** `0 <= i, j < 10`: each of a list is compared with each of the next. */
  #comparison(): Formula {
    let left = this.#list();
    if (!comparisons.has(this.peek().text)) throw this.error('expected a comparison (=, <, <=, >, >= or !=)');
    const all = new Joined();
    while (comparisons.has(this.peek().text)) {
      const operator = this.take().text;
      const right = this.#list();
      for (const a of left) for (const b of right) this.#join(all, compare(a, operator, b));
      left = right;
    }
    return all.formula;
  }

  #list(): Form[] {
    const forms = [this.expression()];
    while (this.takeIf(',')) forms.push(this.expression());
    return forms;
  }

  /** A sum. */
  expression(): Form {
    return this.#nested(() => {
      let form = this.#product();
      for (;;) {
        if (this.takeIf('+')) form = combineForms(form, 1, this.#product(), 1);
        else if (this.takeIf('-')) form = combineForms(form, 1, this.#product(), -1);
        else return form;
      }
    });
  }

  #product(): Form {
    if (this.takeIf('-')) return this.#nested(() => negateForm(this.#product()));
    let form = this.#factor();
    for (;;) {
      const { kind, text, offset } = this.peek();
      if (this.takeIf('*')) form = this.#times(form, this.#factor(), offset);
      else if (this.takeIf('mod', '%')) form = this.#remainder(form);
      // 2i, 3(i + 1)
      else if (constantOf(form) !== undefined && (text === '(' || (kind === 'name' && !this.#endsTerm(text))))
        form = this.#times(form, this.#factor(), offset);
      else return form;
    }
  }

  #endsTerm(word: string): boolean {
    return reserved.has(word) && !quotients.has(word);
  }

  #times(a: Form, b: Form, offset: number): Form {
    const [left, right] = [constantOf(a), constantOf(b)];
    if (right !== undefined) return combineForms(a, right, constantForm(0), 0);
    if (left !== undefined) return combineForms(b, left, constantForm(0), 0);
    throw syntaxError('a product of variables is not affine', offset, 'presburger/not-affine');
  }

  #remainder(form: Form): Form {
    const divisor = this.#divisor();
    return combineForms(form, 1, this.locals.quotient(form, divisor), negInt(divisor));
  }

  /** A constant above 0. */
  #divisor(): Int {
    const { offset } = this.peek();
    const value = constantOf(this.#factor());
    if (value !== undefined && value > 0) return value;
    throw syntaxError('a divisor has to be a constant above 0', offset, 'presburger/not-affine');
  }

  #factor(): Form {
    const { kind, text, offset } = this.peek();
    if (kind === 'number') {
      this.take();
      return constantForm(normalInt(BigInt(text)));
    }
    if (text === '(') {
      this.take();
      const form = this.expression();
      this.expect(')', "expected ')'");
      return form;
    }
    if (this.takeIf('-')) return this.#nested(() => negateForm(this.#factor()));
    if (quotients.has(text)) return this.#quotient();
    if (kind !== 'name' || reserved.has(text)) throw this.error('expected an affine expression');
    this.take();
    const form = this.scope.get(text);
    if (form !== undefined) return form;
    throw syntaxError(this.#whyUndeclared(text), offset);
  }

  #whyUndeclared(name: string): string {
    if (name === 'floordiv' || name === 'ceildiv')
      return `${name} is MLIR's: write ${name.slice(0, -3)}(… / c)`;
    return `${name} is not declared: a parameter goes in front, [${name}] -> { … }`;
  }

  /** `floor(a / c)`, `ceil(a / c)`, `floord(a, c)`, `ceild(a, c)`. */
  #quotient(): Form {
    const word = this.take().text;
    this.expect('(', `expected '(' after ${word}`);
    const isPair = word.endsWith('d');
    const dividend = this.expression();
    let divisor: Int = 1;
    if (isPair) this.expect(',', `expected ',' and a divisor in ${word}`);
    if (isPair || this.takeIf('/')) divisor = this.#divisor();
    this.expect(')', `expected ')' at the end of ${word}`);
    if (divisor === 1) return dividend;
    return word.startsWith('floor')
      ? this.locals.quotient(dividend, divisor)
      : roundedUp(this.locals, dividend, divisor);
  }

  #nested<T>(parse: () => T): T {
    this.#depth += 1;
    if (this.#depth > deepest) throw syntaxError(`nested deeper than ${deepest} levels`, this.peek().offset);
    const result = parse();
    this.#depth -= 1;
    return result;
  }
}

const quotients: ReadonlySet<string> = new Set(['floor', 'ceil', 'floord', 'ceild']);

function compare(a: Form, operator: string, b: Form): Formula {
  const atom = (form: Form, kind: Atom['kind']): Formula => [[{ form, kind }]];
  switch (operator) {
    case '<':
      return atom(differenceOf(b, a, -1), 'ge');
    case '<=':
      return atom(differenceOf(b, a), 'ge');
    case '>':
      return atom(differenceOf(a, b, -1), 'ge');
    case '>=':
      return atom(differenceOf(a, b), 'ge');
    case '!=':
      return negateAtom({ form: differenceOf(a, b), kind: 'eq' });
    default:
      return atom(differenceOf(a, b), 'eq');
  }
}

/** For each bracket that opens, the position of the one that closes it. */
function closingOf(tokens: readonly Token[]): ReadonlyMap<number, number> {
  const closing = new Map<number, number>();
  const open: number[] = [];
  tokens.forEach(({ kind, text }, i) => {
    if (kind !== 'sign') return;
    if (text === '(' || text === '[') open.push(i);
    else if (text === ')' || text === ']') {
      const start = open.pop();
      if (start !== undefined) closing.set(start, i);
    }
  });
  return closing;
}
