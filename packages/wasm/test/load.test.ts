import type { Artifact } from '@sconv/backend';
import type { Diagnosed } from '@sconv/diagnostics';
import { unwrap } from '@sconv/diagnostics';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { WasmModule } from '../src/index.ts';
import { loadModule, loadModuleSync } from '../src/load.ts';
import { emitted } from './emit.ts';

const text = `func.func @copy(%x: memref<16xf32>, %y: memref<16xf32>) -> memref<16xf32> {
  linalg.copy ins(%x : memref<16xf32>) outs(%y : memref<16xf32>)
  return %y : memref<16xf32>
}
func.func @next(%m: memref<2xindex>, %n: memref<3xi64>, %b: memref<1xi1>) { return }
func.func @divide(%a: i32, %b: i32) -> i32 {
  %0 = arith.divsi %a, %b : i32
  return %0 : i32
}`;
const module = emitted(text);

/** A module of one import: `env.other`, a function. */
const importing = Uint8Array.of(
  ...[0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0],
  ...[2, 13, 1, 3, 101, 110, 118, 5, 111, 116, 104, 101, 114, 0, 0],
);

type Load = (emitted: WasmModule, options?: Parameters<typeof loadModule>[1]) => Promise<Diagnosed<Artifact>>;

describe.each<[string, Load]>([
  ['loaded', loadModule],
  ['loaded at once', (emitted, options) => Promise.resolve(loadModuleSync(emitted, options))],
])('code that is %s', (_, load) => {
  it('runs', async () => {
    const result = await load(module);
    expect(result.diagnostics).toEqual([]);
    const y = new Float32Array(16);
    expect(unwrap(result).run('copy', new Float32Array(16).fill(3), y)).toEqual([y]);
    expect(y).toEqual(new Float32Array(16).fill(3));
  });

  it.each([
    ['that is damaged', { ...module, bytes: module.bytes.slice(0, -1) }, 'wasm/not-compiled'],
    ['that imports what nobody has', { ...module, bytes: importing }, 'wasm/not-compiled'],
  ])('fails where it is code %s', async (_what, emitted, code) => {
    expect(await load(emitted)).toMatchObject({
      status: 'definite',
      diagnostics: [{ code, severity: 'error', location: { kind: 'file', line: 1 } }],
    });
  });

  it('fails where the engine lacks relaxed SIMD that it needs', async () => {
    const validate = vi.spyOn(WebAssembly, 'validate').mockReturnValue(false);
    onTestFinished(() => {
      validate.mockRestore();
    });
    expect(await load({ ...module, relaxed: true })).toMatchObject({
      status: 'definite',
      diagnostics: [{ code: 'wasm/no-relaxed-simd' }],
    });
    expect((await load(module)).status).toBe('success');
  });

  it('fails where there is no memory', async () => {
    const refused = { status: 'definite', diagnostics: [{ code: 'wasm/memory' }] };
    expect(await load(module, { heapBytes: 2 ** 33 })).toMatchObject(refused);
    const memory = vi.spyOn(WebAssembly, 'Memory').mockImplementation(function () {
      throw new RangeError('no room');
    });
    onTestFinished(() => {
      memory.mockRestore();
    });
    expect(await load(module)).toMatchObject({
      diagnostics: [
        {
          message: expect.stringMatching(
            /^cannot allocate \d+ bytes: no room; .*dispose of some, or compile/,
          ) as string,
        },
      ],
    });
  });

  it('passes on what is no reason of the engine', async () => {
    const memory = vi.spyOn(WebAssembly, 'Memory').mockImplementation(function () {
      throw new Error('a bug');
    });
    onTestFinished(() => {
      memory.mockRestore();
    });
    await expect((async () => load(module))()).rejects.toThrow('a bug');
  });

  it('fails where the caller stops it', async () => {
    expect(await load(module, { signal: { aborted: true } })).toMatchObject({
      status: 'definite',
      diagnostics: [{ code: 'wasm/aborted' }],
    });
    expect((await load(module, { signal: { aborted: false } })).status).toBe('success');
  });

  it('has the heap that it is to have', async () => {
    const artifact = unwrap(await load(module, { heapBytes: 200_000 }));
    expect(artifact.allocate('f32', 49_000).fill(1)).toHaveLength(49_000);
    expect(() => artifact.allocate('f32', 17_000)).toThrow('no room');
  });

  it.each([-1, 0.5, NaN, Infinity])('refuses a heap of %d bytes', async (heapBytes) => {
    await expect((async () => load(module, { heapBytes }))()).rejects.toThrow(
      new RangeError(`'heapBytes' is a number of bytes, not ${heapBytes}`),
    );
  });
});

it('code that is being compiled is given up where the caller stops it', async () => {
  const signal = { aborted: false };
  const loading = loadModule(module, { signal });
  signal.aborted = true;
  expect(await loading).toMatchObject({ status: 'definite', diagnostics: [{ code: 'wasm/aborted' }] });
});

