/** Models of the ONNX model zoo, in `tools/models`: files of some kilobytes that stand for up to 575 MB of weights. */
import { readFileSync } from 'node:fs';
import { unwrap } from '@sconv/diagnostics';
import { walk } from '@sconv/ir';
import { importOnnx } from '@sconv/onnx';
import { expect, it } from 'vitest';

const bytesOf = (name: string): Uint8Array =>
  new Uint8Array(readFileSync(new URL(`../../../tools/models/light_${name}.onnx`, import.meta.url)));

it.each([
  { name: 'bvlc_alexnet', convolutions: 5, products: 3, poolings: 5, outputs: [[1, 1000]] },
  { name: 'inception_v1', convolutions: 57, products: 1, poolings: 16, outputs: [[1, 1000]] },
  { name: 'resnet50', convolutions: 53, products: 1, poolings: 2, outputs: [[1, 1000]] },
  { name: 'squeezenet', convolutions: 26, products: 0, poolings: 3, outputs: [[1, 1000, 1, 1]] },
  { name: 'vgg19', convolutions: 16, products: 3, poolings: 5, outputs: [[1, 1000]] },
])('$name', ({ name, ...expected }) => {
  const before = process.memoryUsage().arrayBuffers;
  const { module, outputs } = unwrap(importOnnx(bytesOf(name)));
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2 ** 24);
  const names = [...walk(module.root)].map((operation) => operation.name);
  const count = (prefix: string): number =>
    names.filter((each) => each.startsWith(`linalg.${prefix}`)).length;
  expect({
    name,
    convolutions: count('conv_'),
    products: count('matmul'),
    poolings: count('pooling_'),
    outputs: outputs.map(({ shape }) => shape),
  }).toEqual({ name, ...expected });
});
