/**
 * The arith dialect: integer and floating-point arithmetic on scalars, and elementwise on vectors and tensors.
 */
import type { Attribute, Dialect, Folder, Operation, Trait, Type, TypeConstraint } from '@sconv/ir';
import {
  allTypesMatch,
  anyType,
  booleanAttribute,
  defineOp,
  DYNAMIC,
  i1,
  integerAttribute,
  one,
  typeEquals,
  typesMatchWith,
  unitAttribute,
} from '@sconv/ir';
import {
  fastmath,
  floatPredicate,
  integerPredicate,
  optionalFastmath,
  overflowFlags,
  roundingMode,
  typedValue,
} from './arith-attributes.ts';
import { typeText } from './type-text.ts';
import type { IntegerPredicate } from './arith-attributes.ts';
import {
  firstFold,
  foldElementwise,
  foldFloats,
  foldIntegers,
  idempotent,
  isConstant,
  isExactly,
  neutralLeft,
  neutralRight,
  signed,
  unsigned,
  widthOf,
} from './arith-fold.ts';
import {
  bitcastable,
  boolLike,
  elementTypeOf,
  fixedWidthIntegerLike,
  floatLike,
  indexCastable,
  shapeOf,
  signlessIntegerLike,
  withElementType,
} from './constraints.ts';

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
  *verify(operation) {
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

interface BinaryOptions {
  readonly traits?: readonly Trait[];
  readonly fold?: Folder;
}

const elementwise: readonly Trait[] = ['pure', 'elementwise', 'same-operands-and-result-type'];

/** An integer operation of two operands. */
const integerBinary = (mnemonic: string, summary: string, options: BinaryOptions = {}) =>
  defineOp({
    name: `arith.${mnemonic}`,
    summary,
    operands: { lhs: one(signlessIntegerLike), rhs: one(signlessIntegerLike) },
    results: { result: one(signlessIntegerLike) },
    traits: [...elementwise, ...(options.traits ?? [])],
    assembly: { format: '$lhs `,` $rhs attr-dict `:` type($result)' },
    ...(options.fold === undefined ? {} : { fold: options.fold }),
  });

/** An integer operation that may declare overflow to be poison. */
const overflowBinary = (mnemonic: string, summary: string, options: BinaryOptions = {}) =>
  defineOp({
    name: `arith.${mnemonic}`,
    summary,
    operands: { lhs: one(signlessIntegerLike), rhs: one(signlessIntegerLike) },
    results: { result: one(signlessIntegerLike) },
    attributes: { overflowFlags },
    traits: [...elementwise, ...(options.traits ?? [])],
    assembly: {
      format: '$lhs `,` $rhs (`overflow` `` $overflowFlags^)? attr-dict `:` type($result)',
    },
    ...(options.fold === undefined ? {} : { fold: options.fold }),
  });

/** A floating-point operation of two operands. */
const floatBinary = (mnemonic: string, summary: string, options: BinaryOptions = {}) =>
  defineOp({
    name: `arith.${mnemonic}`,
    summary,
    operands: { lhs: one(floatLike), rhs: one(floatLike) },
    results: { result: one(floatLike) },
    attributes: { fastmath },
    traits: [...elementwise, ...(options.traits ?? [])],
    assembly: { format: '$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result)' },
    ...(options.fold === undefined ? {} : { fold: options.fold }),
  });

const commutative = { traits: ['commutative'] } as const;

/** `x op x` is the integer `value`. */
const selfIs =
  (value: number): Folder =>
  (operation) => {
    const [a, b] = operation.operands;
    if (a === undefined || a.id !== b?.id) return undefined;
    const type = elementTypeOf(a.type);
    return type === a.type ? [integerAttribute(value, type)] : undefined;
  };

/** `x op value` is `value`. */
const absorbing =
  (value: number): Folder =>
  (_, constants) =>
    constants[1] !== undefined && isConstant(constants[1], value) ? [constants[1]] : undefined;

const floorDiv = (a: bigint, b: bigint): bigint => {
  const quotient = a / b;
  return a % b !== 0n && a < 0n !== b < 0n ? quotient - 1n : quotient;
};
const ceilDiv = (a: bigint, b: bigint): bigint => -floorDiv(-a, b);

/** A quotient, where there is one that fits: not by zero, and not the smallest integer by -1. */
const quotient = (
  divide: (a: bigint, b: bigint) => bigint,
): ((a: bigint, b: bigint, width: number) => bigint | undefined) => {
  return (a, b, width) => {
    if (b === 0n) return undefined;
    const value = divide(a, b);
    return signed(value, width) === value || width === 1 ? value : undefined;
  };
};
const unsignedOnly =
  (compute: (a: bigint, b: bigint) => bigint | undefined) =>
  (a: bigint, b: bigint, width: number): bigint | undefined =>
    compute(unsigned(a, width), unsigned(b, width));
const byNonZero =
  (compute: (a: bigint, b: bigint) => bigint) =>
  (a: bigint, b: bigint): bigint | undefined =>
    b === 0n ? undefined : compute(a, b);
const shift =
  (compute: (a: bigint, b: bigint, width: number) => bigint) =>
  (a: bigint, b: bigint, width: number): bigint | undefined =>
    unsigned(b, width) >= BigInt(width) ? undefined : compute(a, unsigned(b, width), width);

export const addi = overflowBinary('addi', 'integer addition', {
  ...commutative,
  fold: firstFold(
    neutralRight(0),
    neutralLeft(0),
    foldIntegers((a, b) => a + b),
  ),
});
export const subi = overflowBinary('subi', 'integer subtraction', {
  fold: firstFold(
    selfIs(0),
    neutralRight(0),
    foldIntegers((a, b) => a - b),
  ),
});
export const muli = overflowBinary('muli', 'integer multiplication', {
  ...commutative,
  fold: firstFold(
    absorbing(0),
    neutralRight(1),
    neutralLeft(1),
    foldIntegers((a, b) => a * b),
  ),
});
export const shli = overflowBinary('shli', 'left shift', {
  fold: firstFold(neutralRight(0), foldIntegers(shift((a, b) => a << b))),
});
export const divsi = integerBinary('divsi', 'signed division, rounded to zero', {
  fold: firstFold(neutralRight(1), foldIntegers(quotient((a, b) => a / b))),
});
export const divui = integerBinary('divui', 'unsigned division', {
  fold: firstFold(neutralRight(1), foldIntegers(unsignedOnly(byNonZero((a, b) => a / b)))),
});
export const ceildivsi = integerBinary('ceildivsi', 'signed division, rounded up', {
  fold: firstFold(neutralRight(1), foldIntegers(quotient(ceilDiv))),
});
export const ceildivui = integerBinary('ceildivui', 'unsigned division, rounded up', {
  fold: firstFold(neutralRight(1), foldIntegers(unsignedOnly(byNonZero(ceilDiv)))),
});
export const floordivsi = integerBinary('floordivsi', 'signed division, rounded down', {
  fold: firstFold(neutralRight(1), foldIntegers(quotient(floorDiv))),
});
export const remsi = integerBinary('remsi', 'signed remainder, with the sign of the dividend', {
  fold: foldIntegers(byNonZero((a, b) => a % b)),
});
export const remui = integerBinary('remui', 'unsigned remainder', {
  fold: foldIntegers(unsignedOnly(byNonZero((a, b) => a % b))),
});
export const andi = integerBinary('andi', 'bitwise and', {
  ...commutative,
  fold: firstFold(
    absorbing(0),
    idempotent,
    foldIntegers((a, b) => a & b),
  ),
});
export const ori = integerBinary('ori', 'bitwise or', {
  ...commutative,
  fold: firstFold(
    neutralRight(0),
    neutralLeft(0),
    idempotent,
    foldIntegers((a, b) => a | b),
  ),
});
export const xori = integerBinary('xori', 'bitwise exclusive or', {
  ...commutative,
  fold: firstFold(
    neutralRight(0),
    neutralLeft(0),
    selfIs(0),
    foldIntegers((a, b) => a ^ b),
  ),
});
export const shrsi = integerBinary('shrsi', 'arithmetic right shift', {
  fold: firstFold(neutralRight(0), foldIntegers(shift((a, b) => a >> b))),
});
export const shrui = integerBinary('shrui', 'logical right shift', {
  fold: firstFold(neutralRight(0), foldIntegers(shift((a, b, width) => unsigned(a, width) >> b))),
});
export const maxsi = integerBinary('maxsi', 'signed maximum', {
  ...commutative,
  fold: firstFold(
    idempotent,
    foldIntegers((a, b) => (a > b ? a : b)),
  ),
});
export const minsi = integerBinary('minsi', 'signed minimum', {
  ...commutative,
  fold: firstFold(
    idempotent,
    foldIntegers((a, b) => (a < b ? a : b)),
  ),
});
export const maxui = integerBinary('maxui', 'unsigned maximum', {
  ...commutative,
  fold: firstFold(idempotent, foldIntegers(unsignedOnly((a, b) => (a > b ? a : b)))),
});
export const minui = integerBinary('minui', 'unsigned minimum', {
  ...commutative,
  fold: firstFold(idempotent, foldIntegers(unsignedOnly((a, b) => (a < b ? a : b)))),
});

/** `x op value` is `x`, for this very float: -0 is not 0. */
const neutralFloat =
  (value: number): Folder =>
  (operation, constants) =>
    isExactly(constants[1], value) && operation.operands[0] !== undefined
      ? [operation.operands[0]]
      : undefined;

const numberOf = (a: number, b: number, pick: (a: number, b: number) => number): number =>
  Number.isNaN(a) ? b : Number.isNaN(b) ? a : pick(a, b);

export const addf = floatBinary('addf', 'floating-point addition', {
  ...commutative,
  fold: firstFold(
    neutralFloat(-0),
    foldFloats((a = 0, b = 0) => a + b),
  ),
});
export const subf = floatBinary('subf', 'floating-point subtraction', {
  fold: firstFold(
    neutralFloat(0),
    foldFloats((a = 0, b = 0) => a - b),
  ),
});
export const mulf = floatBinary('mulf', 'floating-point multiplication', {
  ...commutative,
  fold: firstFold(
    neutralFloat(1),
    foldFloats((a = 0, b = 0) => a * b),
  ),
});
export const divf = floatBinary('divf', 'floating-point division', {
  fold: firstFold(
    neutralFloat(1),
    foldFloats((a = 0, b = 0) => a / b),
  ),
});
export const remf = floatBinary('remf', 'floating-point remainder, with the sign of the dividend', {
  fold: foldFloats((a = 0, b = 0) => a % b),
});
export const maximumf = floatBinary('maximumf', 'maximum; NaN if either is', {
  ...commutative,
  fold: firstFold(
    idempotent,
    foldFloats((a = 0, b = 0) => Math.max(a, b)),
  ),
});
export const minimumf = floatBinary('minimumf', 'minimum; NaN if either is', {
  ...commutative,
  fold: firstFold(
    idempotent,
    foldFloats((a = 0, b = 0) => Math.min(a, b)),
  ),
});
export const maxnumf = floatBinary('maxnumf', 'maximum of the operands that are numbers', {
  ...commutative,
  fold: firstFold(
    idempotent,
    foldFloats((a = 0, b = 0) => numberOf(a, b, Math.max)),
  ),
});
export const minnumf = floatBinary('minnumf', 'minimum of the operands that are numbers', {
  ...commutative,
  fold: firstFold(
    idempotent,
    foldFloats((a = 0, b = 0) => numberOf(a, b, Math.min)),
  ),
});

export const negf = defineOp({
  name: 'arith.negf',
  summary: 'floating-point negation',
  operands: { operand: one(floatLike) },
  results: { result: one(floatLike) },
  attributes: { fastmath },
  traits: elementwise,
  assembly: { format: '$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)' },
  fold: foldFloats((a = 0) => -a),
});

/** The type of a comparison: `i1`, in the shape of its operands. */
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
    return folded === undefined ? undefined : [folded];
  },
});

