/**
 * Declarative assembly formats: a format string is compiled once into elements, which parser and printer traverse.
 *
 * The spacing of printed elements follows ODS (`genElementPrinter` of mlir-tblgen): whether a space precedes an
 * element depends only on the elements before it, so it is determined here.
 */
import type { Assembly } from './assembly.ts';
import type { OpDefinition } from './define-op.ts';

export type VariableKind = 'operand' | 'attribute' | 'region' | 'successor';

/** A group of values: operands or results with one name, or all of them. */
export interface ValueGroupRef {
  readonly values: 'operand' | 'result' | 'operands' | 'results';
  /** The name of the group; empty for all. */
  readonly name: string;
}

/** `blank`: whether a space is printed before the element. */
export type FormatElement =
  | { readonly kind: 'literal'; readonly text: string; readonly blank: boolean }
  /** Printed only: a space or a newline. */
  | { readonly kind: 'space'; readonly text: ' ' | '\n' }
  | {
      readonly kind: 'variable';
      readonly of: VariableKind;
      /** For attributes, the name in the text. */
      readonly name: string;
      readonly isVariadic: boolean;
      readonly blank: boolean;
    }
  | { readonly kind: 'type'; readonly group: ValueGroupRef; readonly blank: boolean }
  | {
      readonly kind: 'functional-type';
      readonly inputs: ValueGroupRef;
      readonly results: ValueGroupRef;
      readonly blank: boolean;
    }
  | { readonly kind: 'all'; readonly of: 'operands' | 'regions' | 'successors'; readonly blank: boolean }
  | { readonly kind: 'attr-dict'; readonly withKeyword: boolean }
  | {
      readonly kind: 'custom';
      readonly directive: string;
      readonly fields: readonly string[];
      readonly blank: boolean;
    }
  | {
      readonly kind: 'optional';
      readonly then: readonly FormatElement[];
      readonly otherwise: readonly FormatElement[];
      /** The element of `then` whose presence decides whether the group is printed. */
      readonly anchor: FormatElement;
      /** Whether the anchor is a unit attribute that the presence of the group implies. */
      readonly impliesAnchor: boolean;
    }
  | { readonly kind: 'list'; readonly clauses: readonly FormatClause[] };

/** A clause of `oilist(…)`: clauses occur in any order, each at most once, and are printed if not empty. */
export interface FormatClause {
  readonly literal: Extract<FormatElement, { readonly kind: 'literal' }>;
  readonly elements: readonly FormatElement[];
  /** The unit attribute that the literal alone represents. */
  readonly flag: string | undefined;
}

export interface CompiledFormat {
  readonly elements: readonly FormatElement[];
  /** The attributes, by their names in the text, that the format prints outside of the dictionary. */
  readonly usedAttributes: readonly string[];
}

type FormatAssembly = Extract<Assembly, { readonly format: string }>;

const compiled = new WeakMap<OpDefinition, CompiledFormat>();

/** The compiled format of a definition; throws if the format does not match the definition. */
export const formatOf = (definition: OpDefinition, assembly: FormatAssembly): CompiledFormat => {
  const known = compiled.get(definition);
  if (known !== undefined) return known;
  const format = new FormatCompiler(definition, assembly).compile();
  compiled.set(definition, format);
  return format;
};

