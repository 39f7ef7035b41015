/** Upstream's transform ops that rewrite structured ops. */
import type { Diagnosed } from '@sconv/diagnostics';
import { collect, mapSuccess } from '@sconv/diagnostics';
import { enumAttribute } from '@sconv/dialects';
import type { DraftOperation, Rewriter } from '@sconv/ir';
import { i64Attribute, named, withDefault } from '@sconv/ir';
import type { FailureSpec } from '@sconv/transform';
import { consumes, defineTransformOp, functional, produces, semiFunctional } from '@sconv/transform';
import { decomposeInterfaceOp } from '../decompose-interface-op.ts';
import { decomposeOp } from '../decompose-op.ts';
import { decomposeWinogradOp } from '../decompose-winograd-op.ts';
import { dropUnitGroupOp } from '../drop-unit-group-op.ts';
import { flattenElementwiseOp } from '../flatten-elementwise-op.ts';
import { insertSliceToCopyOp } from '../insert-slice-to-copy-op.ts';
import { specializeOp } from '../specialize-op.ts';
import { transposeConv2dOp, transposeMatmulOp } from '../transpose-ops.ts';
import { winogradConv2dOp } from '../winograd-op.ts';

/** An op that replaces its target and returns a handle to the replacement. */
const rewrites = (
  name: string,
  summary: string,
  rewrite: (rewriter: Rewriter, operation: DraftOperation) => Diagnosed<DraftOperation>,
  failures: Readonly<Record<string, FailureSpec>>,
) =>
  defineTransformOp({
    name: `transform.structured.${name}`,
    summary,
    operands: { target: consumes('structured ops') },
    results: { transformed: produces('the replacement') },
    failures,
    assembly: functional(),
    apply: ({ rewriter }, { target }) =>
      mapSuccess(
        collect(target, (operation) => rewrite(rewriter, operation)),
        (transformed) => ({ transformed }),
      ),
  });

export const decompose = rewrites(
  'decompose',
  'Decomposes convolutions with one row or column into ones of lower rank.',
  decomposeOp,
  {
    'decompose/target': {
      mode: 'silenceable',
      when:
        'a target is not a 2d convolution or pooling on tensors whose kernel and output have a single ' +
        'row, or a single column',
    },
  },
);
export const decomposeInterface = rewrites(
  'decompose_interface',
  'Decomposes softmax into structured ops.',
  decomposeInterfaceOp,
  {
    'decompose-interface/target': {
      mode: 'silenceable',
      when: 'a target is not a `linalg.softmax` of tensors of bf16, f16, f32 or f64',
    },
  },
);
/**
 * `transform.structured.drop_unit_group`: turns grouped convolutions with one group into plain ones, on slices of
 * their operands.
 */
export const dropUnitGroup = defineTransformOp({
  name: 'transform.structured.drop_unit_group',
  summary: 'Turns grouped convolutions with one group into plain ones, on slices of their operands.',
  operands: {
    target: consumes(
      'grouped convolutions with a single group, or batches of one matrix product, such as the body of a loop ' +
        'over groups',
      'linalg.conv_2d_ngchw_fgchw',
      'linalg.conv_2d_ngchw_gfchw',
      'linalg.conv_2d_ngchw_gfchw_q',
      'linalg.batch_matmul',
      'linalg.batch_matmul_transpose_a',
      'linalg.batch_matmul_transpose_b',
      'linalg.quantized_batch_matmul',
      'linalg.generic',
    ),
  },
  results: {
    convolution: produces(
      'the plain ones: `linalg.conv_2d_nchw_fchw`, or `linalg.generic` if quantized, generic or a product',
    ),
  },
  failures: {
    'drop-unit-group/not-grouped': {
      mode: 'silenceable',
      when:
        'a target is not a `linalg.conv_2d_ngchw_fgchw`, `linalg.conv_2d_ngchw_gfchw` or ' +
        '`linalg.conv_2d_ngchw_gfchw_q` on tensors, nor a batch of matrix products, nor a `linalg.generic` ' +
        'with the maps of one',
    },
    'drop-unit-group/groups': { mode: 'silenceable', when: 'a target does not have exactly one group' },
  },
  apply: ({ rewriter }, { target }) =>
    mapSuccess(
      collect(target, (operation) => dropUnitGroupOp(rewriter, operation)),
      (convolution) => ({ convolution }),
    ),
  assembly: { format: '$target attr-dict `:` functional-type(operands, results)' },
});
export const flattenElementwise = rewrites(
  'flatten_elementwise',
  'Flattens an elementwise op to one-dimensional operands.',
  flattenElementwiseOp,
  {
    'flatten-elementwise/target': {
      mode: 'silenceable',
      when: 'a target is not elementwise, or accesses elements in an order other than row-major',
    },
  },
);
export const insertSliceToCopy = rewrites(
  'insert_slice_to_copy',
  'Rewrites an insertion as a copy into a slice, and an insertion of that.',
  insertSliceToCopyOp,
  {
    'insert-slice-to-copy/target': { mode: 'silenceable', when: 'a target does not insert a slice' },
  },
);
export const transposeConv2d = rewrites(
  'transpose_conv2d',
  'Rewrites a convolution with filters in FHWC to one with transposed filters, in HWCF.',
  transposeConv2dOp,
  {
    'transpose-conv2d/target': {
      mode: 'silenceable',
      when: 'a target is neither `linalg.conv_2d_nhwc_fhwc` nor its quantized form',
    },
  },
);

