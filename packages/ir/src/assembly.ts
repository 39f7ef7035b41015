/** The custom assembly of an operation: a declarative format as in ODS, or a hand-written parser and printer. */
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

/** A `custom<Name>(…)` directive; `fields` are the names of its arguments, without `$` and `type(…)`. */
export interface AssemblyDirective {
  parse(parser: OpAsmParser, parsed: PartialOperation, fields: readonly string[]): void;
  print(
    printer: OpAsmPrinter,
    operation: Operation,
    fields: readonly string[],
    definition: OpDefinition,
  ): void;
}

/** A parsed operand whose type is not known yet: `%name` or `%name#3`. */
export interface UnresolvedOperand {
  readonly name: string;
  readonly number: number;
  readonly location: Location;
}

/** What a format has parsed so far, by declared names. */
export interface PartialOperation {
  readonly operands: Map<string, UnresolvedOperand[]>;
  readonly operandTypes: Map<string, Type[]>;
  readonly resultTypes: Map<string, Type[]>;
  /** By their names in the text. */
  readonly attributes: Map<string, Attribute>;
  readonly regions: Map<string, Region[]>;
  readonly successors: Map<string, Id[]>;
}

/** The result of a hand-written parser; `operands` resolved, in declared order. */
export interface ParsedOperation {
  readonly operands?: readonly Value[];
  readonly resultTypes?: readonly Type[];
  readonly attributes?: Attributes;
  readonly regions?: readonly Region[];
  readonly successors?: readonly Id[];
}

/** A block argument declared in an operation's text: `%i` of `scf.for %i = …`, `%arg: type` of a function. */
export interface ParsedArgument {
  readonly operand: UnresolvedOperand;
  readonly type: Type;
  readonly attributes?: Attributes;
  /** By default that of the name; a string is the name of an alias that is defined further on. */
  readonly location?: Location | string | undefined;
}

export type Delimiter = 'paren' | 'square' | 'angle' | 'brace';

/** Affine expressions over SSA operands; `dims` and `symbols` are the operands by position. */
export interface AffineMapOfSsaIds {
  readonly results: readonly AffineExpr[];
  readonly dims: readonly UnresolvedOperand[];
  readonly symbols: readonly UnresolvedOperand[];
}

/** Parses affine expressions one by one; repeated operands share a position. */
export interface AffineExprReader {
  expression(): AffineExpr;
  readonly dims: readonly UnresolvedOperand[];
  readonly symbols: readonly UnresolvedOperand[];
}

/**
 * The parser interface for an operation's assembly, after its name. A method that does not find what it expects
 * aborts the parse with a diagnostic at the current token ("expected …"), unless named `optional…` or `accept`.
 */
export interface OpAsmParser {
  /** The location of the operation's name. */
  readonly location: Location;
  /** The number of results named before `=`. */
  readonly resultCount: number;
  /** The location of the next token. */
  here(): Location;
  /** Aborts the parse with an error, by default at the next token. */
  fail(message: string, location?: Location): never;

  /** Expects punctuation such as `(`, `->`, `=`, or a keyword. */
  expect(literal: string): void;
  /** Consumes the literal if it is next. */
  accept(literal: string): boolean;
  /** Whether the literal is next. */
  peek(literal: string): boolean;
  /** Any bare identifier. */
  keyword(): string;
  optionalKeyword(): string | undefined;
  /** An integer literal, sign included. */
  integer(): bigint;
  optionalInteger(): bigint | undefined;
  /** An integer literal with sign, as a number; rejects integers that are inexact as numbers. */
  exactInteger(): number;
  optionalExactInteger(): number | undefined;
  string(): string;
  optionalString(): string | undefined;
  /** `@name`, without the `@`. */
  symbolName(): string;
  optionalSymbolName(): string | undefined;
  /** Comma-separated elements between delimiters, possibly none. */
  list<T>(delimiter: Delimiter, element: () => T): readonly T[];
  /** At least one comma-separated element. */
  commaSeparated<T>(element: () => T): readonly T[];

  operand(): UnresolvedOperand;
  optionalOperand(): UnresolvedOperand | undefined;
  /** Comma-separated operands, possibly none. */
  operandList(): readonly UnresolvedOperand[];
  /** The value with this name; a forward reference where the region allows one. */
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
  /** `:` and comma-separated types. */
  colonTypeList(): readonly Type[];
  /** `-> type`, `-> (types)`, or nothing. */
  optionalArrowTypeList(): readonly Type[];
  /** `(types) -> types`. */
  functionalType(): { readonly inputs: readonly Type[]; readonly results: readonly Type[] };

