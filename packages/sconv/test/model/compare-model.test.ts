import { expect, it, onTestFinished } from 'vitest';
import { relativeDifference } from '../../src/model/compare-model.ts';
import { main } from '../../src/sconv.ts';
import type { Captured } from '../support/capture.ts';
import { capture, temporaryFolder } from '../support/capture.ts';
import { improbableFile, rectifierFile, withOnnxruntime } from '../support/onnxruntime.ts';

const compare = (folder: string, ...words: readonly string[]) =>
  compareFile(rectifierFile(), folder, ...words);

const compareFile = (file: string, folder: string, ...words: readonly string[]): Promise<Captured> =>
  capture(
    main,
    ...['run', file, '--sizes', 'x=2x3', '--compare', 'onnxruntime-web', '--peers-from', folder],
    ...['--repeat', '2', ...words],
  );

it('compares the outputs and the times of a model with another runtime', async () => {
  const { code, out } = await compare(withOnnxruntime(), '--json');
  expect(code).toBe(0);
  const { peer, loadSeconds, firstCallSeconds, seconds } = JSON.parse(out) as Record<string, never>;
  expect(peer).toEqual({
    name: 'onnxruntime-web',
    version: '9.8.7',
    loadSeconds: expect.any(Number) as number,
    firstCallSeconds: expect.any(Number) as number,
    seconds: expect.any(Number) as number,
    least: expect.any(Number) as number,
    greatest: expect.any(Number) as number,
    samples: 2,
    ratio: expect.any(Number) as number,
    differences: [{ output: 'y', difference: 0 }],
    tolerance: 1e-4,
    agrees: true,
  });
  for (const each of [loadSeconds, firstCallSeconds, seconds]) expect(each).toBeGreaterThan(0);
});

it('fails where an output is off by more than is allowed', async () => {
  // The largest element of the data is 4.
  const folder = withOnnxruntime('(x) => (x > 3 ? x : Math.max(x, 0) + 0.04)');
  const { code, out } = await compare(folder);
  expect(code).toBe(1);
  expect(out).toContain("  outputs     FAILED: 'y' is off by 0.010, 0.0001 is allowed");
  expect(await compare(folder, '--tolerance', '0.011')).toMatchObject({
    code: 0,
    out: expect.stringContaining('  outputs     agree: off by 0.010,') as string,
  });
});

it('takes probabilities as shares of 1, as all may be close to 0', async () => {
  // Of numbers up to 4.
  const folder = withOnnxruntime('(x) => 1 / (1 + Math.exp(40 - x)) + 3e-9');
  const { code, out } = await compareFile(improbableFile(), folder, '--json');
  const { peer } = JSON.parse(out) as {
    readonly peer: { readonly differences: readonly { difference: number }[] };
  };
  expect(code).toBe(0);
  expect(peer.differences[0]!.difference).toBeCloseTo(3e-9, 10);
});

it.each([
  ['is not installed', temporaryFolder, 'run/no-peer', 'npm install onnxruntime-web'],
  ['runs no such model', () => withOnnxruntime('(x) => no.such'), 'run/peer-failed', '--verbose'],
])('says what to do where it %s', async (_, folder, code, message) => {
  const { code: exit, err, out } = await compare(folder(), '--json');
  expect(exit).toBe(1);
  expect(err).toContain(message);
  expect(err).not.toContain('no is not defined');
  expect(JSON.parse(out)).toMatchObject({ diagnostics: [{ code }] });
});

it.each([
  ['equal', [1, -2], [1, -2], 0],
  ['off by a share of the largest', [1, -2], [1.5, -4], 0.5],
  ['NaN in both', [NaN, 1], [NaN, 1], 0],
  ['NaN in one', [NaN, 1], [0, 1], Infinity],
  ['infinite in both', [Infinity, 1], [Infinity, 2], 0.5],
  ['infinite in one', [Infinity, 1], [3, 1], Infinity],
  ['of other sizes', [1], [1, 1], Infinity],
  ['not zero where all should be', [1e-9], [0], Infinity],
  ['long integers', BigInt64Array.of(6n), BigInt64Array.of(8n), 0.25],
])('the difference of arrays: %s', (_, found, expected, difference) => {
  expect(relativeDifference(found, expected)).toBe(difference);
});

it.each([
  [['a.mlir'], '--compare goes with a model (.onnx) only'],
  [['a.onnx', '--emulate'], '--compare cannot be given with --emulate'],
  [['a.onnx', '--threads', '2'], '--compare cannot be given with --threads'],
])('%j cannot be compared', async (words, message) => {
  const { code, err } = await capture(main, 'run', ...words, '--compare', 'onnxruntime-node');
  expect(code).toBe(2);
  expect(err).toContain(`error: ${message}`);
});

it('says that the other runtime cannot be started where no process can', async () => {
  const { execPath } = process;
  process.execPath = '/no-such-folder/node';
  onTestFinished(() => {
    process.execPath = execPath;
  });
  const { code, out, err } = await compare(withOnnxruntime());
  expect({ code, out, err }).toMatchObject({
    code: 1,
    err: expect.stringContaining('[run/peer-failed]') as string,
  });
});
