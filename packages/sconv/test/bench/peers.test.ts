import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseShape } from '@sconv/csa';
import type { Target } from '@sconv/targets';
import { avx2, avx512, wasm } from '@sconv/targets';
import { describe, expect, it } from 'vitest';
import type { FilterUse } from '../../src/bench/implementation.ts';
import { ours } from '../../src/bench/ours.ts';
import { findPeers, peerNames } from '../../src/bench/peers.ts';
import { dataOf } from '../../src/bench/workload.ts';
import { temporaryFolder } from '../support/capture.ts';

/** A folder in which this package is installed. */
const withPackage = (name: string, code: string): string => {
  const folder = temporaryFolder();
  const place = join(folder, 'node_modules', name);
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, 'index.js'), code);
  return folder;
};

describe('peers', () => {
  it('that are not installed are missing', async () => {
    const folder = temporaryFolder();
    expect(await findPeers(peerNames, [folder], wasm)).toEqual(
      peerNames.map((name) => ({ name, missing: `not installed in ${folder}` })),
    );
  });
  it('that do not load are missing, with the reason', async () => {
    const folder = withPackage('onnxruntime-web', "throw new Error('not on this machine');");
    expect(await findPeers(['onnxruntime-web'], [temporaryFolder(), folder], wasm)).toEqual([
      { name: 'onnxruntime-web', missing: 'not on this machine' },
    ]);
  });
  it.each([
    [wasm, ['tfjs-backend-wasm', 'onnxruntime-web', 'onnxruntime-node']],
    [avx2, ['onnxruntime-node', 'openblas', 'onednn', 'onednn-own-layouts']],
  ] as const)('that suit the target are looked for where none is named', async (target, names) => {
    const found = await findPeers(undefined, [temporaryFolder()], target);
    expect(found.map(({ name }) => name)).toEqual(names);
  });
  it('that nobody asks for are not looked for', async () => {
    const folder = withPackage('onnxruntime-web', "throw new Error('loaded');");
    expect(await findPeers([], [folder], wasm)).toEqual([]);
  });
});

const installed = fileURLToPath(new URL('../../../../tools/bench', import.meta.url));

const shapes = ['1x5x12x10,6x5x3x2,s2x1', '2x3x7x8,9x3x3x3,p1x0x2x1', '1x8x9x9,4x8x3x3,d2'];
const uses: readonly FilterUse[] = ['bound', 'arguments'];
const cases = shapes.flatMap((text) => uses.map((use) => [text, use] as const));

const computeTheSame = async (names: readonly string[], target: Target, text: string, use: FilterUse) => {
  const shape = parseShape(text);
  const data = dataOf(shape);
  const expected = await (await ours('sconv', wasm).prepare(shape, use, data)).result();
  for (const found of await findPeers(names, [installed], target)) {
    if (!('peer' in found)) continue;
    const prepared = await found.peer.prepare(shape, use, data);
    expect(await prepared.result()).toEqual(expected);
    await prepared.call();
    expect(await prepared.result()).toEqual(expected);
    await prepared.dispose();
  }
};

// Hundreds of megabytes, installed there by `npm ci` on demand.
if (existsSync(join(installed, 'node_modules'))) {
  it.each(cases)('peers that are installed compute the same: %s, filters %s', (text, use) =>
    computeTheSame(
      peerNames.filter((name) => !nativePeers.includes(name)),
      wasm,
      text,
      use,
    ),
  );
}

const nativePeers = ['openblas', 'onednn', 'onednn-own-layouts'];
const built = (name: string): boolean => existsSync(join(installed, 'native', 'dist', `${name}.so`));

// They need system libraries: tools/bench/native/build.mjs.
describe.skipIf(process.arch !== 'x64' || !nativePeers.every(built))('native peers', () => {
  it.each([...cases, ['1x7x9x5,6x7x1x1', 'bound'] as const])(
    'compute the same: %s, filters %s',
    (text, use) => computeTheSame(nativePeers, avx2, text, use),
  );
  it('say which instructions they take', async () => {
    const found = await findPeers(nativePeers, [installed], avx2);
    expect(found.map((each) => ('peer' in each ? each.peer.version : each.missing))).toEqual([
      expect.stringMatching(/^\d+\.\d+\.\d+, core Haswell$/) as string,
      ...Array.from({ length: 2 }, () => expect.stringMatching(/^\d+\.\d+\.\d+, AVX2$/) as string),
    ]);
  });
  it('are missing where the process has them for other vectors', async () => {
    await findPeers(nativePeers, [installed], avx2);
    for (const each of await findPeers(nativePeers, [installed], avx512))
      expect(each).toMatchObject({ missing: expect.stringContaining('512 bits') as string });
  });
});
