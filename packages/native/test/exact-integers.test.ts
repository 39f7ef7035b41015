import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unwrap } from '@sconv/diagnostics';
import { payloadDialects } from '@sconv/dialects';
import { createRegistry, parseModule } from '@sconv/ir';
import { avx2, neon } from '@sconv/targets';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { findToolchain, nativeBackend } from '../src/index.ts';

const registry = createRegistry(payloadDialects);
const target = process.arch === 'arm64' ? neon : avx2;
const hasLlvm =
  process.platform === 'linux' &&
  ['x64', 'arm64'].includes(process.arch) &&
  'paths' in (await findToolchain());

const emit = (text: string) =>
  unwrap(nativeBackend.emit(unwrap(parseModule(text, { registry })), { target, registry }));

const divide = (type: string): string => `func.func @div_${type}(%a: ${type}, %b: ${type}) -> ${type} {
  %0 = arith.ceildivsi %a, %b : ${type}
  return %0 : ${type}
}`;

const there = (name: string, cast: string, type: string): string => `func.func @${name}(%x: index) -> index {
  %0 = arith.${cast} %x : index to ${type}
  %1 = arith.${cast} %0 : ${type} to index
  return %1 : index
}`;

const payload = `${['i8', 'i32', 'i64', 'index'].map(divide).join('\n')}
${there('signed', 'index_cast', 'i8')}
${there('unsigned', 'index_castui', 'i16')}
${there('whole', 'index_cast', 'i64')}
func.func @lanes(%x: memref<4xi32>, %y: memref<4xi32>) {
  %zero = arith.constant 0 : index
  %seven = arith.constant dense<7> : vector<4xi32>
  %lanes = vector.load %x[%zero] : memref<4xi32>, vector<4xi32>
  %0 = arith.ceildivsi %lanes, %seven : vector<4xi32>
  vector.store %0, %y[%zero] : memref<4xi32>, vector<4xi32>
  return
}`;

it('keeps no overflow flags, which hold for the sums as written', () => {
  const { mlir } = emit(`func.func @f(%x: i8) -> i8 {
  %a = arith.constant 100 : i8
  %0 = arith.addi %x, %a overflow<nsw> : i8
  %1 = arith.addi %0, %a overflow<nsw, nuw> : i8
  return %1 : i8
}`);
  expect(mlir).toContain('arith.addi');
  expect(mlir).not.toContain('overflow');
});

describe.skipIf(!hasLlvm)('native integers', () => {
  const cache = mkdtempSync(join(tmpdir(), 'sconv-integers-'));
  let artifact: Awaited<ReturnType<typeof load>>;
  const load = async () => unwrap(await nativeBackend.load(emit(payload)));
  beforeAll(async () => {
    vi.stubEnv('XDG_CACHE_HOME', cache);
    artifact = await load();
  });
  afterAll(() => {
    artifact.dispose();
    vi.unstubAllEnvs();
    rmSync(cache, { recursive: true, force: true });
  });

  it.each([
    ['div_i8', [-128, 7], -18],
    ['div_i8', [-128, -7], 19],
    ['div_i8', [127, -128], 0],
    ['div_i32', [-(2 ** 31), 7], -306783378],
    ['div_i32', [7, 2], 4],
    ['div_i32', [-7, -2], 4],
    ['div_i32', [-7, 2], -3],
    ['div_i32', [6, -3], -2],
    ['div_i32', [0, -5], 0],
    ['div_i64', [-(2n ** 63n), 7n], -1317624576693539401n],
    ['div_index', [-9, 4], -2n],
    ['signed', [255], -1n],
    ['signed', [-130], 126n],
    ['unsigned', [2 ** 16 + 5], 5n],
    ['whole', [2 ** 40 + 1], 2n ** 40n + 1n],
  ] as const)('%s of %s is %s', (name, values, result) => {
    expect(artifact.run(name, ...values)).toEqual([result]);
  });

  it('are divided in lanes, too', () => {
    const y = new Int32Array(4);
    artifact.run('lanes', Int32Array.of(-(2 ** 31), 8, -8, 7), y);
    expect([...y]).toEqual([-306783378, 2, -1, 1]);
  });
});
