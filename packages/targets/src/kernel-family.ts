/** Families of microkernels whose operands lie where they are (TT §5.1), as data. */

/** Steps of a dimension that is summed over that are code of their own; 1: a loop. */
export interface KernelUnroll {
  readonly channels: number;
  /** TT's r. */
  readonly tapRows: number;
  /** TT's s. */
  readonly tapColumns: number;
}

/** Kernels that differ in their height alone (TT §5.1): combinations of two cover a dimension. */
export interface KernelClass {
  readonly unroll: KernelUnroll;
  /** Vectors of filters: TT's α, along k. */
  readonly vectors: number;
  /** Windows, such as rows of the output: TT's β, along h. Ascending, without gaps only where none was too slow. */
  readonly heights: readonly number[];
}

/** The kernels of a machine that are worth combining. */
export interface KernelFamily {
  /** Elements of a vector. */
  readonly lanes: number;
  readonly classes: readonly KernelClass[];
  /** What measured them, or by what rule they are chosen. */
  readonly source: string;
}
