import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unwrap } from '@sconv/diagnostics';
import { afterAll, describe, expect, it } from 'vitest';
import { compileModel, saveModel } from '../../src/model.ts';
import { loadModel } from '../../src/load.ts';
import { smallImage, smallModel, smallSizes } from '../model/small-model.ts';

const model = unwrap(await compileModel(smallModel(), { inputs: smallSizes }));
const saved = unwrap(await saveModel(model));

describe('a saved program', () => {
  it('computes what the model does, bit for bit', async () => {
    const loaded = unwrap(await loadModel(saved));
    const image = smallImage();
    for (let call = 0; call < 2; call += 1)
      expect(await loaded.run({ image })).toEqual(await model.run({ image }));
  });
});
