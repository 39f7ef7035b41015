import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { integerData, referenceConvolution } from '@sconv/interpreter';
import type { Attribute, Module, Type } from '@sconv/ir';
import { denseResource, edit, f32, parseModule, tensorType } from '@sconv/ir';
import { unwrap } from '@sconv/diagnostics';
import type { NativeModule } from '@sconv/native';
import { avx2, neon } from '@sconv/targets';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { compileModule, compileModuleSync, defaultRegistry } from '../src/index.ts';
import { nodeBackends } from '../src/node.ts';

/** A module in which the constants `dense_resource<0>`, `<1>` … have these elements. */
const moduleWith = (
  text: string,
  constants: readonly (readonly [Type, ArrayBufferView<ArrayBuffer>])[],
): Module => {
  const module = unwrap(parseModule(text, { registry: defaultRegistry }));
  return edit(module, { registry: defaultRegistry }, (rewriter) => {
    for (const operation of rewriter.walk(rewriter.root)) {
      const value: Attribute | undefined = operation.attributes['value'];
      if (value?.kind !== 'dense-resource') continue;
      const [type, { buffer, byteOffset, byteLength }] = constants[Number(value.resource.key.slice(1))]!;
      const bytes = new Uint8Array(buffer, byteOffset, byteLength);
      rewriter.setAttribute(operation, 'value', denseResource(type, bytes, value.resource.key));
    }
  }).module;
};

const shape = {
  batch: 1,
  inputChannels: 3,
  inputHeight: 9,
  inputWidth: 9,
  filters: 20,
  filterHeight: 3,
  filterWidth: 3,
  strides: { h: 1, w: 1 },
  dilations: { h: 1, w: 1 },
};
const weights = tensorType([20, 3, 3, 3], f32);
const convolution = `linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
  ins(%x, %w : tensor<1x3x9x9xf32>, tensor<20x3x3x3xf32>) outs(%y : tensor<1x20x7x7xf32>) -> tensor<1x20x7x7xf32>`;
const text = `func.func @f(%x: tensor<1x3x9x9xf32>, %y: tensor<1x20x7x7xf32>) -> tensor<1x20x7x7xf32> {
  %w = arith.constant dense_resource<_0> : tensor<20x3x3x3xf32>
  %0 = ${convolution}
  return %0 : tensor<1x20x7x7xf32>
}`;
const filters = integerData(540, 1);
const inputs = [2, 3].map((seed) => integerData(243, seed));
const initial = integerData(980, 4);
const expected = inputs.map((input) => referenceConvolution(shape, input, filters, initial));

const hasLlvm =
  ['x64', 'arm64'].includes(process.arch) &&
  ['mlir-opt-19', 'mlir-translate-19', 'clang-19'].every(
    (tool) => spawnSync(tool, ['--version']).status === 0,
  );
const cache = mkdtempSync(join(tmpdir(), 'sconv-constants-'));
beforeAll(() => {
  vi.stubEnv('XDG_CACHE_HOME', cache);
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(cache, { recursive: true, force: true });
});

const native = { target: process.arch === 'arm64' ? neon : avx2, backends: nodeBackends };

