import { describe, expect, it } from 'vitest';
import { exampleConvolution } from '@sconv/transform';
import { scriptTester } from '@sconv/transform/testing';
import { transforms as normalization } from '@sconv/normalization';
import { transforms as packing } from '@sconv/packing';
import { transforms as splitting } from '@sconv/splitting';
import { transforms as tiling } from '@sconv/tiling';
import { transforms } from '../src/index.ts';

const apply = scriptTester([...normalization, ...splitting, ...tiling, ...packing, ...transforms]);

const sconv = (attributes: string, op = 'linalg.conv_2d_nchw_fchw') =>
  `%conv = transform.structured.match ops{["${op}"]} in %root : (!transform.any_op) -> !transform.any_op
%kernels, %loops = transform.structured.sconv %conv ${attributes} : (!transform.any_op) -> (!transform.op<"linalg.generic">, !transform.any_op)`;

const loopsOf = (text: string) => text.match(/scf\.for/g)?.length ?? 0;
const microkernelsOf = (text: string) => text.match(/\{microkernel\}/g)?.length ?? 0;

describe('transform.structured.sconv', () => {
  it('makes six loops and one microkernel a tiled fragment', () => {
    const { status, text } = apply(exampleConvolution, sconv('{mk_info = [8, 2]}'));
    expect(status).toBe('success');
    expect([loopsOf(text), microkernelsOf(text)]).toEqual([6, 1]);
  });

  it('tiles the edge too with edges = "small"', () => {
    const { text } = apply(exampleConvolution, sconv('{mk_info = [8, 2], edges = "small"}'));
    expect([loopsOf(text), microkernelsOf(text)]).toEqual([12, 2]);
    expect(text).toContain('tensor<1x18x6xf32>');
  });

  it('gives handles to the microkernels and to the loops', () => {
    const script = `${sconv('{mk_info = [8, 2], edges = "small"}')}
%k0, %k1 = transform.split_handle %kernels : (!transform.op<"linalg.generic">) -> (!transform.any_op, !transform.any_op)
%l:12 = transform.split_handle %loops : (!transform.any_op) -> (${Array(12).fill('!transform.any_op').join(', ')})`;
    expect(apply(exampleConvolution, script).diagnostics).toBe('');
  });

  it('takes the windows from the output, which may be smaller than the input allows', () => {
    const smaller = exampleConvolution.replaceAll('4x5x6xf32', '4x4x6xf32');
    const { status, text } = apply(smaller, sconv('{mk_info = [8, 2], edges = "small"}'));
    expect(status).toBe('success');
    expect([loopsOf(text), microkernelsOf(text)]).toEqual([6, 1]);
  });

  it('leaves a convolution smaller than the microkernel as scalar code, and says so', () => {
    const { text, diagnostics } = apply(exampleConvolution, sconv('{mk_info = [64, 8]}'));
    expect([loopsOf(text), microkernelsOf(text)]).toEqual([0, 0]);
    expect(diagnostics).toContain('30 windows, fewer than the 64 of the microkernel');
  });

  it.each([
    ['mK_info, as the reference implementation writes it', '{mK_info = [8, 2]}', '8xf32'],
    ['ws', '{mk_info = [8, 2], schedule = "ws"}', '8xf32'],
    ['a machine without L3', '{mk_info = [8, 2], arch_info = [32768, 1048576, 0, 64]}', '8xf32'],
  ])('accepts %s', (_, attributes, expected) => {
    const { status, text } = apply(exampleConvolution, sconv(attributes));
    expect(status).toBe('success');
    expect(text).toContain(expected);
  });

  it.each([
    ['an unknown attribute', '{mk_inf = [8, 2]}', "has no attribute 'mk_inf'"],
    ['a wrong schedule', '{schedule = "os"}', 'failed to satisfy constraint: "is" or "ws"'],
    ['wrong edges', '{edges = "round"}', 'failed to satisfy constraint: "scalar" or "small"'],
    ['a tile of three numbers', '{mk_info = [16, 8, 4]}', 'array of two integers'],
    ['a tile that no double holds', '{mk_info = [99999999999999999, 8]}', 'array of two integers'],
    ['the tile given twice', '{mk_info = [8, 2], mK_info = [8, 2]}', "has both 'mk_info' and 'mK_info'"],
    ['three levels without a fourth number', '{latency = [1, 2, 3]}', 'array of four integers'],
    ['a tile of no windows', '{mk_info = [0, 8]}', 'must be a positive integer'],
  ])('refuses %s', (_, attributes, message) => {
    const { status, diagnostics } = apply(exampleConvolution, sconv(attributes));
    expect(status).toBe('definite');
    expect(diagnostics).toMatch(/^(script|payload)\.mlir:\d+:\d+: error/);
    expect(diagnostics).toContain(message);
  });

  it.each([
    ['sconv/element-type', exampleConvolution.replaceAll('f32', 'i32'), sconv('')],
    ['sconv/element-type', exampleConvolution.replaceAll('4x2x3x3xf32', '4x2x3x3xf16'), sconv('')],
    ['sconv/element-type', exampleConvolution.replaceAll('4x5x6xf32', '4x5x6xf64'), sconv('')],
    [
      'csa/not-positive',
      exampleConvolution.replaceAll('4x2x3x3', '0x2x3x3').replaceAll('4x5x6', '0x5x6'),
      sconv(''),
    ],
    ['csa/not-positive', exampleConvolution, sconv('{latency = [0, 1, 2, 3]}')],
    [
      'sconv/dynamic-shape',
      exampleConvolution.replaceAll('7x8xf32', '?x8xf32').replaceAll('4x5x6', '4x?x6'),
      sconv(''),
    ],
    ['sconv/not-a-convolution', exampleConvolution, sconv('', 'func.func')],
  ])('refuses a payload with %s', (code, payload, script) => {
    const { diagnostics } = apply(payload, script);
    expect(diagnostics).toContain(`[${code}]`);
    expect(diagnostics).toContain('note: payload op');
  });
});
