import { Buffer } from 'node:buffer';
import { spawnSync } from 'node:child_process';
import { unwrap } from '@sconv/diagnostics';
import { writeOnnx } from '@sconv/onnx';
import { avx2, neon } from '@sconv/targets';
import { describe, expect, it } from 'vitest';
import { compileModel } from '../../src/model.ts';
import type { ModelProgress } from '../../src/model.ts';
import { nodeBackends } from '../../src/node.ts';

const hasLlvm =
  ['x64', 'arm64'].includes(process.arch) &&
  ['mlir-opt-19', 'mlir-translate-19', 'clang-19'].every(
    (tool) => spawnSync(tool, ['--version']).status === 0,
  );

const times = (count: number, values: readonly number[]): readonly number[] =>
  Array.from({ length: count }, () => values).flat();
const bytesOf = (...values: readonly number[]): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Float32Array.from(values).buffer);

/** `y = relu(conv(x, w) + b)` and `z = 2 y`, of inputs with an open height. */
const model = writeOnnx({
  irVersion: 8n,
  opsetImport: [{ version: 17n }],
  graph: {
    node: [
      { opType: 'Conv', name: 'layer', input: ['x', 'w', 'b'], output: ['c'] },
      { opType: 'Relu', name: 'rectifier', input: ['c'], output: ['y'] },
      { opType: 'Add', name: 'twice', input: ['y', 'y'], output: ['z'] },
    ],
    initializer: [
      { name: 'w', dims: [10n, 1n, 1n, 2n], dataType: 1, rawData: bytesOf(...times(5, [1, -1, -2, 3])) },
      { name: 'b', dims: [10n], dataType: 1, rawData: bytesOf(...times(5, [1, 0])) },
    ],
    input: [
      {
        name: 'x',
        type: {
          tensorType: {
            elemType: 1,
            shape: {
              dim: [1n, 1n, 'height', 3n].map((value) => ({
                value:
                  typeof value === 'string'
                    ? { case: 'dimParam' as const, value }
                    : { case: 'dimValue' as const, value },
              })),
            },
          },
        },
      },
    ],
    output: [{ name: 'y' }, { name: 'z' }],
  },
});
// As a file read in Node, whose `slice` does not copy, with weights at any offset.
const file = Buffer.concat([Buffer.alloc(1), model]).subarray(1);
const sizes = { inputs: { x: [1, 1, 2, 3] } };
const x = Float32Array.of(1, 2, 4, 0, 0, -1);
// Of filter [1, -1] and bias 1: 0, -1, 1, 2; of [-2, 3]: 4, 8, 0, -3.
const y = times(5, [0, 0, 1, 2, 4, 8, 0, 0]);

describe('compileModel', () => {
  const host = { target: process.arch === 'arm64' ? neon : avx2, backends: nodeBackends };
  for (const [name, options, isThere] of [
    ['wasm', {}, true],
    ['native', host, hasLlvm],
  ] as const)
    it.skipIf(!isThere)(`makes a function of named arrays: ${name}`, async () => {
      const compiled = unwrap(await compileModel(file, { ...sizes, ...options }));
      expect(compiled.inputs.map(({ name, shape }) => [name, shape])).toEqual([['x', [1, 1, 2, 3]]]);
      expect(compiled.outputs.map(({ name, shape }) => [name, shape])).toEqual([
        ['y', [1, 10, 2, 2]],
        ['z', [1, 10, 2, 2]],
      ]);
      const first = await compiled.run({ x });
      const second = compiled.runSync({ x: Float32Array.of(0, 0, 0, 0, 0, 0) });
      expect([...first['y']!]).toEqual(y);
      expect([...first['z']!]).toEqual(y.map((value) => 2 * value));
      expect([...second['y']!]).toEqual(times(5, [1, 1, 1, 1, 0, 0, 0, 0]));
      compiled.dispose();
    });

  it('takes and returns integers without sign, and truths', async () => {
    const shape = { dim: [{ value: { case: 'dimValue' as const, value: 3n } }] };
    const bytes = writeOnnx({
      opsetImport: [{ version: 17n }],
      graph: {
        node: [
          { opType: 'Div', input: ['a', 'b'], output: ['quotient'] },
          { opType: 'Less', input: ['a', 'b'], output: ['isLess'] },
        ],
        input: ['a', 'b'].map((name) => ({ name, type: { tensorType: { elemType: 2, shape } } })),
        output: [{ name: 'quotient' }, { name: 'isLess' }],
      },
    });
    const compiled = unwrap(await compileModel(bytes));
    const results = await compiled.run({ a: Uint8Array.of(255, 200, 7), b: Uint8Array.of(1, 250, 2) });
    expect(results).toEqual({ quotient: Uint8Array.of(255, 0, 3), isLess: Uint8Array.of(0, 1, 0) });
    expect(() => compiled.runSync({ a: Float32Array.of(1, 2, 3), b: Uint8Array.of(1, 1, 1) })).toThrow(
      TypeError,
    );
    compiled.dispose();
  });

  it('takes the inputs that there are', async () => {
    const compiled = unwrap(await compileModel(file, sizes));
    await expect(compiled.run({})).rejects.toThrow("run: the input 'x' is missing");
    await expect(compiled.run({ x, xs: x })).rejects.toThrow("run: no input 'xs'; there are x");
    expect(() => compiled.runSync({ x: x.subarray(1) })).toThrow(RangeError);
    compiled.dispose();
  });

  it('fails as the import and the compilation do, at the node', async () => {
    const unbound = await compileModel(file);
    expect(unbound.diagnostics.map(({ code }) => code)).toEqual(['onnx/dynamic-size']);
    const cut = await compileModel(file.subarray(0, 40), { fileName: 'cut.onnx' });
    expect(cut.diagnostics.map(({ code, location }) => [code, location])).toEqual([
      ['onnx/malformed', { kind: 'file', file: 'cut.onnx', line: 1, column: 1 }],
    ]);
    const stopped = await compileModel(file, { ...sizes, signal: AbortSignal.abort() });
    expect(stopped.diagnostics.map(({ code }) => code)).toEqual(['sconv/aborted']);
  });
});

