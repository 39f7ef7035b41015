import { firstDifference, genericPayload } from '@sconv/interpreter/testing';
import { scriptTester } from '@sconv/transform/testing';
import { describe, expect, it } from 'vitest';
import { transforms } from '../src/transforms.ts';

const apply = scriptTester(transforms, { difference: firstDifference });
const one = '!transform.any_op';
const script = (options: string): string => `
%t = transform.structured.match interface{LinalgOp} in %root : (${one}) -> ${one}
%0 = transform.structured.pack_greedily %t ${options} : (${one}) -> ${one}
transform.annotate %0 "packed" : ${one}`;

const matmul = (m: string | number = 7): string => `
func.func @f(%a: tensor<${m}x5xf32>, %b: tensor<5x6xf32>, %c: tensor<${m}x6xf32>) -> tensor<${m}x6xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<${m}x5xf32>, tensor<5x6xf32>) outs(%c : tensor<${m}x6xf32>) -> tensor<${m}x6xf32>
  return %0 : tensor<${m}x6xf32>
}`;

/** The maps of the op, and the types of its operands. */
const packed = (text: string) => ({
  maps: [...text.matchAll(/affine_map<\(.*?\) -> \((.*?)\)>/g)].map((found) => found[1]).slice(-3),
  types: [.../ins\(%pack.*? : (.*?)\) outs\(%pack.*? : (.*?)\) attrs/.exec(text)!]
    .slice(1)
    .join(', ')
    .match(/\d+x[\dx]*/g),
});

describe('transform.structured.pack_greedily', () => {
  it.each([
    [
      '[0, 1, 2]',
      ['d0, d2, d3, d5', 'd2, d1, d4, d5', 'd0, d1, d3, d4'],
      ['4x2x2x4x', '2x2x3x4x', '4x2x2x3x'],
    ],
    [
      '[1, 2, 0]',
      ['d1, d0, d3, d4', 'd0, d2, d3, d5', 'd1, d2, d4, d5'],
      ['4x2x4x2x', '2x2x4x3x', '4x2x2x3x'],
    ],
  ])('puts m, n and k at %s of the inner loops', (order, maps, types) => {
    const { text, diagnostics } = apply(
      matmul(),
      script(`matmul_packed_sizes = [2, 3, 4] matmul_inner_dims_order = ${order}`),
    );
    expect(diagnostics).toBe('');
    expect(packed(text)).toEqual({ maps, types });
  });

  it.each(['[0, 0, 1]', '[0, 1, 3]', '[-1, 0, 1]'])('refuses %s, which is no order', (order) => {
    const options = `matmul_packed_sizes = [2, 3, 4] matmul_inner_dims_order = ${order}`;
    expect(apply(matmul(), script(options)).diagnostics).toContain('is not a valid permutation');
  });

  it('makes one tile of a dimension, rounded up to a multiple', () => {
    const { text } = apply(
      matmul(),
      script(
        'matmul_packed_sizes = [0, 3, 0] matmul_padded_sizes_next_multiple_of = [4, 0, 3] matmul_inner_dims_order = [0, 1, 2]',
      ),
    );
    expect(packed(text).types).toEqual(['1x1x8x6x', '1x2x3x6x', '1x2x8x3x']);
  });

  it('leaves what is no contraction', () => {
    const { text, diagnostics } = apply(
      `func.func @f(%a: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %0 = linalg.exp ins(%a : tensor<4x5xf32>) outs(%a : tensor<4x5xf32>) -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}`,
      script('matmul_packed_sizes = [2, 3, 4] matmul_inner_dims_order = [0, 1, 2]'),
    );
    expect(diagnostics).toBe('');
    expect(text).toContain('linalg.exp {packed}');
  });

  it('refuses to run reductions in another order', () => {
    const payload = genericPayload({
      iterators: ['parallel', 'parallel', 'reduction', 'reduction'],
      inputs: [
        { map: 'd0, d2, d3', type: 'tensor<4x6x3xf32>' },
        { map: 'd2, d1', type: 'tensor<6x8xf32>' },
      ],
      outputs: [{ map: 'd0, d1', type: 'tensor<4x8xf32>' }],
      body: `%p = arith.mulf %x0, %x1 : f32
%r = arith.subf %p, %y0 : f32
linalg.yield %r : f32`,
    });
    const { diagnostics } = apply(
      payload,
      script('matmul_packed_sizes = [2, 4, 3] matmul_inner_dims_order = [0, 1, 2]'),
    );
    expect(diagnostics).toContain('[interchange/order]');
  });

  it('refuses buffers', () => {
    const { diagnostics } = apply(
      `func.func @f(%a: memref<7x5xf32>, %b: memref<5x6xf32>, %c: memref<7x6xf32>) {
  linalg.matmul ins(%a, %b : memref<7x5xf32>, memref<5x6xf32>) outs(%c : memref<7x6xf32>)
  return
}`,
      script('matmul_packed_sizes = [2, 3, 4] matmul_inner_dims_order = [0, 1, 2]'),
    );
    expect(diagnostics).toContain('[pack/not-structured]');
  });

  it('fails where packing does', () => {
    const { diagnostics } = apply(
      matmul(),
      script('matmul_packed_sizes = [2, -3, 4] matmul_inner_dims_order = [0, 1, 2]'),
    );
    expect(diagnostics).toContain('pack/sizes');
  });
});
