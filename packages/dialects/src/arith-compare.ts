/** Comparison and select ops of the arith dialect. */
import type { Type, Value } from '@sconv/ir';
import {
  allTypesMatch,
  anyType,
  booleanAttribute,
  defineOp,
  i1,
  one,
  typeEquals,
  typesMatchWith,
  unitAttribute,
} from '@sconv/ir';
import type { IntegerPredicate } from './arith-attributes.ts';
import { fastmath, floatPredicate, integerPredicate } from './arith-attributes.ts';
import { foldElementwise, isConstant, signed, unsigned, widthOf } from './arith-fold.ts';
import {
  boolLike,
  elementTypeOf,
  floatLike,
  shapeOf,
  signlessIntegerLike,
  withElementType,
} from './constraints.ts';
import { forwardsOperands } from './interfaces.ts';
import { typeText } from './type-text.ts';

/** The result type of a comparison: `i1`, with the shape of its operands. */
const comparisonType = (type: Type): Type => withElementType(type, i1);

const resultIsBoolean = typesMatchWith(
  'result type has i1 element type and same shape as operands',
  'lhs',
  'result',
  comparisonType,
);

const compareIntegers = (predicate: IntegerPredicate, a: bigint, b: bigint, width: number): boolean => {
  const [s, t] = predicate.startsWith('u')
    ? [unsigned(a, width), unsigned(b, width)]
    : [signed(a, width), signed(b, width)];
  switch (predicate) {
    case 'eq':
      return s === t;
    case 'ne':
      return s !== t;
    case 'slt':
    case 'ult':
      return s < t;
    case 'sle':
    case 'ule':
      return s <= t;
    case 'sgt':
    case 'ugt':
      return s > t;
    case 'sge':
    case 'uge':
      return s >= t;
  }
};

/** The predicate for swapped operands. */
const turnedAround: Readonly<Record<IntegerPredicate, IntegerPredicate>> = {
  eq: 'eq',
  ne: 'ne',
  slt: 'sgt',
  sle: 'sge',
  sgt: 'slt',
  sge: 'sle',
  ult: 'ugt',
  ule: 'uge',
  ugt: 'ult',
  uge: 'ule',
};

/** `arith.cmpi slt, %a, %b : index`. */
export const cmpi = defineOp({
  name: 'arith.cmpi',
  summary: 'integer comparison',
  operands: { lhs: one(signlessIntegerLike), rhs: one(signlessIntegerLike) },
  results: { result: one(boolLike) },
  attributes: { predicate: integerPredicate },
  traits: ['pure', 'elementwise', 'same-operands-type'],
  typeRelations: [resultIsBoolean],
  assembly: { format: '$predicate `,` $lhs `,` $rhs attr-dict `:` type($lhs)' },
  fold: (operation, constants) => {
    const predicate = integerPredicate.decode(operation.attributes['predicate'] ?? unitAttribute);
    const [lhs, rhs] = operation.operands;
    if (predicate === undefined || lhs === undefined || rhs === undefined) return undefined;
    if (lhs.id === rhs.id && elementTypeOf(lhs.type) === lhs.type) {
      return [booleanAttribute(compareIntegers(predicate, 0n, 0n, 64))];
    }
    const width = widthOf(elementTypeOf(lhs.type));
    const folded = foldElementwise(constants, comparisonType(lhs.type), (a, b) =>
      typeof a === 'bigint' && typeof b === 'bigint'
        ? BigInt(compareIntegers(predicate, a, b, width))
        : undefined,
    );
    if (folded !== undefined) return [folded];
    if (constants[0] === undefined || constants[1] !== undefined) return undefined;
    // Canonicalize constants to the right.
    const attributes = {
      ...operation.attributes,
      predicate: integerPredicate.encode(turnedAround[predicate]),
    };
    return { kind: 'in-place', operands: [rhs, lhs], attributes };
  },
});

