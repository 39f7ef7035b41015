import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mapSuccess } from '@sconv/diagnostics';
import { wasmBackend } from '@sconv/wasm';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { main } from '../src/sconv.ts';
import type { Captured } from './support/capture.ts';
import { capture, failsLater, fileWith, payload, slicing, temporaryFolder } from './support/capture.ts';
import { isThorough } from './support/thorough.ts';

const bench = (...words: readonly string[]): Promise<Captured> => capture(main, 'bench', ...words);
const small = ['--peers', 'none', '--samples', '1'] as const;

interface Document {
  readonly interrupted: boolean;
  readonly conditions: { readonly padding: string; readonly missing: readonly unknown[] };
  readonly groups: readonly {
    readonly set: string;
    readonly filters: string | null;
    readonly rows: readonly {
      readonly shape: { readonly text: string } | null;
      readonly sides: readonly { readonly name: string; readonly how: string; readonly ratio: unknown }[];
      readonly failed: readonly unknown[];
    }[];
  }[];
}

const document = ({ out }: Captured): Document => JSON.parse(out) as Document;

describe('shapes', () => {
  it('may be matrix products, measured apart from convolutions, with all operands as arguments', async () => {
    const words = ['--shapes', '5x7x9', '1x3x9x9,5x3x3x3', '--json'];
    const { groups } = document(await bench(...words, ...small));
    expect(groups).toMatchObject([
      { set: '', filters: 'bound', rows: [{ name: '' }] },
      { set: '', filters: null, rows: [{ name: '5x7x9', shape: null, flop: 2 * 5 * 7 * 9 }] },
    ]);
  });
  it('are measured, and reported as text', async () => {
    const { code, out, err } = await bench('--shapes', '1x3x9x9,5x3x3x3', ...small);
    expect({ code, err }).toEqual({ code: 0, err: '1 shape, 1 side: about 1 min\n' });
    expect(out).toMatch(/^name +shape +MFLOP +flop per byte +plan +sconv +GFLOP\/s +of peak$/m);
    expect(out).toMatch(/^ +1x3x9x9,5x3x3x3 +0\.01 +[\d.]+ +[IW]S \d+x\d+ .* \d\.\d\d, bw \d\.\d\d$/m);
  });
  it('are measured with filters bound and as arguments, padding included or applied', async () => {
    const shape = '1x2x7x7,4x2x3x3,p1';
    const included = document(await bench('--shapes', shape, '--filters', 'both', '--json', ...small));
    expect(included.groups.map(({ filters }) => filters)).toEqual(['bound', 'arguments']);
    const texts = ({ groups }: Document) => groups.flatMap(({ rows }) => rows.map((row) => row.shape?.text));
    expect(texts(included)).toEqual(['1x2x9x9,4x2x3x3', '1x2x9x9,4x2x3x3']);
    const applied = document(await bench('--shapes', shape, '--padding', 'applied', '--json', ...small));
    expect(texts(applied)).toEqual([shape]);
    expect(applied.groups[0]?.rows[0]?.failed).toEqual([]);
  });
  it.runIf(isThorough)('are measured with groups', async () => {
    const { groups } = document(await bench('--shapes', '1x6x8x8,8x3x3x3,g2', '--json', ...small));
    expect(groups[0]?.rows[0]).toMatchObject({ shape: { text: '1x6x8x8,8x3x3x3,g2' }, failed: [] });
  });
  it.runIf(isThorough)('are measured with relaxed SIMD beside it', async () => {
    const { groups } = document(await bench('--shapes', '1x3x9x9,5x3x3x3', '--relaxed', '--json', ...small));
    expect(groups[0]?.rows[0]?.sides).toMatchObject([
      { name: 'sconv', ratio: null },
      { name: 'sconv relaxed', ratio: { samples: 1 } },
    ]);
  });
  it.runIf(isThorough)('are measured on several threads beside one', async () => {
    const words = ['--shapes', '1x16x32x32,16x16x3x3', '--threads', '2', '--filters', 'both', '--json'];
    const { groups } = document(await bench(...words, ...small));
    expect(groups.map(({ filters }) => filters)).toEqual(['bound', 'arguments']);
    for (const { rows } of groups) {
      expect(rows[0]).toMatchObject({
        failed: [],
        sides: [
          { name: 'sconv', ratio: null },
          { name: 'sconv, 2 threads', peakShare: null, ratio: { samples: 1 } },
        ],
      });
    }
  });
  it.runIf(isThorough)('are measured in processor time', async () => {
    const { out } = await bench('--shapes', '1x3x4x4,2x3x3x3', '--clock', 'processor', ...small);
    expect(out).toMatch(/^processor time, medians of 1 sample/m);
  });
  it('are drawn, and written as Markdown', async () => {
    const folder = temporaryFolder();
    const [picture, page] = [join(folder, 'bench.svg'), join(folder, 'bench.md')];
    await bench('--shapes', '1x3x9x9,5x3x3x3', '--markdown', page, '--svg', picture, ...small);
    expect(readFileSync(page, 'utf8')).toContain(
      '| name | shape | MFLOP | flop per byte | plan | sconv | GFLOP/s | of peak |',
    );
    expect(readFileSync(picture, 'utf8')).toMatch(/^<svg .*<\/svg>\n$/s);
  });
  it('that were finished before an interrupt are reported', async () => {
    let out = '';
    const code = await main(['bench', '--json', ...small], {
      out: (text) => (out += text),
      // Reported before the first one is measured.
      err: () => process.emit('SIGINT'),
      isTerminal: false,
    });
    expect({ code, listeners: process.listenerCount('SIGINT') }).toEqual({ code: 130, listeners: 0 });
    expect(JSON.parse(out)).toMatchObject({ interrupted: true, groups: [] });
  });
  it('say which peers are missing', async () => {
    const folder = temporaryFolder();
    const words = ['--peers', 'onnxruntime-web', '--peers-from', folder, '--samples', '1', '--json'];
    const { conditions } = document(await bench('--shapes', '1x3x4x4,2x3x3x3', ...words));
    expect(conditions.missing).toEqual([{ name: 'onnxruntime-web', reason: `not installed in ${folder}` }]);
  });
  it('are a failure where the picture cannot be written', async () => {
    const result = await bench(
      '--shapes',
      '1x3x4x4,2x3x3x3',
      '--svg',
      join(temporaryFolder(), 'no', 'x.svg'),
      ...small,
    );
    expect(result).toMatchObject({ code: 1 });
    expect(result.err).toMatch(/sconv\/cannot-write/);
  });
});

