/** The parser for custom assemblies: implements `OpAsmParser` on top of the operation parser. */
import type { AffineExpr } from '@sconv/affine';
import { dim, parseExprPrefix, symbol } from '@sconv/affine';
import type { Location } from '@sconv/diagnostics';
import type {
  AffineExprReader,
  AffineMapOfSsaIds,
  Delimiter,
  OpAsmParser,
  ParsedArgument,
  ParsedOperation,
  RegionBuilder,
  UnresolvedOperand,
} from './assembly.ts';
import type { Attribute, Attributes } from './attribute.ts';
import { noAttributes } from './attribute.ts';
import {
  embeddedAffine,
  parseAttribute,
  parseColonType,
  parseOptionalAttributeDictionary,
  startsAttribute,
} from './attribute-parser.ts';
import type { OpDefinition } from './define-op.ts';
import { withDefaults } from './inherent-attributes.ts';
import { freezeRegion } from './ir-factory.ts';
import type { TokenKind } from './lexer.ts';
import type { OperationParser } from './operation-parser.ts';

import type { Block, Id, Operation, Region, Value } from './operation.ts';
import { ParseFailure } from './parse-failure.ts';
import type { TokenParser } from './token-parser.ts';
import type { FunctionType, Type } from './type.ts';
import { parseFunctionType, parseResultTypes, parseType, startsType } from './type-parser.ts';

export class CustomParser implements OpAsmParser {
  readonly location: Location;
  readonly resultCount: number;
  private readonly operations: OperationParser;
  private readonly tokens: TokenParser;
  private readonly definition: OpDefinition;

  constructor(
    operations: OperationParser,
    definition: OpDefinition,
    location: Location,
    resultCount: number,
  ) {
    this.operations = operations;
    this.tokens = operations.tokens;
    this.definition = definition;
    this.location = location;
    this.resultCount = resultCount;
  }

  here(): Location {
    return this.tokens.here();
  }

  fail(message: string, location: Location = this.here()): never {
    throw new ParseFailure('parse/operation', `custom op '${this.definition.name}' ${message}`, location);
  }

  // --- Tokens ---

  expect(literal: string): void {
    if (this.accept(literal)) return;
    const isKeyword = /^[A-Za-z_]/.test(literal);
    if (isKeyword) this.fail(`expected '${literal}'`);
    this.tokens.failMissing(`expected '${literal}'`);
  }

  accept(literal: string): boolean {
    if (!this.peek(literal)) return false;
    this.tokens.lexer.next();
    return true;
  }

  peek(literal: string): boolean {
    const { kind } = this.tokens.lexer;
    return kind === 'identifier' ? this.tokens.lexer.is(literal) : (kind as string) === literal;
  }

  keyword(): string {
    return this.optionalKeyword() ?? this.fail('expected valid keyword');
  }

  optionalKeyword(): string | undefined {
    return this.tokens.lexer.kind === 'identifier' ? this.tokens.take() : undefined;
  }

  integer(): bigint {
    return this.optionalInteger() ?? this.fail('expected integer value');
  }

  optionalInteger(): bigint | undefined {
    const { lexer } = this.tokens;
    if (lexer.kind === '-') {
      lexer.next();
      if ((lexer.kind as TokenKind) !== 'integer') this.tokens.failMissing('expected integer value');
      return -this.tokens.takeInteger();
    }
    return lexer.kind === 'integer' ? this.tokens.takeInteger() : undefined;
  }

  exactInteger(): number {
    return this.optionalExactInteger() ?? this.fail('expected integer value');
  }

  optionalExactInteger(): number | undefined {
    const isNegative = this.tokens.accept('-');
    if (!isNegative && this.tokens.lexer.kind !== 'integer') return undefined;
    const magnitude = this.tokens.exactInteger('expected integer value');
    return isNegative && magnitude !== 0 ? -magnitude : magnitude;
  }

  string(): string {
    return this.optionalString() ?? this.fail('expected string');
  }

  optionalString(): string | undefined {
    return this.tokens.lexer.kind === 'string' ? this.tokens.takeString() : undefined;
  }

  symbolName(): string {
    return this.optionalSymbolName() ?? this.fail("expected valid '@'-identifier for symbol name");
  }

  optionalSymbolName(): string | undefined {
    return this.tokens.lexer.kind === 'symbol' ? this.tokens.takeSymbol() : undefined;
  }

  list<T>(delimiter: Delimiter, element: () => T): readonly T[] {
    return this.tokens.list(delimiter, element);
  }

  commaSeparated<T>(element: () => T): readonly T[] {
    return this.tokens.commaSeparated(element);
  }

  // --- Operands ---

  operand(): UnresolvedOperand {
    return this.operations.parseOperand();
  }

  optionalOperand(): UnresolvedOperand | undefined {
    return this.tokens.lexer.kind === 'value' ? this.operand() : undefined;
  }

  operandList(): readonly UnresolvedOperand[] {
    return this.tokens.lexer.kind === 'value' ? this.commaSeparated(() => this.operand()) : [];
  }

  resolve(operand: UnresolvedOperand, type: Type): Value {
    return this.operations.scopes.use(operand, type);
  }

  resolveAll(
    operands: readonly UnresolvedOperand[],
    types: readonly Type[],
    location: Location,
  ): readonly Value[] {
    if (operands.length !== types.length)
      this.fail(
        `number of operands and types do not match: got ${operands.length} operands and ${types.length} types`,
        location,
      );
    return operands.map((operand, i) => this.resolve(operand, types[i]!));
  }

  // --- Types ---

  type(): Type {
    return parseType(this.tokens);
  }