describe('compileModel of a file to be read', () => {
  /** A stream of these pieces; a piece that is an error ends it. */
  const streamOf = (pieces: readonly (Uint8Array | Error)[]) => {
    let next = 0;
    return {
      getReader: () => ({
        read: () => {
          const value = pieces[next++];
          return value instanceof Error
            ? Promise.reject(value)
            : Promise.resolve({ done: value === undefined, value });
        },
        cancel: () => Promise.resolve(),
      }),
    };
  };
  const pieces = [model.subarray(0, 7), model.subarray(7, 90), model.subarray(90)];
  const source = { size: model.length, stream: () => streamOf(pieces) };

  it('tells each stage, and of the file the bytes', async () => {
    const told: ModelProgress[] = [];
    const steps: string[] = [];
    const compiled = unwrap(
      await compileModel(source, {
        ...sizes,
        onProgress: (progress) => told.push(progress),
        onStep: (step) => steps.push(step),
      }),
    );
    expect([...compiled.runSync({ x })['y']!]).toEqual(y);
    compiled.dispose();
    expect(told.map(({ stage, bytes }) => [stage, bytes])).toEqual([
      ...[0, 7, 90, model.length].map((bytes) => ['read', bytes]),
      ...['import', 'plan', 'compile', 'compile', 'load', 'pack'].map((stage) => [stage, undefined]),
    ]);
    expect(told.slice(0, 4).map(({ totalBytes }) => totalBytes)).toEqual(times(4, [model.length]));
    const done = told.map((each) => each.done);
    expect(done).toEqual(done.toSorted((a, b) => a - b));
    expect(Math.max(...done)).toBeLessThanOrEqual(1);
    expect(steps).toEqual(['schedule', 'bufferize', 'emit', 'load']);
  });

  it.each([
    ['a blob', new Blob([model])],
    ['of no size', { stream: source.stream }],
    ['of a size that is none', { size: 3, stream: source.stream }],
    ['shorter than it says', { size: 2 * model.length, stream: source.stream }],
  ])('%s', async (_, given) => {
    const compiled = unwrap(await compileModel(given, sizes));
    expect([...compiled.runSync({ x })['y']!]).toEqual(y);
    compiled.dispose();
  });

  it.each([
    [
      'that ends early',
      { stream: () => streamOf([pieces[0]!, new Error('the disk is gone')]) },
      'the disk is gone',
    ],
    ['that is larger than memory', { size: 2 ** 53, stream: source.stream }, 'array length'],
    ['whose stream is none', { stream: () => undefined as never }, 'getReader'],
  ])('fails for one %s', async (_, given, message) => {
    const { diagnostics } = await compileModel(given, { fileName: 'x.onnx' });
    expect(diagnostics).toMatchObject([{ code: 'sconv/model-unreadable', location: { file: 'x.onnx' } }]);
    expect(diagnostics[0]!.message).toContain(message);
  });

  it.each(['read', 'import', 'plan', 'compile', 'load', 'pack'])('stops at the stage %s', async (stage) => {
    const controller = new AbortController();
    const told = new Set<string>();
    const { diagnostics } = await compileModel(source, {
      ...sizes,
      signal: controller.signal,
      onProgress: (progress) => {
        told.add(progress.stage);
        if (progress.stage !== stage) return;
        // As from a button, which is heard when the thread is free; loading may be over by then.
        if (stage === 'load') controller.abort();
        else setTimeout(() => controller.abort());
      },
    });
    expect(diagnostics.map(({ code }) => code)).toEqual([
      stage === 'load' ? 'wasm/aborted' : 'sconv/aborted',
    ]);
    expect(told.has('pack')).toBe(stage === 'pack');
  });

  it('stops while it waits for a file', async () => {
    const controller = new AbortController();
    let cancelled: () => void;
    const read = new Promise<{ done: true }>((resolve) => {
      cancelled = () => resolve({ done: true });
    });
    const cancel = () => {
      cancelled();
      return Promise.resolve();
    };
    const stuck = { stream: () => ({ getReader: () => ({ read: () => read, cancel }) }) };
    const compiling = compileModel(stuck, { signal: controller.signal });
    controller.abort();
    expect((await compiling).diagnostics.map(({ code }) => code)).toEqual(['sconv/aborted']);
  });

  it('refuses options that are none', async () => {
    for (const wrong of [{ onProgress: 1 }, { signal: {} }])
      expect((await compileModel(source, wrong as never)).diagnostics.map(({ code }) => code)).toEqual([
        'sconv/option',
      ]);
  });
});
