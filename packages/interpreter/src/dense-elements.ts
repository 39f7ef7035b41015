/** Constants: attributes to values. */
import type { DenseElementsAttribute, Operation, Type } from '@sconv/ir';
import { elementCount } from '@sconv/ir';
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
    case 'dense-elements': {
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
  { type, values, text }: DenseElementsAttribute,
): { readonly data: ElementArray; readonly shape: readonly number[]; readonly elementType: Type } => {
  if (type.kind !== 'tensor' && type.kind !== 'vector') {
    return trap(operation, 'interpreter/invalid-ir', 'has dense elements that are no tensor');
  }
  if (text !== undefined) {
    trap(operation, 'interpreter/unsupported-type', 'has dense elements that are not written as numbers');
  }
  const { shape, elementType } = type;
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
