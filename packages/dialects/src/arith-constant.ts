/** `arith.constant`. */
import type { Attribute, Operation, Type } from '@sconv/ir';
import { anyType, constantLike, defineOp, implement, one, typeEquals } from '@sconv/ir';
import { typedValue } from './arith-attributes.ts';

/** The type of a typed attribute: that of the constant. */
export const typeOfAttribute = (attribute: Attribute | undefined): Type | undefined => {
  switch (attribute?.kind) {
    case 'integer':
    case 'float':
    case 'dense-elements':
    case 'dense-resource':
    case 'dialect':
    case 'opaque':
      return attribute.type;
    case 'string':
      return attribute.type ?? { kind: 'none' };
    default:
      return undefined;
  }
};

/** The SSA name of a constant: `c0`, `c1_i32`, `true`, `cst`. */
const constantName = (operation: Operation): string => {
  const value = operation.attributes['value'];
  if (value?.kind !== 'integer') return 'cst';
  const { type } = value;
  if (type.kind !== 'integer') return `c${value.value}`;
  if (type.width === 1) return value.value === 0n ? 'false' : 'true';
  const prefix = { signless: 'i', signed: 'si', unsigned: 'ui' }[type.signedness];
  return `c${value.value}_${prefix}${type.width}`;
};

/** Whether `value` is valid for a constant of this type. */
const holds = (value: Attribute, type: Type): boolean =>
  (value.kind === 'integer' ||
    value.kind === 'float' ||
    value.kind === 'dense-elements' ||
    value.kind === 'dense-resource') &&
  typeEquals(value.type, type) &&
  (type.kind !== 'integer' || type.signedness === 'signless');

/** `arith.constant 1 : i32`. */
export const constant = defineOp({
  name: 'arith.constant',
  summary: 'a constant',
  results: { result: one(anyType) },
  attributes: { value: typedValue },
  traits: ['pure'],
  interfaces: [
    implement(constantLike, {
      value: ({ attributes }) => attributes['value'],
      attributesFor: (value, type) => (holds(value, type) ? { value } : undefined),
    }),
  ],
  assembly: { format: 'attr-dict $value' },
  inferResultTypes: (_, attributes) => {
    const type = typeOfAttribute(attributes['value']);
    return type === undefined ? undefined : [type];
  },
  *verify({ attributes: { value }, results: { result } }) {
    // Opaque elements do not carry their type.
    const type = typeOfAttribute(value);
    if (type !== undefined && !typeEquals(type, result.type))
      yield 'failed to verify that all of {value, result} have same type';
    if (value.kind === 'string' || value.kind === 'dialect')
      yield 'value must be an integer, float, or elements attribute';
    if (result.type.kind === 'integer' && result.type.signedness !== 'signless') {
      yield 'integer return type must be signless';
    }
    const isScalable = result.type.kind === 'vector' && result.type.scalable.includes(true);
    if (isScalable && value.kind === 'dense-elements' && value.values.length > 1)
      yield "intializing scalable vectors with elements attribute is not supported unless it's a vector splat";
  },
  resultName: constantName,
});
