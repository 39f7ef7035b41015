/** Constants as attributes of the IR. */
import type { Attribute } from '@sconv/ir';
import {
  denseElementsAttribute,
  denseResource,
  floatAttribute,
  integerAttribute,
  roundToFloat,
  tensorType,
} from '@sconv/ir';
import type { Constant } from './constant.ts';
import { elementsOf } from './constant.ts';
import type { ElementType } from './element-type.ts';
import { numberAt } from './element-type.ts';

/** Longer constants are bytes of the file, which nothing copies; shorter ones can be read in the text. */
const longestText = 16;

/** A constant as an attribute; `name` is what the text calls its bytes. */
export const weightAttribute = (constant: Constant, name: string): Attribute => {
  const { type, shape, bytes } = constant;
  const irType = tensorType(shape, type.type);
  if (bytes.length > longestText * type.size) return denseResource(irType, bytes, name);
  const elements = elementsOf(constant);
  const values = Array.from({ length: elements.length }, (_, i) =>
    type.kind === 'float' ? numberAt(type, elements, i) : BigInt(elements[i]!),
  );
  return denseElementsAttribute(values, irType);
};

/** A number as an attribute of an element type. */
export const scalarAttribute = ({ type }: ElementType, value: number | bigint): Attribute =>
  type.kind === 'float'
    ? floatAttribute(roundToFloat(Number(value), type.name), type)
    : integerAttribute(typeof value === 'bigint' ? value : Math.trunc(value), type);

/** The only element of a splat, as a number of its type. */
export const scalarOf = (constant: Constant): number | bigint => {
  const elements = elementsOf(constant);
  const element = elements[0]!;
  return typeof element === 'bigint' ? element : numberAt(constant.type, elements, 0);
};