/** Evaluates an ordered predicate on two numbers; `u…` and `o…` differ only for NaN. */
const compareFloats = (predicate: string, a: number, b: number): boolean => {
  if (predicate === 'true' || predicate === 'false') return predicate === 'true';
  if (Number.isNaN(a) || Number.isNaN(b)) return predicate.startsWith('u');
  switch (predicate.slice(1)) {
    case 'eq':
      return a === b;
    case 'ne':
      return a !== b;
    case 'gt':
      return a > b;
    case 'ge':
      return a >= b;
    case 'lt':
      return a < b;
    case 'le':
      return a <= b;
    default:
      // ord and uno of two non-NaN numbers.
      return predicate === 'ord';
  }
};

/** `arith.cmpf olt, %a, %b : f32`. */
export const cmpf = defineOp({
  name: 'arith.cmpf',
  summary: 'floating-point comparison',
  operands: { lhs: one(floatLike), rhs: one(floatLike) },
  results: { result: one(boolLike) },
  attributes: { predicate: floatPredicate, fastmath },
  traits: ['pure', 'elementwise', 'same-operands-type'],
  typeRelations: [resultIsBoolean],
  assembly: {
    format: '$predicate `,` $lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($lhs)',
  },
  fold: (operation, constants) => {
    const predicate = floatPredicate.decode(operation.attributes['predicate'] ?? unitAttribute);
    const [lhs] = operation.operands;
    if (predicate === undefined || lhs === undefined) return undefined;
    const folded = foldElementwise(constants, comparisonType(lhs.type), (a, b) =>
      typeof a === 'number' && typeof b === 'number' ? BigInt(compareFloats(predicate, a, b)) : undefined,
    );
    return folded === undefined ? undefined : [folded];
  },
});

/** `arith.select %c, %a, %b : f32`; the condition's type is printed unless it is `i1`. */
export const select = defineOp({
  name: 'arith.select',
  interfaces: [forwardsOperands(1, 2)],
  summary: 'one of two values, by a condition',
  operands: { condition: one(boolLike), trueValue: one(anyType), falseValue: one(anyType) },
  results: { result: one(anyType) },
  traits: ['pure', 'elementwise'],
  typeRelations: [
    {
      ...allTypesMatch('trueValue', 'falseValue', 'result'),
      description: 'all of {true_value, false_value, result} have same type',
    },
  ],
  assembly: {
    parse: (parser) => {
      const operands = parser.operandList();
      const attributes = parser.optionalAttrDict();
      let type = parser.colonType();
      let conditionType: Type = i1;
      if (parser.accept(',')) {
        conditionType = type;
        type = parser.type();
      }
      return {
        operands: parser.resolveAll(operands, [conditionType, type, type], parser.location),
        attributes,
        resultTypes: [type],
      };
    },
    print: (printer, operation) => {
      printer.text(' ');
      printer.operands(operation.operands);
      printer.optionalAttrDict(operation);
      printer.text(' : ');
      const [condition, value] = operation.operands as [Value, Value, Value];
      if (condition.type.kind !== 'integer') {
        printer.type(condition.type);
        printer.text(', ');
      }
      printer.type(value.type);
    },
  },
  *verify({ operands: { condition, trueValue: value } }) {
    if (condition.type.kind === 'integer') return;
    if (shapeOf(value.type) === undefined && value.type.kind !== 'unranked-tensor') {
      yield `expected condition to be a signless i1, but got '${typeText(condition.type)}'`;
    } else if (String(shapeOf(condition.type)) !== String(shapeOf(value.type))) {
      yield 'failed to verify that condition is signless i1 or has matching shape';
    } else if (!typeEquals(condition.type, comparisonType(value.type))) {
      yield (
        'expected condition type to have the same shape as the result type, expected ' +
        `'${typeText(comparisonType(value.type))}', but got '${typeText(condition.type)}'`
      );
    }
  },
  fold: (operation, constants) => {
    const [, whenTrue, whenFalse] = operation.operands;
    if (whenTrue === undefined || whenFalse === undefined) return undefined;
    if (whenTrue.id === whenFalse.id || isConstant(constants[0], 1)) return [whenTrue];
    if (isConstant(constants[0], 0)) return [whenFalse];
    const folded = foldElementwise(constants, whenTrue.type, (condition, a, b) => (condition === 0n ? b : a));
    return folded && [folded];
  },
});
