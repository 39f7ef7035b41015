/** Calls to OpenBLAS's microkernels, as `@sconv/blas` makes them. Results are tested where LLVM and OpenBLAS are. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unwrap } from '@sconv/diagnostics';
import { payloadDialects } from '@sconv/dialects';
import { createRegistry, parseModule } from '@sconv/ir';
import { avx2, neon } from '@sconv/targets';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { emulatedBackend, nativeBackend } from '../src/index.ts';
import { findOpenblas } from '../src/openblas.ts';
import { fakeProgram } from './support.ts';

const registry = createRegistry(payloadDialects);
const cache = mkdtempSync(join(tmpdir(), 'sconv-openblas-'));
afterAll(() => {
  rmSync(cache, { recursive: true, force: true });
});
beforeEach(() => {
  vi.stubEnv('XDG_CACHE_HOME', cache);
  return () => vi.unstubAllEnvs();
});

const emit = (text: string, target = avx2) =>
  nativeBackend.emit(unwrap(parseModule(text, { registry })), { target, registry });

const type = '(i64, i64, i64, f32, !llvm.ptr, !llvm.ptr, !llvm.ptr, i64) -> i32';

/** A function that calls a kernel on its arguments. */
const calling = (kernel: string, layout = ''): string => {
  const buffer = `memref<16xf32${layout}>`;
  const pointers = ['a', 'b', 'c'].map(
    (name) => `%${name}1 = memref.extract_aligned_pointer_as_index %${name} : ${buffer} -> index
  %${name}2 = arith.index_cast %${name}1 : index to i64
  %${name}3 = llvm.inttoptr %${name}2 : i64 to !llvm.ptr`,
  );
  return `func.func private @${kernel}${type}
func.func private @sgemm_kernel_ZEN${type}
func.func @f(%a: ${buffer}, %b: ${buffer}, %c: ${buffer}, %n: i64, %alpha: f32) {
  ${pointers.join('\n  ')}
  %r = func.call @${kernel}(%n, %n, %n, %alpha, %a3, %b3, %c3, %n) : ${type}
  return
}`;
};

describe('what is emitted', () => {
  it.each([
    ['sgemm_kernel_HASWELL', 'avx2', ['sgemm_kernel_HASWELL']],
    ['sgemm_kernel_SKYLAKEX', 'avx512f', ['sgemm_kernel_SKYLAKEX']],
    ['sgemm_blas_kernel', 'avx2', []],
  ])('says which kernels are called, and what they take: %s', (kernel, feature, kernels) => {
    const emitted = unwrap(emit(calling(kernel)));
    expect(emitted.kernels).toEqual(kernels);
    expect(emitted.features).toContain(feature);
    expect(new Set(emitted.features).size).toBe(emitted.features.length);
    expect(emitted.mlir).toContain(`func.func private @${kernel}(`);
  });

  it('is refused where a kernel is for another processor', () => {
    const { diagnostics } = emit(calling('sgemm_kernel_HASWELL'), neon);
    expect(diagnostics).toMatchObject([
      {
        code: 'native/kernel',
        message: "'sgemm_kernel_HASWELL' is a kernel for x86-64, and the code is for aarch64",
      },
    ]);
  });

  it('takes what has an address for written', () => {
    const [signature] = unwrap(emit(calling('sgemm_kernel_HASWELL'))).functions;
    const written = signature!.parameters.map((each) => each.kind === 'buffer' && each.written);
    expect(written).toEqual([true, true, true, false, false]);
  });

  it.each([
    ['any offset and strides', 'memref<2x3x4xf32, strided<[?, ?, ?], offset: ?>>'],
    ['rows that may be apart', 'memref<2x3x4xf32, strided<[?, 4, 1]>>'],
  ])('takes arrays for buffers of %s', (_, buffer) => {
    const emitted = unwrap(emit(`func.func @f(%x: ${buffer}) { return }`));
    expect(emitted.functions[0]!.parameters).toMatchObject([{ shape: [2, 3, 4], length: 24 }]);
    expect(emitted.stubs).toContain('0, { 2, 3, 4 }, { 12, 4, 1 }');
  });
});

describe('the library', () => {
  it('is the file that is named', () => {
    vi.stubEnv('SCONV_OPENBLAS', import.meta.filename);
    expect(findOpenblas()).toBe(import.meta.filename);
    vi.stubEnv('SCONV_OPENBLAS', join(cache, 'none.so'));
    expect(findOpenblas()).toBeUndefined();
  });

  it('is looked for where the loader does', () => {
    const folder = fakeProgram(cache, 'libopenblas.so', '');
    vi.stubEnv('LD_LIBRARY_PATH', `${cache}:${folder}`);
    expect(findOpenblas()).toBe(join(folder, 'libopenblas.so'));
  });

  const own = process.arch === 'arm64' ? neon : avx2;
  const kernel = process.arch === 'arm64' ? 'sgemm_kernel_NEOVERSEN1' : 'sgemm_kernel_HASWELL';
  const isPossible = ['x64', 'arm64'].includes(process.arch);

  it.skipIf(!isPossible)('that is missing is a failure that says what to do', async () => {
    vi.stubEnv('SCONV_OPENBLAS', join(cache, 'none.so'));
    const { diagnostics } = await nativeBackend.load(unwrap(emit(calling(kernel), own)));
    // Expected on a processor without AVX2.
    if (diagnostics.some(({ code }) => code === 'native/processor')) return;
    expect(diagnostics).toMatchObject([
      {
        code: 'native/no-openblas',
        message: `'${kernel}' is a kernel of OpenBLAS, which cannot be found: on Debian, install libopenblas0; elsewhere name the file of the library in SCONV_OPENBLAS`,
      },
    ]);
  });

  it.skipIf(!isPossible)('is nothing for an emulator', async () => {
    const name = own === neon ? 'qemu-aarch64' : 'qemu-x86_64';
    vi.stubEnv('SCONV_EMULATORS', fakeProgram(cache, name, ''));
    vi.stubEnv('SCONV_OPENBLAS', import.meta.filename);
    const { diagnostics } = await emulatedBackend.load(unwrap(emit(calling(kernel), own)));
    expect(diagnostics).toMatchObject([
      {
        code: 'native/no-openblas',
        message: /a library of this processor, and an emulator runs static programs$/,
      },
    ]);
  });
});
