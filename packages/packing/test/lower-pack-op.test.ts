import { describe, expect, it } from 'vitest';
import { apply } from './payloads.ts';

const pack = `%op = transform.structured.match ops{["tensor.pack"]} in %root : (!transform.any_op) -> !transform.op<"tensor.pack">
%pad, %expand, %transpose = transform.structured.lower_pack %op : (!transform.op<"tensor.pack">) -> (!transform.op<"tensor.pad">, !transform.op<"tensor.expand_shape">, !transform.op<"linalg.transpose">)`;
const unpack = `%op = transform.structured.match ops{["tensor.unpack"]} in %root : (!transform.any_op) -> !transform.op<"tensor.unpack">
%e, %t, %c, %s = transform.structured.lower_unpack %op : (!transform.op<"tensor.unpack">) -> (!transform.op<"tensor.empty">, !transform.op<"linalg.transpose">, !transform.op<"tensor.collapse_shape">, !transform.op<"tensor.extract_slice">)`;

/** Packings of a matrix, with both types; in one case the matrix has fewer elements than the tiles. */
const cases = [
  ['inner_dims_pos = [0, 1] inner_tiles = [2, 3]', 'tensor<5x7xf32>', 'tensor<3x3x2x3xf32>'],
  ['inner_dims_pos = [1] inner_tiles = [3]', 'tensor<5x6xf32>', 'tensor<5x2x3xf32>'],
  [
    'outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [3, 2]',
    'tensor<5x7xf32>',
    'tensor<3x3x3x2xf32>',
  ],
  [
    'outer_dims_perm = [2, 0, 1] inner_dims_pos = [2, 0] inner_tiles = [3, 2]',
    'tensor<4x5x6xf32>',
    'tensor<2x2x5x3x2xf32>',
  ],
  ['inner_dims_pos = [0, 1] inner_tiles = [5, 8]', 'tensor<5x7xf32>', 'tensor<1x1x5x8xf32>'],
  ['inner_dims_pos = [0, 1] inner_tiles = [2, 3]', 'tensor<0x7xf32>', 'tensor<0x3x2x3xf32>'],
  [
    'outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [3, 2]',
    'tensor<?x?xf32>',
    'tensor<?x?x3x2xf32>',
  ],
  ['inner_dims_pos = [1, 0] inner_tiles = [1, 2]', 'tensor<4x?xf32>', 'tensor<2x?x1x2xf32>'],
  ['inner_dims_pos = [0] inner_tiles = [2]', 'tensor<4xf32>', 'tensor<?x2xf32>'],
] as const;

describe('transform.structured.lower_pack', () => {
  it.each(cases)('keeps what packing by %s of a %s computes', (how, from, to) => {
    const payload = `func.func @f(%a: ${from}, %b: ${to}, %v: f32) -> ${to} {
  %0 = tensor.pack %a padding_value(%v : f32) ${how} into %b : ${from} -> ${to}
  return %0 : ${to}
}`;
    const { text, diagnostics } = apply(payload, pack);
    expect(diagnostics).toBe('');
    expect(text).not.toContain('tensor.pack');
  });

  it('refuses tiles of dynamic size', () => {
    const payload = `func.func @f(%a: tensor<4xf32>, %b: tensor<2x?xf32>, %n: index) -> tensor<2x?xf32> {
  %0 = tensor.pack %a inner_dims_pos = [0] inner_tiles = [%n] into %b : tensor<4xf32> -> tensor<2x?xf32>
  return %0 : tensor<2x?xf32>
}`;
    expect(apply(payload, pack).diagnostics).toContain(
      'cannot lower to pad + expand + transpose [lower-pack/dynamic]',
    );
  });

  it('refuses elements that have no zero', () => {
    const payload = `func.func @f(%a: tensor<4xcomplex<f32>>, %b: tensor<2x2xcomplex<f32>>) -> tensor<2x2xcomplex<f32>> {
  %0 = tensor.pack %a inner_dims_pos = [0] inner_tiles = [2] into %b : tensor<4xcomplex<f32>> -> tensor<2x2xcomplex<f32>>
  return %0 : tensor<2x2xcomplex<f32>>
}`;
    expect(apply(payload, pack).diagnostics).toContain('[lower-pack/element]');
  });
});

describe('transform.structured.lower_unpack', () => {
  it.each(cases)('keeps what unpacking by %s to a %s computes', (how, to, from) => {
    const payload = `func.func @f(%a: ${from}, %b: ${to}) -> ${to} {
  %0 = tensor.unpack %a ${how} into %b : ${from} -> ${to}
  return %0 : ${to}
}`;
    const { text, diagnostics } = apply(payload, unpack);
    expect(diagnostics).toBe('');
    expect(text).not.toContain('tensor.unpack');
  });

  it('takes tiles of dynamic size', () => {
    const payload = `func.func @f(%a: tensor<2x?xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %one = arith.constant 1 : index
  %n = tensor.dim %a, %one : tensor<2x?xf32>
  %0 = tensor.unpack %a inner_dims_pos = [0] inner_tiles = [%n] into %b : tensor<2x?xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}`;
    expect(apply(payload, unpack).diagnostics).toBe('');
  });

  it('refuses tiles that together pass 2^53', () => {
    const payload = `func.func @f(%a: tensor<4503599627370497x4x2xf32>, %b: tensor<7x4xf32>) -> tensor<7x4xf32> {
  %0 = tensor.unpack %a inner_dims_pos = [0] inner_tiles = [2] into %b : tensor<4503599627370497x4x2xf32> -> tensor<7x4xf32>
  return %0 : tensor<7x4xf32>
}`;
    expect(apply(payload, unpack).diagnostics).toContain('[transform/arithmetic]');
  });
});
