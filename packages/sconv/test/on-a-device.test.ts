/** What users see of a backend whose arrays live elsewhere: the same calls, if they are asynchronous. */
import type { Artifact, Backend, Elements } from '@sconv/backend';
import { createDeviceArtifact } from '@sconv/backend';
import { definite, error, mapSuccess, success, unknownLocation, unwrap } from '@sconv/diagnostics';
import { wasmBackend } from '@sconv/wasm';
import { expect, it } from 'vitest';
import {
  compileConvolutionAsync,
  compileModule,
  compileModuleSync,
  convolutionPayload,
  integerData,
  parseShape,
  referenceConvolution,
} from '../src/index.ts';

/** Runs the code of `far` on copies that nobody else sees; `refuses` may refuse the next upload. */
const deviceOf = (far: Artifact, refuses: () => boolean): Artifact => {
  const buffers = new Map<object, Elements>();
  const keep = (elements: Elements): object => {
    const handle = {};
    buffers.set(handle, elements.slice());
    return handle;
  };
  const later = () => new Promise((resolve) => setImmediate(resolve));
  return createDeviceArtifact<object>({
    functions: far.functions,
    indexBytes: 4,
    upload: async (elements) => {
      await later();
      if (refuses()) return definite(error('test/full', 'the device is full', unknownLocation));
      return success(keep(elements));
    },
    download: async (handle, into) => {
      await later();
      into.set(buffers.get(handle) as never);
      return success(undefined);
    },
    call: async (name, values) => {
      const given = values.map((value) => (typeof value === 'object' ? buffers.get(value)! : value));
      return mapSuccess(await far.callAsync(name, ...given), (results) =>
        results.map((each) => {
          if (typeof each !== 'object') return each;
          const argument = values[given.indexOf(each)];
          return typeof argument === 'object' ? argument : keep(each);
        }),
      );
    },
    release: (handle) => void buffers.delete(handle),
    dispose: () => {
      far.dispose();
    },
  });
};

const device = (refuses = () => false): Backend => ({
  name: wasmBackend.name,
  serves: (target) => wasmBackend.serves(target),
  emit: (module, options) => wasmBackend.emit(module, options),
  load: async (emitted, options) =>
    mapSuccess(await wasmBackend.load(emitted as never, options), (far) => deviceOf(far, refuses)),
});

const spec = { input: [1, 8, 10, 10], filters: [8, 8, 3, 3] } as const;
const payload = convolutionPayload(spec);
const [input, other] = [integerData(800, 1), integerData(800, 3)];
const filters = integerData(576, 2);
const expected = (of: Float32Array): Float32Array =>
  referenceConvolution(parseShape('1x8x10x10,8x8x3x3'), of, filters, new Float32Array(512));

it('compiles and runs a module as for any backend, calls that overlap too', async () => {
  const compiled = unwrap(await compileModule(payload, { backends: [device()] }));
  const { name } = compiled.functions[0]!;
  const outputs = [new Float32Array(512), new Float32Array(512)] as const;
  const bound = compiled.bind(name, { 1: filters });
  await Promise.all([bound.runAsync(input, outputs[0]), compiled.runAsync(name, other, filters, outputs[1])]);
  expect(outputs).toEqual([expected(input), expected(other)]);
  compiled.dispose();
});

it('compiles convolutions', async () => {
  const compiled = await compileConvolutionAsync({ ...spec, backends: [device()] });
  expect(compiled.artifact.onlyAsync).toBe(true);
  expect(await compiled.runAsync(input, filters)).toEqual(expected(input));
  expect(() => compiled.run(input, filters)).toThrow('call it by callAsync or runAsync [backend/only-async]');
});

it('says how to load it', () => {
  expect(compileModuleSync(payload, { backends: [device()] }).diagnostics).toMatchObject([
    { code: 'sconv/no-sync-load' },
  ]);
});

it('fails with the device, and goes on', async () => {
  let isFull = true;
  const compiled = unwrap(await compileModule(payload, { backends: [device(() => isFull)] }));
  const { name } = compiled.functions[0]!;
  const output = new Float32Array(512);
  const result = await compiled.callAsync(name, input, filters, output);
  expect(result.diagnostics).toMatchObject([{ code: 'test/full' }]);
  isFull = false;
  await compiled.runAsync(name, input, filters, output);
  expect(output).toEqual(expected(input));
});