  optionalType(): Type | undefined {
    return startsType(this.tokens) ? this.type() : undefined;
  }

  colonType(): Type {
    return parseColonType(this.tokens);
  }

  colonTypeList(): readonly Type[] {
    this.expect(':');
    return this.commaSeparated(() => this.type());
  }

  optionalArrowTypeList(): readonly Type[] {
    return this.accept('->') ? parseResultTypes(this.tokens) : [];
  }

  functionalType(): FunctionType {
    if (this.tokens.lexer.kind !== '(') this.tokens.failMissing("expected '('");
    return parseFunctionType(this.tokens);
  }

  // --- Attributes ---

  attribute(type?: Type): Attribute {
    return parseAttribute(this.tokens, type);
  }

  optionalAttribute(type?: Type): Attribute | undefined {
    return startsAttribute(this.tokens) ? this.attribute(type) : undefined;
  }

  optionalAttrDict(): Attributes {
    return parseOptionalAttributeDictionary(this.tokens);
  }

  optionalAttrDictWithKeyword(): Attributes {
    if (!this.accept('attributes')) return noAttributes;
    if (!this.peek('{')) this.tokens.failMissing("expected '{' in attribute dictionary");
    return this.optionalAttrDict();
  }

  affineMapOfSsaIds(delimiter: Delimiter): AffineMapOfSsaIds {
    const reader = this.affineExprsOfSsaIds();
    const results = this.list(delimiter, () => reader.expression());
    return { results, dims: reader.dims, symbols: reader.symbols };
  }

  affineExprsOfSsaIds(): AffineExprReader {
    const dims: UnresolvedOperand[] = [];
    const symbols: UnresolvedOperand[] = [];
    const known = new Map<string, AffineExpr>();
    const expression = (): AffineExpr => {
      const location = this.here();
      const resolve = (identifier: string, isSymbol: boolean): AffineExpr | undefined => {
        if (!identifier.startsWith('%')) return undefined;
        const found = known.get(identifier);
        if (found !== undefined) return found;
        const list = isSymbol ? symbols : dims;
        const expr = isSymbol ? symbol(list.length) : dim(list.length);
        const [name = '', number = '0'] = identifier.split('#');
        list.push({ name, number: Number(number), location });
        known.set(identifier, expr);
        return expr;
      };
      return embeddedAffine(this.tokens, this.tokens.lexer.start, (text, offset) => {
        const { expr, end } = parseExprPrefix(text, offset, resolve);
        return { value: expr, end };
      });
    };
    return { expression, dims, symbols };
  }

  // --- Regions ---

  argument(type?: Type): ParsedArgument {
    const operand = this.operations.parseArgumentName();
    const argumentType = type ?? this.colonType();
    const attributes = this.optionalAttrDict();
    const location = this.operations.parseTrailingLocation();
    return { operand, type: argumentType, attributes, location };
  }

  optionalArgument(type?: Type): ParsedArgument | undefined {
    return this.tokens.lexer.kind === 'value' ? this.argument(type) : undefined;
  }

  region(entryArguments?: readonly ParsedArgument[]): Region {
    return this.operations.parseRegion(entryArguments, this.definition.traits.has('isolated-from-above'));
  }

  optionalRegion(entryArguments?: readonly ParsedArgument[]): Region | undefined {
    return this.peek('{') ? this.region(entryArguments) : undefined;
  }

  ensureTerminator(
    region: Region,
    name: string,
    parts: (last: Operation | undefined) => Pick<ParsedOperation, 'operands' | 'regions'> = () => ({}),
  ): Region {
    const last = region.blocks.at(-1);
    const end = last?.operations.at(-1);
    if (end !== undefined && this.tokens.registry.operations.get(end.name)?.traits.has('terminator') === true)
      return region;
    const terminator = this.operations.factory.operation({
      name,
      ...parts(end),
      location: this.location,
    });
    const block =
      last === undefined
        ? this.operations.factory.block(this.operations.factory.id(), [], [terminator])
        : this.operations.factory.block(last.id, last.arguments, [...last.operations, terminator]);
    return freezeRegion([...region.blocks.slice(0, -1), block]);
  }

  emptyBlockRegion(argumentTypes: readonly Type[]): Region {
    const values = argumentTypes.map((type) => this.operations.factory.value(type));
    return freezeRegion([this.operations.factory.block(this.operations.factory.id(), values, [])]);
  }

  buildRegion(argumentTypes: readonly Type[], build: (builder: RegionBuilder, block: Block) => void): Region {
    const operations: Operation[] = [];
    const builder: RegionBuilder = {
      create: ({ name, operands, resultTypes, attributes }) => {
        const { factory } = this.operations;
        const results = resultTypes.map((type) => factory.value(type));
        const stored = withDefaults(this.tokens.registry.operations.get(name), attributes);
        operations.push(
          factory.operation({ name, operands, results, attributes: stored, location: this.location }),
        );
        return results;
      },
    };
    const values = argumentTypes.map((type) => this.operations.factory.value(type));
    const id = this.operations.factory.id();
    build(builder, { id, arguments: values, operations });
    return freezeRegion([this.operations.factory.block(id, values, operations)]);
  }

  successor(): Id {
    return this.operations.parseSuccessor();
  }

  optionalSuccessor(): Id | undefined {
    return this.tokens.lexer.kind === 'block' ? this.successor() : undefined;
  }

  // --- Others ---

  optionalLocation(): Location | undefined {
    const location = this.operations.parseTrailingLocation();
    return typeof location === 'string' ? this.fail(`undefined symbol alias id '${location}'`) : location;
  }
}
