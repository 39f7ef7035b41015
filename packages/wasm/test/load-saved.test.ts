import type { SavedCode, SavedFiles } from '@sconv/backend';
import { definite, error, success, unknownLocation, unwrap } from '@sconv/diagnostics';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { wasmLoader } from '../src/load-saved.ts';
import { loadModuleSync } from '../src/load.ts';
import { saveModule } from '../src/save.ts';
import { emitted } from './emit.ts';
import { workers } from './threads.ts';

const hexadecimal = (bytes: ArrayBuffer): string => Buffer.from(bytes).toString('hex');

/** `@f` of `parameters` with the constant %w of these bytes, each as many as one of its `bytes`. */
const withConstant = (
  type: string,
  bytes: ArrayBufferView<ArrayBuffer> & { readonly BYTES_PER_ELEMENT: number },
  parameters: string,
  body: string,
): string => `memref.global "private" constant @weights : ${type} = dense_resource<w>
func.func @f(${parameters} {
  %w = memref.get_global @weights : ${type}
  ${body}
}
{-# dialect_resources: { builtin: { w: "0x${hexadecimal(Uint32Array.of(bytes.BYTES_PER_ELEMENT).buffer)}${hexadecimal(bytes.buffer)}" } } #-}`;

/** The element of %w at %i. */
const element = (type: string, bytes: Parameters<typeof withConstant>[1]): string =>
  withConstant(
    `memref<3x${type}>`,
    bytes,
    `%i: index) -> ${type}`,
    `%r = memref.load %w[%i] : memref<3x${type}>\n  return %r : ${type}`,
  );

/** Sums of the columns of %w, packed row by row. */
const packed = withConstant(
  'memref<4x2xf32>',
  Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8),
  '%o: memref<2x4xf32>)',
  `%c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %k = %c0 to %c2 step %c1 {
    %p = memref.alloc() : memref<4xf32>
    linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%p : memref<4xf32>) {
    ^bb0(%x: f32):
      %i = linalg.index 0 : index
      %v = memref.load %w[%i, %k] : memref<4x2xf32>
      linalg.yield %v : f32
    }
    %r = memref.subview %o[%k, 0] [1, 4] [1, 1] : memref<2x4xf32> to memref<4xf32, strided<[1], offset: ?>>
    memref.copy %p, %r : memref<4xf32> to memref<4xf32, strided<[1], offset: ?>>
  }
  return`,
);

/** Its input times the constant, in parallel. */
const parallel = withConstant(
  'memref<4xi32>',
  Int32Array.of(1, 2, 3, 4),
  '%x: memref<4xi32>, %o: memref<4xi32>)',
  `scf.forall (%i) in (4) {
    %a = memref.load %x[%i] : memref<4xi32>
    %b = memref.load %w[%i] : memref<4xi32>
    %q = arith.divsi %b, %a : i32
    memref.store %q, %o[%i] : memref<4xi32>
  }
  return`,
);

const filesOf = ({ code, weights }: SavedCode): SavedFiles => ({
  code: () => Promise.resolve(success(code)),
  weights: (into) => {
    into.set(weights);
    return Promise.resolve(success(undefined));
  },
});

const save = async (text: string): Promise<SavedCode> => {
  const saved = unwrap(await saveModule(emitted(text)));
  // As a file of JSON has it.
  return { ...saved, description: JSON.parse(JSON.stringify(saved.description)) as object };
};