describe('a payload', () => {
  it('is measured with the plan of the target', async () => {
    const { code, out } = await bench(fileWith(payload()), '--samples', '1');
    expect(code).toBe(0);
    expect(out).toMatch(/@conv +1x3x9x9,5x3x3x3 /);
  });
  it('is measured under two schedules', async () => {
    const [first, second] = [fileWith(slicing()), fileWith(slicing('mk_info = [8, 2]'))];
    const words = ['--schedule', first, '--compare', second, '--samples', '2', '--json'];
    const result = await bench(fileWith(payload()), ...words);
    expect(result.code).toBe(0);
    expect(result.err.match(/warning: .*/g)).toEqual([
      expect.stringContaining('a microkernel of 4x2 runs at about 45 %') as string,
      expect.stringContaining('a microkernel of 8x2 runs at about 77 %') as string,
    ]);
    expect(document(result).groups).toMatchObject([
      {
        filters: null,
        rows: [
          {
            sides: [
              { name: first, how: expect.stringContaining('4x2') as string, ratio: null },
              { name: second, how: expect.stringContaining('8x2') as string, ratio: { samples: 2 } },
            ],
            failed: [],
          },
        ],
      },
    ]);
  });
  it.runIf(isThorough)('may be compared with itself', async () => {
    const script = fileWith(slicing());
    const words = ['--schedule', script, '--compare', script, '--samples', '1', '--json'];
    const { groups } = document(await bench(fileWith(payload()), ...words));
    expect(groups[0]?.rows[0]?.sides.map(({ name }) => name)).toEqual([script, `${script} again`]);
  });
  it('is given up with its code, whether it is measured or not', async () => {
    const load = wasmBackend.load.bind(wasmBackend);
    const artifacts = { loaded: 0, disposed: 0 };
    const spy = vi.spyOn(wasmBackend, 'load').mockImplementation(async (emitted, options) =>
      mapSuccess(await load(emitted, options), (artifact) => {
        artifacts.loaded += 1;
        const dispose = (): void => {
          artifacts.disposed += 1;
          artifact.dispose();
        };
        return { ...artifact, dispose };
      }),
    );
    onTestFinished(() => {
      spy.mockRestore();
    });
    const [script, bad] = [fileWith(slicing()), fileWith('module {}')];
    await bench(fileWith(payload()), '--schedule', script, '--compare', script, '--samples', '1');
    expect(artifacts).toEqual({ loaded: 2, disposed: 2 });
    await bench(fileWith(payload()), '--schedule', script, '--compare', bad);
    await bench(fileWith(failsLater));
    expect(artifacts).toEqual({ loaded: 4, disposed: 4 });
  });
  it.each([
    ['that is not there', ['no-such.mlir'], 'sconv/cannot-read'],
    ['with a schedule that is not there', [fileWith, '--compare', 'no-such.mlir'], 'sconv/cannot-read'],
    ['without functions', ['-empty'], 'run/no-function'],
    ['that fails in a later call', ['-later'], 'wasm/division-by-zero'],
  ] as const)('%s is a failure', async (_, words, code) => {
    const texts: Readonly<Record<string, string>> = { '-empty': 'module {}', '-later': failsLater };
    const given = words.map((word) => {
      if (typeof word === 'function') return word(payload());
      return texts[word] === undefined ? word : fileWith(texts[word]);
    });
    const result = await bench(...given, '--json');
    expect(result.code).toBe(1);
    expect(JSON.parse(result.out)).toMatchObject({ diagnostics: [{ code }] });
  });
});

