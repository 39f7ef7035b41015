import { describe, expect, it } from 'vitest';
import { exampleConvolution } from '@sconv/transform';
import { scriptTester } from '@sconv/transform/testing';
import { delinearizeOp, generalizeOp, linearizeOp } from '../src/index.ts';
import { delinearizeExamples } from '../src/examples.ts';

const apply = scriptTester([generalizeOp, linearizeOp, delinearizeOp]);

const conv =
  '%conv = transform.structured.match ops{["linalg.conv_2d_nchw_fchw"]} in %root : (!transform.any_op) -> !transform.any_op';
const generalize = '%g = transform.structured.generalize %conv : (!transform.any_op) -> !transform.any_op';
const linearize = '%l = transform.structured.linearize %g : (!transform.any_op) -> !transform.any_op';
const func =
  '%f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op';

describe('transform.structured.generalize', () => {
  it('keeps operands, maps and body of a named convolution', () => {
    const { text, diagnostics } = apply(exampleConvolution, `${conv}\n${generalize}`);
    expect(diagnostics).toBe('');
    expect(text).toContain('affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d4, d2 + d5, d3 + d6)>');
    expect(text).toContain('arith.mulf %in, %in_0 : f32');
    expect(text).not.toContain('conv_2d');
  });

  it('keeps what somebody noted on the op, without what is said by the maps', () => {
    const tagged = exampleConvolution.replace('{dilations', '{tag = "keep", dilations');
    const { text } = apply(tagged, `${conv}\n${generalize}\n${linearize}`);
    expect(text).toContain('attrs =  {tag = "keep"}');
  });

  it('refuses what is not structured', () => {
    const { diagnostics } = apply(
      exampleConvolution,
      `${func}\n%g = transform.structured.generalize %f : (!transform.any_op) -> !transform.any_op`,
    );
    expect(diagnostics).toContain("'func.func' is not a structured op [generalize/not-structured]");
  });
});

describe('transform.structured.linearize', () => {
  it('collapses H and W and expands the result', () => {
    const { text } = apply(exampleConvolution, `${conv}\n${generalize}\n${linearize}`);
    expect(text).toMatchInlineSnapshot(`
      "module {
        func.func @conv(%arg0: tensor<1x2x7x8xf32>, %arg1: tensor<4x2x3x3xf32>, %arg2: tensor<1x4x5x6xf32>) -> tensor<1x4x5x6xf32> {
          %collapsed = tensor.collapse_shape %arg2 [[0], [1], [2, 3]] : tensor<1x4x5x6xf32> into tensor<1x4x30xf32>
          %collapsed_0 = tensor.collapse_shape %arg0 [[0], [1], [2, 3]] : tensor<1x2x7x8xf32> into tensor<1x2x56xf32>
          %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d3, (d2 floordiv 6 + d4) * 8 + d2 mod 6 + d5)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d1, d3, d4, d5)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%collapsed_0, %arg1 : tensor<1x2x56xf32>, tensor<4x2x3x3xf32>) outs(%collapsed : tensor<1x4x30xf32>) {
          ^bb0(%in: f32, %in_1: f32, %out: f32):
            %1 = arith.mulf %in, %in_1 : f32
            %2 = arith.addf %out, %1 : f32
            linalg.yield %2 : f32
          } -> tensor<1x4x30xf32>
          %expanded = tensor.expand_shape %0 [[0], [1], [2, 3]] output_shape [1, 4, 5, 6] : tensor<1x4x30xf32> into tensor<1x4x5x6xf32>
          return %expanded : tensor<1x4x5x6xf32>
        }
      }
      "
    `);
  });

  it('divides by the width of the output where it is not square', () => {
    // 5x6 windows over an input 8 wide: row = w floordiv 6, column = w mod 6.
    const { text } = apply(exampleConvolution, `${conv}\n${generalize}\n${linearize}`);
    expect(text).toContain('(d2 floordiv 6 + d4) * 8 + d2 mod 6 + d5');
  });

  const withIndex = (dimension: number) =>
    apply(
      `#in = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d4, d2 + d5, d3 + d6)>
#filters = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d1, d4, d5, d6)>
#out = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>
func.func @f(%in: tensor<1x2x7x8xi32>, %filters: tensor<4x2x3x3xi32>, %out: tensor<1x4x5x6xi32>) -> tensor<1x4x5x6xi32> {
  %0 = linalg.generic {indexing_maps = [#in, #filters, #out], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%in, %filters : tensor<1x2x7x8xi32>, tensor<4x2x3x3xi32>) outs(%out : tensor<1x4x5x6xi32>) {
  ^bb0(%x: i32, %y: i32, %sum: i32):
    %i = linalg.index ${dimension} : index
    %j = arith.index_cast %i : index to i32
    %1 = arith.addi %sum, %j : i32
    linalg.yield %1 : i32
  } -> tensor<1x4x5x6xi32>
  return %0 : tensor<1x4x5x6xi32>
}`,
      `%g = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op\n${linearize}`,
    );

  it.each([2, 3, 4, 6])('refuses a body that uses index %i, which is numbered anew', (dimension) => {
    const { diagnostics } = withIndex(dimension);
    expect(diagnostics).toContain(`the body uses linalg.index ${dimension}`);
    expect(diagnostics).toContain('[linearize/index]');
  });

  it.each([0, 1])('keeps index %i, which stays', (dimension) => {
    expect(withIndex(dimension).text).toContain(`linalg.index ${dimension} : index`);
  });

  it('refuses what is not a convolution', () => {
    const { diagnostics } = apply(
      exampleConvolution,
      `${func}\n%l = transform.structured.linearize %f : (!transform.any_op) -> !transform.any_op`,
    );
    expect(diagnostics).toContain('[linearize/not-a-convolution]');
  });
});

