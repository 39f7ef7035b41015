/** Attributes of the arith dialect (and of math, which shares the fast-math flags). */
import type { Attribute, AttributeSpec } from '@sconv/ir';
import { attributeKind, named, optionalAttribute, withDefault } from '@sconv/ir';
import { enumAttribute, flagsAttribute, flagsBody } from './attribute-kinds.ts';
import type { FlagSet } from './attribute-kinds.ts';

const fastmathSet: FlagSet = {
  dialect: 'arith',
  mnemonic: 'fastmath',
  flags: ['reassoc', 'nnan', 'ninf', 'nsz', 'arcp', 'contract', 'afn'],
  all: 'fast',
  separator: ',',
};
const fastmathFlags = flagsAttribute(fastmathSet, 'Floating point fast math flags');

/** What rewrites may assume about a floating-point operation; `none` by default. */
export const fastmath: AttributeSpec<readonly string[], 'default'> = withDefault(fastmathFlags, []);

/** `fastmath` of casts, which do not store the default. */
export const optionalFastmath: AttributeSpec<readonly string[], 'optional'> =
  optionalAttribute(fastmathFlags);

const overflowSet: FlagSet = {
  dialect: 'arith',
  mnemonic: 'overflow',
  flags: ['nsw', 'nuw'],
  separator: ', ',
};

/** Which overflows of an integer operation yield poison. */
export const overflowFlags: AttributeSpec<readonly string[], 'default'> = named(
  withDefault(flagsAttribute(overflowSet, 'Integer overflow arith flags'), []),
  'overflowFlags',
);

/** Flags in the order of their declaration; other attributes unchanged. */
export const arithAttributeBody = (body: string): string =>
  flagsBody(fastmathSet, body) ?? flagsBody(overflowSet, body) ?? body;

const integerPredicates = ['eq', 'ne', 'slt', 'sle', 'sgt', 'sge', 'ult', 'ule', 'ugt', 'uge'] as const;
export type IntegerPredicate = (typeof integerPredicates)[number];

/** In LLVM's order: `o…` is false and `u…` is true if an operand is NaN. */
const floatPredicates = [
  'false',
  'oeq',
  'ogt',
  'oge',
  'olt',
  'ole',
  'one',
  'ord',
  'ueq',
  'ugt',
  'uge',
  'ult',
  'ule',
  'une',
  'uno',
  'true',
] as const;
export type FloatPredicate = (typeof floatPredicates)[number];

export const integerPredicate = enumAttribute(integerPredicates, 64);
export const floatPredicate = enumAttribute(floatPredicates, 64);

/** The rounding mode of `truncf`. */
export const roundingMode: AttributeSpec<string, 'optional'> = named(
  optionalAttribute<string>(
    enumAttribute(['to_nearest_even', 'downward', 'upward', 'toward_zero', 'to_nearest_away'], 32),
  ),
  'roundingmode',
);

const typedKinds: ReadonlySet<Attribute['kind']> = new Set([
  'integer',
  'float',
  'string',
  'dense-elements',
  'dense-resource',
  'dialect',
  'opaque',
]);

/** A constant of any type: the attribute carries its own type. */
export const typedValue = attributeKind<Attribute>(
  'TypedAttr instance',
  (attribute) => (typedKinds.has(attribute.kind) ? attribute : undefined),
  (value) => value,
);
