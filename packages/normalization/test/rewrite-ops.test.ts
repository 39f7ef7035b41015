import { describe, expect, it } from 'vitest';
import { any, apply, around, matchOps, rewrite } from './payloads.ts';

const strides = '{dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>}';

describe('transform.structured.decompose', () => {
  it.each([
    [
      'linalg.conv_2d_nhwc_hwcf',
      strides,
      'tensor<2x1x7x3xf32>',
      'tensor<1x3x3x4xf32>',
      'tensor<2x1x3x4xf32>',
    ],
    [
      'linalg.conv_2d_nchw_fchw',
      strides,
      'tensor<2x3x7x1xf32>',
      'tensor<4x3x3x1xf32>',
      'tensor<2x4x3x1xf32>',
    ],
    [
      'linalg.depthwise_conv_2d_nhwc_hwc',
      strides,
      'tensor<2x7x1x3xf32>',
      'tensor<3x1x3xf32>',
      'tensor<2x3x1x3xf32>',
    ],
    ['linalg.conv_2d', '', 'tensor<1x7xf32>', 'tensor<1x3xf32>', 'tensor<1x5xf32>'],
    ['linalg.pooling_nchw_sum', strides, 'tensor<2x3x1x7xf32>', 'tensor<1x3xf32>', 'tensor<2x3x1x3xf32>'],
    // One window reads the first row of three.
    ['linalg.pooling_nhwc_max', '', 'tensor<2x3x7x4xf32>', 'tensor<1x3xf32>', 'tensor<2x1x5x4xf32>'],
    ['linalg.pooling_nhwc_min', '', 'tensor<?x1x7x4xf32>', 'tensor<1x3xf32>', 'tensor<?x1x5x4xf32>'],
  ])('keeps what %s %s computes', (op, attributes, ...types) => {
    const { text, diagnostics } = apply(around(op, attributes, ...types), rewrite('decompose', op));
    expect(diagnostics).toBe('');
    expect(text).toMatch(/conv_1d|pooling_n(wc|cw)_/);
  });

  it.each([
    ['linalg.conv_2d_nhwc_hwcf', 'tensor<2x3x7x3xf32>', 'tensor<3x3x3x4xf32>', 'tensor<2x1x5x4xf32>'],
    ['linalg.conv_2d_nhwc_hwcf', 'memref<2x1x7x3xf32>', 'memref<1x3x3x4xf32>', 'memref<2x1x5x4xf32>'],
    ['linalg.exp', 'tensor<1x3xf32>', 'tensor<1x3xf32>'],
  ])('refuses %s of a %s', (op, ...types) => {
    expect(apply(around(op, '', ...types), rewrite('decompose', op)).diagnostics).toContain(
      'transform.structured.decompose failed to apply: expected a convolution or pooling of tensors with one row or column [decompose/target]',
    );
  });
});

describe('transform.structured.decompose_interface', () => {
  it.each([
    ['dimension(0)', 'tensor<4x3xf32>'],
    ['dimension(1)', 'tensor<4x3x2xf64>'],
    ['dimension(2)', 'tensor<?x3x?xf16>'],
    ['dimension(0)', 'tensor<5xbf16>'],
  ])('keeps what a softmax of %s of %s computes', (dimension, type) => {
    const payload = around('linalg.softmax', dimension, type, type);
    const { text, diagnostics } = apply(payload, rewrite('decompose_interface', 'linalg.softmax'));
    expect(diagnostics).toBe('');
    expect(text.match(/linalg\.generic/g)).toHaveLength(4);
  });

  it.each([
    ['linalg.softmax', 'dimension(0)', 'memref<4x3xf32>', 'memref<4x3xf32>'],
    ['linalg.softmax', 'dimension(0)', 'tensor<4xf8E4M3FN>', 'tensor<4xf8E4M3FN>'],
    ['linalg.exp', '', 'tensor<4xf32>', 'tensor<4xf32>'],
  ])('refuses a %s %s of a %s', (op, attributes, ...types) => {
    const { diagnostics } = apply(around(op, attributes, ...types), rewrite('decompose_interface', op));
    expect(diagnostics).toContain(`got '${op}' [decompose-interface/target]`);
  });
});

