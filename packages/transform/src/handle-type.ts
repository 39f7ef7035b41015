/** The types of a script's values: handles to operations and to values, and parameters. */
import type { DialectType, Type, TypeConstraint } from '@sconv/ir';
import { dialectType, printType, typeConstraint } from '@sconv/ir';

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

/** A parameter that holds attributes of one type. */
export const paramOf = (type: Type): DialectType => dialectType('transform', `param<${printType(type)}>`);

const transformType = (description: string, body: RegExp): TypeConstraint =>
  typeConstraint(
    description,
    (type) => type.kind === 'dialect' && type.dialect === 'transform' && body.test(type.body),
  );

/** What upstream words as `TransformHandleTypeInterface instance`. */
export const handleType = transformType('TransformHandleTypeInterface instance', /^(any_op$|op<)/);

/** What upstream words as `TransformValueHandleTypeInterface instance`. */
export const valueHandleType = transformType('TransformValueHandleTypeInterface instance', /^any_value$/);

/** What upstream words as `TransformParamTypeInterface instance`. */
export const paramType = transformType('TransformParamTypeInterface instance', /^(any_param$|param<)/);

/** Any value of a script. */
export const scriptType: TypeConstraint = typeConstraint(
  'any transform handle or parameter',
  (type) => handleType.test(type) || valueHandleType.test(type) || paramType.test(type),
);
