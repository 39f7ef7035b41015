/**
 * Half floats without the routines of a compiler's runtime library, which is not loaded with a library. LLVM calls
 * them to convert numbers of type bf16, also where it only selects or moves them, and to round f64 to 16 bits.
 *
 * A bf16 becomes the i16 of its bits: the upper half of an f32, with which all arithmetic is done. An f64 is rounded
 * to f32 first, to an odd last bit where it is inexact: f32 has more than enough bits for the second rounding to be
 * right.
 */
import { createConstantValue, uniformConstant, withElementType } from '@sconv/dialects';
import {
  addi,
  andi,
  bitcast,
  cmpf,
  cmpi,
  extf,
  extui,
  ori,
  select,
  shli,
  shrui,
  subi,
  truncf,
  trunci,
} from '@sconv/dialects/arith';
import { callIntrinsic } from '@sconv/dialects/llvm';
import type { Attribute, Attributes, DraftOperation, Rewriter, Type, Value } from '@sconv/ir';
import {
  arrayAttribute,
  bf16,
  builder,
  denseElementsAttribute,
  dictionaryAttribute,
  f32,
  f64,
  functionType,
  i1,
  i32,
  i64,
  integerAttribute,
  integerType,
  typeAttribute,
  typeEquals,
} from '@sconv/ir';

const i16 = integerType(16);

const elementOf = (type: Type): Type => ('elementType' in type ? type.elementType : type);

const isFloat = (type: Type, name: string): boolean => {
  const element = elementOf(type);
  return element.kind === 'float' && element.name === name;
};

const isBrain = (type: Type): boolean => isFloat(type, 'bf16');

const isShapedBrain = ({ type }: Value): boolean => isBrain(type);

/**
 * Lowers all bf16 at or below `root`, and roundings of f64 to f16. Returns the operations on bf16 that it cannot
 * lower; the others are wrong then.
 */
export const lowerHalfFloats = (rewriter: Rewriter, root: DraftOperation): readonly DraftOperation[] => {
  const all = rewriter.walk(root);
  for (const operation of all) {
    if (!truncf.is(operation) || !isFloat(operation.results[0]!.type, 'f16')) continue;
    const [value] = operation.operands;
    if (value === undefined || !isFloat(value.type, 'f64')) continue;
    rewriter.setInsertionPointBefore(operation);
    rewriter.setOperand(operation, 0, roundedToOdd(rewriter, value));
  }
  const found = all.filter(mentionsBrain);
  if (found.length === 0) return [];
  const refused = found.filter(isAtomic);
  // 1. Arithmetic with f32: only constants, conversions and moves are left.
  for (const operation of found) if (!inSingle(rewriter, operation)) refused.push(operation);
  if (refused.length > 0) return refused;
  // 2. Bits everywhere, and arithmetic on them for conversions.
  const after = rewriter.walk(root).filter(({ block }) => block !== undefined);
  const wereBrain = new Map(after.map((each) => [each, each.operands.map(isShapedBrain)]));
  for (const operation of after) toBits(rewriter, operation, wereBrain.get(operation)!);
  return [];
};

/** Whether an operation computes with what its attributes say. */
const isAtomic = ({ name, attributes: { reductions }, results }: DraftOperation): boolean =>
  name === 'memref.atomic_rmw' ||
  (name === 'affine.parallel' && reductions !== undefined && results.some(isShapedBrain));

const mentionsBrain = (operation: DraftOperation): boolean =>
  [...operation.operands, ...operation.results].some(isShapedBrain) ||
  operation.regions.some(({ blocks }) => blocks.some((block) => block.arguments.some(isShapedBrain))) ||
  Object.values(operation.attributes).some((attribute) => bitsAttribute(attribute) !== attribute);

// --- Arithmetic --------------------------------------------------------------------------------------------------

/** Operations on numbers, other than conversions, that move them. */
const moves = new Set(['arith.constant', 'arith.select', 'arith.bitcast', 'arith.extf', 'arith.truncf']);

/** Operations of vectors that compute. */
const sums = new Set(
  ['contract', 'fma', 'matrix_multiply', 'multi_reduction', 'outerproduct', 'reduction', 'scan'].map(
    (name) => `vector.${name}`,
  ),
);

/**
 * Extends what an operation takes to f32 and rounds its results, if it computes; false if it is masked, by the
 * operation around it.
 */