describe('transform.structured.transpose_conv2d', () => {
  it.each([
    ['tensor<1x5x6x3xf32>', 'tensor<4x2x2x3xf32>', 'tensor<1x2x4x4xf32>'],
    ['tensor<1x5x6x3xf32>', 'tensor<?x2x2x3xf32>', 'tensor<1x2x4x?xf32>'],
    ['memref<1x5x6x3xf32>', 'memref<4x2x2x3xf32>', 'memref<1x2x4x4xf32>'],
    ['memref<1x5x6x3xf32>', 'memref<?x2x2x3xf32>', 'memref<1x2x4x?xf32>'],
  ])('keeps what a convolution of a %s with a %s computes', (...types) => {
    const op = 'linalg.conv_2d_nhwc_fhwc';
    const { text, diagnostics } = apply(around(op, strides, ...types), rewrite('transpose_conv2d', op));
    expect(diagnostics).toBe('');
    expect(text).toContain('conv_2d_nhwc_hwcf');
  });

  it('takes quantized ones, and keeps what somebody noted', () => {
    const op = 'linalg.conv_2d_nhwc_fhwc_q';
    const payload = around(
      op,
      '{tag}',
      'tensor<1x5x6x3xi8>',
      'tensor<4x2x2x3xi8>',
      'i32',
      'i32',
      'tensor<1x4x5x4xi32>',
    );
    const { text, diagnostics } = apply(payload, rewrite('transpose_conv2d', op));
    expect(diagnostics).toBe('');
    expect(text).toContain('linalg.conv_2d_nhwc_hwcf_q {tag}');
  });

  it('refuses what has another layout', () => {
    const payload = around('linalg.exp', '', 'tensor<3xf32>', 'tensor<3xf32>');
    expect(apply(payload, rewrite('transpose_conv2d', 'linalg.exp')).diagnostics).toContain(
      '[transpose-conv2d/target]',
    );
  });
});

describe('transform.structured.transpose_matmul', () => {
  it.each([
    ['linalg.matmul', '', 'matmul_transpose_a', 'tensor<3x4xf32>', 'tensor<4x?xf32>', 'tensor<3x?xf32>'],
    ['linalg.matmul', '<rhs>', 'matmul_transpose_b', 'tensor<3x4xi8>', 'tensor<4x5xi8>', 'tensor<3x5xi32>'],
    [
      'linalg.batch_matmul',
      '',
      'batch_matmul_transpose_a',
      'tensor<2x3x4xf32>',
      'tensor<2x4x5xf32>',
      'tensor<2x3x5xf32>',
    ],
    [
      'linalg.batch_matmul',
      '<rhs>',
      'batch_matmul_transpose_b',
      'tensor<2x3x4xf32>',
      'tensor<2x4x5xf32>',
      'tensor<2x3x5xf32>',
    ],
  ])('keeps what %s computes %s', (op, mode, name, ...types) => {
    const { text, diagnostics } = apply(around(op, '', ...types), rewrite('transpose_matmul', op, mode));
    expect(diagnostics).toBe('');
    expect(text).toContain(`linalg.${name} `);
  });

  it('keeps how inputs are extended', () => {
    const payload = around(
      'linalg.matmul',
      '{cast = #linalg.type_fn<cast_unsigned>}',
      'tensor<3x4xi8>',
      'tensor<4x5xi8>',
      'tensor<3x5xi32>',
    );
    expect(apply(payload, rewrite('transpose_matmul', 'linalg.matmul')).diagnostics).toBe('');
  });

  it.each([
    ['linalg.exp', 'transpose-matmul/target', 'tensor<3xf32>', 'tensor<3xf32>'],
    ['linalg.matmul', 'transpose-matmul/buffers', 'memref<3x4xf32>', 'memref<4x5xf32>', 'memref<3x5xf32>'],
  ])('refuses %s: %s', (op, code, ...types) => {
    expect(apply(around(op, '', ...types), rewrite('transpose_matmul', op)).diagnostics).toContain(
      `[${code}]`,
    );
  });
});

