/**
 * MLIR's builtin attributes as frozen plain data, compared structurally.
 */
import type { AffineMap, IntegerSet } from '@sconv/affine';
import { equals as affineEquals, exact } from '@sconv/affine';
import type { Location } from '@sconv/diagnostics';
import { describeValue, expectList, expectText } from '@sconv/diagnostics';
import { DYNAMIC } from './dynamic.ts';
import { exactSizes } from './exact-arithmetic.ts';
import { asStored, exactNumber, isIntegerOrIndex } from './integer-format.ts';
import type { Resource } from './resource.ts';
import { sameResource } from './resource.ts';
import type { FunctionType, IntegerType, Type } from './type.ts';
import { i1, i64, typeEquals } from './type.ts';

/** `unit`: present, without a value. */
export interface UnitAttribute {
  readonly kind: 'unit';
}
/** An integer, index or (`i1`) boolean constant. */
export interface IntegerAttribute {
  readonly kind: 'integer';
  readonly value: bigint;
  readonly type: Type;
}
/** A float constant of a float type. */
export interface FloatAttribute {
  readonly kind: 'float';
  readonly value: number;
  readonly type: Type;
  /** The bit pattern, if `value` cannot represent it: a NaN written in hexadecimal. */
  readonly bits?: bigint;
}
/** `"…"`. */
export interface StringAttribute {
  readonly kind: 'string';
  readonly value: string;
  /** A type other than `none`, if the text specifies one. */
  readonly type?: Type;
}
/** `[…]`, of any attributes. */
export interface ArrayAttribute {
  readonly kind: 'array';
  readonly elements: readonly Attribute[];
}
/** `{name = …}`. */
export interface DictionaryAttribute {
  readonly kind: 'dictionary';
  readonly entries: Attributes;
}
/** A type as an attribute. */
export interface TypeAttribute {
  readonly kind: 'type';
  readonly type: Type;
}
/** `@root::@nested…` */
export interface SymbolRefAttribute {
  readonly kind: 'symbol-ref';
  readonly root: string;
  readonly nested: readonly string[];
}
/** `affine_map<…>`. */
export interface AffineMapAttribute {
  readonly kind: 'affine-map';
  readonly map: AffineMap;
}
/** `affine_set<…>`. */
export interface IntegerSetAttribute {
  readonly kind: 'integer-set';
  readonly set: IntegerSet;
}
/** `strided<[…], offset: …>`, in elements; `DYNAMIC` is printed as `?`. */
export interface StridedLayoutAttribute {
  readonly kind: 'strided';
  readonly offset: number;
  readonly strides: readonly number[];
}
/** `array<i64: …>`; a `bigint` only if a number is inexact, a boolean for `i1`. */
export interface DenseArrayAttribute {
  readonly kind: 'dense-array';
  readonly elementType: Type;
  readonly values: readonly (number | bigint | boolean)[];
}
/**
 * `dense<…> : type`. `values` has one entry for a splat, else one per element in row-major order: a number for a
 * float, a bigint for an integer or index, a string for a string. `text` keeps, verbatim between `<` and `>`, forms
 * that this IR does not interpret (complex elements, hexadecimal blobs).
 */
export interface DenseElementsAttribute {
  readonly kind: 'dense-elements';
  readonly type: Type;
  readonly values: readonly (number | bigint | string)[];
  /** The bit pattern of each value that cannot represent it, as in `FloatAttribute`; left out if there is none. */
  readonly bits?: readonly (bigint | undefined)[];
  readonly text?: string;
}
/** `loc(…)` as an attribute. */
export interface LocationAttribute {
  readonly kind: 'location';
  readonly location: Location;
}
/** A dialect attribute, kept as text: `#linalg.iterator_type<parallel>` has the body `iterator_type<parallel>`. */
export interface DialectAttribute {
  readonly kind: 'dialect';
  readonly dialect: string;
  readonly body: string;
  /** The type after the text, if any. */
  readonly type?: Type;
}
/** `dense_resource<key> : type`: elements of a shaped type as bytes, which the text keeps behind the module. */
export interface DenseResourceAttribute {
  readonly kind: 'dense-resource';
  readonly type: Type;
  readonly resource: Resource;
}
/** A builtin attribute that is carried as text (sparse, distinct, …). */
export interface OpaqueAttribute {
  readonly kind: 'opaque';
  readonly text: string;
  /** The type of the elements, which the text ends with. */
  readonly type?: Type;
}

