/**
 * Collects what printed text says once and refers to by name: the aliases at the top, `#map = affine_map<…>`, in
 * upstream's order: that of the printed form, except that in the generic form an operation's regions come before its
 * own attributes; and the resources at the end.
 */
import { printMap, printSet } from '@sconv/affine';
import type { Location } from '@sconv/diagnostics';
import { unknownLocation } from '@sconv/diagnostics';
import type { OpAsmPrinter } from './assembly.ts';
import type { AliasLookup } from './attribute-printer.ts';
import { digitsOf, isElidedAbove, namesInOrder } from './attribute-printer.ts';
import type { Attribute, Attributes } from './attribute.ts';
import { printLocationInstance } from './location-printer.ts';
import type { Operation, Region, Value } from './operation.ts';
import { printCustomForm } from './operation-form.ts';
import type { Registry } from './registry.ts';
import type { Resource } from './resource.ts';
import { ResourceKeys } from './resource.ts';
import type { Type } from './type.ts';

export interface AliasOptions {
  readonly registry: Registry;
  readonly generic: boolean;
  readonly debugInfo: boolean;
  readonly elideElementsAbove?: number | undefined;
}

export interface Aliases {
  /** `#name = text` for each; those of locations follow the operations. */
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly lookup: AliasLookup;
  /** In the order of their first use, by the keys that `lookup` has. */
  readonly resources: ReadonlyMap<string, Resource>;
  /** How many hexadecimal digits the elements of attributes have. */
  readonly digits: number;
  /** The alias of a location. */
  readonly locationName: (location: Location) => string;
}

/** Without aliases: all is printed where it is used, but for resources. */
export const withoutAliases = ({ lookup, resources, digits }: Aliases): Aliases => ({
  before: [],
  after: [],
  lookup: { ...lookup, aliasOf: () => undefined },
  resources,
  digits,
  locationName: (location) => printLocationInstance(location),
});

/** The aliases for printing `root`. */
export const collectAliases = (root: Operation, options: AliasOptions): Aliases => {
  const collector = new AliasCollector(options);
  collector.operation(root);
  return collector.finish();
};

/** An aliased item, keyed by its text without aliases. */
interface Entry {
  readonly prefix: 'distinct' | 'loc' | 'map' | 'set';
  /** 1 for an item that contains no others, else more than any of those. */
  depth: number;
  /** Whether it is only used after operations, so that its definition may follow them. */
  isDeferred: boolean;
  readonly location?: Location;
}

const ignore = (): void => undefined;

class AliasCollector implements OpAsmPrinter {
  private readonly options: AliasOptions;
  /** In the order of first use. */
  private readonly entries = new Map<string, Entry>();
  private readonly resources = new ResourceKeys();
  private digits = 0;

  constructor(options: AliasOptions) {
    this.options = options;
  }

  finish(): Aliases {
    // Upstream's order: inner ones first, then by prefix, then by first use.
    const sorted = [...this.entries].sort(
      ([, a], [, b]) => a.depth - b.depth || (a.prefix < b.prefix ? -1 : a.prefix > b.prefix ? 1 : 0),
    );
    const counts = new Map<string, number>();
    const names = new Map<string, string>();
    for (const [text, { prefix }] of sorted) {
      const count = counts.get(prefix) ?? 0;
      counts.set(prefix, count + 1);
      names.set(text, `#${prefix}${count === 0 ? '' : count}`);
    }
    const locationName = (location: Location): string =>
      names.get(locationText(location)) ?? printLocationInstance(location);
    const lines = (isDeferred: boolean): readonly string[] =>
      sorted
        .filter(([, entry]) => entry.isDeferred === isDeferred)
        .map(([text, { location }]) => {
          const definition = location === undefined ? text : locationText(location, locationName);
          return `${names.get(text) ?? ''} = ${definition}`;
        });
    return {
      before: lines(false),
      after: lines(true),
      lookup: {
        aliasOf: (text) => names.get(text),
        keyOf: (resource) => this.resources.keyOf(resource),
        elideElementsAbove: this.options.elideElementsAbove,
      },
      resources: this.resources.used,
      digits: this.digits,
      locationName,
    };
  }

  // --- Visiting ---

  operation(operation: Operation): void {
    if (this.options.debugInfo) this.location(operation.location, true);
    const wasCustom = !this.options.generic && printCustomForm(this, operation, this.options.registry);
    if (!wasCustom) this.genericForm(operation);
  }

  private genericForm(operation: Operation): void {
    for (const region of operation.regions) this.region(region, { printEntryArguments: true });
    this.types(operation.operands.map((operand) => operand.type));
    this.types(operation.results.map((result) => result.type));
    this.attributes(operation.attributes);
  }

  /** Returns the nesting depth of locations in it. */
  private location(location: Location, isDeferred: boolean): number {
    const text = locationText(location);
    const known = this.entries.get(text);
    if (known !== undefined && (isDeferred || !known.isDeferred)) return known.depth;
    const entry: Entry = known ?? { prefix: 'loc', depth: 1, isDeferred, location };
    entry.isDeferred = isDeferred;
    this.entries.set(text, entry);
    const inner = innerLocations(location).map((part) => this.location(part, isDeferred));
    if (inner.length > 0) entry.depth = Math.max(...inner) + 1;
    return entry.depth;
  }

