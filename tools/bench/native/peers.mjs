// The native peers in this process, through koffi, which is among the repository's packages.
import { join } from 'node:path';
import koffi from 'koffi';

/** Restricts the libraries to one thread and to our vector width; they read these settings when loaded. */
const settings = (vectorBits) => ({
  OMP_NUM_THREADS: '1',
  OPENBLAS_NUM_THREADS: '1',
  ...(process.arch === 'x64'
    ? {
        // OpenBLAS 0.3.21 falls back to Haswell on unknown processors.
        OPENBLAS_CORETYPE: vectorBits >= 512 ? 'SkylakeX' : 'Haswell',
        ONEDNN_MAX_CPU_ISA: vectorBits >= 512 ? 'ALL' : 'AVX2',
      }
    : {}),
});

/** Sets it in the process itself: a worker thread's `process.env` is a copy. */
const setVariable =
  process.platform === 'linux'
    ? (
        (set) => (variable, value) =>
          set(variable, value, 1)
      )(koffi.load('libc.so.6').func('setenv', 'int', ['str', 'str', 'int']))
    : (variable, value) => {
        process.env[variable] = value;
      };

/** What the libraries have to report then. */
const expected = (name, vectorBits) =>
  name === 'openblas'
    ? vectorBits >= 512
      ? /SkylakeX/
      : /Haswell/
    : vectorBits >= 512
      ? /AVX-512/
      : /AVX2$/;

/** The first fields of `struct convolution`. */
const sizes = [
  'batch',
  'inputChannels',
  'inputHeight',
  'inputWidth',
  'filters',
  'filterHeight',
  'filterWidth',
];

/** The library and its version. Throws if it reports another width: it reads its settings once per process. */
const loadLibrary = (name, vectorBits) => {
  for (const [variable, value] of Object.entries(settings(vectorBits))) setVariable(variable, value);
  const library = koffi.load(join(import.meta.dirname, 'dist', `${name}.so`));
  const version = library.func('peer_version', 'str', [])();
  if (process.arch === 'x64' && !expected(name, vectorBits).test(version))
    throw new Error(`it is not for vectors of ${vectorBits} bits: ${version}`);
  return { library, version };
};

/** `(times, m, n, k, a, b, c)`: OpenBLAS's products of row-major matrices, added to c so many times in one call. */
export const loadRepeatedProduct = (vectorBits) =>
  loadLibrary('openblas', vectorBits).library.func('peer_repeat_product', 'void', [
    ...['int', 'int', 'int', 'int'],
    ...['void *', 'void *', 'void *'],
  ]);

/** `openblas`, `onednn` or `onednn-own-layouts`, for vectors of this width. Throws as `loadLibrary`. */
export const loadPeer = (name, vectorBits) => {
  const { library, version } = loadLibrary(name, vectorBits);
  const prepare = library.func('peer_prepare', 'void *', ['void *', 'void *', 'void *']);
  const run = library.func('peer_run', 'void', ['void *']);
  const output = library.func('peer_output', 'void', ['void *', 'void *']);
  const dispose = library.func('peer_dispose', 'void', ['void *']);
  return {
    version,
    /** `shape` as in @sconv/csa; `data` is copied. */
    prepare: (shape, bound, { input, filters }) => {
      const { strides, dilations, padding, batch, outputHeight, outputWidth } = shape;
      const fields = Int32Array.of(
        ...sizes.map((field) => shape[field]),
        ...[strides.h, strides.w, dilations.h, dilations.w],
        ...[padding.top, padding.bottom, padding.left, padding.right, outputHeight, outputWidth],
        bound ? 1 : 0,
      );
      const plan = prepare(fields, input, filters);
      if (plan === null) throw new Error('it has no such convolution');
      const outputs = batch * shape.filters * outputHeight * outputWidth;
      return {
        run: () => run(plan),
        output: () => {
          const values = new Float32Array(outputs);
          output(plan, values);
          return values;
        },
        dispose: () => dispose(plan),
      };
    },
  };
};