/** Whether an ordered predicate holds between two numbers; `u…` and `o…` differ only where one is NaN. */
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
      // ord and uno, of two numbers.
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

/** `arith.select %c, %a, %b : f32`; the type of the condition is said if it is not `i1`. */
export const select = defineOp({
  name: 'arith.select',
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
      const [condition, value] = operation.operands;
      if (condition !== undefined && condition.type.kind !== 'integer') {
        printer.type(condition.type);
        printer.text(', ');
      }
      if (value !== undefined) printer.type(value.type);
    },
  },
  *verify(operation) {
    const [condition, value] = operation.operands;
    if (condition === undefined || value === undefined || condition.type.kind === 'integer') return;
    if (value.type.kind !== 'tensor' && value.type.kind !== 'vector') {
      yield `expected condition to be a signless i1, but got '${typeText(condition.type)}'`;
    } else if (!compatibleShapes(condition.type, value.type)) {
      yield 'failed to verify that condition is signless i1 or has matching shape';
    } else if (!typeEquals(condition.type, comparisonType(value.type))) {
      yield `expected condition type to have the same shape as the result type, expected '${typeText(comparisonType(value.type))}', but got '${typeText(condition.type)}'`;
    }
  },
  fold: (operation, constants) => {
    const [, whenTrue, whenFalse] = operation.operands;
    if (whenTrue === undefined || whenFalse === undefined) return undefined;
    if (whenTrue.id === whenFalse.id || isConstant(constants[0], 1)) return [whenTrue];
    return isConstant(constants[0], 0) ? [whenFalse] : undefined;
  },
});

