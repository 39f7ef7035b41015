/**
 * Exponentials, logarithms and their like on numbers and vectors of f32 as arithmetic, with the bits that WebAssembly
 * gives: LLVM's conversions take vectors apart, and call a library for each element.
 *
 *     %r = math.exp %x : vector<16xf32>   →   %0 = arith.mulf %x, … : vector<16xf32>
 *                                             …
 */
import { createConstantValue, elementTypeOf, uniformConstant, withElementType } from '@sconv/dialects';
import { bitcast, cmpf, extf, truncf } from '@sconv/dialects/arith';
import type { DraftOperation, Operation, Rewriter, Type, Value } from '@sconv/ir';
import { builder, f32, f64, i1, i32, i64, typeEquals } from '@sconv/ir';
import type { MathKit, SingleKit } from '@sconv/kernels';
import { mathFunctions, singleFunctions } from '@sconv/kernels';

/** Whether an operation is a function of f32 that is computed by arithmetic. */
export const isMathFunction = ({ name, operands: [x] }: Pick<Operation, 'name' | 'operands'>): boolean => {
  // LLVM's conversions compute `rsqrt` in vectors.
  if (x === undefined || !typeEquals(elementTypeOf(x.type), f32) || name === 'math.rsqrt') return false;
  return mathFunctions[name] !== undefined;
};

/** Lowers such an operation; false if it is none. */
export const lowerMathFunction = (rewriter: Rewriter, operation: DraftOperation): boolean => {
  if (!isMathFunction(operation)) return false;
  const { name, operands } = operation;
  const [x] = operands as readonly [Value];
  rewriter.setInsertionPointBefore(operation);
  const b = builder(rewriter);
  const single = singleFunctions[name];
  if (single !== undefined) {
    rewriter.replaceOperation(operation, [single(kitOf(rewriter, x.type, i32), x)]);
    return true;
  }
  const wide = withElementType(x.type, f64);
  const double: Value = b(extf, { in: x }, { resultTypes: [wide] });
  const result = mathFunctions[name]!(kitOf(rewriter, wide, i64), double);
  rewriter.replaceOperation(operation, [b(truncf, { in: result }, { resultTypes: [x.type] })]);
  return true;
};

/** Arithmetic on values of a type, whose bits are such integers. */
const kitOf = (rewriter: Rewriter, type: Type, integer: Type): MathKit<Value> & SingleKit<Value> => {
  const b = builder(rewriter);
  const bits = withElementType(type, integer);
  const constant = (value: number | bigint, of: Type): Value =>
    createConstantValue(rewriter, uniformConstant(value, of)!, of);
  const computed =
    (name: string) =>
    (...operands: readonly Value[]): Value =>
      rewriter.createValue({ name, operands, resultTypes: [operands.at(-1)!.type] });
  const compared =
    (predicate: 'olt' | 'ole' | 'oeq') =>
    (lhs: Value, rhs: Value): Value =>
      b(cmpf, { predicate, lhs, rhs }, { resultTypes: [withElementType(type, i1)] });
  const choose = computed('arith.select');
  const lt = compared('olt');
  const [shiftLeft, shiftRight] = [computed('arith.shli'), computed('arith.shrsi')];
  return {
    of: (value) => constant(typeEquals(elementTypeOf(type), f32) ? Math.fround(value) : value, type),
    bitsOf: (value) => constant(value, bits),
    keep: (a) => a,
    add: computed('arith.addf'),
    sub: computed('arith.subf'),
    mul: computed('arith.mulf'),
    div: computed('arith.divf'),
    min: computed('arith.minimumf'),
    max: computed('arith.maximumf'),
    lesser: (lhs, rhs) => choose(lt(rhs, lhs), rhs, lhs),
    greater: (lhs, rhs) => choose(lt(lhs, rhs), rhs, lhs),
    abs: computed('math.absf'),
    neg: computed('arith.negf'),
    sqrt: computed('math.sqrt'),
    floor: computed('math.floor'),
    nearest: computed('math.roundeven'),
    lt,
    le: compared('ole'),
    eq: compared('oeq'),
    choose,
    toBits: (value) => b(bitcast, { in: value }, { resultTypes: [bits] }),
    fromBits: (value) => b(bitcast, { in: value }, { resultTypes: [type] }),
    addBits: computed('arith.addi'),
    subBits: computed('arith.subi'),
    andBits: computed('arith.andi'),
    orBits: computed('arith.ori'),
    shiftLeft: (a, count) => shiftLeft(a, constant(BigInt(count), bits)),
    shiftRight: (a, count) => shiftRight(a, constant(BigInt(count), bits)),
  };
};