describe('constants of bytes', () => {
  it('are arguments that the artifact passes, packed once, and given up', () => {
    const compiled = unwrap(compileModuleSync(moduleWith(text, [[weights, filters]])));
    expect(compiled.functions[0]!.parameters).toHaveLength(2);
    expect(compiled.emitted.constants).toMatchObject([{ function: 'f', parameter: 2 }]);
    for (const round of [0, 1, 0])
      expect(compiled.run('f', inputs[round]!, initial.slice())).toEqual([expected[round]]);
    compiled.dispose();
  });

  it.each([
    ['where the caller has them', 0],
    ['a copy, where no array can begin there', 1],
  ])('are packed from %s', (_, shift) => {
    const memory = new Uint8Array(filters.byteLength + shift);
    memory.set(new Uint8Array(filters.buffer), shift);
    const compiled = unwrap(compileModuleSync(moduleWith(text, [[weights, memory.subarray(shift)]])));
    expect(compiled.emitted).toMatchObject({ panels: { gathered: expect.any(Array) as unknown[] } });
    // One more, as its own constants are packed apart; then as before, with arrays of the artifact.
    const bound = compiled.bind('f', { 0: inputs[0]! });
    const other = compiled.allocate('f32', inputs[1]!.length);
    other.set(inputs[1]!);
    for (let i = 0; i < 2; i += 1) {
      expect(bound.run(initial.slice())).toEqual([expected[0]]);
      expect(compiled.run('f', other, initial.slice())).toEqual([expected[1]]);
    }
    compiled.dispose();
  });

  it.each([0, 1])('take no memory beside their packed form, from byte %i', (shift) => {
    const type = tensorType([1024, 512], f32);
    const product = `func.func @f(%x: tensor<512x8xf32>, %y: tensor<1024x8xf32>) -> tensor<1024x8xf32> {
      %w = arith.constant dense_resource<_0> : tensor<1024x512xf32>
      %0 = linalg.matmul ins(%w, %x : tensor<1024x512xf32>, tensor<512x8xf32>) outs(%y : tensor<1024x8xf32>)
        -> tensor<1024x8xf32>
      return %0 : tensor<1024x8xf32>
    }`;
    const bytes = new Uint8Array(2 ** 21 + shift).subarray(shift);
    bytes.set(new Uint8Array(new Float32Array(2 ** 19).fill(1).buffer));
    const compiled = unwrap(compileModuleSync(moduleWith(product, [[type, bytes]])));
    const { buffer } = compiled.allocate('f32', 1);
    expect(compiled.run('f', new Float32Array(2 ** 12).fill(1), new Float32Array(2 ** 13))).toEqual([
      new Float32Array(2 ** 13).fill(512),
    ]);
    expect(buffer.byteLength).toBeLessThan(2 ** 21 + 2 ** 18);
    compiled.dispose();
  });

  it.skipIf(!hasLlvm)('are pointers for native code, which many layers have', async () => {
    // More values than can be passed one by one: 24 layers, each with its weights, memory for their packing, and state.
    const layers = 24;
    const lines = Array.from({ length: layers }, (_, i) => [
      `%w${i} = arith.constant dense_resource<_${i}> : tensor<4x4x1x1xf32>`,
      `%${i} = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%${i === 0 ? 'x' : i - 1}, %w${i} : tensor<1x4x4x4xf32>, tensor<4x4x1x1xf32>) outs(%y : tensor<1x4x4x4xf32>)
      -> tensor<1x4x4x4xf32>`,
    ]).flat();
    const deep = `func.func @f(%x: tensor<1x4x4x4xf32>, %s: f32) -> tensor<1x4x4x4xf32> {
      %e = tensor.empty() : tensor<1x4x4x4xf32>
      %y = linalg.fill ins(%s : f32) outs(%e : tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
      ${lines.join('\n')}
      return %${layers - 1} : tensor<1x4x4x4xf32>
    }`;
    // Permutations of the channels, so that numbers stay small.
    const permutation = Float32Array.from({ length: 16 }, (_, i) => (((i >> 2) + 1) % 4 === i % 4 ? 1 : 0));
    const type = tensorType([4, 4, 1, 1], f32);
    const module = moduleWith(
      deep,
      Array.from({ length: layers }, () => [type, permutation.slice()] as const),
    );
    const input = integerData(64, 5);
    const wanted = input.map((value) => value + 0.5 * layers);
    const onWasm = unwrap(compileModuleSync(module));
    expect(onWasm.run('f', input, 0.5)).toEqual([wanted]);
    onWasm.dispose();
    for (const threads of [1, 2]) {
      const compiled = unwrap(await compileModule(module, { ...native, threads }));
      expect((compiled.emitted as NativeModule).stubs).toContain('words_sconv_f(');
      expect(compiled.functions[0]!.parameters).toHaveLength(2);
      expect(compiled.run('f', input, 0.5)).toEqual([wanted]);
      expect(await compiled.runAsync('f', input, 0.5)).toEqual([wanted]);
      compiled.dispose();
    }
  });
});