/** Whether two types may have the same shape: sizes that are unknown agree with any. */
const compatibleShapes = (a: Type, b: Type): boolean => {
  const [x, y] = [shapeOf(a), shapeOf(b)];
  if (x === undefined || y === undefined) return x === y;
  if (scalability(a) !== scalability(b) || x.length !== y.length) return false;
  return x.every((size, i) => size === y[i] || size === DYNAMIC || y[i] === DYNAMIC);
};

const scalability = (type: Type): string => (type.kind === 'vector' ? type.scalable.join() : '');

/** What upstream says of a cast whose two types do not fit each other. */
function* verifyCast(operation: Operation, fits: (from: Type, to: Type) => boolean): Generator<string> {
  const [from, to] = [operation.operands[0]?.type, operation.results[0]?.type];
  if (from === undefined || to === undefined) return;
  const sameSizes = String(shapeOf(from)) === String(shapeOf(to));
  if (!compatibleShapes(from, to)) yield 'requires the same shape for all operands and results';
  else if (!sameSizes) yield 'failed to verify that input and output have the same tensor dimensions';
  else if (!fits(elementTypeOf(from), elementTypeOf(to)) || !sameEncoding(from, to)) {
    yield `operand type '${typeText(from)}' and result type '${typeText(to)}' are cast incompatible`;
  }
}

