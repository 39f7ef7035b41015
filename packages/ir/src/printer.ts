/** Prints modules and operations byte-identically to `mlir-opt`. */
import type { AffineExpr } from '@sconv/affine';
import { printExpr } from '@sconv/affine';
import type { Diagnosed, Location } from '@sconv/diagnostics';
import { definite, error, mapSuccess, success, unknownLocation, unwrap } from '@sconv/diagnostics';
import type { Aliases } from './aliases.ts';
import { collectAliases, withoutAliases } from './aliases.ts';
import type { OpAsmPrinter } from './assembly.ts';
import type { Attribute, Attributes } from './attribute.ts';
import type { AliasLookup } from './attribute-printer.ts';
import {
  lookupWithout,
  namesInOrder,
  printAttribute,
  printDictionary,
  printSymbolName,
} from './attribute-printer.ts';
import { expectModule, expectOperation, expectRegistry } from './check-module.ts';
import type { OpDefinition } from './define-op.ts';
import { splitAttributes } from './inherent-attributes.ts';
import { printLocationInstance } from './location-printer.ts';
import type { Block, Id, Module, Operation, Region, Value } from './operation.ts';
import { hasCustomForm, printCustomForm } from './operation-form.ts';
import type { Registry } from './registry.ts';
import type { Resource } from './resource.ts';
import { blobLength, noResources, printResources } from './resources.ts';
import type { ResultGroup } from './ssa-names.ts';
import { SsaNames } from './ssa-names.ts';
import type { PrintedRanges } from './print-ranges.ts';
import { RangeRecorder } from './print-ranges.ts';
import { quoteString } from './string-literal.ts';
import type { Type } from './type.ts';
import { printFunctionalType, printResultTypes, printType, printTypes } from './type-printer.ts';

/** What a module is printed with, and in which form. */
export interface PrintOptions {
  readonly registry: Registry;
  /** Prints every operation in generic form; false by default. */
  readonly generic?: boolean;
  /** Prints attributes and locations inline instead of as aliases; false by default. */
  readonly localScope?: boolean;
  /** Prints the locations of operations and of arguments of blocks; false by default. */
  readonly debugInfo?: boolean;
  /** Prints regions as `{...}`; false by default. */
  readonly skipRegions?: boolean;
  /**
   * Whether the bytes of resources follow the module, in hexadecimal: two characters each. By default they are left
   * out: the text is read without them, but what it describes cannot be run.
   */
  readonly resources?: 'elided' | 'hexadecimal';
  /**
   * Prints constants with more elements than this as `dense_resource<__elided__>`, but for those of equal elements, as
   * `--mlir-elide-elementsattrs-if-larger` does: the text is read, but what it describes cannot be run. By default none
   * is elided.
   */
  readonly elideElementsAbove?: number;
}

/** The text of a module, and where its parts are in it. */
export interface PrintedModule {
  readonly text: string;
  readonly ranges: PrintedRanges;
}

/** V8's limit; other engines have longer strings. */
const longestText = 2 ** 29 - 24;

/**
 * The text of a module, with a trailing newline. Throws a `DiagnosticError` where a string cannot hold its constants:
 * `tryPrintModule` fails instead.
 */
export const printModule = (module: Module, options: PrintOptions): string =>
  unwrap(tryPrintModule(module, options));

/** As `printModule`; fails definitely with `print/too-long`. */
export const tryPrintModule = (module: Module, options: PrintOptions): Diagnosed<string> =>
  mapSuccess(
    printWhole(module, options, () => undefined),
    ({ text }) => text,
  );

/** As `tryPrintModule`, with the places of operations, values and blocks in the text. */
export const printModuleWithRanges = (module: Module, options: PrintOptions): Diagnosed<PrintedModule> =>
  printWhole(module, options, (offset) => new RangeRecorder(offset));

