/** `sconv bench --models`, whose processes are made up. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { RunApart } from '../../src/bench/bench-models.ts';
import type { ModelsOptions } from '../../src/commands/bench-models.ts';
import { benchModelFiles } from '../../src/commands/bench-models.ts';
import { main } from '../../src/sconv.ts';
import { capture, temporaryFolder } from '../support/capture.ts';
import { rectifierFile, withOnnxruntime } from '../support/onnxruntime.ts';

const options: ModelsOptions = {
  models: ['a.onnx'],
  compare: 'onnxruntime-web',
  peersFrom: ['.'],
  target: 'wasm',
  starts: 3,
  samples: 7,
};

/** What processes say that take these milliseconds a call, and their runtime twice or four times as long. */
const processes = (...milliseconds: readonly number[]) => {
  const asked: (readonly string[])[] = [];
  const run: RunApart = (words) => {
    const call = (milliseconds[asked.length] ?? 1) / 1000;
    const factor = words[1]!.endsWith('b.onnx') ? 4 : 2;
    asked.push(words);
    const peer = {
      name: 'onnxruntime-web',
      version: '1.2.3',
      loadSeconds: 300 * call,
      firstCallSeconds: 3 * call,
      seconds: factor * call,
      ratio: factor,
      differences: [{ difference: 1e-7 }, { difference: factor === 4 ? null : 3e-7 }],
      agrees: factor === 2,
    };
    const document = {
      loadSeconds: 200 * call,
      firstCallSeconds: 20 * call,
      seconds: call,
      peer,
      profile: null,
    };
    return Promise.resolve({ out: JSON.stringify(document), err: '' });
  };
  return { asked, run };
};

const bench = async (
  given: Partial<ModelsOptions>,
  run: RunApart,
  signal: AbortSignal = new AbortController().signal,
) => {
  let [out, err] = ['', ''];
  const code = await benchModelFiles(
    { ...options, ...given },
    { out: (text) => (out += text), err: (text) => (err += text), isTerminal: false },
    signal,
    run,
  );
  return { code, out, err };
};

it('has the medians of the processes of each model', async () => {
  const markdown = join(temporaryFolder(), 'figures.md');
  const { asked, run } = processes(5, 3, 4, 1, 1, 1);
  const { code, out } = await bench({ models: ['x/a.onnx', 'b.onnx'], markdown }, run);
  // The second is off.
  expect(code).toBe(1);
  expect(asked).toHaveLength(6);
  expect(asked[0]).toEqual(
    'run x/a.onnx --json --target wasm --repeat 7 --compare onnxruntime-web --peers-from .'.split(' '),
  );
  expect(out.slice(out.indexOf('model  '))).toBe(
    `model           load  first call  a call  onnxruntime-web: load  first call  a call  ratio  off by
a               800   80.0        4.00    1200                   12.0        8.00    2.00   3.0e-7
b               200   20.0        1.00    300                    3.00        4.00    4.00   infinite !
geometric mean                                                                       2.83
`,
  );
  expect(out).toContain('medians of 3 processes of each side');
  expect(out).toContain('onnxruntime-web 1.2.3');
  expect(readFileSync(markdown, 'utf8')).toContain(
    '| a | 800 | 80.0 | 4.00 | 1200 | 12.0 | 8.00 | 2.00 | 3.0e-7 |',
  );
});

it('has them as JSON, with each process', async () => {
  const { out } = await bench({ starts: 2, json: true }, processes(1, 3).run);
  expect(JSON.parse(out)).toMatchObject({
    conditions: { target: 'wasm', peer: 'onnxruntime-web', starts: 2, samples: 7 },
    interrupted: false,
    geometricMean: 2,
    models: [
      {
        model: 'a.onnx',
        failed: null,
        loadSeconds: 0.4,
        seconds: 0.002,
        peer: { version: '1.2.3', seconds: 0.004, ratio: 2, difference: 3e-7, agrees: true },
        starts: [{ seconds: 0.001 }, { seconds: 0.003 }],
      },
    ],
  });
});

it('goes on after a model that fails', async () => {
  const { run } = processes(1);
  const failing: RunApart = (words, signal) =>
    words[1] === 'a.onnx'
      ? Promise.resolve({ out: '{ "diagnostics": [{ "code": "onnx/malformed" }] }', err: 'it is cut\n' })
      : words[1] === 'c.onnx'
        ? Promise.resolve({ out: '', err: 'killed\n' })
        : run(words, signal);
  const models = ['a.onnx', 'c.onnx', 'd.onnx'];
  const { code, out, err } = await bench({ models, starts: 1 }, failing);
  expect(code).toBe(1);
  expect(err).toBe('it is cut\nc.onnx: its process failed\nkilled\n');
  expect(out).toMatch(/^a +failed +- /m);
  expect(out).toMatch(/^geometric mean +2\.00$/m);
  const json = await bench({ models, starts: 1, json: true }, failing);
  expect(JSON.parse(json.out)).toMatchObject({
    models: [{ failed: [{ code: 'onnx/malformed' }] }, { failed: [] }, { failed: null }],
  });
});

it('has the models that were finished where it is interrupted', async () => {
  const controller = new AbortController();
  const { run } = processes(1, 1);
  const interrupted: RunApart = (words, signal) => {
    if (words[1] === 'b.onnx') controller.abort();
    return run(words, signal);
  };
  const models = ['a.onnx', 'b.onnx', 'c.onnx'];
  const { out } = await bench({ models, starts: 1, json: true }, interrupted, controller.signal);
  expect(JSON.parse(out)).toMatchObject({ interrupted: true, models: [{ model: 'a.onnx' }] });
});

it('gives each model the sizes that it has an input for', async () => {
  const { asked, run } = processes(1);
  const sizes = { x: [2, 3], other: [1] };
  await bench({ models: [rectifierFile()], sizes, starts: 1, tolerance: 0.1 }, run);
  expect(asked[0]?.slice(-4)).toEqual(['--tolerance', '0.1', '--sizes', 'x=2x3']);
  const missing = await bench({ models: ['no-such.onnx'], sizes }, run);
  expect(missing).toMatchObject({ code: 1, err: expect.stringContaining('sconv/cannot-read') as string });
});

it('runs models in processes', async () => {
  const words = ['--sizes', 'x=2x3', '--starts', '1', '--samples', '1', '--json'];
  const beside = ['--compare', 'onnxruntime-web', '--peers-from', withOnnxruntime()];
  const { code, out } = await capture(main, 'bench', '--models', rectifierFile(), ...words, ...beside);
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({
    models: [{ peer: { version: '9.8.7', difference: 0, agrees: true } }],
  });
});

it.each([
  ['another runtime', ['--models', 'a.onnx', '--compare', 'onnxruntime'], "no runtime 'onnxruntime'"],
  ['a payload with models', ['a.mlir', '--models', 'a.onnx'], '--models goes without a payload only'],
  [
    'shapes with models',
    ['--models', 'a.onnx', '--shapes', 'figure-8'],
    '--shapes goes without a payload only',
  ],
  ['a picture of models', ['--models', 'a.onnx', '--svg', 'a.svg'], '--svg goes without --models only'],
  ['sizes without models', ['--sizes', 'x=1'], '--sizes goes with --models only'],
  ['starts of a payload', ['a.mlir', '--starts', '2'], '--starts goes with --models only'],
])('%s is bad usage', async (_, words, message) => {
  const { code, err } = await capture(main, 'bench', ...words);
  expect(code).toBe(2);
  expect(err).toContain(message);
});
