/** The symbols and aliases of a text: where each is defined and used. */
import type { ParsedSource, Registry, SourceOperation, SourceToken, TextRange } from '@sconv/ir';
import { symbolNameOf } from '@sconv/ir';

/** A symbol, `@name`, or an alias, `#name` or `!name`. */
export interface SymbolName {
  readonly kind: 'symbol' | 'alias';
  /** With its sigil, as written where it is defined, or else used first. */
  readonly name: string;
  readonly definition: TextRange | undefined;
  /** The operation that defines the symbol. */
  readonly operation: SourceOperation | undefined;
  readonly uses: readonly TextRange[];
}

interface MutableName extends SymbolName {
  readonly uses: TextRange[];
}

/** A token `@name`, or `"name"` behind `sym_name =`, and the operation whose own text it is in. */
interface SymbolToken {
  readonly token: SourceToken;
  readonly owner: SourceOperation | undefined;
  /** The token before a `::` in front of it. */
  readonly outer: SymbolToken | undefined;
}

export class SymbolIndex {
  readonly names: readonly SymbolName[];
  private readonly places = new Map<number, SymbolName>();
  private readonly byOperation = new Map<SourceOperation, SymbolName>();
  private readonly undefinedSymbols = new Map<string, MutableName>();
  private readonly text: string;
  private readonly registry: Registry;
  /** The symbols that each operation's region defines; `undefined` is the module around all. */
  private readonly tables = new Map<SourceOperation | undefined, Map<string, MutableName>>();

  constructor(text: string, source: ParsedSource, registry: Registry) {
    this.text = text;
    this.registry = registry;
    const tokens = ownSymbolTokens(text, source);
    const seen = new Set<SourceOperation | undefined>();
    for (const token of tokens) if (token.token.kind === 'string') this.define(token);
    const rest = tokens.filter((token) => {
      if (token.token.kind === 'string') return false;
      const isFirst = !seen.has(token.owner);
      seen.add(token.owner);
      return !isFirst || !this.definesSymbol(token) || !this.define(token);
    });
    const leading = new Set(rest.filter((token) => this.leadsUnknown(token, source)));
    for (const token of leading)
      if (token.owner!.children.length > 0 && this.define(token)) leading.delete(token);
    const unknown = [...leading].filter((token) => this.lookUp(token) === undefined && this.define(token));
    const defined = new Set([...unknown, ...rest.filter(({ token }) => this.places.has(token.start))]);
    for (const token of rest) if (!defined.has(token)) this.use(token);
    const names = new Set(this.places.values());
    for (const name of this.aliases(source)) names.add(name);
    this.names = [...names];
  }

  /** The symbol or alias with a place that starts here. */
  at(offset: number): SymbolName | undefined {
    return this.places.get(offset);
  }

  /** The symbol that an operation defines. */
  definedBy(operation: SourceOperation): SymbolName | undefined {
    return this.byOperation.get(operation);
  }

  /** The symbols that a use in this operation may name, innermost first. */
  visibleFrom(operation: SourceOperation | undefined): readonly SymbolName[] {
    const found: SymbolName[] = [];
    for (let table = operation; ; table = table.parent) {
      found.push(...(this.tables.get(table)?.values() ?? []));
      if (table === undefined) return found;
    }
  }

  /** Records that an operation defines this symbol, unless its table has one of that name. */
  private define({ token, owner }: SymbolToken): boolean {
    if (owner === undefined) return false;
    const name = unquoted(this.text.slice(token.start, token.end));
    if (owner.operation !== undefined && symbolNameOf(owner.operation) !== name) return false;
    const table = tableOf(this.tables, this.tableAround(owner));
    if (table.has(name)) return false;
    const symbol: MutableName = {
      kind: 'symbol',
      name: `@${name}`,
      definition: token,
      operation: owner,
      uses: [],
    };
    table.set(name, symbol);
    this.places.set(token.start, symbol);
    this.byOperation.set(owner, symbol);
    return true;
  }

  private definesSymbol({ owner, outer }: SymbolToken): boolean {
    if (owner === undefined || outer !== undefined) return false;
    const { name, operation } = owner;
    const traits = this.registry.operations.get(name)?.traits;
    return (
      traits?.has('symbol') === true || (operation !== undefined && symbolNameOf(operation) !== undefined)
    );
  }

  /**
   * Whether a symbol stands right behind the name of an unknown operation without results, or behind a word such as
   * `private`. It is defined there if the operation has regions, or if nothing else defines it.
   */
  private leadsUnknown({ token, owner, outer }: SymbolToken, { tokens }: ParsedSource): boolean {
    if (owner === undefined || outer !== undefined || owner.start !== owner.nameRange.start) return false;
    if (this.registry.operations.has(owner.name)) return false;
    const between = this.text.slice(owner.nameRange.end, token.start).trim();
    const next = tokens.find(({ start }) => start >= token.end);
    return /^[a-z]*$/.test(between) && next?.kind !== '::';
  }

