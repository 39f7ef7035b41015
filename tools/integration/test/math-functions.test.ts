import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unwrap } from '@sconv/diagnostics';
import { findToolchain, nativeBackend } from '@sconv/native';
import { avx2, neon, wasm } from '@sconv/targets';
import { wasmBackend } from '@sconv/wasm';
import { compileModule } from 'sconv';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { parse } from './support/stages.ts';

const hasLlvm = 'paths' in (await findToolchain());

const cache = mkdtempSync(join(tmpdir(), 'sconv-math-'));
beforeAll(() => {
  vi.stubEnv('XDG_CACHE_HOME', cache);
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(cache, { recursive: true, force: true });
});

/** Lanes, and a remainder. */
const count = 1027;

const functionOf = (name: string): string => `
func.func @${name}(%x: memref<${count}xf32>, %y: memref<${count}xf32>) {
  linalg.generic {
    indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]
  } ins(%x : memref<${count}xf32>) outs(%y : memref<${count}xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = math.${name} %a : f32
    linalg.yield %0 : f32
  }
  return
}`;

describe.skipIf(!hasLlvm)('functions of f32', () => {
  it('have the same bits natively and on WebAssembly', async () => {
    const names = ['exp', 'log', 'tanh', 'erf'];
    const module = parse(names.map(functionOf).join(''), 'math.mlir');
    const native = process.arch === 'arm64' ? neon : avx2;
    const artifacts = await Promise.all(
      [wasm, native].map(async (target) =>
        unwrap(await compileModule(module, { target, backends: [wasmBackend, nativeBackend] })),
      ),
    );
    // All exponents, both signs, infinities, NaN and numbers that are nearly 0.
    const numbers = new Float32Array(Uint32Array.from({ length: count }, (_, i) => i * 4187593).buffer);
    numbers.set([Infinity, -Infinity, NaN, -0, 88.73, -103.97, -87.34, 2 ** -149]);
    for (const name of names) {
      const [expected, actual] = artifacts.map((artifact) => {
        const results = new Float32Array(count);
        artifact.run(name, numbers, results);
        return results;
      });
      expect([...actual!], name).toEqual([...expected!]);
    }
  });
});
