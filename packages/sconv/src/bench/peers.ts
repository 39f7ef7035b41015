/**
 * Implementations that we measure against, taken from a folder in which they are installed. None is a dependency: their
 * types are declared here as far as they are used.
 */
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ConvolutionShape } from '@sconv/csa';
import type { Target } from '@sconv/targets';
import { reason } from '../reason.ts';
import type { Implementation, Prepare, Prepared } from './implementation.ts';
import { convolutionModel } from './onnx-model.ts';
import type { OnnxruntimeName } from './onnxruntime.ts';
import { createSession, loadOnnxruntime } from './onnxruntime.ts';
import type { Packages } from './peer-packages.ts';
import { isInstalled, packagesOf, versionOf } from './peer-packages.ts';
import type { Data } from './workload.ts';
import { filterSizes, inputSizes, outputSizes, type Sizes } from './workload.ts';

/** How to find and prepare a peer; `load` throws if it does not run here. */
interface Peer {
  readonly name: string;
  /** Whether it is measured by default. */
  readonly suits: (target: Target) => boolean;
  readonly isInstalled: (folder: string) => boolean;
  readonly load: (folder: string, target: Target) => Implementation | Promise<Implementation>;
}

const isWasm = ({ machine }: Target): boolean => machine.isa === 'wasm32';

/** A peer from a package in a folder. */
const packaged = (
  name: string,
  packageName: string,
  suits: Peer['suits'],
  load: (packages: Packages) => Implementation | Promise<Implementation>,
): Peer => ({
  name,
  suits,
  isInstalled: (folder) => isInstalled(packagesOf(folder), packageName),
  load: (folder) => load(packagesOf(folder)),
});

/** Both builds of ONNX Runtime; bound filters are an initializer of the model, others an input. */
const onnxruntime = (packageName: OnnxruntimeName, suits: Peer['suits'], mix: Implementation['mix']): Peer =>
  packaged(packageName, packageName, suits, (packages) => {
    const ort = loadOnnxruntime(packages, packageName);
    return {
      name: packageName,
      version: versionOf(packages, packageName),
      mix,
      prepare: async (shape, use, data): Promise<Prepared> => {
        const model = convolutionModel(shape, use === 'bound' ? data.filters : undefined);
        const session = await createSession(ort, packageName, model);
        const x = new ort.Tensor('float32', data.input, inputSizes(shape));
        const feeds =
          use === 'bound' ? { x } : { x, w: new ort.Tensor('float32', data.filters, filterSizes(shape)) };
        return {
          call: () => session.run(feeds),
          result: async () => ((await session.run(feeds))['y']!.data as Float32Array).slice(),
          dispose: () => session.release(),
        };
      },
    };
  });

interface TfTensor {
  dataSync(): Float32Array;
  dispose(): void;
}

interface Tf {
  setBackend(name: string): Promise<boolean>;
  ready(): Promise<void>;
  env(): { get(flag: string): unknown };
  tensor4d(data: Float32Array, sizes: Sizes): TfTensor;
  engine(): {
    runKernel(name: string, inputs: Record<string, TfTensor>, attributes: Record<string, unknown>): TfTensor;
  };
}

interface TfWasm {
  setWasmPaths(prefix: string): void;
}

type Axis = 0 | 1 | 2 | 3;
/** A permutation of axes. */
type Axes = readonly [Axis, Axis, Axis, Axis];

const permuted = (sizes: Sizes, [a, b, c, d]: Axes): Sizes => [sizes[a], sizes[b], sizes[c], sizes[d]];

/** Transposes from the order of `sizes` to that of `axes`, element by element. */
const transposed = (data: Float32Array, sizes: Sizes, axes: Axes): Float32Array => {
  const [n0, n1, n2, n3] = permuted(sizes, axes);
  const [s0, s1, s2, s3] = permuted([sizes[1] * sizes[2] * sizes[3], sizes[2] * sizes[3], sizes[3], 1], axes);
  const result = new Float32Array(data.length);
  let place = 0;
  for (let a = 0; a < n0; a += 1)
    for (let b = 0; b < n1; b += 1)
      for (let c = 0; c < n2; c += 1)
        for (let d = 0; d < n3; d += 1) {
          result[place] = data[a * s0 + b * s1 + c * s2 + d * s3]!;
          place += 1;
        }
  return result;
};

/** From NCHW and FCHW to NHWC and HWIO, and back. */
const toChannelsLast: Axes = [0, 2, 3, 1];
const toFiltersLast: Axes = [2, 3, 1, 0];
const toChannelsFirst: Axes = [0, 3, 1, 2];

const convolutionAttributes = ({ strides, dilations, padding }: ConvolutionShape) => ({
  strides: [strides.h, strides.w],
  dilations: [dilations.h, dilations.w],
  pad: [
    [0, 0],
    [padding.top, padding.bottom],
    [padding.left, padding.right],
    [0, 0],
  ],
  dataFormat: 'NHWC',
});

