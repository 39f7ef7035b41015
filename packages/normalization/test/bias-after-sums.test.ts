/** A broadcast that sums begin with is added to them. */
import { unwrap } from '@sconv/diagnostics';
import { payloadDialects } from '@sconv/dialects';
import { firstDifference } from '@sconv/interpreter/testing';
import { createRegistry, parseModule, walk } from '@sconv/ir';
import { expect, it } from 'vitest';
import { biasAfterSumsPass } from '../src/index.ts';

const registry = createRegistry(payloadDialects);

/** The structured ops of a function after the pass, which compute the same. */
const after = (text: string): readonly string[] => {
  const before = unwrap(parseModule(text, { registry }));
  const result = unwrap(biasAfterSumsPass().run(before, { registry }));
  expect(firstDifference(before, result)).toBeUndefined();
  return [...walk(result.root)]
    .map(({ name }) => name)
    .filter((name) => name.startsWith('linalg.') && name !== 'linalg.yield');
};

const convolution = (element: string, between = '', init = '%b') => `
func.func @f(%x: tensor<1x2x5x5x${element}>, %w: tensor<3x2x3x3x${element}>, %v: tensor<3x${element}>) -> tensor<1x3x3x3x${element}> {
  %e = tensor.empty() : tensor<1x3x3x3x${element}>
  %b = linalg.broadcast ins(%v : tensor<3x${element}>) outs(%e : tensor<1x3x3x3x${element}>) dimensions = [0, 2, 3]
  ${between}
  %r = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x2x5x5x${element}>, tensor<3x2x3x3x${element}>) outs(${init} : tensor<1x3x3x3x${element}>) -> tensor<1x3x3x3x${element}>
  return %r : tensor<1x3x3x3x${element}>
}`;

it.each(['f32', 'f64', 'i32'])('a bias of %s', (element) => {
  expect(after(convolution(element))).toEqual(['linalg.fill', 'linalg.conv_2d_nchw_fchw', 'linalg.generic']);
});

it('a bias of the rows of a product', () => {
  const text = `func.func @f(%a: tensor<2x5xf32>, %b: tensor<5x3xf32>, %v: tensor<3xf32>) -> tensor<2x3xf32> {
  %e = tensor.empty() : tensor<2x3xf32>
  %i = linalg.broadcast ins(%v : tensor<3xf32>) outs(%e : tensor<2x3xf32>) dimensions = [0]
  %r = linalg.matmul ins(%a, %b : tensor<2x5xf32>, tensor<5x3xf32>) outs(%i : tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}`;
  expect(after(text)).toEqual(['linalg.fill', 'linalg.matmul', 'linalg.generic']);
});

it('another beginning stays', () => {
  const exp =
    '%n = linalg.exp ins(%b : tensor<1x3x3x3xf32>) outs(%e : tensor<1x3x3x3xf32>) -> tensor<1x3x3x3xf32>';
  expect(after(convolution('f32', exp, '%n'))).toEqual([
    'linalg.broadcast',
    'linalg.exp',
    'linalg.conv_2d_nchw_fchw',
  ]);
});

it('maxima stay', () => {
  const text = `func.func @f(%x: tensor<4x3xf32>, %v: f32) -> tensor<3xf32> {
  %e = tensor.empty() : tensor<3xf32>
  %s = tensor.from_elements %v : tensor<f32>
  %i = linalg.broadcast ins(%s : tensor<f32>) outs(%e : tensor<3xf32>) dimensions = [0]
  %r = linalg.reduce { arith.maximumf } ins(%x : tensor<4x3xf32>) outs(%i : tensor<3xf32>) dimensions = [0]
  return %r : tensor<3xf32>
}`;
  expect(after(text)).toEqual(['linalg.broadcast', 'linalg.reduce']);
});
