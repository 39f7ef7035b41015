import { describe, expect, it } from 'vitest';
import { main as optMain } from '../src/sconv-opt.ts';
import { main } from '../src/sconv.ts';
import { capture } from './support/capture.ts';

/** All commands, as words behind `sconv`. */
const commands = [
  [],
  ['run'],
  ['build'],
  ['import'],
  ['schedule'],
  ['explain'],
  ['bench'],
  ['convbench'],
  ['tune'],
  ['tune', 'work'],
  ['tune', 'export'],
  ['csa'],
  ['scheme'],
  ['affine'],
  ['affine', 'simplify'],
  ['affine', 'equiv'],
  ['affine', 'eval'],
  ['affine', 'empty'],
  ['affine', 'subset'],
  ['affine', 'lexmin'],
  ['affine', 'count'],
  ['affine', 'deps'],
  ['targets'],
  ['kernels'],
  ['kernels', 'measure'],
  ['kernels', 'show'],
] as const;

describe('--help', () => {
  it.each<readonly string[]>(commands)('sconv %s %s', async (...words) => {
    const { code, out, err } = await capture(main, ...words, '--help');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    await expect(out).toMatchFileSnapshot(`help/${['sconv', ...words].join('-')}.txt`);
  });

  it('knows every command', async () => {
    const named = async (words: readonly string[]): Promise<readonly string[][]> => {
      const { out } = await capture(main, ...words, '--help');
      const [, list = ''] = out.split('\nCommands:\n');
      const names = [...list.matchAll(/^ {2}(\w+)/gm)].map(([, name = '']) => name);
      const below = names.filter((name) => name !== 'help').map((name) => [...words, name]);
      return [...below, ...(await Promise.all(below.map(named))).flat()];
    };
    const known = new Set(commands.map((words) => words.join(' ')));
    expect((await named([])).map((words) => words.join(' ')).filter((name) => !known.has(name))).toEqual([]);
  });

  it('sconv-opt', async () => {
    const { code, out, err } = await capture(optMain, '--help');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    await expect(out).toMatchFileSnapshot('help/sconv-opt.txt');
  });
});

it('without a command prints the help, and exits with 2', async () => {
  const { code, out, err } = await capture(main);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toBe((await capture(main, '--help')).out);
});