  private entry(prefix: Entry['prefix'], text: string): void {
    if (!this.entries.has(text)) this.entries.set(text, { prefix, depth: 1, isDeferred: false });
  }

  attribute(attribute: Attribute): void {
    switch (attribute.kind) {
      case 'affine-map':
        this.entry('map', `affine_map<${printMap(attribute.map)}>`);
        return;
      case 'integer-set':
        this.entry('set', `affine_set<${printSet(attribute.set)}>`);
        return;
      case 'array':
        for (const element of attribute.elements) this.attribute(element);
        return;
      case 'dictionary':
        this.attributes(attribute.entries);
        return;
      case 'integer':
      case 'float':
      case 'type':
      case 'string':
      case 'dialect':
        if (attribute.type !== undefined) this.type(attribute.type);
        return;
      case 'dense-elements':
        if (!isElidedAbove(this.options.elideElementsAbove, attribute)) this.digits += digitsOf(attribute);
        this.type(attribute.type);
        return;
      case 'dense-resource':
        this.resources.add(attribute.resource);
        this.type(attribute.type);
        return;
      case 'location':
        this.location(attribute.location, false);
        return;
      case 'opaque':
        if (attribute.text.startsWith('distinct[') && !attribute.text.endsWith('<>'))
          this.entry('distinct', attribute.text);
        return;
      case 'unit':
      case 'symbol-ref':
      case 'strided':
      case 'dense-array':
        return;
    }
  }

  type(type: Type): void {
    switch (type.kind) {
      case 'tensor':
        this.type(type.elementType);
        if (type.encoding !== undefined) this.attribute(type.encoding);
        return;
      case 'memref':
      case 'unranked-memref':
        this.type(type.elementType);
        if (type.kind === 'memref' && type.layout !== undefined) this.attribute(type.layout);
        if (type.memorySpace !== undefined) this.attribute(type.memorySpace);
        return;
      case 'complex':
      case 'unranked-tensor':
      case 'vector':
        this.type(type.elementType);
        return;
      case 'tuple':
        this.types(type.elements);
        return;
      case 'function':
        this.types(type.inputs);
        this.types(type.results);
        return;
      case 'index':
      case 'integer':
      case 'float':
      case 'none':
      case 'dialect':
        return;
    }
  }

  // --- The printer for custom assemblies ---

  types(types: readonly Type[]): void {
    for (const type of types) this.type(type);
  }

  attributes(attributes: Attributes): void {
    for (const name of namesInOrder(attributes)) this.attribute(attributes[name]!);
  }

  attributeWithoutType(attribute: Attribute): void {
    this.attribute(attribute);
  }

  optionalAttrDict(operation: Operation, elided: readonly string[] = []): void {
    for (const name of namesInOrder(operation.attributes))
      if (!elided.includes(name)) this.attribute(operation.attributes[name]!);
  }

  optionalAttrDictWithKeyword(operation: Operation, elided?: readonly string[]): void {
    this.optionalAttrDict(operation, elided);
  }

  optionalArrowTypeList(types: readonly Type[]): void {
    this.types(types);
  }

  functionalType(inputs: readonly Type[], results: readonly Type[]): void {
    this.types(inputs);
    this.types(results);
  }

  argument(value: Value): void {
    this.type(value.type);
    if (this.options.debugInfo) this.location(value.location ?? unknownLocation, false);
  }

  region(
    region: Region,
    {
      printEntryArguments = true,
      printTerminator = true,
    }: { readonly printEntryArguments?: boolean; readonly printTerminator?: boolean } = {},
  ): void {
    region.blocks.forEach((block, i) => {
      if (i > 0 || printEntryArguments) for (const argument of block.arguments) this.argument(argument);
      const isTerminator = (operation: Operation) =>
        this.options.registry.operations.get(operation.name)?.traits.has('terminator') === true;
      const last = block.operations.at(-1);
      for (const operation of block.operations) {
        const isSkipped = i === 0 && !printTerminator && operation === last && isTerminator(operation);
        if (!isSkipped) this.operation(operation);
      }
    });
  }

  operationWithoutResults(operation: Operation): void {
    this.operation(operation);
  }

  indented(content: () => void): void {
    content();
  }

  // Contains neither attributes nor types.
  readonly text = ignore;
  readonly newline = ignore;
  readonly string = ignore;
  readonly symbolName = ignore;
  readonly operand = ignore;
  readonly operands = ignore;
  readonly affineMapOfSsaIds = ignore;
  readonly successor = ignore;
}

const locationText = (location: Location, inner?: (part: Location) => string): string =>
  `loc(${printLocationInstance(location, inner)})`;

const innerLocations = (location: Location): readonly Location[] => {
  switch (location.kind) {
    case 'unknown':
    case 'file':
      return [];
    case 'name':
      return location.child.kind === 'unknown' ? [] : [location.child];
    case 'call':
      return [location.callee, location.caller];
    case 'fused':
      return location.locations;
  }
};
