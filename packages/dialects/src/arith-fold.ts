/** Constant folding of arith: scalars, and elementwise on dense constants. */
import type { Attribute, DenseElementsAttribute, Folder, Type } from '@sconv/ir';
import {
  denseElementsAttribute,
  DYNAMIC,
  elementCount,
  floatAttribute,
  integerAttribute,
  roundToFloat,
} from '@sconv/ir';
import { elementTypeOf, shapeOf } from './constraints.ts';
import type { FloatOp, IntegerOp } from './scalar-op.ts';

/** A folded element: an integer or a float; undefined where folding is invalid (division by zero). */
type Element = bigint | number;

/** The largest constant that is folded element by element; larger ones would bloat the IR text. */
const largestFold = 65_536;

/** Bits of an integer or index type. */
export const widthOf = (type: Type): number => (type.kind === 'integer' ? type.width : 64);

/** `value` as a two's complement integer: a true `i1` is -1. */
export const signed = (value: bigint, width: number): bigint => BigInt.asIntN(width, value);

export const unsigned = (value: bigint, width: number): bigint => BigInt.asUintN(width, value);

/** Types for which one operation in double, rounded once, is exact: double has more than twice their precision. */
const narrowFloats: ReadonlySet<string> = new Set(['f16', 'bf16', 'f32']);

/** Whether a float type is wider than double; its values are numbers that are possibly rounded. */
export const isExtended = (type: Type): boolean =>
  type.kind === 'float' && (type.name === 'f80' || type.name === 'f128');

/** `value` rounded to a float type; undefined for types without arithmetic support here. */
const rounded = (value: number, type: Type): number | undefined => {
  if (type.kind !== 'float') return undefined;
  if (type.name === 'f64') return value;
  // Wider than double: integers are exact.
  if (isExtended(type)) return Number.isSafeInteger(value) ? value : undefined;
  return narrowFloats.has(type.name) ? roundToFloat(value, type.name) : undefined;
};

const elementAttribute = (value: Element, type: Type): Attribute | undefined => {
  if (typeof value === 'bigint') {
    if (type.kind !== 'integer' && type.kind !== 'index') return undefined;
    const width = widthOf(type);
    // An i1 attribute holds 0 or 1.
    return integerAttribute(width === 1 ? unsigned(value, width) : signed(value, width), type);
  }
  const fitted = rounded(value, type);
  return fitted === undefined ? undefined : floatAttribute(fitted, type);
};

const scalarOf = (attribute: Attribute): Element | undefined => {
  if (attribute.kind === 'integer') return attribute.value;
  return attribute.kind === 'float' && attribute.bits === undefined ? attribute.value : undefined;
};

const isNumeric = (values: DenseElementsAttribute['values']): values is readonly Element[] =>
  values.every((value) => typeof value !== 'string');

/** The elements of an operand, a single one if all are equal. */
const elementsOf = (attribute: Attribute): readonly Element[] | undefined => {
  if (attribute.kind === 'dense-elements') {
    const { text, bits, values } = attribute;
    return text === undefined && bits === undefined && isNumeric(values) ? values : undefined;
  }
  const value = scalarOf(attribute);
  return value === undefined ? undefined : [value];
};

/** Whether a constant is known to consist of integers that all satisfy `test`. */
export const everyInteger = (constant: Attribute | undefined, test: (value: bigint) => boolean): boolean =>
  (constant === undefined ? undefined : elementsOf(constant))?.every(
    (element) => typeof element === 'bigint' && test(element),
  ) === true;

/** A dense constant, as a splat if all elements are equal. */
export const denseConstant = (
  values: DenseElementsAttribute['values'],
  type: Type,
  bits: readonly (bigint | undefined)[] = [],
): DenseElementsAttribute => {
  const isSplat = values.every((each, i) => Object.is(each, values[0]) && bits[i] === bits[0]);
  return denseElementsAttribute(isSplat ? values.slice(0, 1) : values, type, bits);
};

/** Numbers as one dense constant; undefined if one of them is no number. */
export const denseOfNumbers = (
  numbers: readonly (Attribute | undefined)[],
  type: Type,
): DenseElementsAttribute | undefined => {
  const known = numbers.filter((each) => each?.kind === 'integer' || each?.kind === 'float');
  if (known.length === 0 || known.length < numbers.length) return undefined;
  return denseConstant(
    known.map(({ value }) => value),
    type,
    known.map((each) => (each.kind === 'float' ? each.bits : undefined)),
  );
};