it.each([
  [
    'an unknown set',
    ['--shapes', 'figure-9'],
    "no set of shapes 'figure-9'; there are figure-8, convbench, products; did you mean 'figure-8'?",
  ],
  ['a bad shape', ['--shapes', '1x3x9x9'], '--shapes: filters'],
  [
    'a product of nothing',
    ['--shapes', '128x0x64'],
    '--shapes: 128x0x64: the sizes of a product are at least 1',
  ],
  ['a shape that does not fit', ['--shapes', '1x3x2x2,4x3x3x3'], '--shapes: filterHeight'],
  ['groups that do not fit', ['--shapes', '1x4x9x9,4x3x3x3,g2'], '3 channels a filter, but the input has 4'],
  ['another element type', ['--shapes', '1x4x9x9,4x4x3x3,f64'], 'only f32 is measured'],
  ['an unknown peer', ['--peers', 'onnxruntime'], "no peer 'onnxruntime'"],
  ['an unknown clock', ['--clock', 'sundial'], "no clock 'sundial'"],
  ['no samples', ['--samples', '0'], 'a number from 1 to 999999'],
  ['the standard input twice', ['-', '--compare', '-'], 'the standard input, -, can be one file only'],
  ['a schedule without a payload', ['--schedule', 'a.mlir'], '--schedule goes with a payload only'],
  [
    'a comparison without a payload',
    ['--compare', 'a.mlir'],
    '--compare goes with a payload or --models only',
  ],
  ['a function without a payload', ['--function', 'f'], '--function goes with a payload only'],
  ['shapes with a payload', ['a.mlir', '--shapes', 'figure-8'], '--shapes goes without a payload only'],
  ['threads with a payload', ['a.mlir', '--threads', '2'], '--threads goes without a payload only'],
  [
    'processor time of threads',
    ['--threads', '2', '--clock', 'processor'],
    '--clock processor cannot time --threads',
  ],
  ['a use of filters with a payload', ['a.mlir', '--filters', 'both'], '--filters goes without a payload'],
  ['the default, given', ['a.mlir', '--filters', 'bound'], '--filters goes without a payload only'],
  ['padding with a payload', ['a.mlir', '--padding', 'applied'], '--padding goes without a payload only'],
  ['peers with a payload', ['a.mlir', '--peers', 'none'], '--peers goes without a payload only'],
  ['a place of peers with a payload', ['a.mlir', '--peers-from', '.'], '--peers-from goes without a'],
  ['relaxed SIMD with a payload', ['a.mlir', '--relaxed'], '--relaxed goes without a payload only'],
])('%s is bad usage', async (_, words, message) => {
  const { code, out, err } = await bench(...words);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toContain(message);
});
