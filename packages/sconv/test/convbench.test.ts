import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readDatasets } from '../src/convbench/datasets.ts';
import { drawRecords } from '../src/convbench/picture.ts';
import type { Entry } from '../src/convbench/records.ts';
import { printSummary, summarise } from '../src/convbench/summary.ts';
import { main } from '../src/sconv.ts';
import type { Captured } from './support/capture.ts';
import { capture, fileWith, temporaryFolder } from './support/capture.ts';

const convbench = (...words: readonly string[]): Promise<Captured> => capture(main, 'convbench', ...words);

const columns = 'ID,NI,CI,HI,WI,NO,DO,HO,WO,HK,WK,HPTOP,HPBOTTOM,WPLEFT,WPRIGHT,HS,WS,HD,WD,GROUP,BIAS';

/** Rows of which two are the same convolution. */
const rows = [
  '0,1,3,9,9,1,5,7,7,3,3,0,0,0,0,1,1,1,1,1,0',
  '1,1,4,8,8,1,8,8,8,1,1,0,0,0,0,1,1,1,1,1,8',
  '2,1,3,9,9,1,5,7,7,3,3,0,0,0,0,1,1,1,1,1,5',
  '7,2,3,9,9,1,4,9,5,3,3,1,1,1,1,1,2,1,1,1,0',
];

const dataset = (lines = rows): string => fileWith(`${[columns, ...lines].join('\n')}\n`, 'small.csv');

/** The entries of a file, without measurements. */
const checks = (path: string): readonly string[] =>
  readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => {
      const { row, shape, check } = JSON.parse(line) as Entry;
      return `${row} ${shape} ${check}`;
    });

const all = [
  'small:0 1x3x9x9,5x3x3x3 right',
  'small:1 1x4x8x8,8x4x1x1 right',
  'small:2 1x3x9x9,5x3x3x3 right',
  'small:7 2x3x9x9,4x3x3x3,s1x2,p1 right',
];

describe('datasets', () => {
  it.each([
    ['pointwise', 6391, '1x64x64x64,64x64x1x1'],
    ['rectangular', 31, '1x2x8x1,128x2x8x1'],
    ['regular', 1500, '1x3x224x224,2048x3x14x14,s14'],
    ['grouped', 2418, '1x64x64x64,64x32x3x3,p1,g2'],
  ])('%s has %d convolutions', (name, count, first) => {
    const found = readDatasets([name]);
    if (found.status !== 'success') throw new Error('not read');
    expect(found.value).toHaveLength(count);
    expect(found.value[0]?.text).toBe(first);
  });

  it('refuse a row that is no convolution, with its line', async () => {
    const { code, err } = await convbench(dataset([...rows, '8,1,3,2,2,1,5,7,7,3,3,0,0,0,0,1,1,1,1,1,0']));
    expect(code).toBe(1);
    expect(err).toMatch(/small\.csv:6:1: error: .*no convolution of ConvBench.*\[convbench\/row\]/s);
  });
});

