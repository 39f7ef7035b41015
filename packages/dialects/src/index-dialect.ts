/** The index dialect: arithmetic on address-width integers; and `ub.poison`. */
import type { Dialect, Implementation, Operation, Trait, Type } from '@sconv/ir';
import {
  anyType,
  attributeKind,
  boolAttribute,
  constantLike,
  defineOp,
  dialectAttribute,
  i1,
  implement,
  index,
  indexAttribute,
  integerOf,
  one,
  typeConstraint,
  withDefault,
  withSyntax,
} from '@sconv/ir';
import { signedDivisionTraps, unlessTraps, unsignedDivisionTraps } from './division.ts';
import { speculatable } from './interfaces.ts';
import { typeText } from './type-text.ts';

const bool = typeConstraint(
  '1-bit signless integer',
  (type): type is Type => type.kind === 'integer' && type.width === 1 && type.signedness === 'signless',
);
const integerOrIndex = typeConstraint(
  'integer or index',
  (type): type is Type => type.kind === 'integer' || type.kind === 'index',
);

/** Optional parts of a binary operation. */
interface Options {
  readonly traits?: readonly Trait[];
  readonly interfaces?: readonly Implementation[];
}

const signedDivision = implement(speculatable, unlessTraps(signedDivisionTraps));
const unsignedDivision = implement(speculatable, unlessTraps(unsignedDivisionTraps));

const binary = (mnemonic: string, summary: string, options: Options = {}) =>
  defineOp({
    name: `index.${mnemonic}`,
    summary,
    operands: { lhs: one(index), rhs: one(index) },
    results: { result: one(index) },
    traits: ['pure', ...(options.traits ?? [])],
    interfaces: options.interfaces ?? [],
    assembly: { format: '$lhs `,` $rhs attr-dict' },
  });

const commuting: Options = { traits: ['commutative'] };

const cast = (mnemonic: string, summary: string) =>
  defineOp({
    name: `index.${mnemonic}`,
    summary,
    operands: { input: one(integerOrIndex) },
    results: { output: one(integerOrIndex) },
    traits: ['pure'],
    assembly: { format: '$input attr-dict `:` type($input) `to` type($output)' },
    *verify({ operands: { input }, results: { output } }) {
      if ((input.type.kind === 'index') === (output.type.kind === 'index'))
        yield `operand type '${typeText(input.type)}' and result type '${typeText(output.type)}' are cast incompatible`;
    },
  });

const predicates = ['eq', 'ne', 'slt', 'sle', 'sgt', 'sge', 'ult', 'ule', 'ugt', 'uge'] as const;
type Predicate = (typeof predicates)[number];

/** `#index<cmp_predicate slt>`, which the format prints as `slt`. */
const predicate = withSyntax(
  attributeKind<Predicate>(
    'index comparison predicate kind',
    (attribute) =>
      attribute.kind === 'dialect' && attribute.dialect === 'index'
        ? predicates.find((word) => attribute.body === `cmp_predicate ${word}`)
        : undefined,
    (word) => dialectAttribute('index', `cmp_predicate ${word}`),
  ),
  {
    parse: (parser) => {
      const location = parser.here();
      const word = parser.keyword();
      return predicates.some((known) => known === word)
        ? dialectAttribute('index', `cmp_predicate ${word}`)
        : parser.fail(
            `expected ::mlir::index::IndexCmpPredicate to be one of: ${predicates.join(', ')}`,
            location,
          );
    },
    print: (printer, attribute) => {
      if (attribute.kind === 'dialect') printer.text(attribute.body.slice('cmp_predicate '.length));
    },
  },
);

/** `index.cmp slt(%a, %b)`. */
const cmp = defineOp({
  name: 'index.cmp',
  summary: 'whether two numbers are in a relation',
  operands: { lhs: one(index), rhs: one(index) },
  results: { result: one(bool) },
  attributes: { pred: predicate },
  traits: ['pure'],
  assembly: { format: '$pred `(` $lhs `,` $rhs `)` attr-dict' },
  inferResultTypes: () => [i1],
});