/** `transform.structured.specialize`: specializes a generic op to the equivalent named op. */
export const specialize = defineTransformOp({
  name: 'transform.structured.specialize',
  summary: 'Specializes a generic op to the equivalent named op.',
  operands: { target: consumes('generic ops') },
  results: { transformed: produces('named ops') },
  failures: {
    'specialize/no-name': { mode: 'silenceable', when: 'a target has no equivalent named op' },
  },
  apply: ({ rewriter }, { target }) =>
    mapSuccess(
      collect(target, (operation) => specializeOp(rewriter, operation)),
      (transformed) => ({ transformed }),
    ),
  assembly: semiFunctional('target', 'transformed'),
});

/** `transform.structured.transpose_matmul`: rewrites a matrix product to take one input transposed. */
export const transposeMatmul = defineTransformOp({
  name: 'transform.structured.transpose_matmul',
  summary: 'Rewrites a matrix product to take one input transposed.',
  operands: { target: consumes('products of matrices') },
  attributes: {
    inputToTranspose: named(
      withDefault(enumAttribute<'lhs' | 'rhs'>(['lhs', 'rhs'], 32), 'lhs'),
      'inputToTranspose',
    ),
  },
  results: { transformed: produces('the product') },
  failures: {
    'transpose-matmul/target': {
      mode: 'silenceable',
      when: 'a target is neither `linalg.matmul` nor `linalg.batch_matmul`',
    },
    'transpose-matmul/buffers': { mode: 'silenceable', when: 'the operands of a target are buffers' },
  },
  apply: ({ rewriter }, { target }, { inputToTranspose }) =>
    mapSuccess(
      collect(target, (operation) => transposeMatmulOp(rewriter, operation, inputToTranspose)),
      (transformed) => ({ transformed }),
    ),
  assembly: {
    format: '$target (`<` $inputToTranspose^ `>`)? attr-dict `:` functional-type($target, results)',
  },
});

/**
 * `transform.structured.winograd_conv2d`: rewrites a convolution as Winograd's transforms of its operands, a product,
 * and the inverse transform.
 */
export const winogradConv2d = defineTransformOp({
  name: 'transform.structured.winograd_conv2d',
  summary:
    "Rewrites a convolution as Winograd's transforms of its operands, a product, and the inverse transform.",
  operands: { target: consumes('convolutions', 'linalg.conv_2d_nhwc_fhwc') },
  attributes: { m: i64Attribute, r: i64Attribute },
  results: { transformed: produces('the op that computes the result') },
  failures: {
    'winograd-conv2d/target': { mode: 'silenceable', when: 'a target is not a `linalg.conv_2d_nhwc_fhwc`' },
    'winograd-conv2d/shape': {
      mode: 'silenceable',
      when:
        'the tensors of a target are not static or not of floating-point numbers, it has strides or ' +
        'dilations, its filter is not r × r, r × 1 or 1 × r (the latter on one column or row), or (m, ' +
        'r) is not one of (2, 3), (4, 3) and (2, 5)',
    },
  },
  apply: ({ rewriter }, { target }, tile) =>
    mapSuccess(
      collect(target, (operation) => winogradConv2dOp(rewriter, operation, tile)),
      (transformed) => ({ transformed }),
    ),
  assembly: functional(),
});

export const decomposeWinograd = rewrites(
  'decompose_winograd_op',
  'Decomposes a transform of a Winograd convolution into loops over products of small matrices.',
  decomposeWinogradOp,
  {
    'decompose-winograd-op/target': {
      mode: 'silenceable',
      when:
        'a target is not a `linalg.winograd_*_transform` of static tensors of floating-point numbers, ' +
        'or there are no matrices for its sizes',
    },
  },
);

export const structuredOps = [
  decompose,
  decomposeInterface,
  dropUnitGroup,
  flattenElementwise,
  insertSliceToCopy,
  transposeConv2d,
  specialize,
  transposeMatmul,
  winogradConv2d,
  decomposeWinograd,
];