/** The number at a row-major position of a dense constant; undefined for what is kept as text. */
export const numberAt = (
  { values, bits, text }: DenseElementsAttribute,
  position: number,
  type: Type,
): Attribute | undefined => {
  const at = values.length === 1 ? 0 : position;
  const value = text === undefined ? values[at] : undefined;
  if (typeof value === 'bigint') return integerAttribute(value, type);
  return typeof value === 'number' ? floatAttribute(value, type, bits?.[at]) : undefined;
};

/**
 * `compute` applied to constant operands, as an attribute of `type`; undefined if an operand is not constant, or if
 * `compute` declines.
 */
export const foldElementwise = (
  constants: readonly (Attribute | undefined)[],
  type: Type,
  compute: (...operands: Element[]) => Element | undefined,
): Attribute | undefined => {
  const operands: (readonly Element[])[] = [];
  for (const constant of constants) {
    const elements = constant === undefined ? undefined : elementsOf(constant);
    if (elements === undefined) return undefined;
    operands.push(elements);
  }
  const elementType = elementTypeOf(type);
  const shape = shapeOf(type);
  const count = operands.every((elements) => elements.length === 1) ? 1 : elementCount(shape ?? []);
  if (count > largestFold) return undefined;
  const results: Element[] = [];
  for (let i = 0; i < count; i++) {
    const value = compute(...operands.map((elements) => elements[elements.length === 1 ? 0 : i] ?? 0n));
    const attribute = value === undefined ? undefined : elementAttribute(value, elementType);
    const scalar = attribute === undefined ? undefined : scalarOf(attribute);
    if (scalar === undefined) return undefined;
    results.push(scalar);
  }
  if (shape !== undefined) return denseConstant(results, type);
  const [only] = results;
  return only === undefined ? undefined : elementAttribute(only, type);
};

/** Folds integer operands, one or two. */
export const foldIntegers =
  (compute: IntegerOp['compute']): Folder =>
  (operation, constants) => {
    const type = operation.results[0]?.type;
    if (type === undefined) return undefined;
    const width = widthOf(elementTypeOf(type));
    const folded = foldElementwise(constants, type, (a, b = 0n) =>
      typeof a === 'bigint' && typeof b === 'bigint'
        ? compute(signed(a, width), signed(b, width), width)
        : undefined,
    );
    return folded === undefined ? undefined : [folded];
  };

/** Folds floating-point operands, one to three. */
export const foldFloats =
  (compute: FloatOp['compute']): Folder =>
  (operation, constants) => {
    const type = operation.results[0]?.type;
    if (type === undefined) return undefined;
    const isRounded = isExtended(elementTypeOf(type));
    const isKnown = (operand: Element): operand is number =>
      typeof operand === 'number' && (!isRounded || Number.isSafeInteger(operand));
    const folded = foldElementwise(constants, type, (a, b = a, c = a) =>
      isKnown(a) && isKnown(b) && isKnown(c) ? compute(a, b, c) : undefined,
    );
    return folded === undefined ? undefined : [folded];
  };

/** Tries folders in turn. */
export const firstFold =
  (...folders: readonly Folder[]): Folder =>
  (operation, constants, definitionOf) => {
    for (const folder of folders) {
      const folded = folder(operation, constants, definitionOf);
      if (folded !== undefined) return folded;
    }
    return undefined;
  };

/** The common value of all elements of a constant; undefined if they differ. */
export const elementOf = (attribute: Attribute | undefined): Element | undefined => {
  const elements = attribute === undefined ? undefined : elementsOf(attribute);
  return elements?.length === 1 ? elements[0] : undefined;
};

/** The constant of this type whose elements are all `value`; undefined without a static shape. */
export const uniformConstant = (value: Element, type: Type): Attribute | undefined => {
  const element = elementAttribute(value, elementTypeOf(type));
  if (elementTypeOf(type) === type || element === undefined) return element;
  const scalar = scalarOf(element);
  const shape = shapeOf(type);
  return scalar === undefined || shape === undefined || shape.includes(DYNAMIC)
    ? undefined
    : denseElementsAttribute([scalar], type);
};

/** Whether every element of a constant equals this number. */
export const isConstant = (attribute: Attribute | undefined, value: number): boolean => {
  const element = elementOf(attribute);
  return element !== undefined && Number(element) === value;
};

/** `x op x` is `x`. */
export const idempotent: Folder = (operation) => {
  const [a, b] = operation.operands;
  return a !== undefined && a.id === b?.id ? [a] : undefined;
};

/** Whether every element of a constant is exactly this number: -0 is not 0. */
export const isExactly = (attribute: Attribute | undefined, value: number): boolean =>
  Object.is(elementOf(attribute), value);