const tokenPattern = /\s*(`[^`]*`|[A-Za-z][\w-]*|\$[A-Za-z_]\w*|[()<>,^?:|])/y;

/** The suffix of the last name in a list that may match any number of items. */
const variadicSuffix = '...';

class FormatCompiler {
  private readonly definition: OpDefinition;
  private readonly assembly: FormatAssembly;
  private readonly tokens: readonly string[];
  private readonly usedAttributes: string[] = [];
  private at = 0;
  private emitBlank = true;
  private lastWasPunctuation = false;

  constructor(definition: OpDefinition, assembly: FormatAssembly) {
    this.definition = definition;
    this.assembly = assembly;
    this.tokens = this.tokenize(assembly.format.trim());
  }

  compile(): CompiledFormat {
    const elements = this.elements(undefined);
    return { elements, usedAttributes: this.usedAttributes };
  }

  private fail(message: string): never {
    throw new Error(`the format of '${this.definition.name}': ${message}`);
  }

  private tokenize(format: string): readonly string[] {
    const tokens: string[] = [];
    for (let offset = 0; offset < format.length; offset = tokenPattern.lastIndex) {
      tokenPattern.lastIndex = offset;
      const match = tokenPattern.exec(format);
      if (match === null) return this.fail(`unexpected text at '${format.slice(offset)}'`);
      tokens.push(match[1]!);
    }
    return tokens;
  }

  private take(): string {
    const token = this.tokens[this.at];
    if (token === undefined) return this.fail('it ends too early');
    this.at += 1;
    return token;
  }

  private accept(token: string): boolean {
    if (this.tokens[this.at] !== token) return false;
    this.at += 1;
    return true;
  }

  private expect(token: string): void {
    if (!this.accept(token)) this.fail(`expected '${token}', found '${this.tokens[this.at] ?? 'its end'}'`);
  }

  /** Parses elements up to `)` or the end; calls `onAnchor` with the one that `^` follows. */
  private elements(onAnchor: ((element: FormatElement) => void) | undefined): readonly FormatElement[] {
    const elements: FormatElement[] = [];
    while (this.at < this.tokens.length && !this.endsElements()) {
      const element = this.element();
      if (element !== undefined) elements.push(element);
      if (!this.accept('^')) continue;
      if (onAnchor === undefined || element === undefined) this.fail("misplaced '^'");
      onAnchor(element);
    }
    return elements;
  }

  private endsElements(): boolean {
    return this.tokens[this.at] === ')' || this.tokens[this.at] === '|';
  }

  private element(): FormatElement | undefined {
    const token = this.take();
    if (token.startsWith('`')) return this.literal(token.slice(1, -1));
    if (token.startsWith('$')) return this.variable(token.slice(1));
    switch (token) {
      case '(':
        return this.optionalGroup();
      case 'attr-dict':
      case 'attr-dict-with-keyword':
        this.lastWasPunctuation = false;
        return { kind: 'attr-dict', withKeyword: token === 'attr-dict-with-keyword' };
      case 'qualified': {
        this.expect('(');
        const inner = this.element();
        this.expect(')');
        return inner;
      }
      case 'type': {
        this.expect('(');
        const group = this.valueGroup();
        this.expect(')');
        return { kind: 'type', group, blank: this.blankBeforeElement() };
      }
      case 'functional-type': {
        this.expect('(');
        const inputs = this.valueGroup();
        this.expect(',');
        const results = this.valueGroup();
        this.expect(')');
        return { kind: 'functional-type', inputs, results, blank: this.blankBeforeElement() };
      }
      case 'operands':
      case 'regions':
      case 'successors':
        return { kind: 'all', of: token, blank: this.blankBeforeElement() };
      case 'custom':
        return this.custom();
      case 'oilist':
        return this.list();
      default:
        return this.fail(`unknown directive '${token}'`);
    }
  }

  /** `…` in backticks: whitespace is only printed; an empty literal suppresses the following space. */
  private literal(text: string): FormatElement | undefined {
    if (text === '' || text === ' ' || text === '\\n') {
      this.lastWasPunctuation = text === '';
      this.emitBlank = false;
      return text === '' ? undefined : { kind: 'space', text: text === ' ' ? ' ' : '\n' };
    }
    const blank = this.emitBlank && blankBeforeLiteral(text, this.lastWasPunctuation);
    this.emitBlank = text.length !== 1 || !'<({['.includes(text);
    this.lastWasPunctuation = !/^[A-Za-z_]/.test(text);
    return { kind: 'literal', text, blank };
  }

  private blankBeforeElement(): boolean {
    const blank = this.emitBlank || !this.lastWasPunctuation;
    this.lastWasPunctuation = false;
    this.emitBlank = true;
    return blank;
  }

  private variable(written: string): FormatElement {
    const { of, name, isVariadic } = this.resolve(written);
    if (of === 'attribute') this.usedAttributes.push(name);
    return { kind: 'variable', of, name, isVariadic, blank: this.blankBeforeElement() };
  }

  private resolve(written: string): {
    readonly of: VariableKind;
    readonly name: string;
    readonly isVariadic: boolean;
  } {
    const { operandSpecs, attributeSpecs, regions, successors } = this.definition;
    const operand = operandSpecs.find((spec) => spec.name === written);
    if (operand !== undefined)
      return { of: 'operand', name: written, isVariadic: operand.arity === 'variadic' };
    const attribute = attributeSpecs.find((spec) => spec.name === written || spec.key === written);
    if (attribute !== undefined) return { of: 'attribute', name: attribute.name, isVariadic: false };
    for (const [of, names] of [
      ['region', regions],
      ['successor', successors],
    ] as const) {
      if (names.includes(written)) return { of, name: written, isVariadic: false };
      if (names.includes(written + variadicSuffix)) return { of, name: written, isVariadic: true };
    }
    return this.fail(`nothing is named '${written}'`);
  }

  private valueGroup(): ValueGroupRef {
    const token = this.take();
    if (token === 'operands' || token === 'results') return { values: token, name: '' };
    const name = token.slice(1);
    if (this.definition.operandSpecs.some((spec) => spec.name === name)) return { values: 'operand', name };
    if (this.definition.resultSpecs.some((spec) => spec.name === name)) return { values: 'result', name };
    return this.fail(`no operand or result is named '${name}'`);
  }

  private custom(): FormatElement {
    this.expect('<');
    const directive = this.take();
    this.expect('>');
    if (this.assembly.directives?.[directive] === undefined) this.fail(`no directive '${directive}'`);
    this.expect('(');
    const fields: string[] = [];
    for (let depth = 1; depth > 0;) {
      const token = this.take();
      if (token === '(') depth += 1;
      if (token === ')') depth -= 1;
      if (!token.startsWith('$')) continue;
      const written = token.slice(1);
      const attribute = this.definition.attributeSpecs.find(
        (spec) => spec.name === written || spec.key === written,
      );
      if (attribute !== undefined) this.usedAttributes.push(attribute.name);
      fields.push(attribute?.name ?? written);
    }
    return { kind: 'custom', directive, fields, blank: this.blankBeforeElement() };
  }

  private optionalGroup(): FormatElement {
    const anchors: FormatElement[] = [];
    const then = this.elements((element) => anchors.push(element));
    this.expect(')');
    let otherwise: readonly FormatElement[] = [];
    if (this.accept(':')) {
      this.expect('(');
      otherwise = this.elements((element) => anchors.push(element));
      this.expect(')');
    }
    this.expect('?');
    const [anchor] = anchors;
    if (anchor === undefined || anchors.length > 1) return this.fail('a group needs one anchor');
    const impliesAnchor = this.isUnit(anchor) && then[0] !== anchor;
    return {
      kind: 'optional',
      then: impliesAnchor ? then.filter((element) => element !== anchor) : then,
      otherwise,
      anchor,
      impliesAnchor,
    };
  }

  private list(): FormatElement {
    const clauses: FormatClause[] = [];
    this.expect('(');
    do {
      const [literal, ...elements] = this.elements(undefined);
      if (literal?.kind !== 'literal') return this.fail('a part of oilist begins with a literal');
      const [only] = elements;
      const isFlag = elements.length === 1 && this.isUnit(only);
      clauses.push({
        literal,
        elements: isFlag ? [] : elements,
        flag: isFlag && only?.kind === 'variable' ? only.name : undefined,
      });
    } while (this.accept('|'));
    this.expect(')');
    return { kind: 'list', clauses };
  }

  private isUnit(element: FormatElement | undefined): boolean {
    return (
      element?.kind === 'variable' &&
      element.of === 'attribute' &&
      this.definition.attributeSpecs.find((spec) => spec.name === element.name)?.description ===
        'unit attribute'
    );
  }
}

/** `shouldEmitSpaceBefore` of mlir-tblgen. */
const blankBeforeLiteral = (text: string, lastWasPunctuation: boolean): boolean => {
  if (text.length !== 1 && text !== '->') return true;
  return !(lastWasPunctuation ? '>)}],' : '<>(){}[],').includes(text[0]!);
};