const inSingle = (rewriter: Rewriter, operation: DraftOperation): boolean => {
  const isArithmetic = /^(arith|math)\./.test(operation.name) && !moves.has(operation.name);
  if (!isArithmetic && !sums.has(operation.name)) {
    // Between f64 and bf16 by f32.
    if (extf.is(operation) && !isFloat(operation.results[0]!.type, 'f32')) {
      rewriter.setInsertionPointBefore(operation);
      rewriter.setOperand(operation, 0, extended(rewriter, operation.operands[0]!));
    } else if (truncf.is(operation) && !isFloat(operation.operands[0]!.type, 'f32')) {
      rewriter.setInsertionPointBefore(operation);
      rewriter.setOperand(operation, 0, roundedToOdd(rewriter, operation.operands[0]!));
    }
    return true;
  }
  if (operation.parent?.name === 'vector.mask') return false;
  // Integers may have more digits than f32.
  const wide = /^arith\.[su]itofp$/.test(operation.name) ? f64 : f32;
  rewriter.setInsertionPointBefore(operation);
  const operands = operation.operands.map((each) => (isBrain(each.type) ? extended(rewriter, each) : each));
  const made = rewriter.create({
    name: operation.name,
    operands,
    resultTypes: operation.results.map(({ type }) => (isBrain(type) ? withElementType(type, wide) : type)),
    attributes: operation.attributes,
    location: operation.location,
  });
  const results = made.results.map((result, i) => {
    const { type } = operation.results[i]!;
    if (!isBrain(type)) return result;
    const single = wide === f32 ? result : roundedToOdd(rewriter, result);
    return builder(rewriter)(truncf, { in: single }, { resultTypes: [type] });
  });
  rewriter.replaceOperation(operation, results, [made]);
  return true;
};

const extended = (rewriter: Rewriter, value: Value): Value =>
  builder(rewriter)(extf, { in: value }, { resultTypes: [withElementType(value.type, f32)] });

const constantOf = (rewriter: Rewriter, value: bigint, type: Type): Value =>
  createConstantValue(rewriter, uniformConstant(value, type)!, type);

/** An f64 as f32; an inexact one has an odd last bit: that of the two neighbours. */
const roundedToOdd = (rewriter: Rewriter, value: Value): Value => {
  const b = builder(rewriter);
  const of = (element: Type): Type => withElementType(value.type, element);
  const single: Value = b(truncf, { in: value }, { resultTypes: [of(f32)] });
  const back: Value = b(extf, { in: single }, { resultTypes: [value.type] });
  const bits: Value = b(bitcast, { in: single }, { resultTypes: [of(i32)] });
  const isInexact: Value = b(cmpf, { predicate: 'one', lhs: back, rhs: value }, { resultTypes: [of(i1)] });
  // As numbers without sign, the bits of magnitudes are in their order.
  const magnitude = (of64: Value): Value =>
    b(shli, {
      lhs: b(bitcast, { in: of64 }, { resultTypes: [of(i64)] }),
      rhs: constantOf(rewriter, 1n, of(i64)),
    });
  const isLarger: Value = b(
    cmpi,
    { predicate: 'ugt', lhs: magnitude(back), rhs: magnitude(value) },
    { resultTypes: [of(i1)] },
  );
  const less: Value = b(subi, { lhs: bits, rhs: b(extui, { in: isLarger }, { resultTypes: [of(i32)] }) });
  const odd: Value = b(ori, { lhs: less, rhs: constantOf(rewriter, 1n, of(i32)) });
  const chosen: Value = b(select, { condition: isInexact, trueValue: odd, falseValue: bits });
  return b(bitcast, { in: chosen }, { resultTypes: [of(f32)] });
};

/** The upper half of an f32, rounded to the nearest, ties to even; a NaN stays one. */
const roundedBits = (rewriter: Rewriter, single: Value): Value => {
  const b = builder(rewriter);
  const of = (element: Type): Type => withElementType(single.type, element);
  const constant = (value: bigint): Value => constantOf(rewriter, value, of(i32));
  const bits: Value = b(bitcast, { in: single }, { resultTypes: [of(i32)] });
  const upper: Value = b(shrui, { lhs: bits, rhs: constant(16n) });
  const last: Value = b(andi, { lhs: upper, rhs: constant(1n) });
  const bias: Value = b(addi, { lhs: last, rhs: constant(0x7fffn) });
  const rounded: Value = b(shrui, { lhs: b(addi, { lhs: bits, rhs: bias }), rhs: constant(16n) });
  const isNan: Value = b(cmpf, { predicate: 'uno', lhs: single, rhs: single }, { resultTypes: [of(i1)] });
  // The quiet one.
  const nan: Value = b(ori, { lhs: upper, rhs: constant(0x40n) });
  const chosen: Value = b(select, { condition: isNan, trueValue: nan, falseValue: rounded });
  return b(trunci, { in: chosen }, { resultTypes: [of(i16)] });
};

/** The f32 whose upper half these bits are. */
const singleOf = (rewriter: Rewriter, bits: Value): Value => {
  const b = builder(rewriter);
  const of = (element: Type): Type => withElementType(bits.type, element);
  const wide: Value = b(extui, { in: bits }, { resultTypes: [of(i32)] });
  const shifted: Value = b(shli, { lhs: wide, rhs: constantOf(rewriter, 16n, of(i32)) });
  return b(bitcast, { in: shifted }, { resultTypes: [of(f32)] });
};

// --- Bits --------------------------------------------------------------------------------------------------------

/** The type with i16 in place of bf16; the same object without any. */
const bitsType = (type: Type): Type => {
  if (isBrain(type)) return withElementType(type, i16);
  if (type.kind !== 'function') return type;
  const [inputs, results] = [type.inputs.map(bitsType), type.results.map(bitsType)];
  const isSame = (before: readonly Type[], after: readonly Type[]): boolean =>
    after.every((each, i) => each === before[i]);
  return isSame(type.inputs, inputs) && isSame(type.results, results) ? type : functionType(inputs, results);
};

