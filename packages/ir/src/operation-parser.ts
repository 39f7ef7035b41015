/** Parses operations, blocks and regions, and the alias definitions around them. */
import { isAffineError } from '@sconv/affine';
import type { Location } from '@sconv/diagnostics';
import { didYouMean, fileLocation } from '@sconv/diagnostics';
import { parseAttributeAlias, parseTypeAlias } from './alias-definitions.ts';
import { parseFormat } from './assembly-format-parser.ts';
import type { ParsedArgument, ParsedOperation, UnresolvedOperand } from './assembly.ts';
import type { Attributes } from './attribute.ts';
import { noAttributes } from './attribute.ts';
import { parseAttributeDictionary } from './attribute-parser.ts';
import type { OpDefinition } from './define-op.ts';
import { inferResultTypesOf } from './define-op.ts';
import { joinAttributes, withDefaults } from './inherent-attributes.ts';
import { freezeRegion, IrFactory } from './ir-factory.ts';
import type { OperationFields, Unfrozen } from './ir-factory.ts';
import { parseLocationInstance } from './location-parser.ts';
import { CustomParser } from './op-asm-parser.ts';
import type { Block, Id, Module, Operation, Region, Value } from './operation.ts';
import type { Resources } from './resources.ts';
import { parseResources } from './resources.ts';
import { ParseFailure } from './parse-failure.ts';
import { SsaScopes } from './ssa-scopes.ts';
import type { TokenParser } from './token-parser.ts';
import type { Type } from './type.ts';
import { parseFunctionType, parseType } from './type-parser.ts';

/** A name before `=`, with its number of results. */
interface ResultName {
  readonly name: string;
  readonly count: number;
  readonly location: Location;
}

/** An operation, or an argument of a block, whose location is an alias that is not defined yet. */
export interface PendingLocation {
  readonly owner: { location?: Location };
  readonly alias: string;
  readonly usedAt: Location;
}

export interface NamedBlock {
  readonly id: Id;
  location: Location;
  isDefined: boolean;
}

/** The most results that one name can have, far beyond any operation; bounds allocation by numbers in the text. */
const mostResults = 1_000_000;

export class OperationParser {
  readonly tokens: TokenParser;
  readonly scopes: SsaScopes;
  readonly factory = new IrFactory();
  /** The blocks of each enclosing region, innermost last. */
  protected readonly blocks: Map<string, NamedBlock>[] = [];
  protected readonly defaultDialects: string[] = ['builtin'];
  protected readonly pendingLocations: PendingLocation[] = [];

  constructor(
    tokens: TokenParser,
    createScopes = (createValue: (type: Type) => Unfrozen<Value>): SsaScopes => new SsaScopes(createValue),
  ) {
    this.tokens = tokens;
    this.scopes = createScopes((type) => this.factory.unfrozenValue(type));
  }

  /** Parses a whole text. `implicitModule`: wrap top-level operations in a module. */
  parseTopLevel(implicitModule: boolean): Module {
    const operations: Operation[] = [];
    let resources: Resources | undefined;
    for (;;) {
      const { kind } = this.tokens.lexer;
      if (kind === 'end') break;
      if (kind === 'hash') parseAttributeAlias(this.tokens);
      else if (kind === 'exclamation') parseTypeAlias(this.tokens);
      else if (kind === '{-#') resources = parseResources(this.tokens);
      else operations.push(this.parseOperation());
    }
    this.scopes.finish();
    this.resolveLocations();
    this.tokens.resources.finish();
    const root = this.rootOf(operations, implicitModule);
    const { nextId } = this.factory;
    return resources === undefined ? { root, nextId } : { root, nextId, resources };
  }

  protected rootOf(operations: readonly Operation[], implicitModule: boolean): Operation {
    const [first] = operations;
    if (implicitModule) {
      if (operations.length === 1 && first?.name === 'builtin.module') return first;
      const block = this.factory.block(this.factory.id(), [], operations);
      return this.factory.operation({
        name: 'builtin.module',
        regions: [freezeRegion([block])],
        location: fileLocation(this.tokens.source.fileName, 0, 0),
      });
    }
    if (first === undefined || operations.length > 1)
      throw new ParseFailure(
        'parse/top-level',
        `source must contain a single top-level operation, found: ${operations.length}`,
        fileLocation(this.tokens.source.fileName, 0, 0),
      );
    return first;
  }

  // --- Operations ---

  parseOperation(): Operation {
    const { tokens } = this;
    const { lexer } = tokens;
    const start = tokens.here();
    const names = lexer.kind === 'value' ? this.parseResultNames() : [];
    if (lexer.kind === 'identifier') return this.parseCustomOperation(names, start);
    if (lexer.kind === 'string') return this.parseGenericOperation(names, start);
    return tokens.failMissing('expected operation name in quotes');
  }

