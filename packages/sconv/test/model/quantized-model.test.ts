/** A quantized network in the form of exporters: each tensor is quantized and dequantized between its layers. */
import { spawnSync } from 'node:child_process';
import { unwrap } from '@sconv/diagnostics';
import { elementsOf, interpret, tensor } from '@sconv/interpreter';
import { importOnnx, writeOnnx } from '@sconv/onnx';
import { avx2, neon } from '@sconv/targets';
import { expect, it } from 'vitest';
import { compileModel } from '../../src/model.ts';
import { nodeBackends } from '../../src/node.ts';

const hasLlvm =
  ['x64', 'arm64'].includes(process.arch) &&
  ['mlir-opt-19', 'mlir-translate-19', 'clang-19'].every(
    (tool) => spawnSync(tool, ['--version']).status === 0,
  );

const types = { uint8: 2, int8: 3, int32: 6, float: 1 } as const;
const arrays = { uint8: Uint8Array, int8: Int8Array, int32: Int32Array, float: Float32Array };
const weight = (
  name: string,
  type: keyof typeof types,
  dims: readonly number[],
  values: readonly number[],
) => ({
  name,
  dims: dims.map(BigInt),
  dataType: types[type],
  rawData: new Uint8Array(arrays[type].from(values).buffer),
});
const count = (dims: readonly number[]): number => dims.reduce((product, size) => product * size, 1);
const node = (
  opType: string,
  input: string,
  output: string,
  ints: Readonly<Record<string, readonly number[]>> = {},
) => ({
  opType,
  name: output,
  input: input.split(' '),
  output: [output],
  attribute: Object.entries(ints).map(([name, values]) =>
    name === 'axis' ? { name, i: BigInt(values[0]!), type: 2 } : { name, ints: values.map(BigInt), type: 7 },
  ),
});

const initializer: ReturnType<typeof weight>[] = [];
const nodes: ReturnType<typeof node>[] = [];

/** A tensor as uint8 of a scale and zero point, and back. */
const quantized = (name: string, scale: number, zero: number): string => {
  initializer.push(weight(`${name}-s`, 'float', [], [scale]), weight(`${name}-z`, 'uint8', [], [zero]));
  nodes.push(node('QuantizeLinear', `${name} ${name}-s ${name}-z`, `${name}-q`));
  nodes.push(node('DequantizeLinear', `${name}-q ${name}-s ${name}-z`, `${name}-d`));
  return `${name}-d`;
};

/** A convolution of filters of int8 with a scale each, and a bias of int32. */
const convolution = (
  input: string,
  output: string,
  dims: readonly [number, number, number, number],
  inputScale: number,
  ints: Readonly<Record<string, readonly number[]>> = {},
): void => {
  const [filters] = dims;
  // Powers of two: sums of the products are exact, in any order.
  const scales = Array.from({ length: filters }, (_, i) => 2 ** -(6 + (i % 3)));
  const values = Array.from({ length: count(dims) }, (_, i) => ((i * 37 + filters) % 255) - 127);
  const biases = Array.from({ length: filters }, (_, i) => ((i * 911) % 2001) - 1000);
  initializer.push(
    weight(`${output}-w`, 'int8', dims, values),
    weight(`${output}-ws`, 'float', [filters], scales),
    weight(`${output}-b`, 'int32', [filters], biases),
    weight(
      `${output}-bs`,
      'float',
      [filters],
      scales.map((scale) => scale * inputScale),
    ),
  );
  nodes.push(
    node('DequantizeLinear', `${output}-w ${output}-ws`, `${output}-wd`, { axis: [0] }),
    node('DequantizeLinear', `${output}-b ${output}-bs`, `${output}-bd`, { axis: [0] }),
    node('Conv', `${input} ${output}-wd ${output}-bd`, output, ints),
  );
};

/** The first layers of SqueezeNet, smaller: a convolution, a pooling, and a fire module with both of its branches. */
const file = ((): Uint8Array => {
  const image = quantized('image', 2 ** -6, 128);
  convolution(image, 'c1', [8, 3, 3, 3], 2 ** -6, { strides: [2, 2] });
  nodes.push(node('Relu', 'c1', 'r1'));
  nodes.push(node('MaxPool', quantized('r1', 2 ** -3, 0), 'p1', { kernel_shape: [3, 3], strides: [2, 2] }));
  const pooled = quantized('p1', 2 ** -3, 0);
  convolution(pooled, 'squeeze', [4, 8, 1, 1], 2 ** -3);
  const squeezed = quantized('squeeze', 2 ** -1, 120);
  convolution(squeezed, 'expand1', [8, 4, 1, 1], 2 ** -1);
  convolution(squeezed, 'expand3', [8, 4, 3, 3], 2 ** -1, { pads: [1, 1, 1, 1] });
  const [one, three] = [quantized('expand1', 2, 128), quantized('expand3', 2, 128)];
  nodes.push(node('Concat', `${one} ${three}`, 'joined', { axis: [1] }));
  nodes.push(node('GlobalAveragePool', quantized('joined', 2, 128), 'mean'));
  quantized('mean', 2 ** -1, 128);
  const dim = [1, 3, 15, 15].map((size) => ({ value: { case: 'dimValue' as const, value: BigInt(size) } }));
  return writeOnnx({
    opsetImport: [{ version: 17n }],
    graph: {
      node: nodes,
      initializer,
      input: [{ name: 'image', type: { tensorType: { elemType: 1, shape: { dim } } } }],
      output: [{ name: 'joined-q' }, { name: 'mean-q' }],
    },
  });
})();

const image = Float32Array.from({ length: 3 * 15 * 15 }, (_, i) => ((i * 7919) % 4001) / 1000 - 2);
const { module } = unwrap(importOnnx(file));
const [joined, mean] = unwrap(interpret(module, 'main', [tensor([1, 3, 15, 15], image)])).map((value) => {
  if (typeof value !== 'object' || value.kind !== 'tensor') throw new TypeError('expected a tensor');
  return Uint8Array.from(elementsOf(value) as Int8Array);
});

const host = { target: process.arch === 'arm64' ? neon : avx2, backends: nodeBackends };

it.each([
  ['WebAssembly', {}, true],
  ['native code', host, hasLlvm],
] as const)('a quantized network has the exact results on %s', async (_, options, isThere) => {
  if (!isThere) return;
  const compiled = unwrap(await compileModel(file, options));
  const results = compiled.runSync({ image });
  compiled.dispose();
  // Neither one number everywhere, nor the ends of the range.
  expect(new Set(joined).size).toBeGreaterThan(20);
  expect(results['joined-q']).toEqual(joined);
  // A mean of 9 numbers is rounded: a step is allowed.
  mean!.forEach((value, i) => {
    expect(Math.abs(Number(results['mean-q']![i]) - value)).toBeLessThanOrEqual(1);
  });
});