/** Any attribute, discriminated by `kind`; compare attributes with `attributeEquals`. */
export type Attribute =
  | UnitAttribute
  | IntegerAttribute
  | FloatAttribute
  | StringAttribute
  | ArrayAttribute
  | DictionaryAttribute
  | TypeAttribute
  | SymbolRefAttribute
  | AffineMapAttribute
  | IntegerSetAttribute
  | StridedLayoutAttribute
  | DenseArrayAttribute
  | DenseElementsAttribute
  | DenseResourceAttribute
  | LocationAttribute
  | DialectAttribute
  | OpaqueAttribute;

/** Named attributes; printed sorted by name, as in MLIR. */
export type Attributes = Readonly<Record<string, Attribute>>;

/**
 * The name for the properties of an unregistered operation, `<{…}>`, kept as one dictionary. No text can contain an
 * attribute with this name.
 */
export const unknownProperties = '';

/** No attributes. */
export const noAttributes: Attributes = Object.freeze({});

/** `unit`. */
export const unitAttribute: UnitAttribute = Object.freeze({ kind: 'unit' });

/**
 * `value : type`; wraps to the width of the type, as the parser does: equal bits are equal attributes. Throws for a
 * number that is no integer, and an `affine/overflow` for one that is not exact.
 */
export const integerAttribute = (value: bigint | number, type: Type): IntegerAttribute => {
  if (typeof value !== 'bigint' && typeof value !== 'number')
    throw new TypeError(`expected an integer, not ${describeValue(value)}`);
  const exactly = exactBigint(value);
  return Object.freeze({
    kind: 'integer',
    value: isIntegerOrIndex(type) ? asStored(type, exactly) : exactly,
    type,
  });
};

const exactBigint = (value: bigint | number): bigint =>
  BigInt(Number.isInteger(value) && value !== DYNAMIC ? exact(Number(value)) : value);

/** `true` or `false`. */
export const booleanAttribute = (value: boolean): IntegerAttribute => integerAttribute(value ? 1 : 0, i1);

/** `value : type`; the value is not rounded to the type (`roundToFloat` does that). */
export const floatAttribute = (value: number, type: Type, bits?: bigint): FloatAttribute =>
  Object.freeze({ kind: 'float', value, type, ...(bits === undefined ? {} : { bits }) });

/** `"value"`. */
export const stringAttribute = (value: string): StringAttribute => Object.freeze({ kind: 'string', value });

/** `[elements]`. */
export const arrayAttribute = (elements: readonly Attribute[]): ArrayAttribute => {
  expectList('a list of attributes', elements);
  return Object.freeze({ kind: 'array', elements: Object.freeze([...elements]) });
};

/** `{name = value}`. */
export const dictionaryAttribute = (entries: Attributes): DictionaryAttribute =>
  Object.freeze({ kind: 'dictionary', entries: Object.freeze({ ...entries }) });

/** A type as an attribute. */
export const typeAttribute = (type: Type): TypeAttribute => Object.freeze({ kind: 'type', type });

/** `@root::@nested`, names without the `@`. */
export const symbolRefAttribute = (root: string, nested: readonly string[] = []): SymbolRefAttribute => {
  expectText('the name of a symbol', root);
  expectList('a list of names of nested symbols', nested);
  return Object.freeze({ kind: 'symbol-ref', root, nested: Object.freeze([...nested]) });
};

/** `affine_map<…>`. */
export const affineMapAttribute = (map: AffineMap): AffineMapAttribute =>
  Object.freeze({ kind: 'affine-map', map });

/** `affine_set<…>`. */
export const integerSetAttribute = (set: IntegerSet): IntegerSetAttribute =>
  Object.freeze({ kind: 'integer-set', set });

/** Offset and strides in elements, `DYNAMIC` where unknown. */
export const stridedLayoutAttribute = (offset: number, strides: readonly number[]): StridedLayoutAttribute =>
  Object.freeze({ kind: 'strided', offset: exactSizes([offset])[0]!, strides: exactSizes(strides) });

/** `array<T: values>`, of `i64` by default; wraps and throws as `integerAttribute`. */
export const denseArrayAttribute = (
  values: readonly (number | bigint | boolean)[],
  elementType: Type = i64,
): DenseArrayAttribute => {
  expectList('a list of elements', values);
  const stored =
    elementType.kind === 'integer' ? values.map((value) => arrayElement(value, elementType)) : [...values];
  return Object.freeze({ kind: 'dense-array', elementType, values: Object.freeze(stored) });
};

const arrayElement = (value: number | bigint | boolean, type: IntegerType): number | bigint | boolean => {
  if (typeof value === 'number' && value !== DYNAMIC) exact(value);
  const stored = asStored(type, BigInt(value));
  return type.width === 1 ? stored === 1n : (exactNumber(stored) ?? stored);
};

/** The longest list of elements that is frozen; nobody writes a longer one either. */
const mostFrozen = 1000;

