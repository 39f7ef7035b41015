/**
 * The custom assembly of an operation: a declarative format as in ODS, or a parser and a printer by hand.
 */
import type { AffineExpr } from '@sconv/affine';
import type { Location } from '@sconv/diagnostics';
import type { Attribute, Attributes } from './attribute.ts';
import type { OpDefinition } from './define-op.ts';
import type { Block, Id, Operation, Region, Value } from './operation.ts';
import type { Type } from './type.ts';

/**
 * The declarative form is a string in a subset of ODS `assemblyFormat`: literals in backticks, `$name` for operands,
 * attributes, regions and successors, `type($name)`, `attr-dict`, `attr-dict-with-keyword`,
 * `functional-type(a, b)`, `operands`, `results`, `regions`, `successors`, optional groups `(… ^ …)?` with an else
 * group `:(…)`, `oilist(… | …)`, `qualified(…)`, `ref(…)`, and `custom<Name>(…)` for a directive among `directives`.
 */
export type Assembly =
  | { readonly format: string; readonly directives?: Readonly<Record<string, AssemblyDirective>> }
  | {
      readonly parse: (parser: OpAsmParser) => ParsedOperation;
      readonly print: (printer: OpAsmPrinter, operation: Operation) => void;
    };

/** A `custom<Name>(…)` directive; `fields` are the names of its arguments, without `$` and `type(…)` around them. */
export interface AssemblyDirective {
  parse(parser: OpAsmParser, parsed: PartialOperation, fields: readonly string[]): void;
  print(
    printer: OpAsmPrinter,
    operation: Operation,
    fields: readonly string[],
    definition: OpDefinition,
  ): void;
}

/** An operand as written, before its type is known: `%name` or `%name#3`. */
export interface UnresolvedOperand {
  readonly name: string;
  readonly number: number;
  readonly location: Location;
}

/** What a format has collected so far, by the names of the declaration. */
export interface PartialOperation {
  readonly operands: Map<string, UnresolvedOperand[]>;
  readonly operandTypes: Map<string, Type[]>;
  readonly resultTypes: Map<string, Type[]>;
  /** By their names in the text. */
  readonly attributes: Map<string, Attribute>;
  readonly regions: Map<string, Region[]>;
  readonly successors: Map<string, Id[]>;
}

/** What a hand-written parser returns; `operands` resolved, in the order of the declaration. */
export interface ParsedOperation {
  readonly operands?: readonly Value[];
  readonly resultTypes?: readonly Type[];
  readonly attributes?: Attributes;
  readonly regions?: readonly Region[];
  readonly successors?: readonly Id[];
}

/** A block argument declared in the text of an operation: `%i` of `scf.for %i = …`, `%arg: type` of a function. */
export interface ParsedArgument {
  readonly operand: UnresolvedOperand;
  readonly type: Type;
  readonly attributes?: Attributes;
}

export type Delimiter = 'paren' | 'square' | 'angle' | 'brace';

/** Affine expressions over SSA operands; `dims` and `symbols` are the operands that their positions stand for. */
export interface AffineMapOfSsaIds {
  readonly results: readonly AffineExpr[];
  readonly dims: readonly UnresolvedOperand[];
  readonly symbols: readonly UnresolvedOperand[];
}

/** Reads one affine expression at a time; an operand that occurs again keeps its position. */
export interface AffineExprReader {
  expression(): AffineExpr;
  readonly dims: readonly UnresolvedOperand[];
  readonly symbols: readonly UnresolvedOperand[];
}

/**
 * The parser as an operation sees it, after its name. A method that does not find what it is asked for ends the parse
 * with a diagnostic at the current token ("expected …"), unless its name begins with `optional` or `accept`.
 */
export interface OpAsmParser {
  /** The location of the operation's name. */
  readonly location: Location;
  /** How many results the text names before `=`. */
  readonly resultCount: number;
  /** The location of the next token. */
  here(): Location;
  /** Ends the parse with an error; `location` defaults to the next token. */
  fail(message: string, location?: Location): never;

  /** Expects a punctuation such as `(`, `->`, `=` or a keyword. */
  expect(literal: string): void;
  /** Takes the literal if it is next. */
  accept(literal: string): boolean;
  /** Whether the literal is next. */
  peek(literal: string): boolean;
  /** Any bare identifier. */
  keyword(): string;
  optionalKeyword(): string | undefined;
  /** An integer literal, sign included. */
  integer(): bigint;
  optionalInteger(): bigint | undefined;
  /** An integer literal, sign included, as a number; one that a number does not hold exactly is refused. */
  exactInteger(): number;
  optionalExactInteger(): number | undefined;
  string(): string;
  optionalString(): string | undefined;
  /** `@name`, without the `@`. */
  symbolName(): string;
  optionalSymbolName(): string | undefined;
  /** Elements separated by commas, possibly none, between delimiters. */
  list<T>(delimiter: Delimiter, element: () => T): readonly T[];
  /** At least one element, separated by commas. */
  commaSeparated<T>(element: () => T): readonly T[];

