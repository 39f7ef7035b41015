import { describe, expect, it } from 'vitest';
import { unwrap } from '@sconv/diagnostics';
import { parseModule, printModule } from '@sconv/ir';
import { target as targetNamed } from '@sconv/targets';
import { runSchedule } from '@sconv/transform';
import { defaultRegistry as registry } from '../src/default-registry.ts';
import { main } from '../src/sconv.ts';
import { capture, fileWith, payload } from './support/capture.ts';

const schedule = (...words: readonly string[]) => capture(main, 'schedule', ...words);
const read = (text: string) => unwrap(parseModule(text, { registry }));

describe('sconv schedule', () => {
  const two = `${payload()}${payload('1x2x6x6', '4x2x1x1', '1x4x6x6').replace('@conv', '@other')}`;

  it('prints the steps for each convolution, and in short an op for each: both give the same', async () => {
    const path = fileWith(two);
    const steps = await schedule(path);
    const short = await schedule(path, '--short');
    expect([steps.code, steps.err, short.code, short.err]).toEqual([0, '', 0, '']);
    expect(steps.out.match(/structured\.generalize/g)).toHaveLength(2);
    expect(steps.out).not.toContain('structured.sconv');
    expect(short.out.match(/structured\.sconv/g)).toHaveLength(2);
    const sliced = [steps, short].map(({ out }) =>
      printModule(unwrap(runSchedule(read(out), read(two), { registry })).module, { registry }),
    );
    expect(sliced[0]).toBe(sliced[1]);
    expect(sliced[0]).toContain('{microkernel}');
  });

  it('plans for a target, with the edges that are asked for', async () => {
    const path = fileWith(payload('1x3x9x9', '40x3x3x3', '1x40x7x7'));
    const { out } = await schedule(path, '--target', 'avx512', '--edges', 'small', '--short');
    const { windows, filters } = targetNamed('avx512').microkernel;
    expect(out).toMatch(new RegExp(`edges = "small".*mk_info = \\[${windows}, ${filters}\\]`));
  });

  it('plans for this machine', async () => {
    const { code, out } = await schedule(fileWith(payload()), '--target', 'host');
    expect([code, out]).toEqual([0, expect.stringContaining('@__transform_main')]);
  });

  it('prints a schedule of nothing for a payload without convolutions', async () => {
    const { code, out } = await schedule(fileWith('module {}'));
    expect([code, out]).toEqual([0, expect.stringContaining('__transform_main')]);
  });

  it.each([
    ['a convolution that cannot be sliced', payload('?x3x9x9'), 'sconv/dynamic-shape'],
    ['a payload that is none', 'func', 'parse/'],
  ])('fails at %s', async (_, text, code) => {
    const result = await schedule(fileWith(text));
    expect(result).toMatchObject({ code: 1, out: '' });
    expect(result.err).toContain(`[${code}`);
  });

  it.each([
    [['--target', 'vax'], /no target 'vax'; there are/],
    [['--edges', 'padded'], /no kind of edges 'padded'; there are/],
  ])('refuses %j', async (words, message) => {
    const { code, err } = await schedule(fileWith(payload()), ...words);
    expect(code).toBe(2);
    expect(err).toMatch(message);
  });
});
