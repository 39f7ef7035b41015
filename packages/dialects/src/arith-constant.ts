/** `arith.constant`. */
import type { Attribute, Operation, Type } from '@sconv/ir';
import { anyType, defineOp, one, typeEquals } from '@sconv/ir';
import { typedValue } from './arith-attributes.ts';

/** The type that a typed attribute has: that of the constant. */
export const typeOfAttribute = (attribute: Attribute | undefined): Type | undefined => {
  switch (attribute?.kind) {
    case 'integer':
    case 'float':
    case 'dense-elements':
      return attribute.type;
    case 'string':
    case 'dialect':
      return attribute.type;
    default:
      return undefined;
  }
};

/** `c0`, `c1_i32`, `true`, `cst`. */
const constantName = (operation: Operation): string => {
  const value = operation.attributes['value'];
  if (value?.kind !== 'integer') return 'cst';
  const { type } = value;
  if (type.kind !== 'integer') return `c${value.value}`;
  if (type.width === 1) return value.value === 0n ? 'false' : 'true';
  return `c${value.value}_${type.signedness === 'signless' ? 'i' : type.signedness === 'signed' ? 'si' : 'ui'}${type.width}`;
};

/** `arith.constant 1 : i32`. */
export const constant = defineOp({
  name: 'arith.constant',
  summary: 'a constant',
  results: { result: one(anyType) },
  attributes: { value: typedValue },
  traits: ['pure', 'constant-like'],
  assembly: { format: 'attr-dict $value' },
  inferResultTypes: (_, attributes) => {
    const type = typeOfAttribute(attributes['value']);
    return type === undefined ? undefined : [type];
  },
  *verify({ operation }) {
    const { value } = operation.attributes;
    const [result] = operation.results;
    const type = typeOfAttribute(value);
    if (type === undefined || result === undefined) return;
    if (!typeEquals(type, result.type)) yield 'failed to verify that all of {value, result} have same type';
    if (result.type.kind === 'integer' && result.type.signedness !== 'signless') {
      yield 'integer return type must be signless';
    }
  },
  fold: (operation) => {
    const value = operation.attributes['value'];
    return value === undefined ? undefined : [value];
  },
  resultName: constantName,
});
