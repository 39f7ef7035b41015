/** What depthwise convolutions cost in blocks: less natively, and never less on WebAssembly. */
import { unwrap } from '@sconv/diagnostics';
import { parseModule, walk } from '@sconv/ir';
import { avx2, wasm } from '@sconv/targets';
import { expect, it } from 'vitest';
import { defaultRegistry as registry } from '../src/default-registry.ts';
import { depthwiseCosts } from '../src/layout-costs.ts';

/** An op on 8 channels of 9 by 9. */
const opOf = (name: string, side: number, attributes: string) => {
  const [image, filters, result] = [
    `tensor<1x8x9x9xf32>`,
    `tensor<8x3x3xf32>`,
    `tensor<1x8x${side}x${side}xf32>`,
  ];
  const module = parseModule(
    `func.func @f(%x: ${image}, %k: ${filters}, %y: ${result}) -> ${result} {
  %r = ${name} ${attributes} ins(%x, %k : ${image}, ${filters}) outs(%y : ${result}) -> ${result}
  return %r : ${result}
}`,
    { registry },
  );
  return [...walk(unwrap(module).root)].find((each) => each.name === name)!;
};

const dense = opOf('linalg.depthwise_conv_2d_nchw_chw', 7, '');
const strided = opOf('linalg.depthwise_conv_2d_nchw_chw', 4, '{strides = dense<2> : tensor<2xi64>}');

it.each([
  ['natively, side by side', avx2, dense, 8 * 49 * 9, 0.26 / 0.31],
  ['natively, apart', avx2, strided, 8 * 16 * 9, 0.35 / 0.63],
  ['on WebAssembly, side by side', wasm, dense, 8 * 49 * 9, 0.9 / 0.65],
  ['on WebAssembly, apart', wasm, strided, 8 * 16 * 9, 1],
])('%s', (_, target, operation, products, ratio) => {
  const { asGiven, blocked } = depthwiseCosts(operation, target, registry);
  expect(blocked / asGiven).toBeCloseTo(ratio);
  // About a cycle each.
  expect(asGiven / products).toBeGreaterThan(0.2);
  expect(asGiven / products).toBeLessThan(2);
});

it('of an op that is none are nothing', () => {
  const [constant] = [...walk(unwrap(parseModule('%c = arith.constant 1.0 : f32', { registry })).root)].slice(
    -1,
  );
  expect(depthwiseCosts(constant!, avx2, registry)).toEqual({ asGiven: 0, blocked: 0 });
});