const printWhole = <Ranges extends RangeRecorder | undefined>(
  module: Module,
  options: PrintOptions,
  createRanges: (offset: number) => Ranges,
): Diagnosed<{ readonly text: string; readonly ranges: Ranges }> => {
  expectModule('what is printed', module);
  expectRegistry('printModule', options);
  const { registry, generic = false, debugInfo = false, elideElementsAbove } = options;
  const collected = collectAliases(module.root, { registry, generic, debugInfo, elideElementsAbove });
  const aliases = options.localScope === true ? withoutAliases(collected) : collected;
  const blobs = options.resources === 'hexadecimal' ? aliases.resources : new Map<string, Resource>();
  const length = [...blobs.values()].reduce(
    (sum, { bytes }) => sum + blobLength(bytes?.length ?? 0),
    aliases.digits,
  );
  if (length > longestText) {
    const advice = blobs.size === 0 ? 'keep them as resources' : 'print it without its resources';
    const message =
      `the constants alone would take ${length} characters, ` +
      `but a text has at most ${longestText}: ${advice}`;
    return definite(error('print/too-long', message, module.root.location));
  }
  const names = new SsaNames(module.root, { registry, generic });
  const before = aliases.before.map((line) => `${line}\n`).join('');
  const ranges = createRanges(before.length);
  const printer = new OperationPrinter(options, names, aliases, ranges);
  printer.operation(module.root);
  const after = aliases.after.map((line) => `${line}\n`).join('');
  const text = `${before}${printer.result}\n${after}`;
  return success({ text: text + printResources(module.resources ?? noResources, blobs, text), ranges });
};

/**
 * The text of one operation, for diagnostics: attributes are inline. Values are named as within `root`, an ancestor,
 * by default the operation itself.
 */
export const printOperation = (operation: Operation, options: PrintOptions, root = operation): string => {
  expectRegistry('printOperation', options);
  expectOperation('what is printed', operation);
  const names = new SsaNames(root, { registry: options.registry, generic: options.generic ?? false });
  const printer = new OperationPrinter({ ...options, localScope: true }, names, undefined, undefined);
  printer.operation(operation);
  return printer.result;
};

const indentStep = '  ';

class OperationPrinter implements OpAsmPrinter {
  result = '';
  private readonly registry: Registry;
  private readonly generic: boolean;
  private readonly debugInfo: boolean;
  private readonly skipRegions: boolean;
  private readonly names: SsaNames;
  private readonly aliases: Aliases | undefined;
  private readonly lookup: AliasLookup | undefined;
  private readonly ranges: RangeRecorder | undefined;
  private indent = '';
  private readonly defaultDialects = ['builtin'];
  /** The enclosing operations, innermost last. */
  private readonly parents: Operation[] = [];

  constructor(
    options: PrintOptions,
    names: SsaNames,
    aliases: Aliases | undefined,
    ranges: RangeRecorder | undefined,
  ) {
    this.registry = options.registry;
    this.generic = options.generic ?? false;
    this.debugInfo = options.debugInfo ?? false;
    this.skipRegions = options.skipRegions ?? false;
    this.names = names;
    this.aliases = aliases;
    this.lookup = aliases?.lookup ?? lookupWithout(options.elideElementsAbove);
    this.ranges = ranges;
  }

  // --- Operations ---

  operation(operation: Operation): void {
    const start = this.result.length;
    const groups = this.names.resultGroups(operation);
    if (groups.length > 0) {
      const names = groups.map(({ name, count }) => (count === 1 ? name : `${name}:${count}`));
      this.result += `${names.join(', ')} = `;
      if (this.ranges !== undefined) defineResults(this.ranges, operation, groups, start);
    }
    this.afterResults(operation, start);
  }

  operationWithoutResults(operation: Operation): void {
    this.afterResults(operation, this.result.length);
  }

  /** Prints what follows the names of the results; the operation starts at `start`. */
  private afterResults(operation: Operation, start: number): void {
    this.parents.push(operation);
    const definition = this.registry.operations.get(operation.name);
    const isCustom = !this.generic && hasCustomForm(definition, operation);
    const nameStart = this.result.length;
    this.result += isCustom ? this.shortName(operation.name) : quoteString(operation.name);
    const name = { start: nameStart, end: this.result.length };
    if (isCustom) printCustomForm(this, operation, this.registry);
    else this.genericForm(operation, definition);
    this.parents.pop();
    if (this.debugInfo) this.result += ` loc(${this.locationText(operation.location)})`;
    this.ranges?.operation(operation.id, start, this.result.length, name);
  }

  private locationText(location: Location): string {
    return this.aliases?.locationName(location) ?? printLocationInstance(location);
  }

  /** Without the default dialect of the region, unless the rest contains a dot. */
  private shortName(name: string): string {
    const prefix = `${this.defaultDialects.at(-1) ?? ''}.`;
    const rest = name.slice(prefix.length);
    return name.startsWith(prefix) && !rest.includes('.') ? rest : name;
  }

