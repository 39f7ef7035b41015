import { nativeBackend } from '@sconv/native';
import { avx2 } from '@sconv/targets';
import { describe, expect, it } from 'vitest';
import { emitPayload } from '../src/compile-module.ts';
import { decomposeAggregates } from '../src/decompose-aggregates.ts';
import {
  compileModuleSync,
  defaultRegistry,
  interpret,
  parseModule,
  tensor,
  unwrap,
  walk,
} from '../src/index.ts';
import type { Module } from '../src/index.ts';

const parse = (text: string) => unwrap(parseModule(text, { registry: defaultRegistry, fileName: 'in.mlir' }));

const softmax = (shape: string, dimension: number, element = 'f32') => {
  const type = `tensor<${shape}x${element}>`;
  return parse(`func.func @f(%a: ${type}, %b: ${type}) -> ${type} {
    %0 = linalg.softmax dimension(${dimension}) ins(%a : ${type}) outs(%b : ${type}) -> ${type}
    return %0 : ${type}
  }`);
};

const names = (module: Module) => Array.from(walk(module.root), ({ name }) => name);

describe('softmax', () => {
  it.each<[string, readonly number[], number]>([
    ['2x3', [2, 3], 1],
    ['2x3', [2, 3], 0],
    ['?x3', [2, 3], 1],
    ['1x6', [1, 6], 1],
    ['6x1', [6, 1], 1],
  ])('of %s computes the same when it is decomposed: %j, %d', (text, shape, dimension) => {
    const module = softmax(text, dimension);
    const given = () =>
      [
        [1, 2, 2, -100, 300, 3.5],
        [0, 0, 0, 0, 0, 0],
      ].map((data) => tensor(shape, Float32Array.from(data)));
    const decomposed = decomposeAggregates(module, defaultRegistry);
    expect(names(decomposed)).not.toContain('linalg.softmax');
    expect(unwrap(interpret(decomposed, 'f', given()))).toEqual(unwrap(interpret(module, 'f', given())));
  });

  it('is decomposed before native code is made', () => {
    const options = { target: avx2, backends: [nativeBackend] };
    expect(unwrap(emitPayload(softmax('6x10', 1), options)).stages.bufferized.root).toBeDefined();
  });

  it('is computed on WebAssembly, within rounding', () => {
    const module = softmax('6x10', 1);
    const data = Float32Array.from({ length: 60 }, (_, i) => ((i * 7) % 13) - 6);
    const [computed] = unwrap(compileModuleSync(module)).run('f', data, new Float32Array(60)) as [
      Float32Array,
    ];
    for (let row = 0; row < 6; row += 1) {
      const exponentials = [...data.subarray(10 * row, 10 * row + 10)].map(Math.exp);
      const sum = exponentials.reduce((all, each) => all + each, 0);
      exponentials.forEach((each, i) => {
        expect(computed[10 * row + i]! / (each / sum)).toBeCloseTo(1, 5);
      });
    }
  });

  it('leaves modules without one as they are', () => {
    const module = parse('func.func @f(%x: f32) -> f32 { return %x : f32 }');
    expect(decomposeAggregates(module, defaultRegistry)).toBe(module);
  });
});
