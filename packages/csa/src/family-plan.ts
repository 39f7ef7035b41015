/** A microkernel of a family (TT §5.1) alone: a leaf that reads operands where they lie, and what it computes. */
import type { KernelNode, OpenDimension } from '@sconv/plans';
import type { KernelUnroll } from '@sconv/targets';
import { expectRecord } from './errors.ts';
import type { ConvolutionShape } from './shape.ts';
import { convolution } from './shape.ts';

/** A member of a family. */
export interface FamilyKernel {
  readonly unroll: KernelUnroll;
  /** Vectors of filters: TT's α. */
  readonly vectors: number;
  /** Rows of the output: TT's β. */
  readonly height: number;
}

/** The kernel as the plan of a convolution of one column, whose taps are those unrolled. */
export interface FamilyPlan {
  /** To be computed with channels and filters innermost: `linalg.conv_2d_nhwc_hwcf`. */
  readonly shape: ConvolutionShape;
  /** `[T(c,channels / unrolled), U(r,…), U(s,…), U(c,…), U(h,height), U(k,vectors), V(k,lanes)]`. */
  readonly tree: KernelNode<OpenDimension>;
}

/** A kernel's plan over so many channels, a multiple of those unrolled, with vectors of so many lanes. */
export const familyPlan = (
  { unroll, vectors, height }: FamilyKernel,
  { lanes, channels }: { readonly lanes: number; readonly channels: number },
): FamilyPlan => {
  expectRecord('unroll', unroll);
  const { tapRows, tapColumns } = unroll;
  const filters = vectors * lanes;
  const shape = convolution({
    inputChannels: channels,
    filters,
    inputHeight: height + tapRows - 1,
    inputWidth: tapColumns,
    filterHeight: tapRows,
    filterWidth: tapColumns,
  });
  const tree: KernelNode<OpenDimension> = {
    kind: 'kernel',
    lanes: 'filters',
    extents: { batch: 1, group: 1, channels, filters, rows: height, columns: 1, tapRows, tapColumns },
    unroll: { ...unroll },
    tiles: [{ firstWindow: 0, windows: height, firstFilter: 0, filters }],
  };
  return { shape, tree };
};