const sameEncoding = (a: Type, b: Type): boolean =>
  a.kind !== 'tensor' || b.kind !== 'tensor' || typeEquals(withElementType(a, i1), withElementType(b, i1));

type CastFold = (value: bigint | number, from: Type, to: Type) => bigint | number | undefined;

const foldCast =
  (compute: CastFold): Folder =>
  (operation, constants) => {
    const [from, to] = [operation.operands[0]?.type, operation.results[0]?.type];
    if (from === undefined || to === undefined) return undefined;
    const folded = foldElementwise(constants, to, (value) =>
      compute(value, elementTypeOf(from), elementTypeOf(to)),
    );
    return folded === undefined ? undefined : [folded];
  };

interface CastOptions {
  readonly from: TypeConstraint;
  readonly to: TypeConstraint;
  readonly fits: (from: Type, to: Type) => boolean;
  readonly fold: CastFold;
}

/** A conversion `%x : from to to`. */
const cast = (mnemonic: string, summary: string, options: CastOptions) =>
  defineOp({
    name: `arith.${mnemonic}`,
    summary,
    operands: { in: one(options.from) },
    results: { out: one(options.to) },
    traits: ['pure', 'elementwise'],
    assembly: { format: '$in attr-dict `:` type($in) `to` type($out)' },
    verify: (operation) => verifyCast(operation, options.fits),
    fold: foldCast(options.fold),
  });

