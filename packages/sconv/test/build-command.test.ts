import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { unwrap } from '@sconv/diagnostics';
import { describe, expect, it, vi } from 'vitest';
import { loadModel } from '../src/load.ts';
import { compileModel } from '../src/model.ts';
import { main } from '../src/sconv.ts';
import type { Captured } from './support/capture.ts';
import { capture, fileWith, payload, slicing, temporaryFolder } from './support/capture.ts';
import { smallImage, smallModel, smallSizes } from './support/small-model.ts';

const build = (...words: readonly string[]): Promise<Captured> => capture(main, 'build', ...words);

/** As many filters as a microkernel takes. */
const eight = payload('1x3x9x9', '8x3x3x3', '1x8x7x7');

// What needs LLVM is tested in tools/integration.
describe('sconv build', () => {
  it('prints a header for C', async () => {
    const { code, out, err } = await build(fileWith(eight), '--target', 'avx2', '--emit', 'header');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(
      /^void sconv_conv\(const float \*arg0, const float \*arg1, float \*arg2, float \*result0, .*int32_t \*places\);$/m,
    );
    expect(out).toContain(' * arg2: 1 x 8 x 7 x 7 x f32, strides [392, 49, 7, 1], written\n');
  });

  it('writes MLIR, and how it goes on, under a schedule', async () => {
    const file = join(temporaryFolder(), 'code.mlir');
    const schedule = fileWith(slicing(), 'schedule.mlir');
    const words = ['--target', 'avx512', '--emit', 'mlir', '--schedule', schedule, '-o', file];
    expect(await build(fileWith(payload()), ...words)).toEqual({ code: 0, out: '', err: '' });
    expect(readFileSync(file, 'utf8')).toMatch(
      /^\/\/ mlir-opt --pass-pipeline='.*func\.func @sconv\.conv\(/s,
    );
  });

  it('refuses constants of bytes, which no file would have', async () => {
    const text = `func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {
  %c = arith.constant dense_resource<w> : tensor<2xf32>
  %r = linalg.add ins(%c, %x : tensor<2xf32>, tensor<2xf32>) outs(%x : tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}
{-# dialect_resources: { builtin: { w: "0x040000000000803F00000040" } } #-}`;
    const { code, out, err } = await build(fileWith(text), '--target', 'avx2', '--emit', 'header');
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(/constants of bytes \(dense_resource\), 1 of them.*\[build\/constants\]/s);
  });

  it('refuses a model as a schedule', async () => {
    const { code, err } = await build(fileWith(eight), '--target', 'avx2', '--schedule', 'net.onnx');
    expect(code).toBe(1);
    expect(err).toContain(
      'net.onnx:1:1: error: cannot read: this is a model, not MLIR; sconv run and sconv build',
    );
  });

  it('says what it lacks, and writes nothing', async () => {
    const folder = temporaryFolder();
    vi.stubEnv('SCONV_LLVM', folder);
    vi.stubEnv('XDG_CACHE_HOME', folder);
    const { code, err } = await build(fileWith(payload()), '--target', 'avx2', '-o', join(folder, 'conv.so'));
    vi.unstubAllEnvs();
    expect(code).toBe(1);
    expect(err).toMatch(/native code takes LLVM 19.*\[native\/no-toolchain\]/s);
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([['header'], ['so']])('interrupted while it compiles for %s, writes nothing', async (kind) => {
    const folder = temporaryFolder();
    vi.stubEnv('SCONV_LLVM', folder);
    setImmediate(() => process.emit('SIGINT'));
    const words = ['--target', 'avx2', '--emit', kind, '-o', join(folder, 'conv')];
    expect(await build(fileWith(payload()), ...words)).toEqual({ code: 130, out: '', err: '' });
    vi.unstubAllEnvs();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('takes a name for what is built of the standard input', async () => {
    const { code, err } = await build('-', '--target', 'avx2');
    expect(code).toBe(2);
    expect(err).toContain('the standard input, -, has no name for the file: give one with --output');
  });

  it('replaces no file that it reads', async () => {
    const [file, script] = [fileWith(payload()), fileWith(slicing(), 'schedule.mlir')];
    for (const output of [file, script]) {
      const { code, err } = await build(file, '--schedule', script, '--output', output);
      expect(code).toBe(2);
      expect(err).toContain(`--output would replace ${output}, which is read`);
    }
  });

  it.each([
    [['--target', 'wasm'], /--target wasm goes with models only: of MLIR native code is built/],
    [['--target', 'avx3'], /argument 'avx3' is invalid/],
    [['--sizes', 'x=1'], /--sizes goes with models only/],
    [['--threads', '2'], /--threads goes with models only/],
    [['--layouts', 'chosen'], /--layouts goes with models only/],
    [['--emit', 'sos'], /did you mean 'so'/],
    [['--edges', 'small', '--schedule', 'a.mlir'], /--edges cannot be given with --schedule/],
  ])('%j is bad usage', async (words, message) => {
    const { code, err } = await build(fileWith(payload()), ...words);
    expect(code).toBe(2);
    expect(err).toMatch(message);
  });
});

describe('sconv build of a model', () => {
  const model = () => fileWith(smallModel(), 'net.onnx');

  it('writes a program', async () => {
    const folder = join(temporaryFolder(), 'a', 'net');
    const words = ['--sizes', 'image=1x3x10x12', '-o', folder];
    expect(await build(model(), ...words)).toMatchObject({ code: 0, out: '' });
    const image = smallImage();
    const compiled = unwrap(await compileModel(smallModel(), { inputs: smallSizes }));
    const loaded = unwrap(await loadModel(folder));
    expect(loaded.runSync({ image })).toEqual(compiled.runSync({ image }));
    expect(loaded.target).toBe('wasm');
    const before = readdirSync(folder);
    expect(before.map((name) => name.replace(/[0-9a-f]{16}/, '*')).sort()).toEqual([
      'code-*.wasm',
      'program.json',
      'weights-*.bin',
    ]);
    expect((await build(model(), ...words)).code).toBe(0);
    expect(readdirSync(folder)).toEqual(before);
  });

  it('writes a program in chosen layouts', async () => {
    const folder = join(temporaryFolder(), 'net');
    const words = ['--sizes', 'image=1x3x10x12', '--layouts', 'chosen', '-o', folder];
    expect(await build(model(), ...words)).toMatchObject({ code: 0, out: '' });
    const image = smallImage();
    const options = { inputs: smallSizes, layouts: 'chosen' } as const;
    const compiled = unwrap(await compileModel(smallModel(), options));
    expect(unwrap(await loadModel(folder)).runSync({ image })).toEqual(compiled.runSync({ image }));
  });

  it('writes nothing of a model that it cannot import, or where it cannot write', async () => {
    const folder = join(temporaryFolder(), 'net');
    const open = await build(model(), '-o', folder);
    expect(open).toMatchObject({ code: 1, err: expect.stringContaining('image') as string });
    expect(existsSync(folder)).toBe(false);
    const file = fileWith('mine', 'net');
    const { code, err } = await build(model(), '--sizes', 'image=1x3x10x12', '-o', file);
    expect({ code, err }).toMatchObject({
      code: 1,
      err: expect.stringContaining('[sconv/cannot-write]') as string,
    });
    expect(readFileSync(file, 'utf8')).toBe('mine');
    expect((await build('none.onnx', '-o', folder)).err).toContain('cannot read');
  });

  it('interrupted, writes nothing', async () => {
    const folder = join(temporaryFolder(), 'net');
    setImmediate(() => process.emit('SIGINT'));
    expect(await build(model(), '--sizes', 'image=1x3x10x12', '-o', folder)).toEqual({
      code: 130,
      out: '',
      err: '',
    });
    expect(existsSync(folder)).toBe(false);
  });

  it.each([
    [[], /the folder of the program has to be given with --output/],
    [['--emit', 'so', '-o', 'net'], /--emit cannot be given with a model/],
    [['--schedule', 'a.mlir', '-o', 'net'], /--schedule cannot be given with a model/],
  ])('%j is bad usage', async (words, message) => {
    const { code, err } = await build('net.onnx', ...words);
    expect(code).toBe(2);
    expect(err).toMatch(message);
  });
});
