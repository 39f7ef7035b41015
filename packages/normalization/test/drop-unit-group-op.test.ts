import { describe, expect, it } from 'vitest';
import { any, apply, around, matchOps } from './payloads.ts';

const strides = '{dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>}';

describe('transform.structured.drop_unit_group', () => {
  const drop = (op: string): string =>
    `${matchOps(op)}\n%0 = transform.structured.drop_unit_group %op : (${any}) -> !transform.op<"linalg.conv_2d_nchw_fchw">`;

  it.each([
    ['ngchw_fgchw', 'tensor<2x1x3x7x9xf32>', 'tensor<4x1x3x3x2xf32>', 'tensor<2x1x4x3x7xf32>'],
    ['ngchw_gfchw', 'tensor<2x1x3x7x9xf32>', 'tensor<1x4x3x3x2xf32>', 'tensor<2x1x4x3x7xf32>'],
    ['ngchw_gfchw', 'tensor<?x1x3x7x9xf64>', 'tensor<1x4x3x3x2xf64>', 'tensor<?x1x4x3x7xf64>'],
  ])('keeps what conv_2d_%s computes', (layout, ...types) => {
    const op = `linalg.conv_2d_${layout}`;
    const { text, diagnostics } = apply(around(op, strides, ...types), drop(op));
    expect(diagnostics).toBe('');
    expect(text).toContain('linalg.conv_2d_nchw_fchw');
    expect(text).not.toContain(layout);
  });

  it.each([
    ['ngchw_fgchw', 'tensor<2x1x3x7x9xf32>', 'tensor<4x1x3x3x2xf32>', 'tensor<2x1x4x3x7xf32>'],
    ['ngchw_gfchw', 'tensor<2x1x3x7x9xi8>', 'tensor<1x4x3x3x2xi8>', 'tensor<2x1x4x3x7xi32>'],
    ['ngchw_gfchw_q', 'tensor<2x1x3x7x9xi8>', 'tensor<1x4x3x3x2xi8>', 'i8', 'i32', 'tensor<2x1x4x3x7xi32>'],
  ])('keeps what a generic with the maps of conv_2d_%s computes', (layout, ...types) => {
    const op = `linalg.conv_2d_${layout}`;
    const script = `${matchOps(op)}
%g = transform.structured.generalize %op : (${any}) -> !transform.op<"linalg.generic">
%0 = transform.structured.drop_unit_group %g : (!transform.op<"linalg.generic">) -> ${any}`;
    const { text, diagnostics } = apply(around(op, strides, ...types), script);
    expect(diagnostics).toBe('');
    expect(text).toContain('affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>');
    expect(text).toContain(`outs(%extracted_slice_1 : ${types.at(-1)!.replace('2x1x', '2x')})`);
  });

  it.each([
    ['batch_matmul', 'tensor<1x2x3xf32>', 'tensor<1x3x4xf32>', 'tensor<1x2x4xf32>'],
    ['batch_matmul_transpose_a', 'tensor<1x3x2xf32>', 'tensor<1x3x4xf32>', 'tensor<1x2x4xf32>'],
    ['batch_matmul_transpose_b', 'tensor<1x2x3xf32>', 'tensor<1x4x3xf32>', 'tensor<1x2x4xf32>'],
    ['quantized_batch_matmul', 'tensor<1x2x3xi8>', 'tensor<1x3x4xi8>', 'i32', 'i32', 'tensor<1x2x4xi32>'],
  ])('keeps what a %s of one product computes', (name, ...types) => {
    const line = `${matchOps(`linalg.${name}`)}\n%0 = transform.structured.drop_unit_group %op : (${any}) -> ${any}`;
    const { text, diagnostics } = apply(around(`linalg.${name}`, '', ...types), line);
    expect(diagnostics).toBe('');
    expect(text).toContain('iterator_types = ["parallel", "parallel", "reduction"]');
    expect(text).not.toContain(name);
  });

  it('renumbers the indices in a body', () => {
    const maps = ['(d0, d1, d5, d3 + d6, d4 + d7)', '(d1, d2, d5, d6, d7)', '(d0, d1, d2, d3, d4)'].map(
      (results) => `affine_map<(d0, d1, d2, d3, d4, d5, d6, d7) -> ${results}>`,
    );
    const types = ['tensor<2x1x3x4x6xi32>', 'tensor<1x4x3x2x2xi32>', 'tensor<2x1x4x3x5xi32>'] as const;
    const payload = `func.func @f(%a: ${types[0]}, %b: ${types[1]}, %c: ${types[2]}) -> ${types[2]} {
  %0 = linalg.generic {indexing_maps = [${maps.join(', ')}], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%a, %b : ${types[0]}, ${types[1]}) outs(%c : ${types[2]}) {
  ^bb0(%x: i32, %y: i32, %sum: i32):
    ${[0, 1, 2, 4, 7].map((i) => `%i${i} = linalg.index ${i} : index`).join('\n')}
    %two = arith.constant 2 : index
    %p1 = arith.addi %i0, %i1 : index
    %p2 = arith.muli %p1, %two : index
    %p3 = arith.addi %p2, %i2 : index
    %p4 = arith.muli %p3, %i4 : index
    %p5 = arith.addi %p4, %i7 : index
    %p = arith.index_cast %p5 : index to i32
    %product = arith.muli %x, %p : i32
    %next = arith.addi %sum, %product : i32
    linalg.yield %next : i32
  } -> ${types[2]}
  return %0 : ${types[2]}
}`;
    const { text, diagnostics } = apply(
      payload,
      `${matchOps()}\n%0 = transform.structured.drop_unit_group %op : (${any}) -> ${any}`,
    );
    expect(diagnostics).toBe('');
    expect([...text.matchAll(/linalg\.index (\d)/g)].map(([, position]) => position).join('')).toBe('0136');
  });

  it('makes a quantized one a generic, for which linalg has no name', () => {
    const op = 'linalg.conv_2d_ngchw_gfchw_q';
    const types = ['tensor<2x1x3x7x9xi8>', 'tensor<1x4x3x3x2xi8>', 'i8', 'i32', 'tensor<2x1x4x3x7xi32>'];
    const line = `${matchOps(op)}\n%0 = transform.structured.drop_unit_group %op : (${any}) -> ${any}`;
    const { text, diagnostics } = apply(around(op, strides, ...types), line);
    expect(diagnostics).toBe('');
    expect(text).toContain('tensor<2x3x7x9xi8>, tensor<4x3x3x2xi8>, i8, i32) outs');
    expect(text).not.toContain('linalg.conv');
  });

  it.each([
    [
      'linalg.conv_2d_ngchw_gfchw',
      ['tensor<2x2x3x7x9xf32>', 'tensor<2x4x3x3x2xf32>', 'tensor<2x2x4x5x8xf32>'],
      'expected one group, got tensor<2x2x3x7x9xf32>: tile the groups by 1 first [drop-unit-group/groups]',
    ],
    [
      'linalg.conv_2d_ngchw_fgchw',
      ['tensor<2x?x3x7x9xf32>', 'tensor<4x1x3x3x2xf32>', 'tensor<2x1x4x5x8xf32>'],
      'expected one group, got tensor<2x?x3x7x9xf32>: tile the groups by 1 first [drop-unit-group/groups]',
    ],
    [
      'linalg.conv_2d_ngchw_gfchw',
      ['memref<2x1x3x7x9xf32>', 'memref<1x4x3x3x2xf32>', 'memref<2x1x4x5x8xf32>'],
      '[drop-unit-group/not-grouped]',
    ],
    [
      'linalg.conv_2d_nchw_fchw',
      ['tensor<2x3x7x9xf32>', 'tensor<4x3x3x2xf32>', 'tensor<2x4x5x8xf32>'],
      "expected a linalg.conv_2d_ngchw_fgchw, conv_2d_ngchw_gfchw or conv_2d_ngchw_gfchw_q on tensors, or a batch_matmul, or a linalg.generic with their maps, got 'linalg.conv_2d_nchw_fchw' [drop-unit-group/not-grouped]",
    ],
  ])('refuses %s %j', (op, types, message) => {
    expect(apply(around(op, '', ...types), drop(op)).diagnostics).toContain(message);
  });
});