const sizeOf = defineOp({
  name: 'index.sizeof',
  summary: 'how many bits a number has',
  results: { result: one(index) },
  traits: ['pure'],
  assembly: { format: 'attr-dict' },
});

const numberOf = ({ attributes }: Operation): number => integerOf(attributes['value']) ?? 0;

/** A constant given by its attribute; folds of other ops materialize constants of their own dialects. */
const ownConstant = implement(constantLike, {
  value: ({ attributes }) => attributes['value'],
  attributesFor: () => undefined,
});

/** `index.constant 42`. */
const constant = defineOp({
  name: 'index.constant',
  summary: 'a constant number',
  results: { result: one(index) },
  attributes: { value: indexAttribute },
  traits: ['pure'],
  interfaces: [ownConstant],
  assembly: { format: 'attr-dict $value' },
  resultName: (operation) => `idx${numberOf(operation)}`,
});

/** `index.bool.constant true`. */
const boolConstant = defineOp({
  name: 'index.bool.constant',
  summary: 'a constant truth value',
  results: { result: one(bool) },
  attributes: { value: boolAttribute },
  traits: ['pure'],
  interfaces: [ownConstant],
  assembly: { format: 'attr-dict $value' },
  inferResultTypes: () => [i1],
  resultName: (operation) => (numberOf(operation) === 0 ? 'false' : 'true'),
});

/** The dialect, for a registry. */
export const indexDialect: Dialect = {
  name: 'index',
  operations: [
    binary('add', 'a sum', commuting),
    binary('sub', 'a difference'),
    binary('mul', 'a product', commuting),
    binary('divs', 'a quotient of signed numbers', { interfaces: [signedDivision] }),
    binary('divu', 'a quotient of unsigned numbers', { interfaces: [unsignedDivision] }),
    binary('ceildivs', 'a quotient of signed numbers, rounded up', { interfaces: [signedDivision] }),
    binary('ceildivu', 'a quotient of unsigned numbers, rounded up', { interfaces: [unsignedDivision] }),
    binary('floordivs', 'a quotient of signed numbers, rounded down', { interfaces: [signedDivision] }),
    binary('rems', 'what a division of signed numbers leaves', { interfaces: [signedDivision] }),
    binary('remu', 'what a division of unsigned numbers leaves', { interfaces: [unsignedDivision] }),
    binary('maxs', 'the larger of two signed numbers', commuting),
    binary('maxu', 'the larger of two unsigned numbers', commuting),
    binary('mins', 'the smaller of two signed numbers', commuting),
    binary('minu', 'the smaller of two unsigned numbers', commuting),
    binary('shl', 'bits shifted up'),
    binary('shrs', 'bits of a signed number shifted down'),
    binary('shru', 'bits shifted down'),
    binary('and', 'the bits that two numbers have', commuting),
    binary('or', 'the bits that one of two numbers has', commuting),
    binary('xor', 'the bits in which two numbers differ', commuting),
    cast('casts', 'a signed number in another width'),
    cast('castu', 'an unsigned number in another width'),
    cmp,
    sizeOf,
    constant,
    boolConstant,
  ],
};

const poisonValue = attributeKind<'poison'>(
  'poison attribute',
  (attribute) =>
    attribute.kind === 'dialect' && attribute.dialect === 'ub' && attribute.body === 'poison'
      ? 'poison'
      : undefined,
  () => dialectAttribute('ub', 'poison'),
);

/** The ub dialect: `ub.poison : f32`, a value that must not be relied on. */
export const ubDialect: Dialect = {
  name: 'ub',
  operations: [
    defineOp({
      name: 'ub.poison',
      summary: 'a value that nothing may depend on',
      results: { result: one(anyType) },
      attributes: { value: withDefault(poisonValue, 'poison') },
      traits: ['pure'],
      assembly: { format: 'attr-dict (`<` $value^ `>`)? `:` type($result)' },
    }),
  ],
};