const isWider = (a: Type, b: Type): boolean => floatBits(a) > floatBits(b);

/** Bits of a float type, from its name: `f32`, `bf16`, `f8E4M3FN`, `tf32`. */
const floatBits = (type: Type): number => {
  if (type.kind !== 'float') return 0;
  return type.name === 'tf32' ? 19 : Number(/\d+/.exec(type.name)?.[0] ?? 0);
};

const integerOf = (value: bigint | number): bigint | undefined =>
  typeof value === 'bigint' ? value : undefined;

/** The integer part of a number, if the type can hold it. */
const truncated = (value: bigint | number, low: bigint, high: bigint): bigint | undefined => {
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined;
  const integer = BigInt(Math.trunc(value));
  return integer >= low && integer < high ? integer : undefined;
};

export const extsi = cast('extsi', 'sign extension', {
  from: fixedWidthIntegerLike,
  to: fixedWidthIntegerLike,
  fits: (from, to) => widthOf(to) > widthOf(from),
  fold: (value, from) => {
    const integer = integerOf(value);
    return integer === undefined ? undefined : BigInt.asIntN(widthOf(from), integer);
  },
});
export const extui = cast('extui', 'zero extension', {
  from: fixedWidthIntegerLike,
  to: fixedWidthIntegerLike,
  fits: (from, to) => widthOf(to) > widthOf(from),
  fold: (value, from) => {
    const integer = integerOf(value);
    return integer === undefined ? undefined : unsigned(integer, widthOf(from));
  },
});
export const trunci = cast('trunci', 'truncation of an integer', {
  from: fixedWidthIntegerLike,
  to: fixedWidthIntegerLike,
  fits: (from, to) => widthOf(to) < widthOf(from),
  fold: integerOf,
});
export const indexCast = cast('index_cast', 'signed cast between index and integers', {
  from: indexCastable,
  to: indexCastable,
  fits: (from, to) => (from.kind === 'index') !== (to.kind === 'index'),
  fold: (value, from) => {
    const integer = integerOf(value);
    return integer === undefined ? undefined : BigInt.asIntN(widthOf(from), integer);
  },
});
export const indexCastui = cast('index_castui', 'unsigned cast between index and integers', {
  from: indexCastable,
  to: indexCastable,
  fits: (from, to) => (from.kind === 'index') !== (to.kind === 'index'),
  fold: (value, from) => {
    const integer = integerOf(value);
    return integer === undefined ? undefined : unsigned(integer, widthOf(from));
  },
});
export const sitofp = cast('sitofp', 'signed integer to floating point', {
  from: fixedWidthIntegerLike,
  to: floatLike,
  fits: () => true,
  fold: (value, from) => {
    const integer = integerOf(value);
    return integer === undefined ? undefined : Number(BigInt.asIntN(widthOf(from), integer));
  },
});
export const uitofp = cast('uitofp', 'unsigned integer to floating point', {
  from: fixedWidthIntegerLike,
  to: floatLike,
  fits: () => true,
  fold: (value, from) => {
    const integer = integerOf(value);
    return integer === undefined ? undefined : Number(unsigned(integer, widthOf(from)));
  },
});
export const fptosi = cast('fptosi', 'floating point to signed integer, rounded to zero', {
  from: floatLike,
  to: fixedWidthIntegerLike,
  fits: () => true,
  fold: (value, _, to) => truncated(value, -(1n << BigInt(widthOf(to) - 1)), 1n << BigInt(widthOf(to) - 1)),
});
export const fptoui = cast('fptoui', 'floating point to unsigned integer, rounded to zero', {
  from: floatLike,
  to: fixedWidthIntegerLike,
  fits: () => true,
  fold: (value, _, to) => truncated(value, 0n, 1n << BigInt(widthOf(to))),
});
export const bitcast = cast('bitcast', 'the same bits as another type', {
  from: bitcastable,
  to: bitcastable,
  fits: (from, to) => (floatBits(from) || widthOf(from)) === (floatBits(to) || widthOf(to)),
  fold: () => undefined,
});

