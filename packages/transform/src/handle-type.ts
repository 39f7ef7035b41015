/** The types of transform handles: `!transform.any_op` and `!transform.op<"name">`. */
import type { DialectType, Type, TypeConstraint } from '@sconv/ir';
import { dialectType, typeConstraint } from '@sconv/ir';

/** A handle to payload operations of any name. */
export const anyOp: DialectType = dialectType('transform', 'any_op');

/** A handle to payload operations of one name. */
export const opHandleType = (name: string): DialectType => dialectType('transform', `op<"${name}">`);

/** The operation name that a handle type promises; undefined for `any_op`. */
export const promisedName = (type: Type): string | undefined =>
  type.kind === 'dialect' && type.dialect === 'transform' ? /^op<"(.*)">$/.exec(type.body)?.[1] : undefined;

/** What upstream words as `TransformHandleTypeInterface instance`. */
export const handleType: TypeConstraint = typeConstraint(
  'TransformHandleTypeInterface instance',
  (type) => type.kind === 'dialect' && type.dialect === 'transform' && /^(any_op$|op<)/.test(type.body),
);
