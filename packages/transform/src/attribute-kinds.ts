/** Attribute kinds of transform ops. */
import type { Attribute, AttributeSpec } from '@sconv/ir';
import {
  arrayAttribute,
  arrayOf,
  attributeKind,
  boolAttribute,
  denseArrayAttribute,
  i1,
  i64,
  i64Attribute,
  integerAttribute,
  stringAttributeKind,
  typeEquals,
  withSyntax,
} from '@sconv/ir';

/** `array<i1: false, true>`. */
export const flagsArrayAttribute = attributeKind<readonly boolean[]>(
  'i1 dense array attribute',
  (attribute) =>
    attribute.kind === 'dense-array' && typeEquals(attribute.elementType, i1)
      ? attribute.values.map(Boolean)
      : undefined,
  (values) => denseArrayAttribute(values, i1),
);

/** An array in a format: it starts with a bracket, so that a following dictionary is not parsed as it. */
const bracketed = <T>(spec: AttributeSpec<T, 'required'>): AttributeSpec<T, 'required'> =>
  withSyntax(spec, {
    parse: (parser) => (parser.peek('[') ? parser.attribute() : undefined),
    print: (printer, attribute) => {
      printer.attribute(attribute);
    },
  });

/** `[1, 2]` as an array of attributes. */
export const integersAttribute = bracketed(arrayOf(i64Attribute, '64-bit integer array attribute'));
/** `[true, false]`. */
export const boolsAttribute = arrayOf(boolAttribute, '1-bit boolean array attribute');
/** `[[1, 0], [0]]`. */
export const permutationsAttribute = arrayOf(integersAttribute, 'array of arrays of i64');

/** `[#gpu.block<x>]`: a device mapping. */
export const mappingAttribute = bracketed(
  arrayOf<Attribute>(
    attributeKind(
      'Device Mapping array attribute',
      (attribute) => (attribute.kind === 'dialect' ? attribute : undefined),
      (attribute) => attribute,
    ),
    'Device Mapping array attribute',
  ),
);

/** `[16, 8]` or `array<i64: 16, 8>` as numbers; undefined for integers that a double cannot represent. */
export const integersOf = (attribute: Attribute): readonly number[] | undefined => {
  const values =
    attribute.kind === 'array'
      ? attribute.elements.map((element) => (element.kind === 'integer' ? Number(element.value) : NaN))
      : attribute.kind === 'dense-array'
        ? attribute.values.map(Number)
        : [];
  return values.every(Number.isSafeInteger) ? values : undefined;
};

/** `[16, 8]`. */
export const integerArray = (values: readonly number[]): Attribute =>
  arrayAttribute(values.map((value) => integerAttribute(value, i64)));

/** An array of two integers, described by `description`. */
export const pairAttribute = (description: string): AttributeSpec<readonly [number, number], 'required'> =>
  attributeKind<readonly [number, number]>(
    description,
    (attribute) => {
      const [first, second, ...more] = integersOf(attribute) ?? [];
      return first === undefined || second === undefined || more.length > 0 ? undefined : [first, second];
    },
    integerArray,
  );

/** A list of strings, such as op names. */
export const stringsAttribute = arrayOf(stringAttributeKind, 'string array attribute');
