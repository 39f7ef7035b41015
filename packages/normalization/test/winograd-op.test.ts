import { describe, expect, it } from 'vitest';
import { any, apply, around, matchOps, rewrite } from './payloads.ts';

/** A convolution that adds to its last operand; in `f32`, products of small integers are exact in F(2, 3). */
const winograd = (m: number, r: number, then = ''): string =>
  `${matchOps('linalg.conv_2d_nhwc_fhwc')}
%0 = transform.structured.winograd_conv2d %op {m = ${m} : i64, r = ${r} : i64} : (${any}) -> ${any}${then}`;

const decomposed = ['filter', 'input', 'output']
  .map(
    (what) => `
%${what}s = transform.structured.match ops{["linalg.winograd_${what}_transform"]} in %root : (${any}) -> ${any}
%${what}_loops = transform.structured.decompose_winograd_op %${what}s : (${any}) -> ${any}`,
  )
  .join('');

describe('transform.structured.winograd_conv2d', () => {
  const op = 'linalg.conv_2d_nhwc_fhwc';
  const shapes = [
    ['tensor<1x6x6x2xf32>', 'tensor<3x3x3x2xf32>', 'tensor<1x4x4x3xf32>'],
    ['tensor<2x7x5x1xf32>', 'tensor<2x3x3x1xf32>', 'tensor<2x5x3x2xf32>'],
    ['tensor<1x3x3x2xf32>', 'tensor<2x3x3x2xf32>', 'tensor<1x1x1x2xf32>'],
    ['tensor<2x1x7x2xf32>', 'tensor<2x1x3x2xf32>', 'tensor<2x1x5x2xf32>'],
    ['tensor<2x8x1x2xf32>', 'tensor<2x3x1x2xf32>', 'tensor<2x6x1x2xf32>'],
    ['tensor<0x6x6x2xf32>', 'tensor<3x3x3x2xf32>', 'tensor<0x4x4x3xf32>'],
    ['tensor<1x2x6x2xf32>', 'tensor<3x3x3x2xf32>', 'tensor<1x0x4x3xf32>'],
    ['tensor<1x6x6x0xf32>', 'tensor<3x3x3x0xf32>', 'tensor<1x4x4x3xf32>'],
    ['tensor<1x6x6x2xf16>', 'tensor<3x3x3x2xf16>', 'tensor<1x4x4x3xf32>'],
  ];

  it.each(shapes)('keeps what a convolution of %s with %s computes', (...types) => {
    const { text, diagnostics } = apply(around(op, '', ...types), winograd(2, 3));
    expect(diagnostics).toBe('');
    expect(text.match(/linalg\.winograd_/g)).toHaveLength(3);
  });

  it.each(shapes)('keeps it in loops, of %s with %s', (...types) => {
    const { text, diagnostics } = apply(around(op, '', ...types), winograd(2, 3, decomposed));
    expect(diagnostics).toBe('');
    expect(text).not.toContain('winograd_');
  });

  it.each([
    [
      'strides',
      '{strides = dense<2> : tensor<2xi64>}',
      2,
      3,
      'tensor<1x7x7x2xf32>',
      3,
      'tensor<1x3x3x3xf32>',
    ],
    [
      'dilations',
      '{dilations = dense<2> : tensor<2xi64>}',
      2,
      3,
      'tensor<1x7x7x2xf32>',
      3,
      'tensor<1x3x3x3xf32>',
    ],
    ['F(2, 3)', '', 3, 3, 'tensor<1x5x5x2xf32>', 3, 'tensor<1x3x3x3xf32>'],
    ['r x r', '', 2, 5, 'tensor<1x5x5x2xf32>', 3, 'tensor<1x3x3x3xf32>'],
    ['one row or column', '', 2, 3, 'tensor<1x5x5x2xf32>', 1, 'tensor<1x3x5x3xf32>'],
    ['static shape', '', 2, 3, 'tensor<?x5x5x2xf32>', 3, 'tensor<?x3x3x3xf32>'],
    ['static shape', '', 2, 3, 'memref<1x5x5x2xf32>', 3, 'memref<1x3x3x3xf32>'],
    ['floating-point', '', 2, 3, 'tensor<1x5x5x2xi32>', 3, 'tensor<1x3x3x3xi32>'],
    ['2^53', '', 2, 3, 'tensor<4503599627370496x5x5x2xf32>', 3, 'tensor<4503599627370496x3x3x3xf32>'],
  ])('refuses what is not %s: %s', (reason, attributes, m, r, input, columns, output) => {
    const [, kind, element] = /^(\w+).*x(\w+)>$/.exec(input)!;
    const filter = `${kind}<3x3x${columns}x2x${element}>`;
    const { diagnostics } = apply(around(op, attributes, input, filter, output), winograd(m, r));
    expect(diagnostics).toContain(reason);
    expect(diagnostics).toContain('[winograd-conv2d/shape]');
  });

  it('refuses other convolutions', () => {
    const payload = around(
      'linalg.conv_2d_nhwc_hwcf',
      '',
      'tensor<1x5x5x2xf32>',
      'tensor<3x3x2x3xf32>',
      'tensor<1x3x3x3xf32>',
    );
    const script = winograd(2, 3).replace(op, 'linalg.conv_2d_nhwc_hwcf');
    expect(apply(payload, script).diagnostics).toContain(
      'this operation is not supported to convert to Winograd Conv2D',
    );
  });
});