describe('transform.structured.insert_slice_to_copy', () => {
  it.each([
    ['tensor<2x3xf32>', '[1, 2] [2, 3] [2, 1]'],
    ['tensor<3xf32>', '[1, 2] [1, 3] [1, 1]'],
  ])('copies a %s to %s', (type, slice) => {
    const payload = `func.func @f(%a: ${type}, %b: tensor<5x7xf32>) -> tensor<5x7xf32> {
  %0 = tensor.insert_slice %a into %b${slice} : ${type} into tensor<5x7xf32>
  return %0 : tensor<5x7xf32>
}`;
    const { text, diagnostics } = apply(payload, rewrite('insert_slice_to_copy', 'tensor.insert_slice'));
    expect(diagnostics).toBe('');
    expect(text).toContain(`linalg.copy ins(%arg0 : ${type}) outs(%extracted_slice : ${type})`);
  });

  it('copies in a parallel loop', () => {
    const payload = `func.func @f(%a: tensor<2xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
  %0 = scf.forall (%i) = (0) to (8) step (2) shared_outs(%o = %b) -> (tensor<8xf32>) {
    %1 = linalg.exp ins(%a : tensor<2xf32>) outs(%a : tensor<2xf32>) -> tensor<2xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %1 into %o[%i] [2] [1] : tensor<2xf32> into tensor<8xf32>
    }
  }
  return %0 : tensor<8xf32>
}`;
    const { text, diagnostics } = apply(
      payload,
      rewrite('insert_slice_to_copy', 'tensor.parallel_insert_slice'),
    );
    expect(diagnostics).toBe('');
    expect(text.indexOf('linalg.copy')).toBeLessThan(text.indexOf('in_parallel'));
  });

  it('refuses what inserts nothing', () => {
    const payload = around('linalg.exp', '', 'tensor<3xf32>', 'tensor<3xf32>');
    expect(apply(payload, rewrite('insert_slice_to_copy', 'linalg.exp')).diagnostics).toContain(
      'incompatible payload operation name [insert-slice-to-copy/target]',
    );
  });
});

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

const generic = (maps: string, body: string): string =>
  `func.func @f(%a: tensor<3x3xf32>, %b: tensor<3x3xf32>) -> tensor<3x3xf32> {
  %0 = linalg.generic {indexing_maps = [${maps}, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<3x3xf32>) outs(%b : tensor<3x3xf32>) {
  ^bb0(%x: f32, %o: f32):
    ${body}
  } -> tensor<3x3xf32>
  return %0 : tensor<3x3xf32>
}`;
const identity = 'affine_map<(i, j) -> (i, j)>';
const transposed = 'affine_map<(i, j) -> (j, i)>';
const moved = 'linalg.yield %x : f32';

