/** Enums that specify what a named op computes: its function, and how its operands are converted. */
import { optionalAttribute } from '@sconv/ir';
import { dialectEnumAttribute } from './attribute-kinds.ts';

/** In the order of upstream's enum. */
const unaryFunctionNames = [
  'exp',
  'log',
  'abs',
  'ceil',
  'floor',
  'negf',
  'reciprocal',
  'round',
  'sqrt',
  'rsqrt',
  'square',
  'tanh',
  'erf',
] as const;
export type UnaryFunction = (typeof unaryFunctionNames)[number];

/** In the order of upstream's enum. */
const binaryFunctionNames = [
  'add',
  'sub',
  'mul',
  'div',
  'div_unsigned',
  'max_signed',
  'min_signed',
  'max_unsigned',
  'min_unsigned',
  'powf',
] as const;
export type BinaryFunction = (typeof binaryFunctionNames)[number];

/** The function of `elemwise_unary`: `#linalg.unary_fn<exp>`. */
export const unaryFunctionAttribute = optionalAttribute(
  dialectEnumAttribute('linalg', 'unary_fn', unaryFunctionNames),
);

/** The function of `elemwise_binary`: `#linalg.binary_fn<add>`. */
export const binaryFunctionAttribute = optionalAttribute(
  dialectEnumAttribute('linalg', 'binary_fn', binaryFunctionNames),
);

/** How the operands are converted to the type of the output: `#linalg.type_fn<cast_signed>`. */
export const castAttribute = optionalAttribute(
  dialectEnumAttribute('linalg', 'type_fn', ['cast_signed', 'cast_unsigned']),
);