  /** Any attribute; `type` is the default type of literals. */
  attribute(type?: Type): Attribute;
  optionalAttribute(type?: Type): Attribute | undefined;
  /** `{…}` or nothing. */
  optionalAttrDict(): Attributes;
  /** `attributes {…}` or nothing. */
  optionalAttrDictWithKeyword(): Attributes;
  /** Bracketed affine expressions over SSA operands: `[%i + 3, symbol(%n)]`; dims and symbols in map order. */
  affineMapOfSsaIds(delimiter: Delimiter): AffineMapOfSsaIds;
  /** The same one expression at a time, for assemblies with other text in between. */
  affineExprsOfSsaIds(): AffineExprReader;

  /** `%name: type {attributes} loc(…)`, or just `%name` if `type` is given. */
  argument(type?: Type): ParsedArgument;
  optionalArgument(type?: Type): ParsedArgument | undefined;
  /** `{…}`; `entryArguments` are in scope in the entry block. */
  region(entryArguments?: readonly ParsedArgument[]): Region;
  optionalRegion(entryArguments?: readonly ParsedArgument[]): Region | undefined;
  /**
   * `region`, with this terminator appended to a block without one; `parts` builds the terminator's contents, given
   * the preceding operation.
   */
  ensureTerminator(
    region: Region,
    name: string,
    parts?: (last: Operation | undefined) => Pick<ParsedOperation, 'operands' | 'regions'>,
  ): Region;
  /** A region with one empty block with these arguments, for ops whose assembly elides the body. */
  emptyBlockRegion(argumentTypes: readonly Type[]): Region;
  /** A single-block region built in code, for named ops with implicit bodies. */
  buildRegion(argumentTypes: readonly Type[], build: (builder: RegionBuilder, block: Block) => void): Region;
  successor(): Id;
  optionalSuccessor(): Id | undefined;

  /** `loc(…)` or nothing. */
  optionalLocation(): Location | undefined;
}

/** Appends operations to a block during parsing. */
export interface RegionBuilder {
  create(state: {
    readonly name: string;
    readonly operands: readonly Value[];
    readonly resultTypes: readonly Type[];
    readonly attributes: Attributes;
  }): readonly Value[];
}

/** The printer interface for an operation's assembly, after its name. Spacing is up to the caller. */
export interface OpAsmPrinter {
  /** Verbatim text. */
  text(text: string): void;
  /** A new line at the current indentation. */
  newline(): void;
  /** Prints `content` with its lines indented one level deeper. */
  indented(content: () => void): void;
  /** A string literal with quotes and escapes. */
  string(value: string): void;
  /** `@name`, quoted if necessary. */
  symbolName(name: string): void;
  operand(value: Value): void;
  operands(values: readonly Value[]): void;
  type(type: Type): void;
  /** Separated by `, `. */
  types(types: readonly Type[]): void;
  /** ` -> type`, ` -> (types)`, with a leading space, or nothing. */
  optionalArrowTypeList(types: readonly Type[]): void;
  /** `(types) -> types`. */
  functionalType(inputs: readonly Type[], results: readonly Type[]): void;
  attribute(attribute: Attribute): void;
  /** Without the type that the parser infers: `0` for `0 : i64`. */
  attributeWithoutType(attribute: Attribute): void;
  /** ` {…}` with all attributes except `elided`, or nothing. */
  optionalAttrDict(operation: Operation, elided?: readonly string[]): void;
  /** ` attributes {…}` with all attributes except `elided`, or nothing. */
  optionalAttrDictWithKeyword(operation: Operation, elided?: readonly string[]): void;
  /** ` {…}` with these attributes, or nothing. */
  attributes(attributes: Attributes): void;
  /** Affine expressions over SSA operands, without brackets. */
  affineMapOfSsaIds(results: readonly AffineExpr[], dims: readonly Value[], symbols: readonly Value[]): void;
  /**
   * `%name: type {attributes} loc(…)`, without `: type` if that is said; as in upstream, attributes that only occur
   * here get no alias.
   */
  argument(value: Value, attributes?: Attributes, options?: { readonly printType?: boolean }): void;
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
  /** A nested operation on one line, without its result names. */
  operationWithoutResults(operation: Operation): void;
}
