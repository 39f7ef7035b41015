/** Payloads of several functions that call each other: on all backends as in the interpreter. */
import { unwrap } from '@sconv/diagnostics';
import { elementsOf, integerData, interpret, tensor } from '@sconv/interpreter';
import { findToolchain, nativeBackend } from '@sconv/native';
import { avx2, neon, wasm } from '@sconv/targets';
import type { CompileOptions } from 'sconv';
import { compileModule } from 'sconv';
import { nodeWorkers } from 'sconv/node';
import { describe, expect, it } from 'vitest';
import { parse } from './support/stages.ts';

const hasLlvm = 'paths' in (await findToolchain());

/** A block with a shortcut: two layers of the same function with other weights, one of them on the other's result. */
const network = parse(
  `
func.func private @relu(%x: tensor<1x8x20x20xf32>) -> tensor<1x8x20x20xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x8x20x20xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%x : tensor<1x8x20x20xf32>) outs(%e : tensor<1x8x20x20xf32>) {
  ^bb0(%a: f32, %b: f32):
    %m = arith.maximumf %a, %zero : f32
    linalg.yield %m : f32
  } -> tensor<1x8x20x20xf32>
  return %0 : tensor<1x8x20x20xf32>
}
func.func private @layer(%x: tensor<1x8x20x20xf32>, %k: tensor<8x8x3x3xf32>, %bias: tensor<8xf32>) -> tensor<1x8x20x20xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %l: index, %m: index):
    tensor.yield %zero : f32
  } : tensor<1x8x20x20xf32> to tensor<1x8x22x22xf32>
  %e = tensor.empty() : tensor<1x8x20x20xf32>
  %b = linalg.broadcast ins(%bias : tensor<8xf32>) outs(%e : tensor<1x8x20x20xf32>) dimensions = [0, 2, 3]
  %0 = linalg.conv_2d_nchw_fchw ins(%p, %k : tensor<1x8x22x22xf32>, tensor<8x8x3x3xf32>) outs(%b : tensor<1x8x20x20xf32>) -> tensor<1x8x20x20xf32>
  %1 = call @relu(%0) : (tensor<1x8x20x20xf32>) -> tensor<1x8x20x20xf32>
  return %1 : tensor<1x8x20x20xf32>
}
func.func @network(%x: tensor<1x8x20x20xf32>, %k: tensor<8x8x3x3xf32>, %l: tensor<8x8x3x3xf32>, %bias: tensor<8xf32>, %out: tensor<1x8x20x20xf32>) -> tensor<1x8x20x20xf32> {
  %0 = call @layer(%x, %k, %bias) : (tensor<1x8x20x20xf32>, tensor<8x8x3x3xf32>, tensor<8xf32>) -> tensor<1x8x20x20xf32>
  %1 = call @layer(%0, %l, %bias) : (tensor<1x8x20x20xf32>, tensor<8x8x3x3xf32>, tensor<8xf32>) -> tensor<1x8x20x20xf32>
  %2 = linalg.add ins(%0, %1 : tensor<1x8x20x20xf32>, tensor<1x8x20x20xf32>) outs(%out : tensor<1x8x20x20xf32>) -> tensor<1x8x20x20xf32>
  %3 = linalg.sub ins(%2, %x : tensor<1x8x20x20xf32>, tensor<1x8x20x20xf32>) outs(%2 : tensor<1x8x20x20xf32>) -> tensor<1x8x20x20xf32>
  return %3 : tensor<1x8x20x20xf32>
}`,
  'payload.mlir',
);

const shapes = [[1, 8, 20, 20], [8, 8, 3, 3], [8, 8, 3, 3], [8], [1, 8, 20, 20]];
const data = shapes.map((shape, i) =>
  integerData(
    shape.reduce((product, size) => product * size, 1),
    i + 1,
  ).map((value) => value % 4),
);
const [expected] = unwrap(
  interpret(
    network,
    'network',
    shapes.map((shape, i) => tensor(shape, data[i]!.slice())),
  ),
);

const compilations: readonly (readonly [string, CompileOptions, boolean])[] = [
  ['WebAssembly', { target: wasm }, true],
  ['WebAssembly with two threads', { target: wasm, threads: 2, workers: nodeWorkers }, true],
  ['native code', { target: process.arch === 'arm64' ? neon : avx2, backends: [nativeBackend] }, hasLlvm],
  [
    'native code with two threads',
    { target: process.arch === 'arm64' ? neon : avx2, backends: [nativeBackend], threads: 2 },
    hasLlvm,
  ],
];

describe('functions that call each other', () => {
  it.each(compilations.filter(([, , runs]) => runs))('run as %s', async (_, options) => {
    const compiled = unwrap(await compileModule(network, options));
    expect(compiled.functions.map(({ name }) => name)).toEqual(['network']);
    expect(compiled.plans).toHaveLength(1);
    if (typeof expected !== 'object' || expected.kind !== 'tensor') throw new Error('no tensor is returned');
    const bound = compiled.bind('network', { 1: data[1]!, 3: data[3]! });
    for (let times = 0; times < 2; times += 1) {
      const copies = data.map((each) => each.slice());
      expect(compiled.run('network', ...copies)).toEqual([elementsOf(expected)]);
      expect(await compiled.runAsync('network', ...data.map((each) => each.slice()))).toEqual([
        elementsOf(expected),
      ]);
      const [x, , l, , out] = data.map((each) => each.slice());
      expect(bound.run(x!, l!, out!)).toEqual([elementsOf(expected)]);
      // Only the output is written.
      expect(copies.slice(0, -1)).toEqual(data.slice(0, -1));
    }
    compiled.dispose();
  });
});