describe('transform.structured.specialize', () => {
  it.each([
    ['a transposition', generic(transposed, moved)],
    ['what is kept', generic(identity, 'linalg.yield %o : f32')],
    ['a square', generic(identity, '%1 = arith.mulf %x, %x : f32\nlinalg.yield %1 : f32')],
    ['a sum with the output', generic(identity, '%1 = arith.addf %x, %o : f32\nlinalg.yield %1 : f32')],
    [
      'what stores a scalar in a diagonal',
      `func.func @f(%a: f32, %b: tensor<3x3xf32>) -> tensor<3x3xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> ()>, affine_map<(i) -> (i, i)>], iterator_types = ["parallel"]} ins(%a : f32) outs(%b : tensor<3x3xf32>) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  } -> tensor<3x3xf32>
  return %0 : tensor<3x3xf32>
}`,
    ],
    ['a root', generic(identity, '%1 = math.sqrt %x : f32\nlinalg.yield %1 : f32')],
  ])('has no name for %s', (_, payload) => {
    expect(apply(payload, rewrite('specialize', 'linalg.generic')).diagnostics).toContain(
      'there is no equivalent named operation [specialize/no-name]',
    );
  });

  it.each([
    ['i1', 'i1', '%p = arith.muli %x, %y : i1\n%s = arith.addi %z, %p : i1', 'no-name'],
    ['i8', 'i8', '%p = arith.muli %x, %y : i8\n%s = arith.addi %z, %p : i8', 'linalg.matmul'],
    [
      'i1',
      'i8',
      '%u = arith.extsi %x : i1 to i8\n%v = arith.extsi %y : i1 to i8\n%p = arith.muli %u, %v : i8\n%s = arith.addi %z, %p : i8',
      'linalg.matmul',
    ],
    [
      'i1',
      'i8',
      '%u = arith.extui %x : i1 to i8\n%v = arith.extui %y : i1 to i8\n%p = arith.muli %u, %v : i8\n%s = arith.addi %z, %p : i8',
      'no-name',
    ],
  ])('of products of %s in %s, %s, gives %s', (element, sum, body, expected) => {
    const payload = `func.func @f(%a: tensor<3x4x${element}>, %b: tensor<4x5x${element}>, %c: tensor<3x5x${sum}>) -> tensor<3x5x${sum}> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<3x4x${element}>, tensor<4x5x${element}>) outs(%c : tensor<3x5x${sum}>) {
  ^bb0(%x: ${element}, %y: ${element}, %z: ${sum}):
    ${body}
    linalg.yield %s : ${sum}
  } -> tensor<3x5x${sum}>
  return %0 : tensor<3x5x${sum}>
}`;
    const { text, diagnostics } = apply(payload, rewrite('specialize', 'linalg.generic'));
    expect(text + diagnostics).toContain(expected);
  });

  it.each([
    ['matmul', '', 'i, k', 'k, j'],
    ['matmul_transpose_a', '', 'k, i', 'k, j'],
    ['matmul_transpose_b', '', 'i, k', 'j, k'],
    ['batch_matmul', 'b, ', 'i, k', 'k, j'],
    ['batch_matmul_transpose_a', 'b, ', 'k, i', 'k, j'],
    ['batch_matmul_transpose_b', 'b, ', 'i, k', 'j, k'],
    // One of both is transposed.
    ['no-name', '', 'k, i', 'j, k'],
    // One batch dimension, at the front.
    ['no-name', 'b, a, ', 'i, k', 'k, j'],
  ])('gives %s for factors of %s(%s) and (%s)', (expected, batch, left, right) => {
    const sizes: Readonly<Record<string, number>> = { a: 2, b: 2, i: 3, j: 5, k: 4 };
    const all = `${batch}i, j, k`.split(', ');
    const maps = [left, right, 'i, j'].map((own) => `${batch}${own}`);
    const types = maps.map(
      (own) =>
        `tensor<${own
          .split(', ')
          .map((name) => `${sizes[name]!}x`)
          .join('')}f32>`,
    );
    const [a, b, c] = types as [string, string, string];
    const payload = `func.func @f(%a: ${a}, %b: ${b}, %c: ${c}) -> ${c} {
  %0 = linalg.generic {indexing_maps = [${maps.map((own) => `affine_map<(${all.join(', ')}) -> (${own})>`).join(', ')}], iterator_types = [${all.map((name) => (name === 'k' ? '"reduction"' : '"parallel"')).join(', ')}]} ins(%a, %b : ${a}, ${b}) outs(%c : ${c}) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> ${c}
  return %0 : ${c}
}`;
    const { text, diagnostics } = apply(payload, rewrite('specialize', 'linalg.generic'));
    expect(/linalg\.(\w+) /.exec(text)?.[1] ?? /\/([\w-]+)\]/.exec(diagnostics)?.[1]).toBe(expected);
  });

  it('leaves what has a name', () => {
    const payload = around('linalg.exp', '', 'tensor<1x3xf32>', 'tensor<1x3xf32>');
    const { text, diagnostics } = apply(payload, rewrite('specialize', 'linalg.exp'));
    expect(diagnostics).toBe('');
    expect(text).toContain('linalg.exp');
  });
});

