import { describe, expect, it } from 'vitest';
import { main } from '../src/sconv.ts';
import { capture } from './support/capture.ts';

describe('usage', () => {
  it.each([
    [['run']],
    [['run', 'a.mlir', '--target', 'default']],
    [['run', 'a.mlir', '--repeat', '0']],
    [['run', 'a.mlir', '--repeat', '1000000']],
    [['run', '-', '--schedule', '-']],
    [['run', 'a.mlir', '--nonsense']],
    [['run', 'a.mlir', 'b.mlir']],
    [['run', 'a.mlir', '--schedule', 's.mlir', '--edges', 'small']],
    [['run', 'a.mlir', '--schedule', 's.mlir', '--layouts', 'chosen']],
    [['run', 'a.mlir', '--layouts', 'best']],
    [['nonsense']],
    [['csa', 'nonsense']],
    [[]],
  ])('%j is a bad one', async (words) => {
    const { code, out, err } = await capture(main, ...words);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).not.toBe('');
  });
  it.each([[['--help']], [['run', '--help']], [['affine', 'simplify', '--help']], [['--version']]])(
    '%j is a good one',
    async (words) => {
      const { code, out, err } = await capture(main, ...words);
      expect({ code, err }).toEqual({ code: 0, err: '' });
      expect(out).not.toBe('');
    },
  );
});
