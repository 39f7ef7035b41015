/**
 * Half floats without the routines of a compiler's runtime library, which is not loaded with a library. LLVM calls
 * them to convert numbers of type bf16, also where it only selects or moves them, and to round f64 to 16 bits.
 *
 * A bf16 becomes the i16 of its bits: the upper half of an f32. Each operation on bf16 is done in f32 and rounded, and
 * this is as if rounded once: for sums, products, quotients, square roots and remainders since f32 has more than twice
 * the digits, for `fma` and wide integers since they are computed in f64 to an odd last bit. What is rounded from f64
 * to 16 bits goes through f32 in the same way (see `round-to-odd.ts`), and so does `fma` of f16, which LLVM does in
 * f32. Other functions of `math` are those of f32, rounded. Sums of vectors are rounded after each term.
 */
import { elementTypeOf, withElementType } from '@sconv/dialects';
import {
  addi,
  andi,
  bitcast,
  cmpf,
  extf,
  extui,
  ori,
  select,
  shli,
  shrui,
  sitofp,
  truncf,
  trunci,
  uitofp,
} from '@sconv/dialects/arith';
import { callIntrinsic } from '@sconv/dialects/llvm';
import { contract, isMasked } from '@sconv/dialects/vector';
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
  integerAttribute,
  integerType,
  typeAttribute,
  typeEquals,
} from '@sconv/ir';
import { constantOf, integerToOdd, productSumToOdd, singleToOdd } from './round-to-odd.ts';
import { isSum, sumInSteps } from './sum-in-steps.ts';

const i16 = integerType(16);

/** The numbers in a type, also in a buffer of vectors. */
const elementOf = (type: Type): Type => {
  const element = elementTypeOf(type);
  return element === type ? type : elementOf(element);
};

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
  const refused: DraftOperation[] = [];
  // 1. What is rounded from f64, and sums of vectors: these consist of arithmetic then.
  for (const operation of rewriter.walk(root)) {
    const isBrainSum = operation.results.some(isShapedBrain) && isSum(operation);
    if (isBrainSum ? !sumInSteps(rewriter, operation) : isRefused(operation)) refused.push(operation);
    else if (isFma(operation)) lowerFma(rewriter, operation);
    else if (truncf.is(operation) && isFloat(operation.operands[0]!.type, 'f64')) {
      if (isFloat(operation.results[0]!.type, 'f32')) continue;
      rewriter.setInsertionPointBefore(operation);
      rewriter.setOperand(operation, 0, singleToOdd(rewriter, operation.operands[0]!));
    }
  }
  if (refused.length > 0) return refused;
  const found = rewriter.walk(root).filter(mentionsBrain);
  if (found.length === 0) return [];
  // 2. Arithmetic with f32: only constants, conversions and moves are left.
  for (const operation of found) inSingle(rewriter, operation);
  // 3. Bits everywhere, and arithmetic on them for conversions.
  const after = rewriter.walk(root).filter(({ block }) => block !== undefined);
  const wereBrain = new Map(after.map((each) => [each, each.operands.map(isShapedBrain)]));
  for (const operation of after) toBits(rewriter, operation, wereBrain.get(operation)!);
  return [];
};

/** Whether an operation on bf16 is not lowered: one that computes in itself, or is masked by the one around it. */
const isRefused = (operation: DraftOperation): boolean => {
  const { name, attributes, operands, results } = operation;
  if (!operands.some(isShapedBrain)) return false;
  if (name === 'affine.parallel')
    return attributes['reductions'] !== undefined && results.some(isShapedBrain);
  return unlowered.has(name) || (contract.is(operation) && isMasked(operation));
};

const unlowered = new Set(['memref.atomic_rmw', 'vector.matrix_multiply', 'vector.scan']);