  private parseResultNames(): readonly ResultName[] {
    const { tokens } = this;
    const names = tokens.commaSeparated(() => {
      const location = tokens.here();
      if (tokens.lexer.kind !== 'value') tokens.failMissing('expected valid ssa identifier');
      const name = tokens.take();
      if (!tokens.accept(':')) return { name, count: 1, location };
      const offset = tokens.lexer.start;
      const count = tokens.smallInteger('expected integer number of results', mostResults);
      if (count < 1) tokens.fail('expected named operation to have at least 1 result', { offset });
      return { name, count, location };
    });
    tokens.expect('=', "expected '=' after SSA name");
    return names;
  }

  /** The results, with the names in the text. */
  private defineResults(
    types: readonly Type[],
    names: readonly ResultName[],
    start: Location,
  ): readonly Value[] {
    if (names.length === 0) return types.map((type) => this.factory.value(type));
    if (types.length === 0)
      throw new ParseFailure('parse/results', 'cannot name an operation with no results', start);
    const named = names.reduce((sum, { count }) => sum + count, 0);
    if (named !== types.length)
      throw new ParseFailure(
        'parse/results',
        `operation defines ${types.length} results but was provided ${named} to bind`,
        start,
      );
    let next = 0;
    return names.flatMap(({ name, count, location }) =>
      Array.from({ length: count }, (_, number) => {
        const type = types[next]!;
        next += 1;
        return Object.freeze(this.scopes.define({ name, number, location }, type));
      }),
    );
  }

  private finishOperation(
    state: Omit<OperationFields, 'results'>,
    resultTypes: readonly Type[],
    names: readonly ResultName[],
    start: Location,
  ): Operation {
    const trailing = this.parseTrailingLocation();
    const results = this.defineResults(resultTypes, names, start);
    if (typeof trailing !== 'string')
      return this.factory.operation({ ...state, results, location: trailing ?? state.location });
    const operation = this.factory.unfrozenOperation({ ...state, results });
    this.pendingLocations.push({ owner: operation, alias: trailing, usedAt: state.location });
    return operation;
  }

  /** `loc(…)` or nothing; the name of an alias that is not defined yet. */
  parseTrailingLocation(): Location | string | undefined {
    const { tokens } = this;
    if (!tokens.acceptKeyword('loc')) return undefined;
    tokens.expect('(', "expected '(' in location");
    const { kind, spelling } = tokens.lexer;
    const name = spelling.slice(1);
    const isPending = kind === 'hash' && !name.includes('.') && !tokens.attributeAliases.has(name);
    if (isPending) tokens.lexer.next();
    const location = isPending ? name : parseLocationInstance(tokens);
    tokens.expect(')', "expected ')' in location");
    return location;
  }

  private resolveLocations(): void {
    for (const pending of this.pendingLocations) {
      pending.owner.location = this.locationOf(pending);
      Object.freeze(pending.owner);
    }
  }

  protected locationOf({ alias, usedAt }: PendingLocation): Location {
    const attribute = this.tokens.attributeAliases.get(alias);
    if (attribute === undefined)
      throw new ParseFailure('parse/undefined-alias', 'operation location alias was never defined', usedAt);
    if (attribute.kind !== 'location')
      throw new ParseFailure('parse/location', 'expected location attribute', usedAt);
    return attribute.location;
  }

  private parseGenericOperation(names: readonly ResultName[], start: Location): Operation {
    const { tokens } = this;
    const { lexer } = tokens;
    const location = tokens.here();
    const name = tokens.takeString();
    if (name === '') throw new ParseFailure('parse/syntax', 'empty operation name is invalid', location);
    if (name.includes('\0'))
      throw new ParseFailure('parse/syntax', 'null character not allowed in operation name', location);
    const definition = tokens.registry.operations.get(name);
    if (definition === undefined) this.checkDialectOf(name);
    const operands = tokens.list('paren', () => this.parseOperand());
    if (lexer.kind === '[' && definition?.traits.has('terminator') === false)
      tokens.fail('successors in non-terminator');
    const successors = lexer.kind === '[' ? tokens.list('square', () => this.parseSuccessor()) : [];
    const properties = this.parseProperties();
    const regions = lexer.kind === '(' ? tokens.list('paren', () => this.parseRegion(undefined, false)) : [];
    const dictionary = lexer.kind === '{' ? parseAttributeDictionary(tokens) : noAttributes;
    const typeOffset = lexer.start;
    tokens.expect(':', "expected ':' followed by operation type");
    if (lexer.kind !== '(') tokens.fail('expected function type');
    const type = parseFunctionType(tokens);
    if (type.inputs.length !== operands.length)
      tokens.fail(
        `expected ${operands.length} operand type${operands.length === 1 ? '' : 's'} but had ${type.inputs.length}`,
        { offset: typeOffset },
      );
    return this.finishOperation(
      {
        name,
        operands: operands.map((operand, i) => this.scopes.use(operand, type.inputs[i]!)),
        attributes: joinAttributes(definition, properties, dictionary),
        regions,
        successors,
        location,
      },
      type.results,
      names,
      start,
    );
  }