/**
 * `dense<…> : type`, of a shaped type: one value is a splat, else one per element in row-major order; bigints for
 * integers, which wrap as in `integerAttribute`.
 */
export const denseElementsAttribute = (
  values: readonly (number | bigint | string)[],
  type: Type,
  bits: readonly (bigint | undefined)[] = [],
): DenseElementsAttribute => {
  expectList('a list of elements', values);
  const hasBits = bits.some((each) => each !== undefined);
  const patterns = hasBits ? { bits: Object.freeze(values.map((_, i) => bits[i])) } : {};
  const element = 'elementType' in type ? type.elementType : type;
  const stored = isIntegerOrIndex(element)
    ? values.map((value) => (typeof value === 'bigint' ? asStored(element, value) : value))
    : [...values];
  return Object.freeze({
    kind: 'dense-elements',
    type,
    // Engines turn each number of a frozen list into an object: three times the memory, and minutes for millions.
    values: stored.length > mostFrozen ? stored : Object.freeze(stored),
    ...patterns,
  });
};

/** `#dialect.body`. */
export const dialectAttribute = (dialect: string, body: string): DialectAttribute =>
  Object.freeze({ kind: 'dialect', dialect, body });

/** Whether two dictionaries have equal attributes under the same names. */
export const attributesEqual = (a: Attributes, b: Attributes): boolean => {
  const names = Object.keys(a);
  if (names.length !== Object.keys(b).length) return false;
  return names.every((name) => {
    const [x, y] = [a[name], b[name]];
    return x !== undefined && y !== undefined && attributeEquals(x, y);
  });
};

const typesEqual = (a: Type | undefined, b: Type | undefined): boolean =>
  a === undefined || b === undefined ? a === b : typeEquals(a, b);

const valuesEqual = <T>(a: readonly T[], b: readonly T[]): boolean =>
  a.length === b.length && a.every((x, i) => Object.is(x, b[i]));

const locationEquals = (a: Location, b: Location): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Structural equality; fast for identical objects. */
export const attributeEquals = (a: Attribute, b: Attribute): boolean => {
  if (a === b) return true;
  switch (a.kind) {
    case 'unit':
      return b.kind === 'unit';
    case 'integer':
      return b.kind === 'integer' && a.value === b.value && typeEquals(a.type, b.type);
    case 'float':
      return (
        b.kind === 'float' && Object.is(a.value, b.value) && a.bits === b.bits && typeEquals(a.type, b.type)
      );
    case 'string':
      return b.kind === 'string' && a.value === b.value && typesEqual(a.type, b.type);
    case 'array':
      return (
        b.kind === 'array' &&
        a.elements.length === b.elements.length &&
        a.elements.every((x, i) => attributeEquals(x, b.elements[i]!))
      );
    case 'dictionary':
      return b.kind === 'dictionary' && attributesEqual(a.entries, b.entries);
    case 'type':
      return b.kind === 'type' && typeEquals(a.type, b.type);
    case 'symbol-ref':
      return b.kind === 'symbol-ref' && a.root === b.root && valuesEqual(a.nested, b.nested);
    case 'affine-map':
      return b.kind === 'affine-map' && affineEquals(a.map, b.map);
    case 'integer-set':
      return b.kind === 'integer-set' && affineEquals(a.set, b.set);
    case 'strided':
      return b.kind === 'strided' && a.offset === b.offset && valuesEqual(a.strides, b.strides);
    case 'dense-array':
      return (
        b.kind === 'dense-array' &&
        typeEquals(a.elementType, b.elementType) &&
        valuesEqual(a.values, b.values)
      );
    case 'dense-elements':
      return (
        b.kind === 'dense-elements' &&
        a.text === b.text &&
        valuesEqual(a.values, b.values) &&
        valuesEqual(a.bits ?? [], b.bits ?? []) &&
        typeEquals(a.type, b.type)
      );
    case 'dense-resource':
      return (
        b.kind === 'dense-resource' && sameResource(a.resource, b.resource) && typeEquals(a.type, b.type)
      );
    case 'location':
      return b.kind === 'location' && locationEquals(a.location, b.location);
    case 'dialect':
      return (
        b.kind === 'dialect' && a.dialect === b.dialect && a.body === b.body && typesEqual(a.type, b.type)
      );
    case 'opaque':
      return b.kind === 'opaque' && a.text === b.text;
  }
};

/** The function type in a type attribute; undefined for other attributes. */
export const functionTypeOf = (attribute: Attribute | undefined): FunctionType | undefined =>
  attribute?.kind === 'type' && attribute.type.kind === 'function' ? attribute.type : undefined;
