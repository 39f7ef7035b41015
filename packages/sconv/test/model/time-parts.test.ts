/** The parts of a model, timed. */
import { unwrap } from '@sconv/diagnostics';
import { writeOnnx } from '@sconv/onnx';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import type { CompiledModel } from '../../src/model.ts';
import { compileModel, timeParts } from '../../src/model.ts';

const filters = Float32Array.from({ length: 4 * 4 * 3 * 3 }, (_, i) => (i % 3) - 1);
/** A convolution with an activation, and the means of its channels. */
const file = writeOnnx({
  irVersion: 8n,
  opsetImport: [{ version: 17n }],
  graph: {
    node: [
      { opType: 'Conv', name: 'layer', input: ['x', 'w'], output: ['c'] },
      { opType: 'Relu', name: 'rectifier', input: ['c'], output: ['y'] },
      { opType: 'GlobalAveragePool', name: 'means', input: ['y'], output: ['z'] },
    ],
    initializer: [
      { name: 'w', dims: [4n, 4n, 3n, 3n], dataType: 1, rawData: new Uint8Array(filters.buffer) },
    ],
    input: [{ name: 'x', type: { tensorType: { elemType: 1 } } }],
    output: [{ name: 'z' }],
  },
});
const x = new Float32Array(4 * 8 * 8).fill(1);

let model: CompiledModel;
beforeAll(async () => {
  model = unwrap(await compileModel(file, { inputs: { x: [1, 4, 8, 8] } }));
});
afterAll(() => {
  model.dispose();
});

it('names what each computes, and how much', async () => {
  const parts = unwrap(await timeParts(model, { x }, { samples: 1, sampleSeconds: 0 }));
  expect(parts.map(({ nodes, multiplyAdds }) => [nodes, multiplyAdds])).toEqual([
    [['layer', 'rectifier'], 4 * 36 * 36],
    // The sums, and their division.
    [['means'], 0],
    [['means'], 0],
  ]);
});

it('times them by a clock that ticks every 0.1 ms', async () => {
  const now = performance.now.bind(performance);
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => Math.floor(10 * now()) / 10);
  onTestFinished(() => {
    clock.mockRestore();
  });
  const parts = unwrap(await timeParts(model, { x }));
  // A call takes less than a tick; a sample of many does not.
  for (const { seconds } of parts) expect(seconds).toBeGreaterThan(0);
});

it('fails as a compilation does, and refuses inputs that do not fit', async () => {
  const stopped = await timeParts(model, { x }, { signal: AbortSignal.abort() });
  expect(stopped.diagnostics.map(({ code }) => code)).toEqual(['sconv/aborted']);
  await expect(timeParts(model, {})).rejects.toThrow("run: the input 'x' is missing");
});