  private checkDialectOf(name: string): void {
    const { tokens } = this;
    const [dialect = ''] = name.split('.', 1);
    if (tokens.allowUnregisteredDialects || tokens.registry.dialects.has(dialect)) return;
    tokens.fail(
      'operation being parsed with an unregistered dialect. If this is intended, please use ' +
        '-allow-unregistered-dialect with the MLIR tool used',
      { code: 'parse/unregistered-dialect' },
    );
  }

  /** `<{…}>` or nothing. */
  private parseProperties(): Attributes | undefined {
    const { tokens } = this;
    if (!tokens.accept('<')) return undefined;
    const properties = parseAttributeDictionary(tokens);
    tokens.expect('>', "expected '>' to close properties");
    return properties;
  }

  private parseCustomOperation(names: readonly ResultName[], start: Location): Operation {
    const { tokens } = this;
    const location = tokens.here();
    const written = tokens.take();
    const definition = this.lookUp(written, location);
    const { assembly } = definition;
    if (assembly === undefined)
      throw new ParseFailure(
        'parse/no-custom-form',
        `'${definition.name}' op has no custom assembly form`,
        location,
      );
    this.defaultDialects.push(definition.defaultDialect ?? '');
    const resultCount = names.reduce((sum, { count }) => sum + count, 0);
    const parser = new CustomParser(this, definition, location, resultCount);
    const parsed = this.locateAffineErrors(location, () =>
      'format' in assembly ? parseFormat(parser, definition, assembly) : assembly.parse(parser),
    );
    this.defaultDialects.pop();
    return this.finishOperation(
      {
        name: definition.name,
        operands: parsed.operands ?? [],
        attributes: withDefaults(definition, parsed.attributes ?? noAttributes),
        regions: parsed.regions ?? [],
        successors: parsed.successors ?? [],
        location,
      },
      resultTypesOf(definition, parsed, location),
      names,
      start,
    );
  }

  /** Converts affine errors in assemblies to diagnostics: numbers that are too large, divisions by zero. */
  private locateAffineErrors<T>(location: Location, parse: () => T): T {
    try {
      return parse();
    } catch (error) {
      if (!isAffineError(error)) throw error;
      throw new ParseFailure(error.code, error.message, location);
    }
  }

  private lookUp(written: string, location: Location): OpDefinition {
    const { operations, dialects } = this.tokens.registry;
    const name = written.includes('.') ? written : `${this.defaultDialects.at(-1)!}.${written}`;
    const definition = operations.get(name);
    if (definition !== undefined) return definition;
    const tried = name === written ? '' : ` (tried '${name}' as well)`;
    const [dialect = ''] = name.split('.', 1);
    throw new ParseFailure(
      'parse/unknown-operation',
      dialects.has(dialect)
        ? `custom op '${written}' is unknown${tried}${didYouMean(name, operations.keys())}`
        : `Dialect \`${dialect}' not found for custom op '${written}' ${tried}`.trimEnd(),
      location,
    );
  }

  /** `%name` of an argument defined here. */
  parseArgumentName(): UnresolvedOperand {
    const { tokens } = this;
    if (tokens.lexer.kind !== 'value') tokens.failMissing('expected SSA operand');
    const location = tokens.here();
    const name = tokens.take();
    if ((tokens.lexer.kind as string) === 'hash')
      tokens.fail('result number not allowed in argument list', { code: 'parse/syntax' });
    return { name, number: 0, location };
  }

  /** `%name` or `%name#3`. */
  parseOperand(): UnresolvedOperand {
    const { tokens } = this;
    const { lexer } = tokens;
    if (lexer.kind !== 'value') tokens.failMissing('expected SSA operand');
    const location = tokens.here();
    const name = tokens.take();
    if (lexer.kind !== 'hash') return { name, number: 0, location };
    const number = Number(lexer.spelling.slice(1));
    if (!Number.isSafeInteger(number)) tokens.fail('invalid SSA value result number');
    lexer.next();
    return { name, number, location };
  }

  // --- Blocks and regions ---

  /** `^name`: the id of the block with that name in the current region. */
  parseSuccessor(): Id {
    const { tokens } = this;
    if (tokens.lexer.kind !== 'block') tokens.failMissing('expected branch destination');
    const location = tokens.here();
    return this.blockNamed(tokens.take(), location).id;
  }

