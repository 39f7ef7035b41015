import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unwrap } from '@sconv/diagnostics';
import { describe, expect, it } from 'vitest';
import { compileModel, saveModel } from '../src/model.ts';
import { writeProgram } from '../src/program/write-program.ts';
import { main } from '../src/sconv.ts';
import { capture, fileWith, temporaryFolder } from './support/capture.ts';
import { smallImage, smallModel, smallSizes } from './support/small-model.ts';

const model = unwrap(await compileModel(smallModel(), { inputs: smallSizes }));
const files = unwrap(await saveModel(model));
const program = (): string => {
  const folder = join(temporaryFolder(), 'net');
  unwrap(writeProgram(folder, files));
  return folder;
};
const run = (...words: readonly string[]) => capture(main, 'run', ...words);

describe('sconv run of a saved program', () => {
  it('times it', async () => {
    const image = fileWith(new Uint8Array(smallImage().buffer), 'image.bin');
    const { code, out, err } = await run(program(), '--repeat', '2', '--input', image);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^time .* ms/m);
    const json = await run(program(), '--repeat', '1', '--json');
    expect(JSON.parse(json.out)).toMatchObject({
      function: 'main',
      target: 'wasm',
      elements: 10,
      threads: 1,
      convolutions: [],
      gflops: null,
      memory: { arenaBytes: expect.any(Number) as number },
    });
  });

  it.each([
    '--profile',
    '--compare=onnxruntime-web',
    '--check',
    '--emulate',
    '--target=avx2',
    '--edges=small',
    '--sizes=image=1',
  ])('refuses %s', async (word) => {
    const { code, err } = await run(program(), word);
    expect(code).toBe(2);
    expect(err).toContain(`${word.split('=')[0]!} cannot be given with a program`);
  });

  it('fails where it is none, or takes another input', async () => {
    const folder = temporaryFolder();
    expect(await run(folder)).toMatchObject({
      code: 1,
      err: expect.stringContaining('[program/unreadable]') as string,
    });
    writeFileSync(join(folder, 'short.bin'), 'abc');
    for (const input of ['short.bin', 'none.bin'])
      expect((await run(program(), '--input', join(folder, input))).code).toBe(1);
  });
});