  private genericForm(operation: Operation, definition: OpDefinition | undefined): void {
    this.result += '(';
    this.operands(operation.operands);
    this.result += ')';
    if (operation.successors.length > 0) {
      this.result += '[';
      operation.successors.forEach((block, i) => {
        if (i > 0) this.result += ', ';
        this.successor(block);
      });
      this.result += ']';
    }
    const { inherent, discardable } = splitAttributes(operation, definition);
    if (Object.keys(inherent).length > 0) this.result += ` <${printDictionary(inherent, this.lookup)}>`;
    if (operation.regions.length > 0) {
      this.result += ' (';
      operation.regions.forEach((region, i) => {
        if (i > 0) this.result += ', ';
        this.region(region, { printEmptyBlock: true });
      });
      this.result += ')';
    }
    this.attributes(discardable);
    this.result += ' : ';
    this.functionalType(
      operation.operands.map((operand) => operand.type),
      operation.results.map((result) => result.type),
    );
  }

  // --- The printer for custom assemblies ---

  text(text: string): void {
    this.result += text;
  }

  newline(): void {
    this.result += `\n${this.indent}`;
  }

  indented(content: () => void): void {
    const outer = this.indent;
    this.indent += indentStep;
    content();
    this.indent = outer;
  }

  string(value: string): void {
    this.result += quoteString(value);
  }

  symbolName(name: string): void {
    this.result += printSymbolName(name);
  }

  operand(value: Value): void {
    const start = this.result.length;
    this.result += this.names.valueName(value.id);
    this.ranges?.useValue(value.id, start, this.result.length);
  }

  operands(values: readonly Value[]): void {
    values.forEach((value, i) => {
      if (i > 0) this.result += ', ';
      this.operand(value);
    });
  }

  type(type: Type): void {
    this.result += printType(type, this.lookup);
  }

  types(types: readonly Type[]): void {
    this.result += printTypes(types, this.lookup);
  }

  optionalArrowTypeList(types: readonly Type[]): void {
    if (types.length > 0) this.result += ` -> ${printResultTypes(types, this.lookup)}`;
  }

  functionalType(inputs: readonly Type[], results: readonly Type[]): void {
    this.result += printFunctionalType(inputs, results, this.lookup);
  }

  attribute(attribute: Attribute): void {
    this.result += printAttribute(attribute, { aliases: this.lookup });
  }

  attributeWithoutType(attribute: Attribute): void {
    this.result += printAttribute(attribute, { aliases: this.lookup, elideType: true });
  }

  optionalAttrDict(operation: Operation, elided: readonly string[] = []): void {
    this.attributes(without(operation.attributes, elided));
  }

  optionalAttrDictWithKeyword(operation: Operation, elided: readonly string[] = []): void {
    const rest = without(operation.attributes, elided);
    if (Object.keys(rest).length === 0) return;
    this.result += ' attributes';
    this.attributes(rest);
  }

  attributes(attributes: Attributes): void {
    if (Object.keys(attributes).length > 0) this.result += ` ${printDictionary(attributes, this.lookup)}`;
  }

  affineMapOfSsaIds(results: readonly AffineExpr[], dims: readonly Value[], symbols: readonly Value[]): void {
    const name = (value: Value | undefined): string =>
      value === undefined ? '%<<UNKNOWN SSA VALUE>>' : this.names.valueName(value.id);
    const names = {
      dim: (position: number) => name(dims[position]),
      symbol: (position: number) => `symbol(${name(symbols[position])})`,
    };
    const start = this.result.length;
    this.result += results.map((result) => printExpr(result, names)).join(', ');
    if (this.ranges !== undefined)
      useNames(this.ranges, this.result.slice(start), start, [...dims, ...symbols], name);
  }

  argument(
    value: Value,
    attributes: Attributes = {},
    { printType: isTyped = true }: { readonly printType?: boolean } = {},
  ): void {
    const start = this.result.length;
    this.result += this.names.valueName(value.id);
    this.ranges?.defineValue(value.id, start, this.result.length);
    if (isTyped) this.result += `: ${printType(value.type, this.lookup)}`;
    this.attributes(attributes);
    if (!this.debugInfo) return;
    // As upstream: only the locations inside of it have aliases.
    const location = printLocationInstance(value.location ?? unknownLocation, this.aliases?.locationName);
    this.result += ` loc(${location})`;
  }

