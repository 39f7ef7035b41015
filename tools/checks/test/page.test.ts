/** The library on a page, in a real browser: compiled, with bound filters, on one and on several threads. */
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { bundle } from '../support/bundle.ts';
import { emptyFolder, install } from '../support/folder.ts';
import { closureOf, readPackages } from '../support/packages.ts';
import { hasChromium, reportOf } from '../support/page.ts';

/** ST's Listing 1 on one thread and on two, against a plain loop nest, and a page's warnings about threads. */
const main = `import { compileConvolutionAsync, integerData, referenceConvolution } from 'sconv';

const spec = { input: [1, 32, 152, 152], filters: [256, 32, 3, 3], strides: [2, 2] };
const count = (sizes) => sizes.reduce((product, size) => product * size, 1);
const input = integerData(count(spec.input), 1);
const filters = integerData(count(spec.filters), 2);

/** On this many threads, with bound filters; how often the page's own thread got a turn while it waited. */
const computed = async (threads) => {
  const options = threads === 1 ? {} : { threads, workers: () => new Worker('/worker.js') };
  const compiled = await compileConvolutionAsync({ ...spec, ...options });
  const bound = compiled.bind(filters);
  let turns = 0;
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    turns += 1;
    port2.postMessage(undefined);
  };
  port2.postMessage(undefined);
  const output = await bound.runAsync(input);
  port1.close();
  const again = await bound.runAsync(input);
  const shape = compiled.output;
  const codes = compiled.warnings.map(({ code, message }) => code + ': ' + message);
  const same = output.every((value, i) => value === again[i]);
  compiled.dispose();
  return { output, shape, codes, turns, same };
};

const report = async () => {
  const one = await computed(1);
  const two = await computed(2);
  const { plan } = await compileConvolutionAsync(spec);
  const expected = referenceConvolution(plan.shape, input, filters, new Float32Array(count(one.shape)));
  const wrong = (output) => output.filter((value, i) => value !== expected[i]).length;
  return {
    isolated: crossOriginIsolated,
    elements: expected.length,
    wrong: [wrong(one.output), wrong(two.output)],
    warnings: [one.codes, two.codes],
    same: [one.same, two.same],
    turns: two.turns,
  };
};
const send = (value) => fetch('/report', { method: 'POST', body: JSON.stringify(value) });
report().then(send, (problem) => send({ problem: String(problem) + problem.stack }));`;

const worker = `import { serveWorker } from '@sconv/wasm/worker';
serveWorker(self);`;

interface Report {
  readonly turns: number;
}

describe.skipIf(!hasChromium)('a page in Chromium', () => {
  const folder = emptyFolder(afterAll);
  let [script, workerScript] = ['', ''];
  beforeAll(async () => {
    await install(folder, closureOf('sconv', readPackages()), inject('tarballs'));
    script = await bundle(folder, main);
    workerScript = await bundle(folder, worker);
  });
  const load = async (isolated: boolean): Promise<Report> =>
    JSON.parse(await reportOf({ script, files: { '/worker.js': workerScript }, isolated })) as Report;
  const expected = { elements: 256 * 75 * 75, wrong: [0, 0], same: [true, true] };

  it('computes Listing 1 on one thread and on two, and goes on meanwhile', async () => {
    const report = await load(true);
    expect(report).toMatchObject({ ...expected, isolated: true, warnings: [[], []] });
    expect(report.turns).toBeGreaterThan(0);
  });

  it('takes one thread where it is not isolated, and says so', async () => {
    const single = expect.stringMatching(/^wasm\/single-thread: .*cross-origin isolated$/) as string;
    expect(await load(false)).toMatchObject({ ...expected, isolated: false, warnings: [[], [single]] });
  });
});
