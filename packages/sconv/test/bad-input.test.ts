/** User mistakes: each gives a diagnostic at its location and exit code 1, promptly and without a stack. */
import { describe, expect, it } from 'vitest';
import { main as sconv } from '../src/sconv.ts';
import { main as sconvOpt } from '../src/sconv-opt.ts';
import type { Captured } from './support/capture.ts';
import { capture, fileWith, payload, slicing } from './support/capture.ts';

/** A failure with an error in `path` at this line; its message. */
const expectErrorAt = ({ code, out, err }: Captured, path: string, line: number): string => {
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(err).toMatch(/: error: .* \[[\w-]+\/[\w-]+\]$/m);
  expect(err.startsWith(`${path}:${line}:`)).toBe(true);
  expect(err).not.toMatch(/^ +at /m);
  expect(err).not.toContain('internal error');
  return err;
};

const payloads: readonly (readonly [string, string, number, RegExp])[] = [
  ['text that is no MLIR', 'func.func @conv(%a: ', 1, /expected/],
  ['an empty file', '', 1, /no function|empty/],
  ['50 MB of parentheses', '('.repeat(50_000_000), 1, /./],
  ['50 MB of parentheses in lines', '((((((((((((((((\n'.repeat(3_000_000), 1, /./],
  ['10,000 nested types', `func.func private @f(${'tuple<'.repeat(10_000)}`, 1, /./],
  ['a dynamic shape', payload('1x3x?x9'), 2, /static shape/],
  ['sums of 16 bits', payload(undefined, undefined, undefined, 'i16'), 2, /f32/],
  ['a filter larger than the input', payload('1x3x2x2', '5x3x3x3', '1x5x1x1'), 2, /./],
  ['no channels', payload('1x0x9x9', '5x0x3x3', '1x5x7x7'), 2, /./],
  ['no windows', payload('1x3x9x0', '5x3x3x3', '1x5x7x0'), 2, /./],
  ['no filters', payload('1x3x9x9', '0x3x3x3', '1x0x7x7'), 2, /./],
  ['an output that is too large', payload('1x3x9x9', '5x3x3x3', '1x5x8x8'), 2, /./],
];

describe('payloads', () => {
  it.each(payloads)('sconv run: %s', { timeout: 20_000 }, async (_, text, line, message) => {
    const path = fileWith(text);
    const { out, ...rest } = await capture(sconv, 'run', path, '--json');
    expect(expectErrorAt({ ...rest, out: '' }, path, line)).toMatch(message);
    expect(JSON.parse(out)).toMatchObject({
      diagnostics: [{ severity: 'error', location: { file: path, line } }],
    });
  });
  it.each(payloads)('sconv-opt -transform: %s', { timeout: 20_000 }, async (_, text, line) => {
    const [path, schedule] = [fileWith(text), fileWith(slicing(), 'schedule.mlir')];
    const result = await capture(sconvOpt, `-transform=${schedule}`, path);
    // The error stands at the transform op where that is what failed, with a note at the payload.
    const isTransform = result.err.startsWith(schedule);
    expectErrorAt(result, isTransform ? schedule : path, isTransform ? 5 : line);
    expect(result.err).toContain(`${path}:${line}:`);
  });
  it('shows the line', async () => {
    const { err } = await capture(sconv, 'run', fileWith(payload('1x3x?x9')));
    expect(err).toMatch(/\n {2}%0 = linalg\.conv_2d_nchw_fchw .*\n {7}\^\n/);
  });
  it('that are not there', async () => {
    expectErrorAt(await capture(sconv, 'run', 'missing.mlir'), 'missing.mlir', 1);
    expectErrorAt(await capture(sconvOpt, 'missing.mlir'), 'missing.mlir', 1);
  });
});

describe('schedules', () => {
  it.each([
    ['an unknown attribute', slicing('mk_inf = [4, 2]'), 5, /mk_inf/],
    ['an attribute of another type', slicing('mk_info = "4x2"'), 5, /mk_info/],
    ['an unknown schedule', slicing('schedule = "os"'), 5, /"os"/],
    ['a tile of no windows', slicing('mk_info = [0, 8]'), 5, /./],
    ['no entry point', slicing().replace('__transform_main', 'other'), 1, /__transform_main/],
    ['an empty file', '', 1, /empty/],
    ['an op that is no transform', slicing().replace('transform.yield', 'transform.nonsense'), 0, /nonsense/],
  ])('%s', async (_, text, line, message) => {
    const [path, schedule] = [fileWith(payload()), fileWith(text, 'schedule.mlir')];
    const where = line === 0 ? 7 : line;
    const ran = await capture(sconv, 'run', path, '--schedule', schedule);
    expect(expectErrorAt(ran, schedule, where)).toMatch(message);
    const transformed = await capture(sconvOpt, `-transform=${schedule}`, path);
    expect(expectErrorAt(transformed, schedule, where)).toMatch(message);
  });
});
