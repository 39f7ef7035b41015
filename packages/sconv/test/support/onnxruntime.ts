/** A stand-in for onnxruntime-web, in a folder of its own, and the model that it knows. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeOnnx } from '@sconv/onnx';
import { fileWith, temporaryFolder } from './capture.ts';

const openRows = {
  dim: [
    { value: { case: 'dimParam' as const, value: 'rows' } },
    { value: { case: 'dimValue' as const, value: 3n } },
  ],
};

const modelFile = (name: string, graph: Parameters<typeof writeOnnx>[0]['graph']): string =>
  fileWith(
    writeOnnx({
      irVersion: 8n,
      opsetImport: [{ version: 17n }],
      graph: {
        ...graph,
        input: [{ name: 'x', type: { tensorType: { elemType: 1, shape: openRows } } }],
        output: [{ name: 'y' }],
      },
    }),
    name,
  );

/** A file with `y = relu(x)` of `[rows, 3]`, without the number of rows. */
export const rectifierFile = (name = 'rectifier.onnx'): string =>
  modelFile(name, { node: [{ opType: 'Relu', name: 'rectifier', input: ['x'], output: ['y'] }] });

/** A file with `y = sigmoid(x - 40)`, arranged as it was. */
export const improbableFile = (): string =>
  modelFile('improbable.onnx', {
    initializer: [
      { name: 'much', dims: [1n], dataType: 1, rawData: new Uint8Array(Float32Array.of(40).buffer) },
    ],
    node: [
      { opType: 'Sub', input: ['x', 'much'], output: ['little'] },
      { opType: 'Sigmoid', input: ['little'], output: ['improbable'] },
      { opType: 'Identity', input: ['improbable'], output: ['y'] },
    ],
  });

/** A folder with a package that computes each output of the rectifier by `element`, a function's text. */
export const withOnnxruntime = (element = '(x) => Math.max(x, 0)'): string => {
  const folder = temporaryFolder();
  const place = join(folder, 'node_modules/onnxruntime-web');
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, 'package.json'), '{ "name": "onnxruntime-web", "version": "9.8.7" }');
  writeFileSync(
    join(place, 'index.js'),
    `exports.env = { wasm: {} };
exports.Tensor = class {
  constructor(type, data, dims) { Object.assign(this, { type, data, dims }); }
};
exports.InferenceSession = {
  create: async (file, { graphOptimizationLevel, intraOpNumThreads, executionProviders }) => {
    const asked = [graphOptimizationLevel, intraOpNumThreads, ...executionProviders, exports.env.wasm.numThreads];
    if (asked.join() !== 'all,1,wasm,1') throw new Error(asked.join());
    return {
      run: async ({ x: { type, data, dims } }) => ({ y: new exports.Tensor(type, data.map(${element}), dims) }),
      release: async () => undefined,
    };
  },
};`,
  );
  return folder;
};