describe('sconv convbench', () => {
  it('runs, checks and times each convolution', async () => {
    const [file, picture] = ['all.jsonl', 'all.svg'].map((name) => join(temporaryFolder(), name)) as [
      string,
      string,
    ];
    const { code, out, err } = await convbench(
      dataset(),
      '--output',
      file,
      '--svg',
      picture,
      '--samples',
      '1',
    );
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^small +4 +4 +0 +0 +0 +[\d.]+ +\d\.\d\d \(/m);
    expect(checks(file).toSorted()).toEqual(all);
    expect(readFileSync(picture, 'utf8')).toMatch(/^<svg .*<circle /s);
    const again = await convbench(dataset(), '--output', file);
    expect(again.code).toBe(1);
    expect(again.err).toMatch(/\[convbench\/exists\]/);
  });

  it('goes on with what a process that was killed has left', async () => {
    const file = join(temporaryFolder(), 'killed.jsonl');
    await convbench(dataset(rows.slice(0, 2)), '--resume', file, '--samples', '0');
    appendFileSync(file, '{"row":"small:2","sha');
    const { code } = await convbench(dataset(), '--resume', file, '--samples', '0', '--jobs', '2');
    expect(code).toBe(0);
    expect(checks(file).toSorted()).toEqual(all);
    const other = await convbench(dataset(), '--resume', file);
    expect(other.code).toBe(1);
    expect(other.err).toMatch(/their samples is 0, not 3.*\[convbench\/mixed\]/s);
  });

  it('says of each row that no process could be started', async () => {
    const { execPath } = process;
    process.execPath = '/no-such-folder/node';
    onTestFinished(() => {
      process.execPath = execPath;
    });
    const file = join(temporaryFolder(), 'none.jsonl');
    await convbench(dataset(rows.slice(0, 2)), '--resume', file, '--samples', '0');
    expect(checks(file).map((line) => line.split(' ').at(-1))).toEqual(['failed', 'failed']);
    expect(readFileSync(file, 'utf8')).toContain('its process fails: ');
  });

  it('joins shards to what one run gives', async () => {
    const folder = temporaryFolder();
    const files = [1, 2].map((i) => join(folder, `${i}.jsonl`));
    for (const [i, file] of files.entries())
      await convbench(dataset(), '--shard', `${i + 1}/2`, '--output', file, '--samples', '0');
    // Rows with the same convolution are in one shard.
    expect(files.map((file) => checks(file).length)).toEqual([3, 1]);
    const joined = join(folder, 'joined.jsonl');
    expect((await convbench('--merge', ...files, '--output', joined)).code).toBe(0);
    expect(checks(joined)).toEqual(all);
    const twice = await convbench('--merge', files[0]!, files[0]!);
    expect(twice.err).toMatch(/row small:0 is in another file too.*\[convbench\/twice\]/s);
    writeFileSync(files[1]!, 'nothing\n');
    expect((await convbench('--merge', ...files)).err).toMatch(
      /2\.jsonl:1:1: error: .*\[convbench\/records\]/s,
    );
  });

  it('keeps the processor of each row that is merged, and goes on with no file of another', async () => {
    const folder = temporaryFolder();
    const files = [1, 2, 3].map((i) => join(folder, `${i}.jsonl`)) as [string, string, string];
    for (const [i, file] of files.entries())
      await convbench(dataset([rows[i]!.replace(/^2,1,3/, '2,1,2')]), '--output', file, '--samples', '0');
    const other = (file: string): void => {
      const text = readFileSync(file, 'utf8');
      writeFileSync(file, text.replace(/"cpu":"[^"]*"/, '"cpu":"Another"'));
    };
    other(files[1]);
    const merged = join(folder, 'merged.jsonl');
    const { code, out, err } = await convbench('--merge', ...files.slice(0, 2), '--output', merged, '--json');
    expect(code).toBe(0);
    expect(err).toMatch(
      /1\.jsonl:1:1: warning: the times are of several processors, .*; Another \[convbench\/machines\]/,
    );
    const cpus = (text: string) =>
      (JSON.parse(text) as { rows: readonly Entry[] }).rows.map(({ cpu }) => cpu);
    expect(cpus(out)).toEqual([undefined, 'Another']);
    expect(JSON.parse(out)).toMatchObject({ diagnostics: [{ code: 'convbench/machines' }] });
    expect(cpus((await convbench('--merge', files[2], merged, '--json')).out)).toEqual([
      undefined,
      'Another',
      undefined,
    ]);
    const resumed = await convbench(dataset(), '--resume', files[1], '--samples', '0');
    expect(resumed.code).toBe(1);
    expect(resumed.err).toMatch(/their cpu is Another, not .*\[convbench\/mixed\]/s);
  });

  it.skipIf(!existsSync('/dev/full'))('says where a disk is full', async () => {
    const { code, err } = await convbench(dataset(), '--resume', '/dev/full', '--samples', '0');
    expect(code).toBe(1);
    expect(err).toMatch(/cannot write: ENOSPC.*\[sconv\/cannot-write\]/s);
  });

  it('says what has no code, and goes on', async () => {
    const large = '5,1,70000,1000,1000,1,1,1000,1000,1,1,0,0,0,0,1,1,1,1,1,0';
    const { code, out } = await convbench(dataset([large, ...rows]), '--samples', '0', '--json');
    expect(code).toBe(1);
    const { datasets, rows: entries } = JSON.parse(out) as {
      readonly datasets: readonly unknown[];
      readonly rows: readonly Entry[];
    };
    expect(datasets).toMatchObject([{ dataset: 'small', rows: 5, right: 4, failed: 1 }]);
    expect(entries.find(({ row }) => row === 'small:5')).toMatchObject({ check: 'failed' });
  });

  it.each([
    [['--shard', '3/2'], /a part such as 1\/4/],
    [['--samples', '-1'], /a number from 0/],
    [['--output', 'a', '--resume', 'b'], /give only one of them/],
    [['regular', '--merge', 'a'], /--merge cannot be given with datasets: it runs nothing/],
    [['--merge', 'a', '--resume', 'b'], /--merge cannot be given with --resume: it runs nothing/],
    [['--merge', 'a', '--shard', '1/2'], /--merge cannot be given with --shard: it runs nothing/],
    [['--merge', 'a', '--jobs', '2'], /--merge cannot be given with --jobs: it runs nothing/],
    [['--merge', 'a', '--every', '1'], /--merge cannot be given with --every: it runs nothing/],
    [['--merge', 'a', '--samples', '3'], /--merge cannot be given with --samples: it runs nothing/],
    [['--merge', 'a', '--target', 'wasm'], /--merge cannot be given with --target: it runs nothing/],
  ])('%j is bad usage', async (words, message) => {
    const { code, err } = await convbench(...words);
    expect(code).toBe(2);
    expect(err).toMatch(message);
  });
});

describe('a summary', () => {
  const entries: readonly Entry[] = [
    {
      row: 'a:0',
      shape: 'x',
      check: 'right',
      kernels: ['8x4'],
      gflops: 10,
      peakShare: 0.5,
      seconds: 1,
      predictedCycles: 9,
    },
    { row: 'a:1', shape: 'y', check: 'right', kernels: ['8x4', 'scalar'], gflops: 40, peakShare: 0.9 },
    { row: 'b:0', shape: 'z', check: 'wrong', reason: '3 output pixels' },
  ];
  it('is a line for each dataset', () => {
    expect(printSummary(summarise(entries))).toMatchInlineSnapshot(`
      "dataset  rows  right  wrong  failed  with scalar code  GFLOP/s  of peak
      a        2     2      0      0       1                 20.0     0.70 (0.60-0.80), 0.50 to 0.90
      b        1     0      1      0       0                 -        -
      "
    `);
  });
  it('is drawn, also where nothing was timed', () => {
    expect(drawRecords(entries)).toContain('share of the peak');
    expect(drawRecords(entries.slice(2))).toContain('nothing was timed');
  });
});
