/** Programs whose buffers share an arena give the same, call after call, whatever that has in it. */
import fc from 'fast-check';
import { unwrap } from '@sconv/diagnostics';
import { interpret, memref } from '@sconv/interpreter';
import { findToolchain, nativeBackend } from '@sconv/native';
import { avx2, neon, wasm } from '@sconv/targets';
import { instantiate, ownedBytes, wasmBackend } from '@sconv/wasm';
import { describe, expect, it } from 'vitest';
import { drawProgram, programLength } from './support/draw-program.ts';
import { registry } from './support/registry.ts';
import { parse } from './support/stages.ts';

const hasLlvm = 'paths' in (await findToolchain());

const inputs = (scale: number): readonly (readonly [Float32Array, number])[] =>
  [1, 5].map((factor, i) => [
    Float32Array.from({ length: programLength * scale }, (_, at) => ((at * factor) % 7) - 3),
    i,
  ]);

/** What the interpreter gives, whose buffers are all apart. */
const expectedOf = (text: string, x: Float32Array, flag: number): Float32Array => {
  const out = new Float32Array(x.length);
  const buffers = [x, out].map((data) => memref([x.length], data));
  unwrap(interpret(parse(text, 'program.mlir'), 'program', [...buffers, flag]));
  return out;
};

describe('buffers in an arena', () => {
  it('give on WebAssembly what buffers that are apart give, with NaN in all bytes before', () => {
    let shared = 0;
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 31 }), (seed) => {
        const text = drawProgram(seed);
        const emitted = unwrap(wasmBackend.emit(parse(text, 'program.mlir'), { target: wasm, registry }));
        const { memory: use } = emitted.functions.find(({ name }) => name === 'program')!;
        if (use!.arenaBytes < use!.bufferBytes) shared += 1;
        const bytes = ownedBytes(emitted);
        const memory = new WebAssembly.Memory({ initial: Math.ceil((bytes + 64) / 65_536) });
        const instance = instantiate(emitted, { memory, at: 64 });
        for (const [x, flag] of inputs(1)) {
          new Uint8Array(memory.buffer).fill(0xff, 64, 64 + emitted.scratchBytes);
          const out = new Float32Array(x.length);
          instance.run('program', x, out, flag);
          expect(out).toEqual(expectedOf(text, x, flag));
        }
      }),
      { numRuns: 15 },
    );
    expect(shared).toBeGreaterThan(4);
  });

  it('are refused a memory that lacks a byte', () => {
    const emitted = unwrap(
      wasmBackend.emit(parse(drawProgram(7, 2 ** 12), 'program.mlir'), { target: wasm, registry }),
    );
    const pages = 1 + Math.ceil(ownedBytes(emitted) / 65_536);
    const memory = new WebAssembly.Memory({ initial: pages });
    const last = pages * 65_536 - ownedBytes(emitted);
    const at = last - (last % 64);
    expect(() => instantiate(emitted, { memory, at })).not.toThrow();
    expect(() => instantiate(emitted, { memory, at: at + 64 })).toThrow(/are needed/);
  });

  it.skipIf(!hasLlvm)('give natively what buffers that are apart give, call after call', async () => {
    const target = process.arch === 'arm64' ? neon : avx2;
    const scale = 2 ** 14;
    for (const seed of [14, 46]) {
      const module = parse(drawProgram(seed, scale), 'program.mlir');
      const emitted = unwrap(nativeBackend.emit(module, { target, registry }));
      const { memory: use } = emitted.functions.find(({ name }) => name === 'program')!;
      expect(use!.arenaBytes).toBeGreaterThan(2 ** 20);
      expect(use!.arenaBytes).toBeLessThan(use!.bufferBytes);
      const artifact = unwrap(await nativeBackend.load(emitted));
      const oracle = unwrap(
        wasmBackend.loadSync(unwrap(wasmBackend.emit(module, { target: wasm, registry }))),
      );
      // Leaves NaN in most of the arena.
      const filling: readonly [Float32Array, number] = [new Float32Array(programLength * scale).fill(NaN), 1];
      for (const [x, flag] of [filling, ...inputs(scale)]) {
        const [out, expected] = [new Float32Array(x.length), new Float32Array(x.length)];
        artifact.run('program', x, out, flag);
        oracle.run('program', x, expected, flag);
        expect(out).toEqual(expected);
      }
      oracle.dispose();
      artifact.dispose();
    }
  });
});