const single = new Float32Array(1);
const singleBits = new Uint32Array(single.buffer);

/** The bits of a bf16, as a number with a sign. */
const bitsOf = (value: number, bits: bigint | undefined): bigint => {
  single[0] = value;
  return BigInt.asIntN(16, bits ?? BigInt(singleBits[0]! >>> 16));
};

/** The attribute with bits in place of bf16; the same object without any. */
const bitsAttribute = (attribute: Attribute): Attribute => {
  switch (attribute.kind) {
    case 'type': {
      const type = bitsType(attribute.type);
      return type === attribute.type ? attribute : typeAttribute(type);
    }
    case 'float':
      return isBrain(attribute.type)
        ? integerAttribute(bitsOf(attribute.value, attribute.bits), i16)
        : attribute;
    case 'dense-elements':
      return isBrain(attribute.type) && attribute.text === undefined
        ? denseElementsAttribute(
            attribute.values.map((value, i) => bitsOf(Number(value), attribute.bits?.[i])),
            bitsType(attribute.type),
          )
        : attribute;
    case 'array': {
      const elements = attribute.elements.map(bitsAttribute);
      return elements.every((each, i) => each === attribute.elements[i])
        ? attribute
        : arrayAttribute(elements);
    }
    case 'dictionary': {
      const entries = bitsAttributes(attribute.entries);
      return entries === attribute.entries ? attribute : dictionaryAttribute(entries);
    }
    default:
      return attribute;
  }
};

const bitsAttributes = (attributes: Attributes): Attributes => {
  const entries = Object.entries(attributes).map(([name, each]) => [name, bitsAttribute(each)] as const);
  return entries.every(([name, each]) => each === attributes[name])
    ? attributes
    : Object.fromEntries(entries);
};

/**
 * Changes the types of an operation, and of the arguments of its blocks; conversions become arithmetic on bits.
 * `wereBrain` tells which operands were bf16.
 */
const toBits = (rewriter: Rewriter, operation: DraftOperation, wereBrain: readonly boolean[]): void => {
  for (const { blocks } of operation.regions)
    for (const block of blocks)
      block.arguments.forEach(({ type }, i) => {
        if (isBrain(type)) rewriter.changeArgumentType(block, i, bitsType(type));
      });
  rewriter.setInsertionPointBefore(operation);
  const [operand] = operation.operands;
  const isResult = operation.results.some(isShapedBrain);
  const [isOperand] = wereBrain;
  if (truncf.is(operation) && isResult) {
    rewriter.replaceOperation(operation, [roundedBits(rewriter, operand!)]);
  } else if (extf.is(operation) && isOperand === true) {
    rewriter.replaceOperation(operation, [singleOf(rewriter, operand!)]);
  } else if (bitcast.is(operation) && (isOperand === true || isResult)) {
    bitcastBits(rewriter, operation);
  } else if (callIntrinsic.is(operation)) aroundIntrinsic(rewriter, operation, wereBrain);
  else retype(rewriter, operation);
};

/** A bitcast from or to what is bits now: to i16 and from it there is nothing left to do. */
const bitcastBits = (rewriter: Rewriter, operation: DraftOperation): void => {
  const [operand, result] = [operation.operands[0]!, operation.results[0]!];
  const [from, to] = [elementOf(bitsType(operand.type)), elementOf(bitsType(result.type))];
  if (typeEquals(from, to)) rewriter.replaceOperation(operation, [operand]);
  else retype(rewriter, operation);
};

/** Changes the types of results and attributes. */
const retype = (rewriter: Rewriter, operation: DraftOperation): void => {
  const attributes = bitsAttributes(operation.attributes);
  const resultTypes = operation.results.map(({ type }) => bitsType(type));
  if (resultTypes.every((type, i) => type === operation.results[i]!.type)) {
    if (attributes !== operation.attributes) rewriter.setAttributes(operation, attributes);
    return;
  }
  const { name, operands, successors, location } = operation;
  const made = rewriter.create({ name, operands, resultTypes, attributes, successors, location });
  for (const region of [...operation.regions]) rewriter.moveRegion(region, rewriter.createRegion(made));
  rewriter.replaceOperation(operation, made.results, [made]);
};

/** Intrinsics keep their types. */
const aroundIntrinsic = (
  rewriter: Rewriter,
  operation: DraftOperation,
  wereBrain: readonly boolean[],
): void => {
  const b = builder(rewriter);
  operation.operands.forEach((value, i) => {
    if (wereBrain[i] !== true) return;
    const type = withElementType(value.type, bf16);
    rewriter.setOperand(operation, i, b(bitcast, { in: value }, { resultTypes: [type] }));
  });
  const [result] = operation.results;
  if (result === undefined || !isBrain(result.type)) return;
  rewriter.setInsertionPointAfter(operation);
  const bits: Value = b(bitcast, { in: result }, { resultTypes: [bitsType(result.type)] });
  const made = rewriter.definingOperation(bits);
  rewriter.replaceUsesIf(result, bits, (user) => user !== made);
};