  operand(): UnresolvedOperand;
  optionalOperand(): UnresolvedOperand | undefined;
  /** Operands separated by commas, possibly none. */
  operandList(): readonly UnresolvedOperand[];
  /** The value that the name stands for; a forward reference where its region allows one. */
  resolve(operand: UnresolvedOperand, type: Type): Value;
  resolveAll(
    operands: readonly UnresolvedOperand[],
    types: readonly Type[],
    location: Location,
  ): readonly Value[];

  type(): Type;
  optionalType(): Type | undefined;
  /** `:` and a type. */
  colonType(): Type;
  /** `:` and types separated by commas. */
  colonTypeList(): readonly Type[];
  /** `-> type`, `-> (types)`, or nothing. */
  optionalArrowTypeList(): readonly Type[];
  /** `(types) -> types`. */
  functionalType(): { readonly inputs: readonly Type[]; readonly results: readonly Type[] };

  /** Any attribute; `type` is assumed for a literal that does not say its own. */
  attribute(type?: Type): Attribute;
  optionalAttribute(type?: Type): Attribute | undefined;
  /** `{…}` or nothing. */
  optionalAttrDict(): Attributes;
  /** `attributes {…}` or nothing. */
  optionalAttrDictWithKeyword(): Attributes;
  /** Affine expressions over SSA operands in brackets: `[%i + 3, symbol(%n)]`; dims and symbols in the order of the map. */
  affineMapOfSsaIds(delimiter: Delimiter): AffineMapOfSsaIds;
  /** The same, expression by expression, for operations that put other text between them. */
  affineExprsOfSsaIds(): AffineExprReader;

  /** `%name: type {attributes} loc(…)`, or `%name` alone with `type` given. */
  argument(type?: Type): ParsedArgument;
  optionalArgument(type?: Type): ParsedArgument | undefined;
  /** `{…}`; `entryArguments` are in scope in the entry block. */
  region(entryArguments?: readonly ParsedArgument[]): Region;
  optionalRegion(entryArguments?: readonly ParsedArgument[]): Region | undefined;
  /**
   * `region` with this terminator appended where its block has none; `parts` makes what the terminator has, given the
   * operation before it.
   */
  ensureTerminator(
    region: Region,
    name: string,
    parts?: (last: Operation | undefined) => Pick<ParsedOperation, 'operands' | 'regions'>,
  ): Region;
  /** A region with one empty block and these arguments, for ops whose text elides their body. */
  emptyBlockRegion(argumentTypes: readonly Type[]): Region;
  /** A region of one block, built by code: for named ops whose body is implied. */
  buildRegion(argumentTypes: readonly Type[], build: (builder: RegionBuilder, block: Block) => void): Region;
  successor(): Id;
  optionalSuccessor(): Id | undefined;

  /** `loc(…)` or nothing. */
  optionalLocation(): Location | undefined;
}

/** Appends operations to a block that is being parsed. */
export interface RegionBuilder {
  create(state: {
    readonly name: string;
    readonly operands: readonly Value[];
    readonly resultTypes: readonly Type[];
    readonly attributes: Attributes;
  }): readonly Value[];
}

/** The printer as an operation sees it, after its name. Spaces are written as they stand. */
export interface OpAsmPrinter {
  /** Text as it is. */
  text(text: string): void;
  /** The start of a new line at the current indentation. */
  newline(): void;
  /** Prints `content` with the lines in it indented one step further. */
  indented(content: () => void): void;
  /** A string literal with quotes and escapes. */
  string(value: string): void;
  /** `@name`, quoted where it must be. */
  symbolName(name: string): void;
  operand(value: Value): void;
  operands(values: readonly Value[]): void;
  type(type: Type): void;
  /** Separated by `, `. */
  types(types: readonly Type[]): void;
  /** ` -> type`, ` -> (types)`, with the blank before it, or nothing. */
  optionalArrowTypeList(types: readonly Type[]): void;
  /** `(types) -> types`. */
  functionalType(inputs: readonly Type[], results: readonly Type[]): void;
  attribute(attribute: Attribute): void;
  /** Without the type that a reader infers: `0` for `0 : i64`. */
  attributeWithoutType(attribute: Attribute): void;
  /** ` {…}` of all attributes but `elided`, or nothing. */
  optionalAttrDict(operation: Operation, elided?: readonly string[]): void;
  /** ` attributes {…}` of all attributes but `elided`, or nothing. */
  optionalAttrDictWithKeyword(operation: Operation, elided?: readonly string[]): void;
  /** ` {…}` of these attributes, or nothing. */
  attributes(attributes: Attributes): void;
  /** Affine expressions over SSA operands, without brackets. */
  affineMapOfSsaIds(results: readonly AffineExpr[], dims: readonly Value[], symbols: readonly Value[]): void;
  /** `%name: type {attributes}`; as upstream, attributes here alone do not earn an alias. */
  argument(value: Value, attributes?: Attributes): void;
  /** `{…}` with the region's blocks. */
  region(
    region: Region,
    options?: {
      readonly printEntryArguments?: boolean;
      readonly printTerminator?: boolean;
      readonly printEmptyBlock?: boolean;
    },
  ): void;
  successor(block: Id): void;
  /** An operation of a region that is written on one line, without the names of its results. */
  operationWithoutResults(operation: Operation): void;
}
