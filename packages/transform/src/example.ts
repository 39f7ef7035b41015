/** Examples of transform ops, for tests and documents. */
import type { Recorder } from './recorder.ts';
import type { Yields } from './yields.ts';

/** A payload with a step as text and as code, which must give the same IR. */
export interface TransformExample {
  readonly title: string;
  /** MLIR text of a module. */
  readonly payload: string;
  /** The body of a sequence; `%root` is the payload's root. */
  readonly script: string;
  /** The same as code. */
  readonly record: (recorder: Recorder<'builtin.module'>) => Yields;
}

/** A convolution of 4 filters of 2x3x3 over 2x7x8: 5x6 windows; neither 4 nor 8 divides their number. */
export const exampleConvolution = `func.func @conv(%in: tensor<1x2x7x8xf32>, %filters: tensor<4x2x3x3xf32>, %out: tensor<1x4x5x6xf32>) -> tensor<1x4x5x6xf32> {
  %0 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%in, %filters : tensor<1x2x7x8xf32>, tensor<4x2x3x3xf32>) outs(%out : tensor<1x4x5x6xf32>) -> tensor<1x4x5x6xf32>
  return %0 : tensor<1x4x5x6xf32>
}
`;

/** Script lines that match the convolution of the payload as `%conv`. */
export const matchConvolution =
  '%conv = transform.structured.match ops{["linalg.conv_2d_nchw_fchw"]} in %root : (!transform.any_op) ' +
  '-> !transform.any_op';
