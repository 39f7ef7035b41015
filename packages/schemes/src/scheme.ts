import type { PackedOperand } from '@sconv/plans';

/**
 * An optimization scheme (TT §4): a list of specifiers that says how the code of a contraction is tiled, from the
 * outermost loop inwards, down to a microkernel that is unrolled and vectorized.
 *
 * Dimensions are letters. Of a convolution: `k` filters, `c` channels, `h` and `w` rows and columns of the output, `r`
 * and `s` those of the filters (TT §3). Of a matrix product, or a convolution as one: `i` and `j` the rows and columns
 * of the result, `k` what is summed over. `b` images or products, `g` groups.
 */
export type Scheme = readonly Specifier[];

/** One entry of a scheme. */
export type Specifier =
  Remaining | Tiled | Vectorized | LambdaSpecifier | SequenceSpecifier | PackedSpecifier;

/** `R(d)`: a loop over all that is left of a dimension; the outermost of that dimension. */
export interface Remaining {
  readonly kind: 'R';
  readonly dimension: string;
}

/** `T(d,n)`: a loop of `n` iterations. `U(d,n)`: the same, unrolled. The count may be the variable of a `lambda`. */
export interface Tiled {
  readonly kind: 'T' | 'U';
  readonly dimension: string;
  readonly count: number | string;
}

/** `V(d,n)`: vectors of `n` elements, innermost. */
export interface Vectorized {
  readonly kind: 'V';
  readonly dimension: string;
  readonly count: number;
}

/**
 * `lambda(d; x; [(count,size), …])`: a sequence of loops over tiles of different sizes; in the i-th, which runs `count`
 * times, the variable `x` is `size`.
 */
export interface LambdaSpecifier {
  readonly kind: 'lambda';
  readonly dimension: string;
  readonly variable: string;
  readonly parts: readonly { readonly count: number; readonly size: number }[];
}

/** `Seq(d; [(count, scheme), …])`: a sequence of loops over tiles that have schemes of their own (TT §6.1). */
export interface SequenceSpecifier {
  readonly kind: 'Seq';
  readonly dimension: string;
  readonly parts: readonly { readonly count: number; readonly scheme: Scheme }[];
}

/**
 * `P(operand)`: what the specifiers below read of an operand is packed here: once if this is outermost, else once per
 * tile of the loops around. An operand without it is read where it lies.
 *
 * @deviation TT reads and writes three fixed layouts, and names others as future work; here they are part of a scheme.
 */
export interface PackedSpecifier {
  readonly kind: 'P';
  readonly operand: PackedOperand;
}
