/** What is planned: a contraction, that is products of two operands summed up (TT §4), such as a convolution. */
import type { AffineMap } from '@sconv/affine';

/** A dimension of the iteration space. */
export interface ContractionDimension {
  readonly name: string;
  readonly extent: number;
  /** Of a `reduction` dimension, all points add to the same results. */
  readonly iterator: 'parallel' | 'reduction';
}

/** An operand, and which of its elements a point of the iteration space uses. */
export interface ContractionOperand {
  readonly name: string;
  /** From the dimensions, in their order, to the indices of the operand. */
  readonly map: AffineMap;
  /** The sizes of the operand. */
  readonly sizes: readonly number[];
  /** Bytes of an element as it lies in memory. */
  readonly bytes: number;
}

/**
 * Elementwise ops, such as a bias and an activation, that are applied to each part of the output once it is complete.
 */
export interface ContractionEpilogue {
  /** The names of the operations on an element, in their order: `arith.addf`, `arith.maximumf`. */
  readonly operations: readonly string[];
  /** How many tensors they read besides the output. */
  readonly operands: number;
  /** Bytes of these per element of the output: 4 of a residual of f32, less of a bias, which has fewer elements. */
  readonly bytes: number;
}

/** `output[o(i)] += left[l(i)] · right[r(i)]` for all points i of the iteration space. */
export interface Contraction {
  readonly dimensions: readonly ContractionDimension[];
  /** The two factors, then the output. */
  readonly operands: readonly [ContractionOperand, ContractionOperand, ContractionOperand];
  /** The type of the sums. */
  readonly elementType: string;
  /** What is fused after it, if anything. */
  readonly epilogue?: ContractionEpilogue;
}
