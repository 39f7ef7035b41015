import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SavedCode, SavedFiles } from '@sconv/backend';
import { success, unwrap } from '@sconv/diagnostics';
import { payloadDialects } from '@sconv/dialects';
import { createRegistry, parseModule } from '@sconv/ir';
import { avx2, neon } from '@sconv/targets';
import { afterAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { findToolchain, nativeBackend } from '../src/index.ts';
import { nativeLoader } from '../src/load-saved.ts';
import { saveNative } from '../src/save.ts';
import { fakeTools } from './support.ts';

const registry = createRegistry(payloadDialects);
const folder = mkdtempSync(join(tmpdir(), 'sconv-saved-'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  vi.stubEnv('XDG_CACHE_HOME', folder);
  return () => vi.unstubAllEnvs();
});
const isHost = process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch);
const hasLlvm = isHost && 'paths' in (await findToolchain());

/** Divides constants by its input, in parallel. */
const text = `memref.global "private" constant @weights : memref<4xf32> = dense_resource<w>
func.func @f(%x: memref<4xf32>, %o: memref<4xf32>) {
  %w = memref.get_global @weights : memref<4xf32>
  scf.forall (%i) in (4) {
    %a = memref.load %x[%i] : memref<4xf32>
    %b = memref.load %w[%i] : memref<4xf32>
    %q = arith.divf %b, %a : f32
    memref.store %q, %o[%i] : memref<4xf32>
  }
  return
}
{-# dialect_resources: { builtin: { w: "0x040000000000803F000000400000404000008040" } } #-}`;
const emitted = unwrap(
  nativeBackend.emit(unwrap(parseModule(text, { registry })), {
    target: process.arch === 'arm64' ? neon : avx2,
    registry,
  }),
);

const filesOf = ({ code, weights }: SavedCode): SavedFiles => ({
  code: () => Promise.resolve(success(code)),
  weights: (into) => {
    into.set(weights);
    return Promise.resolve(success(undefined));
  },
});
const save = async (threads = 1): Promise<SavedCode> => {
  const saved = unwrap(await saveNative(emitted, { threads }));
  // As a file of JSON has it.
  return { ...saved, description: JSON.parse(JSON.stringify(saved.description)) as object };
};

describe.runIf(hasLlvm)('a library that was saved', () => {
  it('runs, with its constants, from bytes or from a file', async () => {
    const saved = await save();
    const codePath = join(folder, 'saved.so');
    writeFileSync(codePath, saved.code);
    for (const files of [filesOf(saved), { ...filesOf(saved), codePath }]) {
      const loaded = unwrap(await nativeLoader.load(saved.description, files));
      const o = new Float32Array(4);
      for (let call = 0; call < 2; call += 1) loaded.run('f', Float32Array.of(1, 2, 1, 2), o);
      expect(o).toEqual(Float32Array.of(1, 1, 3, 2));
      loaded.dispose();
    }
  });

  it('runs on threads, if it was built for some', async () => {
    const [one, two] = [await save(), await save(2)];
    const loaded = await nativeLoader.load(two.description, filesOf(two), { threads: 2 });
    expect(loaded.diagnostics).toEqual([]);
    const o = new Float32Array(4);
    await unwrap(loaded).runAsync('f', Float32Array.of(1, 2, 1, 2), o);
    expect(o).toEqual(Float32Array.of(1, 1, 3, 2));
    unwrap(loaded).dispose();
    const alone = await nativeLoader.load(one.description, filesOf(one), { threads: 2 });
    expect(alone).toMatchObject({ status: 'success', diagnostics: [{ code: 'native/fewer-threads' }] });
  });
});

describe.runIf(isHost)('a load of a saved library fails', () => {
  const description = { functions: emitted.functions, kept: [[]], isa: emitted.isa, features: [] };
  const saved = { ...description, constants: [], weightBytes: 0 };
  const files = filesOf({
    backend: 'native',
    extension: '.so',
    code: Uint8Array.of(1, 2, 3),
    weights: new Uint8Array(),
    description,
  });

  it('where the system refuses it, and leaves no file', async () => {
    vi.stubEnv('TMPDIR', folder);
    const failed = await nativeLoader.load(saved, files);
    expect(failed).toMatchObject({ status: 'definite', diagnostics: [{ code: 'native/load' }] });
    expect(JSON.stringify(failed)).not.toContain(folder);
    expect(existsSync(join(folder, 'library.so'))).toBe(false);
  });

  it('on another processor or system, and when it is stopped', async () => {
    const load = async (changed: object, options = {}) =>
      (await nativeLoader.load({ ...saved, ...changed }, files, options)).diagnostics[0]!.code;
    expect(await load({ isa: 'ppc64le' })).toBe('native/processor');
    expect(await load({ features: ['no-such-feature'] })).toBe('native/processor');
    expect(await load({}, { signal: { aborted: true } })).toBe('native/aborted');
    const { platform } = process;
    Object.defineProperty(process, 'platform', { value: 'darwin' });
    onTestFinished(() => {
      Object.defineProperty(process, 'platform', { value: platform });
    });
    expect(await load({})).toBe('native/platform');
  });

  it('where it cannot be built', async () => {
    vi.stubEnv('SCONV_LLVM', fakeTools(folder, 'exit 1'));
    const other = { ...emitted, mlir: `${emitted.mlir}// other` };
    expect((await saveNative(other)).status).toBe('definite');
  });
});