describe('transform.structured.delinearize', () => {
  const gather =
    '%gather = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op';

  it('reads row and column, and the collapsed tensor is gone', () => {
    const { text } = apply(
      delinearizeExamples[0]!.payload,
      `${gather}\ntransform.structured.delinearize %gather : !transform.any_op`,
    );
    expect(text).toContain('tensor.extract %arg0[');
    expect(text).toContain('affine_map<(d0) -> (d0 floordiv 3)>');
    expect(text).toContain('affine_map<(d0) -> (d0 mod 3)>');
    expect(text).not.toContain('collapse_shape');
  });

  const gathered = (lines: string, index: string) =>
    apply(
      `func.func private @f() -> index
func.func @gather(%in: tensor<7x8xf32>, %out: tensor<6xf32>) -> tensor<6xf32> {
  %linear = tensor.collapse_shape %in [[0, 1]] : tensor<7x8xf32> into tensor<56xf32>
  ${lines}
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%out : tensor<6xf32>) {
  ^bb0(%old: f32):
    %w = linalg.index 0 : index
    ${index}
    %x = tensor.extract %s[%i] : tensor<10xf32>
    linalg.yield %x : f32
  } -> tensor<6xf32>
  return %0 : tensor<6xf32>
}`,
      `${gather}\ntransform.structured.delinearize %gather : !transform.any_op`,
    );

  it('leaves calls, whatever became of their results', () => {
    const { text } = gathered(
      '%s = tensor.extract_slice %linear[3] [10] [1] : tensor<56xf32> to tensor<10xf32>',
      `%call = func.call @f() : () -> index
    %i = affine.apply affine_map<(d0)[s0] -> (d0 + s0 * 0)>(%w)[%call]`,
    );
    expect(text).toContain('call @f()');
    expect(text).not.toContain('collapse_shape');
  });

  it('reads a slice with a stride as it is', () => {
    const { text } = gathered(
      '%s = tensor.extract_slice %linear[3] [10] [2] : tensor<56xf32> to tensor<10xf32>',
      '%i = affine.apply affine_map<(d0) -> (d0)>(%w)',
    );
    expect(text).toContain('tensor.extract %extracted_slice[');
  });

  it('refuses what is not generic', () => {
    const { diagnostics } = apply(
      exampleConvolution,
      `${func}\ntransform.structured.delinearize %f : !transform.any_op`,
    );
    expect(diagnostics).toContain('[delinearize/not-generic]');
  });
});