describe('transform.structured.flatten_elementwise', () => {
  it.each([
    ['a transposition', 'linalg.generic', generic(transposed, moved)],
    [
      'a transposition that changes nothing',
      'linalg.transpose',
      `func.func @f(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = linalg.transpose ins(%a : tensor<2x3xf32>) outs(%b : tensor<2x3xf32>) permutation = [0, 1]
  return %0 : tensor<2x3xf32>
}`,
    ],
    ['unknown sizes', 'linalg.exp', around('linalg.exp', '', 'tensor<?x3xf32>', 'tensor<?x3xf32>')],
    [
      'rows that lie apart',
      'linalg.exp',
      around('linalg.exp', '', 'memref<2x3xf32, strided<[4, 1]>>', 'memref<2x3xf32>'),
    ],
    [
      'a sum',
      'linalg.matmul',
      around('linalg.matmul', '', 'tensor<2x3xf32>', 'tensor<3x2xf32>', 'tensor<2x2xf32>'),
    ],
  ])('refuses %s', (_, op, payload) => {
    expect(apply(payload, rewrite('flatten_elementwise', op)).diagnostics).toContain(
      '[flatten-elementwise/target]',
    );
  });

  it('keeps the layout of contiguous rows of a buffer', () => {
    const type = 'memref<2x3xf32, strided<[3, 1]>>';
    const { text, diagnostics } = apply(
      around('linalg.exp', '', type, type),
      rewrite('flatten_elementwise', 'linalg.exp'),
    );
    expect(diagnostics).toBe('');
    expect(text).toContain('into memref<6xf32, strided<[1]>>');
  });

  it('leaves what is flat', () => {
    const payload = around('linalg.exp', '', 'tensor<3xf32>', 'tensor<3xf32>');
    expect(apply(payload, rewrite('flatten_elementwise', 'linalg.exp')).text).not.toContain('shape');
  });
});

describe('transform.structured.replace', () => {
  const by = (op: string, body: string): string =>
    `${matchOps(op)}\ntransform.structured.replace %op {\n${body}\n} : (${any}) -> ${any}`;

  it('copies the op in the body for each target, and returns the copies', () => {
    const two = `func.func @f(%x: f32) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = tensor.empty() : tensor<4xf32>
  %1 = linalg.fill ins(%x : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  %2 = tensor.empty() : tensor<4xf32>
  %3 = linalg.fill ins(%x : f32) outs(%2 : tensor<4xf32>) -> tensor<4xf32>
  return %1, %3 : tensor<4xf32>, tensor<4xf32>
}`;
    const script = `%e = transform.structured.match ops{["tensor.empty"]} in %root : (${any}) -> ${any}
%r = transform.structured.replace %e {
  %t = arith.constant dense<7.0> : tensor<4xf32>
} : (${any}) -> ${any}
transform.annotate %r "new" : ${any}`;
    expect(apply(two, script).text).toMatchInlineSnapshot(`
      "module {
        func.func @f(%arg0: f32) -> (tensor<4xf32>, tensor<4xf32>) {
          %cst = arith.constant {new} dense<7.000000e+00> : tensor<4xf32>
          %0 = linalg.fill ins(%arg0 : f32) outs(%cst : tensor<4xf32>) -> tensor<4xf32>
          %cst_0 = arith.constant {new} dense<7.000000e+00> : tensor<4xf32>
          %1 = linalg.fill ins(%arg0 : f32) outs(%cst_0 : tensor<4xf32>) -> tensor<4xf32>
          return %0, %1 : tensor<4xf32>, tensor<4xf32>
        }
      }
      "
    `);
  });

  it('replaces functions', () => {
    const body = 'builtin.module { func.func private @g() }';
    expect(apply('func.func private @f()', by('func.func', body)).text).toMatchInlineSnapshot(`
      "module {
        module {
          func.func private @g()
        }
      }
      "
    `);
  });

  it.each([
    [
      'expected target without operands',
      'func.func @f(%x: i32) -> i32 {\n%0 = arith.addi %x, %x : i32\nreturn %0 : i32\n}',
      by('arith.addi', '%c = arith.constant 7 : i32'),
    ],
    [
      'expected target that is isolated from above',
      'func.func @f() {\nscf.execute_region {\nscf.yield\n}\nreturn\n}',
      by('scf.execute_region', 'builtin.module {}'),
    ],
    [
      'expected target with results (i64), not (i32)',
      'func.func @f() -> i32 {\n%0 = arith.constant 1 : i32\nreturn %0 : i32\n}',
      by('arith.constant', '%c = arith.constant 7 : i64'),
    ],
  ])('%s', (message, payload, script) => {
    const { status, diagnostics } = apply(payload, script);
    expect(status).toBe('definite');
    expect(diagnostics).toContain(message);
  });
});