  successor(block: Id): void {
    const start = this.result.length;
    this.result += this.names.blockName(block);
    this.ranges?.useBlock(block, start, this.result.length);
  }

  region(
    region: Region,
    {
      printEntryArguments = true,
      printTerminator = true,
      printEmptyBlock = false,
    }: {
      readonly printEntryArguments?: boolean;
      readonly printTerminator?: boolean;
      readonly printEmptyBlock?: boolean;
    } = {},
  ): void {
    if (this.skipRegions) {
      this.result += '{...}';
      return;
    }
    this.result += '{\n';
    const [entry, ...others] = region.blocks;
    if (entry !== undefined) {
      const parent = this.parents.at(-1);
      const dialect = parent === undefined ? '' : this.registry.operations.get(parent.name)?.defaultDialect;
      this.defaultDialects.push(dialect ?? '');
      const printHeader =
        (printEmptyBlock && entry.operations.length === 0) ||
        (printEntryArguments && entry.arguments.length > 0);
      this.block(entry, { printHeader, printTerminator, isEntry: true });
      for (const block of others)
        this.block(block, { printHeader: true, printTerminator: true, isEntry: false });
      this.defaultDialects.pop();
    }
    this.result += `${this.indent}}`;
  }

  private block(
    block: Block,
    options: { readonly printHeader: boolean; readonly printTerminator: boolean; readonly isEntry: boolean },
  ): void {
    if (options.printHeader) this.blockHeader(block, options.isEntry);
    const outer = this.indent;
    this.indent += indentStep;
    const last = block.operations.at(-1);
    for (const operation of block.operations) {
      if (operation === last && !options.printTerminator && this.isTerminator(operation)) continue;
      this.result += this.indent;
      this.operation(operation);
      this.result += '\n';
    }
    this.indent = outer;
  }

  private blockHeader(block: Block, isEntry: boolean): void {
    this.result += this.indent;
    const start = this.result.length;
    this.result += this.names.blockName(block.id);
    this.ranges?.defineBlock(block.id, start, this.result.length);
    if (block.arguments.length > 0) {
      this.result += '(';
      block.arguments.forEach((argument, i) => {
        if (i > 0) this.result += ', ';
        this.argument(argument);
      });
      this.result += ')';
    }
    this.result += `:${this.predecessorComment(block, isEntry)}\n`;
  }

  private predecessorComment(block: Block, isEntry: boolean): string {
    const names = this.names
      .predecessorsOf(block.id)
      .map((id) => this.names.blockName(id))
      .sort((a, b) => Number(a.slice(3)) - Number(b.slice(3)));
    if (names.length === 0) return isEntry ? '' : '  // no predecessors';
    return names.length === 1 ? `  // pred: ${names[0]!}` : `  // ${names.length} preds: ${names.join(', ')}`;
  }

  private isTerminator(operation: Operation): boolean {
    return this.registry.operations.get(operation.name)?.traits.has('terminator') === true;
  }
}

/** The names before `=`, which start at `start`: `%low, %0:2`. */
const defineResults = (
  ranges: RangeRecorder,
  { results }: Operation,
  groups: readonly ResultGroup[],
  start: number,
): void => {
  let [next, at] = [0, start];
  for (const { name, count } of groups) {
    for (const { id } of results.slice(next, next + count)) ranges.defineValue(id, at, at + name.length);
    next += count;
    at += name.length + (count === 1 ? 0 : `:${count}`.length) + ', '.length;
  }
};

/** The uses of `values` in `text`, expressions over their names. */
const useNames = (
  ranges: RangeRecorder,
  text: string,
  offset: number,
  values: readonly Value[],
  nameOf: (value: Value) => string,
): void => {
  const known = new Map(values.map((value) => [nameOf(value), value.id]));
  for (const { 0: name, index } of text.matchAll(/%[\w$.-]+(?:#\d+)?/g)) {
    const id = known.get(name);
    if (id !== undefined) ranges.useValue(id, offset + index, offset + index + name.length);
  }
};

const without = (attributes: Attributes, elided: readonly string[]): Attributes =>
  Object.fromEntries(
    namesInOrder(attributes)
      .filter((name) => !elided.includes(name))
      .map((name) => [name, attributes[name]!]),
  );
