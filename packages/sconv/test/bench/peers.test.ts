import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseShape } from '@sconv/csa';
import { wasm } from '@sconv/targets';
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
    expect(await findPeers(peerNames, [folder])).toEqual(
      peerNames.map((name) => ({ name, missing: `not installed in ${folder}` })),
    );
  });
  it('that do not load are missing, with the reason', async () => {
    const folder = withPackage('onnxruntime-web', "throw new Error('not on this machine');");
    expect(await findPeers(['onnxruntime-web'], [temporaryFolder(), folder])).toEqual([
      { name: 'onnxruntime-web', missing: 'not on this machine' },
    ]);
  });
  it('that nobody asks for are not looked for', async () => {
    const folder = withPackage('onnxruntime-web', "throw new Error('loaded');");
    expect(await findPeers([], [folder])).toEqual([]);
  });
});

const installed = fileURLToPath(new URL('../../../../tools/bench', import.meta.url));

// Hundreds of megabytes, which `npm ci` installs there for those who want them.
if (existsSync(join(installed, 'node_modules'))) {
  const shapes = ['1x5x12x10,6x5x3x2,s2x1', '2x3x7x8,9x3x3x3,p1x0x2x1', '1x8x9x9,4x8x3x3,d2'];
  const uses: readonly FilterUse[] = ['bound', 'arguments'];
  const cases = shapes.flatMap((text) => uses.map((use) => [text, use] as const));
  it.each(cases)('peers that are installed compute the same: %s, filters %s', async (text, use) => {
    const shape = parseShape(text);
    const data = dataOf(shape);
    const expected = await (await ours('sconv', wasm).prepare(shape, use, data)).result();
    for (const found of await findPeers(peerNames, [installed])) {
      if (!('peer' in found)) continue;
      const prepared = await found.peer.prepare(shape, use, data);
      expect(await prepared.result()).toEqual(expected);
      await prepared.call();
      expect(await prepared.result()).toEqual(expected);
      await prepared.dispose();
    }
  });
}
