import { unwrap } from '@sconv/diagnostics';
import type { OnnxModelFields } from '@sconv/onnx';
import { writeOnnx } from '@sconv/onnx';
import { walk } from '@sconv/ir';
import { describe, expect, it } from 'vitest';
import { compileModel } from '../../src/model.ts';

/** Small integers, so that sums are exact. */
const numbers = (count: number): Float32Array =>
  Float32Array.from({ length: count }, (_, i) => ((i * 7) % 5) - 2);

const sizes = (...shape: readonly number[]) => ({
  dim: shape.map((size) => ({ value: { case: 'dimValue' as const, value: BigInt(size) } })),
});

type Node = OnnxModelFields['graph'] extends infer G ? NonNullable<NonNullable<G>['node' & keyof G]> : never;

/** A model of these nodes, with filters of three channels and of two, for inputs of two channels. */
const model = (node: readonly unknown[], output: readonly string[]): Uint8Array =>
  writeOnnx({
    irVersion: 8n,
    opsetImport: [{ version: 17n }],
    graph: {
      node: node as Node,
      initializer: [
        { name: 'w3', dims: [3n, 2n, 1n, 1n], dataType: 1, rawData: new Uint8Array(numbers(6).buffer) },
        { name: 'w2', dims: [2n, 2n, 3n, 3n], dataType: 1, rawData: new Uint8Array(numbers(36).buffer) },
      ],
      input: [{ name: 'x', type: { tensorType: { elemType: 1, shape: sizes(1, 2, 9, 9) } } }],
      output: output.map((name) => ({ name })),
    },
  });

const pads = [{ name: 'pads', ints: [1n, 1n, 1n, 1n], type: 7 }];
const branches = [
  { opType: 'Conv', name: 'narrow', input: ['x', 'w3'], output: ['a'] },
  { opType: 'Relu', name: 'rectifier', input: ['a'], output: ['a_positive'] },
  { opType: 'Conv', name: 'wide', input: ['x', 'w2'], output: ['b'], attribute: pads },
];
const concat = (...input: readonly string[]) => ({
  opType: 'Concat',
  name: 'both',
  input,
  output: ['y'],
  attribute: [{ name: 'axis', i: 1n, type: 2 }],
});

describe('a concatenation', () => {
  it.each<[string, readonly string[], number]>([
    ['of what is computed, in place', ['a_positive', 'b'], 0],
    ['in another order, in place', ['b', 'a_positive'], 0],
    ['with an input, which is copied', ['x', 'b'], 1],
  ])('%s', async (_, parts, copies) => {
    const compiled = unwrap(await compileModel(model([...branches, concat(...parts)], ['y'])));
    const apart = unwrap(await compileModel(model(branches, ['a_positive', 'b'])));
    const x = numbers(2 * 9 * 9);
    const separate: Record<string, Float32Array> = { x };
    for (const [name, elements] of Object.entries(await apart.run({ x })))
      separate[name] = elements as Float32Array;
    const { y } = await compiled.run({ x });
    expect([...(y as Float32Array)]).toEqual(parts.flatMap((name) => [...separate[name]!]));
    const copied = [...walk(compiled.compiled.stages.bufferized.root)].filter(
      ({ name }) => name === 'memref.copy',
    );
    expect(copied.length).toBe(copies);
    compiled.dispose();
    apart.dispose();
  });
});
