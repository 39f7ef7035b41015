/** The types of a script's values: handles to operations and to values, and parameters. */
import type { Attribute, DialectType, Type, TypeConstraint } from '@sconv/ir';
import { dialectType, printAttribute, printType, typeConstraint } from '@sconv/ir';
import { paramBody } from './payload.ts';

/** A handle to payload operations of any name. */
export const anyOp: DialectType = dialectType('transform', 'any_op');

/** A handle to payload operations of one name. */
export const opHandleType = (name: string): DialectType => dialectType('transform', `op<"${name}">`);

/** The operation name that a handle type promises; undefined for `any_op`. */
export const promisedName = (type: Type): string | undefined =>
  type.kind === 'dialect' && type.dialect === 'transform' && type.body.startsWith('op<"')
    ? type.body.slice('op<"'.length, -'">'.length)
    : undefined;

/** A handle to values of the payload. */
export const anyValue: DialectType = dialectType('transform', 'any_value');

/** A parameter of any type. */
export const anyParam: DialectType = dialectType('transform', 'any_param');

/** A parameter with attributes of one type. */
export const paramOf = (type: Type): DialectType => dialectType('transform', `param<${printType(type)}>`);

const transformType = (description: string, body: RegExp): TypeConstraint =>
  typeConstraint(
    description,
    (type) => type.kind === 'dialect' && type.dialect === 'transform' && body.test(type.body),
  );

/** Upstream's `TransformHandleTypeInterface instance`. */
export const handleType = transformType(
  'TransformHandleTypeInterface instance',
  /^(any_op$|op<|test_dialect_op$)/,
);

/** Upstream's `TransformValueHandleTypeInterface instance`. */
export const valueHandleType: TypeConstraint = {
  ...transformType('TransformValueHandleTypeInterface instance', /^any_value$/),
  buildable: anyValue,
};

/** A handle to any operations, whose type the assembly may omit. */
export const anyOpType: TypeConstraint = { ...transformType('', /^any_op$/), buildable: anyOp };

/** Upstream's `TransformParamTypeInterface instance`. */
export const paramType = transformType('TransformParamTypeInterface instance', paramBody);

/** The error of attributes that do not fit a parameter's type, with upstream's message. */
export const unfitParam = (type: Type, attributes: readonly Attribute[]): string | undefined => {
  if (type.kind !== 'dialect') return undefined;
  for (const attribute of attributes) {
    const found = printAttribute(attribute);
    if (type.body === 'affine_map' && attribute.kind !== 'affine-map')
      return `expected affine map attribute, got ${found}`;
    if (type.body === 'type' && attribute.kind !== 'type') return `expected type attribute, got ${found}`;
    const [, promised] = /^param<(.*)>$/.exec(type.body) ?? [];
    if (promised === undefined) continue;
    if (attribute.kind !== 'integer') return `expected parameter to be an integer attribute, got ${found}`;
    const actual = printType(attribute.type);
    if (actual !== promised)
      return `expected the type of the parameter attribute ('${actual}') to match the parameter type ('${promised}')`;
  }
  return undefined;
};

/** A handle to operations, or a parameter: a source of sizes. */
export const handleOrParamType: TypeConstraint = typeConstraint(
  'transform any param type or any handle type',
  (type) => handleType.test(type) || paramType.test(type),
);

/** Any value of a script. */
export const scriptType: TypeConstraint = typeConstraint(
  'any transform handle or parameter',
  (type) => handleType.test(type) || valueHandleType.test(type) || paramType.test(type),
);