  /** The operation whose symbol table an operation is in. */
  private tableAround({ parent }: SourceOperation): SourceOperation | undefined {
    let table = parent;
    while (
      table !== undefined &&
      this.registry.operations.get(table.name)?.traits.has('symbol-table') === false
    )
      table = table.parent;
    return table;
  }

  /** The symbol that a use names. */
  private lookUp({ token, owner, outer }: SymbolToken): MutableName | undefined {
    const name = unquoted(this.text.slice(token.start, token.end));
    if (outer !== undefined) {
      const around = this.places.get(outer.token.start)?.operation;
      return around === undefined ? undefined : this.tables.get(around)?.get(name);
    }
    // An operation that has a symbol table refers to what is in it, or around it.
    for (let table = owner; ; table = table.parent) {
      const found = this.tables.get(table)?.get(name);
      if (found !== undefined || table === undefined) return found;
    }
  }

  private use(each: SymbolToken): void {
    const { token } = each;
    const found = this.lookUp(each);
    const name = unquoted(this.text.slice(token.start, token.end));
    const place = found ?? this.undefinedSymbol(name);
    place.uses.push(token);
    this.places.set(token.start, place);
  }

  private undefinedSymbol(name: string): MutableName {
    const known = this.undefinedSymbols.get(name);
    if (known !== undefined) return known;
    const symbol: MutableName = {
      kind: 'symbol',
      name: `@${name}`,
      definition: undefined,
      operation: undefined,
      uses: [],
    };
    this.undefinedSymbols.set(name, symbol);
    return symbol;
  }

  private aliases({ tokens }: ParsedSource): Iterable<SymbolName> {
    const known = new Map<string, { uses: TextRange[]; definition?: TextRange }>();
    const code = tokens.filter(({ kind }) => kind !== 'comment');
    code.forEach((token, i) => {
      const name = this.aliasAt(code, i);
      if (name === undefined) return;
      const places = known.get(name) ?? { uses: [] };
      known.set(name, places);
      const before = this.text.slice(this.text.lastIndexOf('\n', token.start) + 1, token.start);
      if (code[i + 1]?.kind === '=' && before.trim() === '') places.definition ??= token;
      else places.uses.push(token);
    });
    return [...known].map(([name, { definition, uses }]) => {
      const alias: SymbolName = { kind: 'alias', name, definition, operation: undefined, uses };
      for (const { start } of definition === undefined ? uses : [definition, ...uses])
        this.places.set(start, alias);
      return alias;
    });
  }

  /** The alias that a token names; none for `#0` of a value, and for attributes and types of dialects. */
  private aliasAt(tokens: readonly SourceToken[], index: number): string | undefined {
    const token = tokens[index]!;
    if (token.kind !== 'hash' && token.kind !== 'exclamation') return undefined;
    const [before, next] = [tokens[index - 1], tokens[index + 1]];
    if (before?.kind === 'value' && before.end === token.start) return undefined;
    if (next?.kind === '<' && next.start === token.end) return undefined;
    const name = this.text.slice(token.start, token.end);
    return name.includes('.') ? undefined : name;
  }
}

const tableOf = <K, V>(tables: Map<K, Map<string, V>>, key: K): Map<string, V> => {
  const known = tables.get(key);
  if (known !== undefined) return known;
  const table = new Map<string, V>();
  tables.set(key, table);
  return table;
};

/** `@name`, `@"name"` or `"name"` without the sigil and the quotes. */
const unquoted = (symbol: string): string => {
  const written = symbol.startsWith('@') ? symbol.slice(1) : symbol;
  return written.startsWith('"') ? written.slice(1, -1) : written;
};

/** The tokens `@name`, and those that name a symbol in generic form, each with the innermost operation around it. */
const ownSymbolTokens = (text: string, { tokens, operations }: ParsedSource): readonly SymbolToken[] => {
  const found: SymbolToken[] = [];
  let index = 0;
  const takeUntil = (end: number, owner: SourceOperation | undefined): void => {
    for (; index < tokens.length && tokens[index]!.start < end; index += 1) {
      const token = tokens[index]!;
      if (isSymbolName(text, tokens, index)) found.push({ token, owner, outer: undefined });
      if (token.kind !== 'symbol') continue;
      const last = found.at(-1);
      const isNested = tokens[index - 1]?.kind === '::' && last?.token === tokens[index - 2];
      found.push({ token, owner, outer: isNested ? last : undefined });
    }
  };
  const visit = (operation: SourceOperation): void => {
    for (const child of operation.children) {
      takeUntil(child.start, operation);
      visit(child);
    }
    takeUntil(operation.end, operation);
  };
  for (const operation of operations) {
    takeUntil(operation.start, undefined);
    visit(operation);
  }
  takeUntil(Infinity, undefined);
  return found;
};

/** Whether a token is the name in `sym_name = "name"`. */
const isSymbolName = (text: string, tokens: readonly SourceToken[], index: number): boolean => {
  const attribute = tokens[index - 2];
  return (
    tokens[index]!.kind === 'string' &&
    tokens[index - 1]?.kind === '=' &&
    attribute !== undefined &&
    text.slice(attribute.start, attribute.end) === 'sym_name'
  );
};