describe('transform.structured.decompose_winograd_op', () => {
  const transform = (what: string, [m, r]: readonly [number, number], from: string, into: string) =>
    `func.func @f(%a: ${from}, %b: ${into}) -> ${into} {
  %0 = linalg.winograd_${what}_transform m(${m}) r(${r}) ins(%a : ${from}) outs(%b : ${into}) -> ${into}
  return %0 : ${into}
}`;

  it.each([
    ['filter', [4, 3], 'tensor<2x3x3x2xf32>', 'tensor<6x6x2x2xf32>'],
    ['filter', [2, 5], 'tensor<2x1x5x2xf64>', 'tensor<1x6x2x2xf64>'],
    ['input', [4, 3], 'tensor<1x10x6x2xf16>', 'tensor<6x6x2x1x1x2xf16>'],
    ['input', [2, 5], 'tensor<1x8x1x2xf32>', 'tensor<6x1x2x1x1x2xf32>'],
    ['output', [4, 3], 'tensor<6x6x2x1x1x2xf32>', 'tensor<1x8x4x2xf32>'],
    ['output', [2, 5], 'tensor<1x6x3x2x1x2xf64>', 'tensor<1x3x4x2xf64>'],
    ['output', [2, 5], 'tensor<6x6x0x2x1x2xf32>', 'tensor<1x0x4x2xf32>'],
  ] as const)('keeps the transform of the %s of F(%s) from %s to %s', (what, tile, from, into) => {
    const op = `linalg.winograd_${what}_transform`;
    const { text, diagnostics } = apply(
      transform(what, tile, from, into),
      rewrite('decompose_winograd_op', op),
    );
    expect(diagnostics).toBe('');
    expect(text).toContain('scf.for');
  });

  it.each([
    ['filter', [6, 3], 'tensor<2x3x3x2xf32>', 'tensor<8x8x2x2xf32>'],
    ['filter', [4, 3], 'tensor<?x3x3x2xf32>', 'tensor<6x6x2x?xf32>'],
    ['filter', [4, 3], 'tensor<2x3x3x2xi32>', 'tensor<6x6x2x2xi32>'],
    ['input', [4, 3], 'tensor<1x11x6x2xf32>', 'tensor<6x6x2x1x1x2xf32>'],
  ] as const)('refuses a transform of the %s of F(%s) from %s', (what, tile, from, into) => {
    const op = `linalg.winograd_${what}_transform`;
    const { diagnostics } = apply(transform(what, tile, from, into), rewrite('decompose_winograd_op', op));
    expect(diagnostics).toContain(`got '${op}' [decompose-winograd-op/target]`);
  });
});