/**
 * XNNPACK through TensorFlow.js. Its tensors are created beforehand in its layout, NHWC. A tensor is immutable and
 * packed once: filters passed as arguments are a new tensor in every call.
 */
const tfjs: Peer = packaged(
  'tfjs-backend-wasm',
  '@tensorflow/tfjs-backend-wasm',
  isWasm,
  async (packages) => {
    const tf = packages('@tensorflow/tfjs-core') as Tf;
    const backend = packages('@tensorflow/tfjs-backend-wasm') as TfWasm;
    backend.setWasmPaths(`${dirname(packages.resolve('@tensorflow/tfjs-backend-wasm'))}/`);
    if (!(await tf.setBackend('wasm'))) throw new Error('its backend does not start');
    await tf.ready();
    return {
      name: 'tfjs-backend-wasm',
      version: versionOf(packages, '@tensorflow/tfjs-backend-wasm'),
      mix: 'mul+add',
      prepare: (shape, use, data): Prepared => {
        if (shape.groups !== 1) throw new Error('no grouped convolutions');
        const channelsLast = transposed(data.input, inputSizes(shape), toChannelsLast);
        const filtersLast = transposed(data.filters, filterSizes(shape), toFiltersLast);
        const x = tf.tensor4d(channelsLast, permuted(inputSizes(shape), toChannelsLast));
        const newFilters = (): TfTensor =>
          tf.tensor4d(filtersLast, permuted(filterSizes(shape), toFiltersLast));
        const bound = use === 'bound' ? newFilters() : undefined;
        const attributes = convolutionAttributes(shape);
        const engine = tf.engine();
        const withOutput = <T>(read: (output: TfTensor) => T): T => {
          const filter = bound ?? newFilters();
          const output = engine.runKernel('Conv2D', { x, filter }, attributes);
          const value = read(output);
          output.dispose();
          if (bound === undefined) filter.dispose();
          return value;
        };
        return {
          call: () => withOutput(() => undefined),
          result: () =>
            transposed(
              withOutput((output) => output.dataSync()),
              permuted(outputSizes(shape), toChannelsLast),
              toChannelsFirst,
            ),
          dispose: () => {
            x.dispose();
            bound?.dispose();
          },
        };
      },
    };
  },
);

interface PreparedNatively {
  readonly run: () => void;
  readonly output: () => Float32Array;
  readonly dispose: () => void;
}

interface NativePeer {
  readonly version: string;
  readonly prepare: (shape: ConvolutionShape, isBound: boolean, data: Data) => PreparedNatively;
}

/** A C or C++ library through a shim in tools/bench/native, for vectors as wide as the target's. */
const native = (name: string): Peer => ({
  name,
  suits: (target) => !isWasm(target),
  isInstalled: (folder) => existsSync(resolve(folder, 'native', 'dist', `${name}.so`)),
  load: async (folder, target) => {
    const { loadPeer } = (await import(pathToFileURL(resolve(folder, 'native', 'peers.mjs')).href)) as {
      readonly loadPeer: (name: string, vectorBits: number) => NativePeer;
    };
    const peer = loadPeer(name, target.machine.vector?.bits ?? 128);
    const prepare: Prepare = (shape, use, data): Prepared => {
      // They take the sizes of filters from the channels of the input.
      if (shape.groups !== 1) throw new Error('no grouped convolutions');
      const { run, output, dispose } = peer.prepare(shape, use === 'bound', data);
      const result = (): Float32Array => {
        run();
        return output();
      };
      return { call: run, result, dispose };
    };
    return {
      name,
      version: peer.version,
      mix: 'native',
      prepare,
      // Of one tap, it is a call of `sgemm` on the operands as they are.
      ...(name === 'openblas' ? { prepareProduct: prepare } : {}),
    };
  },
});

const peers: readonly Peer[] = [
  tfjs,
  onnxruntime('onnxruntime-web', isWasm, 'mul+add'),
  onnxruntime('onnxruntime-node', () => true, undefined),
  native('openblas'),
  native('onednn'),
  native('onednn-own-layouts'),
];

/** Names accepted by the command. */
export const peerNames: readonly string[] = peers.map(({ name }) => name);

/** A peer, or why it is unavailable. */
export type FoundPeer =
  | { readonly name: string; readonly peer: Implementation }
  | { readonly name: string; readonly missing: string };

/** Loads peers from the first of the folders that has them; undefined selects those that suit the target. */
export const findPeers = async (
  names: readonly string[] | undefined,
  folders: readonly string[],
  target: Target,
): Promise<readonly FoundPeer[]> => {
  const found: FoundPeer[] = [];
  for (const peer of peers) {
    const { name } = peer;
    if (!(names?.includes(name) ?? peer.suits(target))) continue;
    const folder = folders.find((each) => peer.isInstalled(each));
    try {
      if (folder === undefined) throw new Error(`not installed in ${folders.join(', ')}`);
      found.push({ name, peer: await peer.load(folder, target) });
    } catch (problem) {
      found.push({ name, missing: reason(problem) });
    }
  }
  return found;
};