/** Whether an operation multiplies and adds numbers of 16 bits. */
const isFma = ({ name, results: [result] }: DraftOperation): boolean =>
  (name === 'math.fma' || name === 'vector.fma') && (isFloat(result!.type, 'f16') || isBrain(result!.type));

const mentionsBrain = (operation: DraftOperation): boolean =>
  [...operation.operands, ...operation.results].some(isShapedBrain) ||
  operation.regions.some(({ blocks }) => blocks.some((block) => block.arguments.some(isShapedBrain))) ||
  Object.values(operation.attributes).some((attribute) => bitsAttribute(attribute) !== attribute);

// --- Arithmetic --------------------------------------------------------------------------------------------------

/** Operations on numbers, other than conversions, that move them. */
const moves = new Set(['arith.constant', 'arith.select', 'arith.bitcast', 'arith.extf', 'arith.truncf']);

/** With operands of f64, which has the product of numbers of 16 bits. */
const lowerFma = (rewriter: Rewriter, operation: DraftOperation): void => {
  rewriter.setInsertionPointBefore(operation);
  const b = builder(rewriter);
  const [lhs, rhs, acc] = operation.operands.map((each): Value => {
    const of64 = withElementType(each.type, f64);
    return b(extf, { in: extended(rewriter, each) }, { resultTypes: [of64] });
  }) as [Value, Value, Value];
  const single = singleToOdd(rewriter, productSumToOdd(rewriter, lhs, rhs, acc));
  const resultTypes = [operation.results[0]!.type];
  rewriter.replaceOperation(operation, [b(truncf, { in: single }, { resultTypes })]);
};

/** Extends what an operation takes to f32 and rounds its results, if it computes. */
const inSingle = (rewriter: Rewriter, operation: DraftOperation): void => {
  const isArithmetic = /^(arith|math)\./.test(operation.name) && !moves.has(operation.name);
  rewriter.setInsertionPointBefore(operation);
  if (extf.is(operation) && !isFloat(operation.results[0]!.type, 'f32'))
    rewriter.setOperand(operation, 0, extended(rewriter, operation.operands[0]!));
  if (!isArithmetic && !contract.is(operation)) return;
  const round = (single: Value, type: Type): Value =>
    builder(rewriter)(truncf, { in: single }, { resultTypes: [type] });
  const isSigned = sitofp.is(operation);
  if (isSigned || uitofp.is(operation)) {
    const single = singleToOdd(rewriter, integerToOdd(rewriter, operation.operands[0]!, isSigned));
    rewriter.replaceOperation(operation, [round(single, operation.results[0]!.type)]);
    return;
  }
  const made = rewriter.create({
    name: operation.name,
    operands: operation.operands.map((each) => (isBrain(each.type) ? extended(rewriter, each) : each)),
    resultTypes: operation.results.map(({ type }) => (isBrain(type) ? withElementType(type, f32) : type)),
    attributes: operation.attributes,
    location: operation.location,
  });
  const results = made.results.map((result, i) => {
    const { type } = operation.results[i]!;
    return isBrain(type) ? round(result, type) : result;
  });
  rewriter.replaceOperation(operation, results, [made]);
};

const extended = (rewriter: Rewriter, value: Value): Value =>
  builder(rewriter)(extf, { in: value }, { resultTypes: [withElementType(value.type, f32)] });

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
  if (isBrain(type)) return withNumbers(type, i16);
  if (type.kind !== 'function') return type;
  const [inputs, results] = [type.inputs.map(bitsType), type.results.map(bitsType)];
  const isSame = (before: readonly Type[], after: readonly Type[]): boolean =>
    after.every((each, i) => each === before[i]);
  return isSame(type.inputs, inputs) && isSame(type.results, results) ? type : functionType(inputs, results);
};

/** The type with other numbers, also in a buffer of vectors. */
const withNumbers = (type: Type, numbers: Type): Type => {
  const element = elementTypeOf(type);
  return element === type ? numbers : withElementType(type, withNumbers(element, numbers));
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