  protected blockNamed(name: string, location: Location): NamedBlock {
    const blocks = this.blocks.at(-1);
    if (blocks === undefined)
      throw new ParseFailure('parse/block', 'reference to an undefined block', location);
    const known = blocks.get(name);
    if (known !== undefined) return known;
    const block = { id: this.factory.id(), location, isDefined: false };
    blocks.set(name, block);
    return block;
  }

  /** `{…}`; `entryArguments` are in scope in the entry block. */
  parseRegion(entryArguments: readonly ParsedArgument[] | undefined, isIsolated: boolean): Region {
    const { tokens } = this;
    tokens.enter();
    tokens.expect('{', "expected '{' to begin a region");
    const isEmpty =
      tokens.lexer.kind === '}' && (entryArguments === undefined || entryArguments.length === 0);
    const blocks = isEmpty ? [] : this.parseBlocks(entryArguments ?? [], isIsolated);
    this.closeRegion();
    tokens.leave();
    return freezeRegion(blocks);
  }

  /** Whether the next token ends a region. */
  protected isRegionEnd(): boolean {
    return this.tokens.lexer.kind === '}';
  }

  protected closeRegion(): void {
    this.tokens.expect('}', "expected '}' to end a region");
  }

  protected parseBlocks(entryArguments: readonly ParsedArgument[], isIsolated: boolean): readonly Block[] {
    const { lexer } = this.tokens;
    this.scopes.push(isIsolated);
    this.blocks.push(new Map());
    if (entryArguments.length > 0 && lexer.kind === 'block')
      this.tokens.fail('invalid block name in region with named arguments');
    const entryValues = entryArguments.map((argument) => this.defineEntryArgument(argument));
    const blocks =
      lexer.kind === 'block'
        ? [this.parseLabelledBlock()]
        : [this.factory.block(this.factory.id(), entryValues, this.parseBlockBody())];
    while (!this.isRegionEnd()) blocks.push(this.parseLabelledBlock());
    this.leaveBlocks();
    this.scopes.pop();
    return blocks;
  }

  /** Forgets the names of a region's blocks. */
  protected leaveBlocks(): void {
    for (const { location, isDefined } of this.blocks.pop()!.values()) {
      if (!isDefined) throw new ParseFailure('parse/block', 'reference to an undefined block', location);
    }
  }

  private defineEntryArgument({ operand, type, location }: ParsedArgument): Value {
    const used = this.scopes.locationOf(operand);
    if (used !== undefined)
      throw new ParseFailure(
        'parse/redefinition',
        `region entry argument '${operand.name}' is already in use`,
        operand.location,
        [{ message: 'previously referenced here', location: used }],
      );
    return this.defineArgument(operand, type, location);
  }

  /** An argument of a block; without a location of its own it has that of its name. */
  private defineArgument(
    operand: UnresolvedOperand,
    type: Type,
    location: Location | string = operand.location,
  ): Value {
    const value = this.scopes.define(operand, type);
    if (typeof location === 'string') {
      this.pendingLocations.push({ owner: value, alias: location, usedAt: operand.location });
      return value;
    }
    value.location = location;
    return Object.freeze(value);
  }

  /** `^name(%a: type, …): operations`. */
  protected parseLabelledBlock(): Block {
    const { tokens } = this;
    if (tokens.lexer.kind !== 'block') tokens.failMissing('expected block name');
    const location = tokens.here();
    const name = tokens.take();
    const block = this.blockNamed(name, location);
    if (block.isDefined)
      throw new ParseFailure('parse/redefinition', `redefinition of block '${name}'`, location);
    block.isDefined = true;
    block.location = location;
    const blockArguments =
      tokens.lexer.kind === '(' ? tokens.list('paren', () => this.parseBlockArgument()) : [];
    tokens.expect(':', "expected ':' after block name");
    return this.factory.block(block.id, blockArguments, this.parseBlockBody());
  }

  private parseBlockArgument(): Value {
    const operand = this.parseArgumentName();
    this.tokens.expect(':', "expected ':' and type for SSA operand");
    const type = parseType(this.tokens);
    return this.defineArgument(operand, type, this.parseTrailingLocation());
  }

  protected parseBlockBody(): readonly Operation[] {
    const { lexer } = this.tokens;
    const operations: Operation[] = [];
    while (lexer.kind !== 'block' && lexer.kind !== '}') operations.push(this.parseOperation());
    return operations;
  }
}

const resultTypesOf = (
  definition: OpDefinition,
  parsed: ParsedOperation,
  location: Location,
): readonly Type[] => {
  const types =
    parsed.resultTypes ??
    (definition.resultSpecs.length === 0
      ? []
      : inferResultTypesOf(definition, parsed.operands ?? [], parsed.attributes ?? noAttributes));
  if (types === undefined)
    throw new ParseFailure('parse/type', `'${definition.name}' op failed to infer returned types`, location);
  return types;
};
