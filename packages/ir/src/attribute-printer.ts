/** Prints attributes as MLIR does. */
import { printMap, printSet } from '@sconv/affine';
import type { Attribute, Attributes, DenseElementsAttribute } from './attribute.ts';
import { digitCount, encodeElements } from './element-bytes.ts';
import { printFloat } from './float-format.ts';
import { printLocationInstance } from './location-printer.ts';
import type { Resource } from './resource.ts';
import { quoteString } from './string-literal.ts';
import type { Type } from './type.ts';
import { DYNAMIC } from './dynamic.ts';
import { printDialectSymbol, printType } from './type-printer.ts';

/** What is printed elsewhere in the text, by name. */
export interface AliasLookup {
  /** The alias for this attribute text, if there is one. */
  readonly aliasOf: (text: string) => string | undefined;
  /** The key of a resource, unique in the text. */
  readonly keyOf: (resource: Resource) => string;
  /** Constants with more elements are elided, but for those of equal elements. */
  readonly elideElementsAbove?: number | undefined;
}

/** For an attribute by itself: without aliases. */
export const lookupWithout = (elideElementsAbove: number | undefined): AliasLookup | undefined =>
  elideElementsAbove === undefined
    ? undefined
    : { aliasOf: () => undefined, keyOf: ({ key }) => key, elideElementsAbove };

/** Larger element lists are printed as a hexadecimal blob, as upstream does by default. */
const longestElementList = 100;

export interface AttributePrintOptions {
  readonly aliases?: AliasLookup | undefined;
  /** Elides the type of a literal that the parser infers. */
  readonly elideType?: boolean;
  /** Elides `i64` and `f64`, which are the parser's defaults in lists. */
  readonly inList?: boolean;
}

/** The text of an attribute. */
export const printAttribute = (attribute: Attribute, options: AttributePrintOptions = {}): string => {
  const { aliases } = options;
  switch (attribute.kind) {
    case 'unit':
      return 'unit';
    case 'integer':
      return printInteger(attribute.value, attribute.type, options);
    case 'float': {
      const name = attribute.type.kind === 'float' ? attribute.type.name : 'f64';
      const { text, isHexadecimal } = printFloat(attribute.value, name, attribute.bits);
      return name === 'f64' && options.inList === true && !isHexadecimal
        ? text
        : text + printColonType(attribute.type, options);
    }
    case 'string':
      return quoteString(attribute.value) + printColonType(attribute.type, options);
    case 'array':
      return `[${attribute.elements.map((element) => printAttribute(element, { aliases, inList: true })).join(', ')}]`;
    case 'dictionary':
      return printDictionary(attribute.entries, aliases);
    case 'type':
      return printType(attribute.type, aliases);
    case 'symbol-ref':
      return [attribute.root, ...attribute.nested].map(printSymbolName).join('::');
    case 'affine-map':
      return aliased(`affine_map<${printMap(attribute.map)}>`, aliases);
    case 'integer-set':
      return aliased(`affine_set<${printSet(attribute.set)}>`, aliases);
    case 'strided': {
      const strides = attribute.strides.map(printStride).join(', ');
      const offset = attribute.offset === 0 ? '' : `, offset: ${printStride(attribute.offset)}`;
      return `strided<[${strides}]${offset}>`;
    }
    case 'dense-array': {
      const values = attribute.values.map((value) => printDenseArrayElement(value, attribute.elementType));
      const list = values.length === 0 ? '' : `: ${values.join(', ')}`;
      return `array<${printType(attribute.elementType, aliases)}${list}>`;
    }
    case 'dense-elements': {
      const isElided = isElidedAbove(aliases?.elideElementsAbove, attribute);
      const text = isElided ? 'dense_resource<__elided__>' : `dense<${printElements(attribute)}>`;
      return text + printColonType(attribute.type, options);
    }
    case 'location':
      return aliased(`loc(${printLocationInstance(attribute.location)})`, aliases);
    case 'dense-resource': {
      const key = aliases?.keyOf(attribute.resource) ?? attribute.resource.key;
      return `dense_resource<${key}>${printColonType(attribute.type, options)}`;
    }
    case 'dialect':
      return (
        printDialectSymbol('#', attribute.dialect, attribute.body) + printColonType(attribute.type, options)
      );
    case 'opaque':
      return aliased(attribute.text, aliases);
  }
};

