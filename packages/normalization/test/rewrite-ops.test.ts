import { describe, expect, it } from 'vitest';
import { any, apply, around, elementwise, matchOps, rewrite, transposed } from './payloads.ts';

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

describe('transform.structured.flatten_elementwise', () => {
  it.each([
    ['a transposition', 'linalg.generic', elementwise(transposed, 'linalg.yield %x : f32')],
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