it('code without functions is refused without a place', () => {
  const empty = emitted('');
  expect(loadModuleSync({ ...empty, bytes: new Uint8Array(3) })).toMatchObject({
    diagnostics: [{ location: { kind: 'unknown' } }],
  });
});

describe('the heap of an artifact', () => {
  const artifact = (heapBytes?: number): Artifact =>
    unwrap(loadModuleSync(module, heapBytes === undefined ? {} : { heapBytes }));

  it('has arrays of every element', () => {
    const one = artifact(65_536);
    const arrays = (['f32', 'f64', 'i1', 'i8', 'i16', 'i32', 'i64', 'index'] as const).map((element) =>
      one.allocate(element, 3),
    );
    expect(arrays).toEqual([
      new Float32Array(3),
      new Float64Array(3),
      new Int8Array(3),
      new Int8Array(3),
      new Int16Array(3),
      new Int32Array(3),
      new BigInt64Array(3),
      new Int32Array(3),
    ]);
    const starts = arrays.map(({ byteOffset }) => byteOffset);
    expect(starts.every((at) => at % 64 === 0)).toBe(true);
    expect(new Set(starts).size).toBe(8);
  });
  it('has room for all arguments twice', () => {
    const one = artifact();
    for (let i = 0; i < 2; i++) {
      const arrays = [one.allocate('f32', 16), one.allocate('f32', 16), one.allocate('index', 2)];
      expect(arrays.map(({ length }) => length)).toEqual([16, 16, 2]);
      expect([one.allocate('i64', 3).length, one.allocate('i1', 1).length]).toEqual([3, 1]);
    }
  });
  it('may be of no elements', () => {
    const one = artifact();
    expect(one.allocate('f32', 0)).toEqual(new Float32Array(0));
    expect(() => one.allocate('f32', -1)).toThrow(
      new RangeError('a buffer has a whole number of elements, not -1'),
    );
    expect(() => one.allocate('i8', 0.5)).toThrow(
      new RangeError('a buffer has a whole number of elements, not 0.5'),
    );
  });
  it('says how much is left where an array has no room', () => {
    const one = artifact(65_536);
    expect(() => one.allocate('f32', 2 ** 20)).toThrow(RangeError);
    expect(() => one.allocate('f32', 2 ** 20)).toThrow(
      /^no room for 4194304 bytes: \d+ are left in one piece; 'heapBytes' of the load says how many there are$/,
    );
  });
  it.each([-1, 1.3, NaN])('has no array of %d elements', (length) => {
    expect(() => artifact().allocate('f32', length)).toThrow(RangeError);
  });
  it('gives zeros where something else has been', () => {
    const one = artifact();
    one.bind('copy', { 0: new Float32Array(16).fill(7) }).dispose();
    expect(one.allocate('f32', 16)).toEqual(new Float32Array(16));
  });
});

describe('artifacts that share memories', () => {
  const loaded = (options: object = {}): Artifact =>
    unwrap(loadModuleSync(module, { sharesMemory: true, ...options }));

  it('have parts of their own, of zeros, in few memories', () => {
    const artifacts = Array.from({ length: 300 }, () => loaded());
    const arrays = artifacts.map((artifact, i) => {
      const array = artifact.allocate('f32', 16).fill(i);
      return artifact.run('copy', array, artifact.allocate('f32', 16))[0] as Float32Array;
    });
    expect(arrays.map((array) => [...new Set(array)])).toEqual(arrays.map((_, i) => [i]));
    expect(new Set(arrays.map(({ buffer }) => buffer)).size).toBeLessThan(4);
    expect([...loaded().allocate('f32', 16)]).toEqual(Array(16).fill(0));
  });

  it('have as much room as others, and no more', () => {
    const room = (artifact: Artifact): number => {
      const sizes = [...Array(20).keys()].map((i) => 2 ** (19 - i));
      return sizes.reduce((sum, size) => {
        try {
          artifact.allocate('f32', size);
          return sum + size;
        } catch {
          return sum;
        }
      }, 0);
    };
    const own = room(unwrap(loadModuleSync(module)));
    expect([room(loaded()), room(loaded())]).toEqual([own, own]);
  });

  it('are small', () => {
    const [small, large] = [loaded(), loaded({ heapBytes: 2 ** 19 })].map((each) => each.allocate('f32', 1));
    expect(large!.buffer).not.toBe(small!.buffer);
    expect(large!.buffer.byteLength).toBeLessThan(2 ** 20);
  });
});

it('a fault of the payload is a failure of the call', () => {
  const artifact = unwrap(loadModuleSync(module));
  expect(artifact.call('divide', 1, 0)).toMatchObject({
    status: 'definite',
    diagnostics: [{ code: 'wasm/division-by-zero' }],
  });
  expect(artifact.bind('divide', { 1: 2 }).run(7)).toEqual([3]);
});