describe('code that was saved', () => {
  it.each([
    ['f32', Float32Array.of(1.5, -2, 3)],
    ['f64', Float64Array.of(1.5, -2, 3)],
    ['i8', Int8Array.of(-1, 2, 3)],
    ['i64', BigInt64Array.of(-1n, 2n, 2n ** 40n)],
    ['index', BigInt64Array.of(5n, 6n, 7n)],
  ])('has its constants of %s', async (type, bytes) => {
    const text = element(type, bytes);
    const [before, saved] = [unwrap(loadModuleSync(emitted(text))), await save(text)];
    const after = unwrap(await wasmLoader.load(saved.description, filesOf(saved)));
    expect(after.functions).toEqual(before.functions);
    for (const i of [0, 1, 2]) expect(after.run('f', i)).toEqual(before.run('f', i));
  });

  it('has what is packed in its packed form only, which no call packs again', async () => {
    const saved = await save(packed);
    expect(new Float32Array(saved.weights.slice().buffer, 0, 8)).toEqual(
      Float32Array.of(1, 3, 5, 7, 2, 4, 6, 8),
    );
    expect(saved.weights).toHaveLength(64);
    const weights = new Uint8Array(Float32Array.from({ length: 16 }, (_, i) => -i).buffer);
    const loaded = unwrap(await wasmLoader.load(saved.description, filesOf({ ...saved, weights })));
    const o = new Float32Array(8);
    for (let call = 0; call < 2; call += 1) {
      loaded.run('f', o);
      expect(o.map(Math.abs)).toEqual(Float32Array.of(0, 1, 2, 3, 4, 5, 6, 7));
    }
  });

  it('may divide by zeros, or by ones, but not always by zero', async () => {
    const by = (divisor: string) =>
      withConstant(
        'memref<1xi32>',
        Int32Array.of(12),
        '%n: i32) -> i32',
        `%c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : i32
  %a = memref.load %w[%c0] : memref<1xi32>
  %d = ${divisor}
  %r = arith.divsi %a, %d : i32
  return %r : i32`,
      );
    for (const [divisor, result] of [
      ['arith.addi %n, %c1 : i32', 3],
      ['arith.muli %n, %c1 : i32', 4],
    ] as const) {
      const saved = await save(by(divisor));
      const loaded = unwrap(await wasmLoader.load(saved.description, filesOf(saved)));
      expect(loaded.run('f', 3)).toEqual([result]);
    }
    expect(await saveModule(emitted(by('arith.subi %n, %n : i32')))).toMatchObject({
      diagnostics: [{ code: 'wasm/division-by-zero' }],
    });
  });

  it('runs on threads, if it was emitted for some', async () => {
    const saved = await save(parallel);
    const one = unwrap(await wasmLoader.load(saved.description, filesOf(saved)));
    const loaded = unwrap(await wasmLoader.load(saved.description, filesOf(saved), { threads: 2, workers }));
    onTestFinished(() => {
      loaded.dispose();
    });
    const o = new Int32Array(4);
    await loaded.runAsync('f', Int32Array.of(1, -1, 1, 2), o);
    expect(o).toEqual(Int32Array.of(1, -2, 3, 2));
    one.run('f', Int32Array.of(1, 2, 3, 4), o);
    expect(o).toEqual(Int32Array.of(1, 1, 1, 1));
    const alone = await save(packed);
    const warned = await wasmLoader.load(alone.description, filesOf(alone), { threads: 2, workers });
    expect(warned).toMatchObject({ status: 'success', diagnostics: [{ code: 'wasm/single-thread' }] });
  });
});

describe('a load of saved code fails', () => {
  it.each([
    ['where it is damaged', (code: Uint8Array) => code.slice(0, -1), 'wasm/not-compiled'],
    ['where it is empty', () => new Uint8Array(), 'wasm/not-compiled'],
  ])('%s, on any number of threads', async (_, damaged, code) => {
    const saved = await save(parallel);
    const files = filesOf({ ...saved, code: damaged(saved.code) });
    for (const threads of [1, 2])
      expect(await wasmLoader.load(saved.description, files, { threads, workers })).toMatchObject({
        status: 'definite',
        diagnostics: [{ code }],
      });
  });

  it('where a file does', async () => {
    const saved = await save(parallel);
    const failure = definite(error('test/file', 'gone', unknownLocation));
    const gone = () => Promise.resolve(failure);
    expect(await wasmLoader.load(saved.description, { ...filesOf(saved), code: gone })).toBe(failure);
    expect(await wasmLoader.load(saved.description, { ...filesOf(saved), weights: gone })).toEqual(failure);
  });

  it('when it is stopped, or the engine lacks what it needs', async () => {
    const saved = await save(parallel);
    const stopped = { signal: { aborted: true } };
    expect(await wasmLoader.load(saved.description, filesOf(saved), stopped)).toMatchObject({
      diagnostics: [{ code: 'wasm/aborted' }],
    });
    const validate = vi.spyOn(WebAssembly, 'validate').mockReturnValue(false);
    onTestFinished(() => {
      validate.mockRestore();
    });
    const relaxed = emitted(parallel, { relaxed: true });
    expect(await saveModule(relaxed)).toMatchObject({ diagnostics: [{ code: 'wasm/no-relaxed-simd' }] });
    const description = { ...saved.description, relaxed: true };
    expect(await wasmLoader.load(description, filesOf(saved))).toMatchObject({
      diagnostics: [{ code: 'wasm/no-relaxed-simd' }],
    });
  });
});

describe('code that arrives', () => {
  const response = (body: Uint8Array, type: string) => () =>
    Promise.resolve(new Response(body.slice(), { headers: { 'content-type': type } }));

  it('is compiled meanwhile, and else read as bytes', async () => {
    const saved = await save(packed);
    const code = vi.fn(() => Promise.resolve(success(saved.code)));
    const load = async (body: Uint8Array, type: string): Promise<number> => {
      code.mockClear();
      const files = { ...filesOf(saved), code, response: response(body, type) };
      const loaded = unwrap(await wasmLoader.load(saved.description, files));
      loaded.run('f', new Float32Array(8));
      return code.mock.calls.length;
    };
    expect(await load(saved.code, 'application/wasm')).toBe(0);
    expect(await load(saved.code, 'text/plain')).toBe(1);
    expect(await load(saved.code.subarray(0, 9), 'application/wasm')).toBe(1);
  });
});
