/**
 * What an op computes on numbers: on vectors in each lane, on tensors for each element. It is declared once, with the
 * op; constants fold by it, the interpreter runs it, reductions begin with its neutral element, and backends emit it.
 */
import type { Builder, Implementation, Operation, Value } from '@sconv/ir';
import { implement, opInterface } from '@sconv/ir';

/**
 * The operations of IEEE 754 that processors have instructions for, on vectors too: `max` and `min` give NaN if either
 * operand is, `maxNumber` and `minNumber` the other operand; -0 is less than 0. `nearest` rounds ties to even.
 */
export type FloatInstruction =
  | 'add'
  | 'sub'
  | 'mul'
  | 'div'
  | 'neg'
  | 'max'
  | 'min'
  | 'maxNumber'
  | 'minNumber'
  | 'abs'
  | 'sqrt'
  | 'ceil'
  | 'floor'
  | 'trunc'
  | 'nearest';

/** Operations on integers that processors have instructions for: of those that end in S or U, signed and unsigned. */
export type IntegerInstruction =
  | 'add'
  | 'sub'
  | 'mul'
  | 'and'
  | 'or'
  | 'xor'
  | 'maxS'
  | 'maxU'
  | 'minS'
  | 'minU'
  | 'shl'
  | 'shrS'
  | 'shrU'
  | 'divS'
  | 'divU'
  | 'remS'
  | 'remU'
  | 'floorDivS'
  | 'ceilDivS'
  | 'ceilDivU';

/** An op on floats of one type. */
export interface FloatOp {
  readonly kind: 'floats';
  /** The result in double, to be rounded to the type. An op of fewer operands ignores the others. */
  readonly compute: (a: number, b: number, c: number) => number;
  /** The same for types up to f32, where `compute` is not precise enough to be rounded again. */
  readonly computeNarrow?: FloatOp['compute'];
  readonly instruction?: FloatInstruction;
  /**
   * What leaves every other float as it is; then what does so if fast-math flags exclude the former. An op with one may
   * combine values in any order, up to rounding.
   */
  readonly neutral?: readonly number[];
}

/** An op on integers of one type, or indices. */
export interface IntegerOp {
  readonly kind: 'integers';
  /** The result for signed operands, to be wrapped to `width` bits; undefined where there is none. */
  readonly compute: (a: bigint, b: bigint, width: number) => bigint | undefined;
  readonly instruction?: IntegerInstruction;
  /** What leaves every other integer as it is. An op with one may combine values in any order. */
  readonly neutral?: (width: number) => bigint;
  /** For an op that ends the execution where it has no result, or may: whether it can for this second operand. */
  readonly traps?: (second: bigint) => boolean;
}

/**
 * An op of any dialect that stands for ops of arith and math, or for other such ops. Backends and the interpreter build
 * these in its place, so that they execute it as exactly and as fast.
 */
export interface ComposedOp {
  readonly kind: 'composed';
  /**
   * Builds the result, of operands that are numbers, vectors or tensors; `number` makes a constant of the first one's
   * type.
   */
  readonly build: (
    b: Builder,
    operands: readonly Value[],
    number: (value: number) => Value,
    operation: Operation,
  ) => Value;
}

export type ScalarOp = FloatOp | IntegerOp | ComposedOp;

/** Implemented by ops without effects that compute on numbers alone. */
export const scalarOp = opInterface<ScalarOp>('scalar-op');

/** For `defineOp`: the op computes what these ops do. */
export const composedOf = (build: ComposedOp['build']): Implementation =>
  implement(scalarOp, { kind: 'composed', build });
