/** Constants: attributes to values. */
import type { DenseElementsAttribute, DenseResourceAttribute, Operation, Type } from '@sconv/ir';
import { bytesOfElement, elementCount, floatFromBits, resourceProblem } from '@sconv/ir';
import type { Context } from './context.ts';
import type { ElementArray, Scalar } from './element.ts';
import { fillElements, isNumberType, rounderOf, setElement } from './element.ts';
import { holdInteger } from './integers.ts';
import type { Accounting } from './machine.ts';
import { trap } from './trap.ts';
import type { RuntimeValue } from './value.ts';
import { versioned } from './versioned-elements.ts';

/** The value of the attribute `name` of a constant operation. */
export const constantValue = (operation: Operation, context: Context, name: string): RuntimeValue => {
  const attribute = operation.attributes[name];
  switch (attribute?.kind) {
    case 'integer':
    case 'float':
      return holdConstant(operation, attribute.type, attribute.value);
    case 'dense-elements':
    case 'dense-resource': {
      const { data, shape, elementType } = denseElements(operation, context.machine, attribute);
      // Shared: later executions read it again.
      return { kind: 'tensor', shape, elementType, elements: versioned(data, true) };
    }
    default:
      return context.invalid(operation, `has no constant '${name}' that the interpreter understands`);
  }
};

/** The elements of a dense attribute, in a new array. */
export const denseElements = (
  operation: Operation,
  machine: Accounting,
  attribute: DenseElementsAttribute | DenseResourceAttribute,
): { readonly data: ElementArray; readonly shape: readonly number[]; readonly elementType: Type } => {
  const { type } = attribute;
  if (type.kind !== 'tensor' && type.kind !== 'vector') {
    return trap(operation, 'interpreter/invalid-ir', 'has dense elements that are no tensor');
  }
  const { shape, elementType } = type;
  if (attribute.kind === 'dense-resource') {
    const problem = resourceProblem(attribute);
    if (problem !== undefined) return trap(operation, 'interpreter/resource', `cannot be run: ${problem}`);
    const data = machine.allocate(operation, shape, elementType);
    fillFromBytes(operation, data, elementType, attribute.resource.bytes!);
    return { data, shape, elementType };
  }
  const { values, text } = attribute;
  if (text !== undefined) {
    trap(operation, 'interpreter/unsupported-type', 'has dense elements that are not written as numbers');
  }
  const data = machine.allocate(operation, shape, elementType);
  const [first] = values;
  if (values.length === 1 && first !== undefined) {
    fillElements(data, holdConstant(operation, elementType, first));
  } else {
    if (values.length !== elementCount(shape)) {
      trap(
        operation,
        'interpreter/invalid-ir',
        `has ${values.length} values for ${elementCount(shape)} elements`,
      );
    }
    values.forEach((value, i) => setElement(data, i, holdConstant(operation, elementType, value)));
  }
  return { data, shape, elementType };
};

/** Fills elements with bytes, the least significant one first: all at once where elements are held as in memory. */
const fillFromBytes = (operation: Operation, data: ElementArray, type: Type, bytes: Uint8Array): void => {
  const each = bytesOfElement(type)!;
  const isFloat = type.kind === 'float';
  const isHeldAsStored = isFloat
    ? type.name === 'f32' || type.name === 'f64'
    : type.kind === 'integer' && type.width === 8 * data.BYTES_PER_ELEMENT;
  if (isHeldAsStored) {
    new Uint8Array(data.buffer, data.byteOffset, data.byteLength).set(bytes);
    return;
  }
  const half = isFloat && each === 2 ? valuesOfHalves(type.name) : undefined;
  for (let i = 0, at = 0; at < bytes.length; i += 1, at += each) {
    if (half !== undefined) {
      data[i] = half[bytes[at]! | (bytes[at + 1]! << 8)]!;
      continue;
    }
    let value = 0n;
    for (let k = each - 1; k >= 0; k -= 1) value = (value << 8n) | BigInt(bytes[at + k]!);
    const stored = isFloat ? floatFromBits(value, type.name) : value;
    setElement(data, i, holdConstant(operation, type, stored));
  }
};

const halves = new Map<string, Float32Array>();

/** The value of each bit pattern of a type of 16 bits. */
const valuesOfHalves = (name: string): Float32Array => {
  const known = halves.get(name);
  if (known !== undefined) return known;
  const values = Float32Array.from({ length: 2 ** 16 }, (_, bits) => floatFromBits(BigInt(bits), name));
  halves.set(name, values);
  return values;
};

const holdConstant = (operation: Operation, type: Type, value: number | bigint | string): Scalar => {
  if (type.kind === 'float' && typeof value === 'number') {
    const round = rounderOf(type);
    if (round !== undefined) return round(value);
  }
  if ((type.kind === 'integer' || type.kind === 'index') && typeof value !== 'string') {
    if (type.kind === 'integer' && type.signedness === 'unsigned') {
      const unsigned = BigInt.asUintN(type.width, BigInt(value));
      return isNumberType(type) ? Number(unsigned) : unsigned;
    }
    return holdInteger(operation, type)(BigInt(value));
  }
  return trap(operation, 'interpreter/unsupported-type', 'has a constant of an unsupported type');
};
