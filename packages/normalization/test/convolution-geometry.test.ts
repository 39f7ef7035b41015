import { describe, expect, it } from 'vitest';
import { unwrap } from '@sconv/diagnostics';
import { payloadDialects } from '@sconv/dialects';
import { structured } from '@sconv/dialects/linalg';
import { createRegistry, parseModule, walk } from '@sconv/ir';
import { convolutionGeometry, formedConvolution } from '../src/index.ts';
import { genericConvolution, namedConvolution, nearMisses } from './payloads.ts';

const registry = createRegistry(payloadDialects);

/** The geometry of the first op with this name; payloads need not be valid. */
const geometryOf = (payload: string, name = 'linalg.generic') => {
  const { root } = unwrap(parseModule(payload, { registry, verify: false }));
  const operation = [...walk(root)].find((each) => each.name === name)!;
  const view = structured(registry, operation);
  return view && convolutionGeometry(view);
};

describe('convolutionGeometry', () => {
  const geometry = {
    batch: 1,
    inputChannels: 2,
    inputHeight: 8,
    inputWidth: 9,
    filters: 4,
    filterHeight: 3,
    filterWidth: 2,
    outputHeight: 3,
    outputWidth: 6,
    strides: { h: 2, w: 1 },
    dilations: { h: 1, w: 3 },
    groups: 1,
  };

  it('is that of a generic convolution', () => {
    expect(geometryOf(genericConvolution)).toEqual(geometry);
  });

  it('is that of a named convolution, each size from its place', () => {
    const text = namedConvolution({
      batch: 5,
      channels: 7,
      filters: 11,
      filter: [2, 3],
      output: [4, 6],
      strides: [3, 2],
      dilations: [4, 5],
      slack: [1, 2],
    });
    expect(geometryOf(text, 'linalg.conv_2d_nchw_fchw')).toEqual({
      batch: 5,
      inputChannels: 7,
      inputHeight: 15,
      inputWidth: 23,
      filters: 11,
      filterHeight: 2,
      filterWidth: 3,
      outputHeight: 4,
      outputWidth: 6,
      strides: { h: 3, w: 2 },
      dilations: { h: 4, w: 5 },
      groups: 1,
    });
  });

  it.each(nearMisses)('is undefined for %s', (_, payload) => {
    expect(geometryOf(payload)).toBe(undefined);
  });

  it('is undefined for a stride by a symbol', () => {
    const symbolic = genericConvolution.replace('d6) -> (d0, d4, d2 * 2', 'd6)[s0] -> (d0, d4, d2 * s0');
    expect(symbolic).toContain('d2 * s0');
    expect(geometryOf(symbolic)).toBe(undefined);
  });

  it.each([
    ['func.func', 'func.func @f() { return }'],
    ['linalg.index', genericConvolution.replace('%product', '%i = linalg.index 0 : index\n%product')],
    [
      'linalg.matmul',
      `func.func @f(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>, %c: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<2x3xf32>, tensor<3x4xf32>) outs(%c : tensor<2x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}`,
    ],
    [
      'linalg.conv_2d_nhwc_hwcf',
      `func.func @f(%a: tensor<1x5x5x2xf32>, %b: tensor<3x3x2x4xf32>, %c: tensor<1x3x3x4xf32>) -> tensor<1x3x3x4xf32> {
  %0 = linalg.conv_2d_nhwc_hwcf ins(%a, %b : tensor<1x5x5x2xf32>, tensor<3x3x2x4xf32>) outs(%c : tensor<1x3x3x4xf32>) -> tensor<1x3x3x4xf32>
  return %0 : tensor<1x3x3x4xf32>
}`,
    ],
  ])('is undefined for %s', (name, payload) => {
    expect(geometryOf(payload, name)).toBe(undefined);
  });
});

describe('formedConvolution', () => {
  const one = { h: 1, w: 1 };

  it.each([
    ['matmul', '2x3', '3x4', '2x4', 1],
    ['matmul_transpose_a', '3x2', '3x4', '2x4', 1],
    ['matmul_transpose_b', '2x3', '4x3', '2x4', 1],
    ['batch_matmul', '5x2x3', '5x3x4', '5x2x4', 5],
    ['batch_matmul_transpose_a', '5x3x2', '5x3x4', '5x2x4', 5],
    ['batch_matmul_transpose_b', '5x2x3', '5x4x3', '5x2x4', 5],
  ])('sees rows of the first operand of a %s as filters', (name, ...[a, b, c, groups]) => {
    const [left, right, sums] = [a, b, c].map((sizes) => `tensor<${sizes}xf32>`);
    const { root } = unwrap(
      parseModule(
        `func.func @f(%a: ${left!}, %b: ${right!}, %c: ${sums!}) -> ${sums!} {
  %0 = linalg.${name} ins(%a, %b : ${left!}, ${right!}) outs(%c : ${sums!}) -> ${sums!}
  return %0 : ${sums!}
}`,
        { registry },
      ),
    );
    const product = [...walk(root)].find((each) => each.name.startsWith('linalg.'))!;
    expect(formedConvolution(structured(registry, product)!)?.geometry).toEqual({
      batch: 1,
      inputChannels: 3 * groups,
      inputHeight: 4,
      inputWidth: 1,
      filters: 2 * groups,
      filterHeight: 1,
      filterWidth: 1,
      outputHeight: 4,
      outputWidth: 1,
      strides: one,
      dilations: one,
      groups,
    });
  });
});