/** `{name = value, …}`, sorted by name. */
export const printDictionary = (entries: Attributes, aliases?: AliasLookup): string =>
  `{${namesInOrder(entries)
    .map((name) => printNamedAttribute(name, entries[name]!, aliases))
    .join(', ')}}`;

/** `name = value`, or `name` for a unit attribute. */
const printNamedAttribute = (name: string, value: Attribute, aliases?: AliasLookup): string => {
  const text = printKeywordOrString(name);
  return value.kind === 'unit' ? text : `${text} = ${printAttribute(value, { aliases })}`;
};

/** The attribute names in printing order: sorted bytewise. */
export const namesInOrder = (entries: Attributes): readonly string[] => Object.keys(entries).sort();

const bareIdentifier = /^[A-Za-z_][\w$.]*$/;

/** A word verbatim if it is a bare identifier, else as a string literal. */
export const printKeywordOrString = (word: string): string =>
  bareIdentifier.test(word) ? word : quoteString(word);

/** `@name`, quoted if necessary. */
export const printSymbolName = (name: string): string => `@${printKeywordOrString(name)}`;

/** One element of `array<…>`. */
const printDenseArrayElement = (value: number | bigint | boolean, type: Type): string =>
  type.kind === 'float'
    ? printFloat(Number(value), type.name).text
    : String(typeof value === 'number' ? BigInt(value) : value);

const aliased = (text: string, aliases: AliasLookup | undefined): string => aliases?.aliasOf(text) ?? text;

const printColonType = (type: Type | undefined, options: AttributePrintOptions): string =>
  type === undefined || options.elideType === true ? '' : ` : ${printType(type, options.aliases)}`;

const printInteger = (value: bigint, type: Type, options: AttributePrintOptions): string => {
  if (type.kind === 'integer' && type.signedness === 'signless') {
    if (type.width === 1) return value === 0n ? 'false' : 'true';
    if (type.width === 64 && options.inList === true) return String(value);
  }
  return String(value) + printColonType(type, options);
};

const printStride = (stride: number): string => (stride === DYNAMIC ? '?' : String(stride));

/** How many hexadecimal digits an attribute is printed with; 0 for a short one, which is a list. */
export const digitsOf = (attribute: DenseElementsAttribute): number => {
  const element = 'elementType' in attribute.type ? attribute.type.elementType : attribute.type;
  return isPrintedAsDigits(attribute, element) ? digitCount(attribute.values.length, element) : 0;
};

const isPrintedAsDigits = ({ values }: DenseElementsAttribute, elementType: Type): boolean =>
  values.length > longestElementList && elementType.kind !== 'dialect';

/** Whether a constant has more elements than `limit`, and not all the same. */
export const isElidedAbove = (limit: number | undefined, { values, text }: DenseElementsAttribute): boolean =>
  limit !== undefined && text === undefined && values.length > 1 && values.length > limit;

/** The text between `dense<` and `>`. */
const printElements = (attribute: DenseElementsAttribute): string => {
  const { type, values, bits, text } = attribute;
  if (text !== undefined) return text;
  if (type.kind !== 'tensor' && type.kind !== 'vector')
    throw new Error('dense elements must be of a shaped type');
  const { elementType, shape } = type;
  if (isPrintedAsDigits(attribute, elementType)) return `"0x${encodeElements(values, elementType, bits)}"`;
  const texts = values.map((value, i) => printElement(value, elementType, bits?.[i]));
  const isSplat = values.length === 1;
  return isSplat ? texts[0]! : printNestedList(texts, shape);
};

const printElement = (value: number | bigint | string, type: Type, bits: bigint | undefined): string => {
  if (typeof value === 'string') return quoteString(value);
  if (type.kind === 'float') return printFloat(Number(value), type.name, bits).text;
  if (type.kind === 'integer' && type.width === 1) return Number(value) === 0 ? 'false' : 'true';
  return String(value);
};

/** The elements as nested lists by dimension; empty if there are none. */
export const printNestedList = (texts: readonly string[], shape: readonly number[]): string => {
  if (texts.length === 0) return '';
  // The brackets of each dimension close after this many elements.
  const spans = [...shape];
  for (let i = spans.length - 2; i >= 0; i -= 1) spans[i]! *= spans[i + 1]!;
  const bracketsAt = (i: number): number => spans.filter((span) => i % span === 0).length;
  return texts
    .map((text, i) => {
      const open = '['.repeat(bracketsAt(i));
      return `${open}${text}${']'.repeat(bracketsAt(i + 1))}`;
    })
    .join(', ');
};
