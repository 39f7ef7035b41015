import { describe, expect, it } from 'vitest';
import { main } from '../src/sconv.ts';
import { capture, fileWith } from './support/capture.ts';

const stencil = `// a[t][i] = a[t - 1][i + 1]
domain   { [t, i] : 1 <= t < 9 and 1 <= i < 9 }
read a   { [t, i] -> [t - 1, i + 1] }
write a  (t, i) -> (t, i)
`;

const twoNests = `
domain [n] -> { [i] : 0 <= i < n }
write b (i) -> (i)
domain [n] -> { [i] : 0 <= i < n }
read b (i) -> (i + 1)
`;

const deps = (text: string, ...options: readonly string[]) =>
  capture(main, 'affine', 'deps', fileWith(text, 'nest.txt'), ...options);

describe('sconv affine deps', () => {
  it('lists dependences', async () => {
    expect(await deps(stencil)).toEqual({
      out:
        'flow of a, distance (1, -1): ' +
        "{ [t, i] -> [t', i'] : t' = t + 1 and i' = i - 1 and t >= 1 and i <= 8 and t' <= 8 and i' >= 1 }\n",
      err: '',
      code: 0,
    });
    expect(await deps(twoNests)).toMatchObject({
      out: "flow of b, statement 0 to 1: [n] -> { [i] -> [i'] : i' = i - 1 and i < n and i' >= 0 }\n",
      code: 0,
    });
    expect(await deps('domain { [i] : 0 <= i < 9 }\nwrite a (i) -> (i)')).toMatchObject({
      out: 'no dependences\n',
      code: 0,
    });
  });

  it.each<[string[], string, number]>([
    [['--order', '1,0'], 'not legal: (2, 1) would not run after (1, 2) (flow of a)', 1],
    [['--tile', '4'], 'legal', 0],
    [['--tile', '4,4'], 'not legal: (2, 3) would not run after (1, 4) (flow of a)', 1],
    [['--order', '1', '--tile', '0,4'], 'not legal: (2, 1) would not run after (1, 2) (flow of a)', 1],
    [['--schedule', '{ [t, i] -> [t + i, t] }'], 'legal', 0],
    [['--fuse', '0'], 'legal', 0],
  ])('of a nest that is changed by %j', async (options, answer, code) => {
    const { out, ...others } = await deps(stencil, ...options);
    expect(out.trimEnd().split('\n').at(-1)).toBe(answer);
    expect(others).toEqual({ err: '', code });
  });

  it('shows what a fusion breaks', async () => {
    const { out, code } = await deps(twoNests, '--fuse', '1');
    expect(out.trimEnd().split('\n').at(-1)).toBe(
      'not legal: statement 1 at (0) would not run after statement 0 at (1) for n = 2 (flow of b)',
    );
    expect(code).toBe(1);
    const later = ['(i) -> (i + 1, 0)', '(i) -> (i + 2, 1)'].flatMap((time) => ['--schedule', time]);
    expect(await deps(twoNests, ...later)).toMatchObject({ code: 0 });
  });

  it('answers in JSON', async () => {
    const { out, code } = await deps(stencil, '--order', '1,0', '--json');
    expect(JSON.parse(out)).toMatchObject({
      version: 1,
      dependences: [{ kind: 'flow', array: 'a', source: 0, target: 0, distance: [1, -1] }],
      legal: false,
      counterexample: { dependence: 0, source: [1, 2], target: [2, 1], symbols: [] },
    });
    expect(code).toBe(1);
    expect(JSON.parse((await deps(stencil, '--json')).out)).not.toHaveProperty('legal');
  });

  it.each<[string, string[], string]>([
    ['domain { [i] : i < n }', [], 'nest.txt:1:20: error: n is not declared'],
    ['domain { [i] }\n  read a (i, j) -> (i)', [], 'nest.txt:2:10: error: of 2 loops, in a domain of 1'],
    ['', [], 'nest.txt:1:1: error: no statement: write domain { [i] : … }'],
    [stencil, ['--order', '0,0'], 'error: [0, 0] is no order of 2 loops'],
    [stencil, ['--order', '2'], 'error: [2] is no order of 2 loops'],
    [stencil, ['--tile', '1,2,3'], 'error: 3 loops are tiled, of a nest of 2'],
    [stencil, ['--fuse', '3'], 'error: 3 loops are not shared by nests of 2'],
    [
      stencil,
      ['--tile', 'x'],
      "option '--tile <sizes>' argument 'x' is invalid. write integers from 0 as 1,0",
    ],
    [stencil, ['--fuse', 'x'], "option '--fuse <count>' argument 'x' is invalid. an integer from 0"],
    [stencil, ['--schedule', '(t) -> (t)'], 'error: '],
    [twoNests, ['--schedule', '(i) -> (i)'], 'error: statement 1 has no schedule'],
    [stencil, ['--schedule', '(t, i) -> (t, i)', '--fuse', '0'], 'error: --schedule says all that'],
  ])('%j with %j is refused', async (text, options, message) => {
    const { out, err, code } = await deps(text, ...options);
    expect({ out, code }).toEqual({ out: '', code: 2 });
    expect(err).toContain(message);
  });

  it('refuses a file that is not there', async () => {
    const { err, code } = await capture(main, 'affine', 'deps', 'missing.txt');
    expect(err).toContain('missing.txt:1:1: error: cannot read: ');
    expect(code).toBe(2);
  });
});