/** `arith.extf %x : f32 to f64`. */
export const extf = defineOp({
  name: 'arith.extf',
  summary: 'floating point to a wider type',
  operands: { in: one(floatLike) },
  results: { out: one(floatLike) },
  attributes: { fastmath: optionalFastmath },
  traits: ['pure', 'elementwise'],
  assembly: { format: '$in (`fastmath` `` $fastmath^)? attr-dict `:` type($in) `to` type($out)' },
  verify: (operation) => verifyCast(operation, (from, to) => isWider(to, from)),
  fold: foldCast((value) => (typeof value === 'number' ? value : undefined)),
});

/** `arith.truncf %x : f64 to f32`. Constants fold only where that loses nothing, as upstream does. */
export const truncf = defineOp({
  name: 'arith.truncf',
  summary: 'floating point to a narrower type',
  operands: { in: one(floatLike) },
  results: { out: one(floatLike) },
  attributes: { roundingmode: roundingMode, fastmath: optionalFastmath },
  traits: ['pure', 'elementwise'],
  assembly: {
    format: '$in ($roundingmode^)? (`fastmath` `` $fastmath^)? attr-dict `:` type($in) `to` type($out)',
  },
  verify: (operation) => verifyCast(operation, (from, to) => isWider(from, to)),
  fold: foldCast((value, _, to) =>
    typeof value === 'number' && to.kind === 'float' && to.name === 'f32' && Math.fround(value) === value
      ? value
      : undefined,
  ),
});

/** Two results of an integer operation: `%low, %high`. */
const extended = (mnemonic: string, summary: string) =>
  defineOp({
    name: `arith.${mnemonic}`,
    summary,
    operands: { lhs: one(signlessIntegerLike), rhs: one(signlessIntegerLike) },
    results: { low: one(signlessIntegerLike), high: one(signlessIntegerLike) },
    traits: ['pure', 'elementwise', 'commutative'],
    typeRelations: [allTypesMatch('lhs', 'rhs', 'low', 'high')],
    assembly: { format: '$lhs `,` $rhs attr-dict `:` type($lhs)' },
    resultName: () => ['low', 'high'],
  });

export const mulsiExtended = extended('mulsi_extended', 'signed product in two halves');
export const muluiExtended = extended('mului_extended', 'unsigned product in two halves');

export const adduiExtended = defineOp({
  name: 'arith.addui_extended',
  summary: 'unsigned addition with its carry',
  operands: { lhs: one(signlessIntegerLike), rhs: one(signlessIntegerLike) },
  results: { sum: one(signlessIntegerLike), overflow: one(boolLike) },
  traits: ['pure', 'elementwise', 'commutative'],
  typeRelations: [allTypesMatch('lhs', 'rhs', 'sum')],
  assembly: { format: '$lhs `,` $rhs attr-dict `:` type($sum) `,` type($overflow)' },
  resultName: () => ['sum', 'overflow'],
});

/** The dialect, for a registry. */
export const arithDialect: Dialect = {
  name: 'arith',
  operations: [
    constant,
    addi,
    subi,
    muli,
    shli,
    divsi,
    divui,
    ceildivsi,
    ceildivui,
    floordivsi,
    remsi,
    remui,
    andi,
    ori,
    xori,
    shrsi,
    shrui,
    maxsi,
    minsi,
    maxui,
    minui,
    addf,
    subf,
    mulf,
    divf,
    remf,
    maximumf,
    minimumf,
    maxnumf,
    minnumf,
    negf,
    cmpi,
    cmpf,
    select,
    extsi,
    extui,
    trunci,
    indexCast,
    indexCastui,
    sitofp,
    uitofp,
    fptosi,
    fptoui,
    bitcast,
    extf,
    truncf,
    mulsiExtended,
    muluiExtended,
    adduiExtended,
  ],
};
