/** ONNX Runtime, as far as it is used: neither of its packages is a dependency. */
import type { Packages } from './peer-packages.ts';

export const onnxruntimeNames = ['onnxruntime-web', 'onnxruntime-node'] as const;

export type OnnxruntimeName = (typeof onnxruntimeNames)[number];

/** A tensor: halves of floats as their bits, or as numbers where the language has arrays of them. */
export interface OrtTensor {
  readonly type: string;
  readonly data: ArrayLike<number> | ArrayLike<bigint>;
}

export interface OrtSession {
  run(feeds: Readonly<Record<string, OrtTensor>>): Promise<Readonly<Record<string, OrtTensor>>>;
  release(): Promise<void>;
}

export interface Ort {
  readonly env: { readonly wasm: { numThreads?: number } };
  readonly Tensor: new (type: string, data: unknown, sizes: readonly number[]) => OrtTensor;
  readonly InferenceSession: {
    create(model: Uint8Array, options: Readonly<Record<string, unknown>>): Promise<OrtSession>;
  };
}

/** Its module, set up for one thread. Throws if it does not load here. */
export const loadOnnxruntime = (packages: Packages, name: OnnxruntimeName): Ort => {
  const ort = packages(name) as Ort;
  ort.env.wasm.numThreads = 1;
  return ort;
};

/** A session of one thread, at the highest level of optimization. Rejects for a model that it does not run. */
export const createSession = (ort: Ort, name: OnnxruntimeName, model: Uint8Array): Promise<OrtSession> =>
  ort.InferenceSession.create(model, {
    executionProviders: [name === 'onnxruntime-web' ? 'wasm' : 'cpu'],
    graphOptimizationLevel: 'all',
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    // Errors alone.
    logSeverityLevel: 3,
  });
