/** The implementations that we measure against, each as a function that runs one convolution. */
import * as ort from 'onnxruntime-web';
import { convolutionModel } from './onnx-model.mjs';

/** onnxruntime-web on WebAssembly SIMD, one thread; the filters are an input, so that it packs them in every run. */
export const onnxruntimeWeb = async (shape, input, filter) => {
  ort.env.wasm.numThreads = 1;
  const session = await ort.InferenceSession.create(convolutionModel(shape), {
    executionProviders: ['wasm'],
  });
  const x = new ort.Tensor('float32', input, shape.input);
  const w = new ort.Tensor('float32', filter, shape.filter);
  return async () => (await session.run({ x, w })).y.data;
};
