/** `examples/model-page` in Chromium: models are dropped on it, and its outputs are those of Node. */
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { unwrap } from '@sconv/diagnostics';
import { compileModel } from 'sconv/model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seededNumbers } from '../../../examples/model-page/src/inputs.ts';
import { output } from '../support/command.ts';
import { emptyFolder } from '../support/folder.ts';
import { blazeFace, loop, squeezeNet } from '../support/models.ts';
import { root } from '../support/packages.ts';
import { hasChromium, reportOf } from '../support/page.ts';

const example = join(root, 'examples/model-page');

const models: Readonly<Record<string, Uint8Array>> = {
  'squeeze.onnx': squeezeNet(),
  'face.onnx': blazeFace(),
  'loop.onnx': loop(),
  'text.onnx': new TextEncoder().encode('This is no model.'),
};

/** In a page around the example: drops files on it, one after the other, and reports what it shows. */
const driver = `const drops = DROPS;
const until = async (condition) => {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
};
const report = async () => {
  await new Promise((resolve) => addEventListener('load', resolve));
  const frame = document.createElement('iframe');
  frame.src = '/page/index.html';
  document.body.append(frame);
  await new Promise((resolve) => frame.addEventListener('load', resolve));
  const page = frame.contentDocument;
  const find = (id) => page.getElementById(id);
  const violations = [];
  page.addEventListener('securitypolicyviolation', (event) => violations.push(event.violatedDirective));
  const stages = new Set();
  new MutationObserver(() => stages.add(find('status').textContent)).observe(find('status'), { childList: true });
  const threads = find('threads');
  if (!threads.disabled) threads.value = '2';
  const shown = [];
  for (const { name, sizes, cancelled } of drops) {
    const bytes = await (await fetch('/models/' + name)).arrayBuffer();
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([bytes], name));
    const drop = new DragEvent('drop', { dataTransfer, cancelable: true });
    frame.contentWindow.dispatchEvent(drop);
    stages.clear();
    let proposal;
    if (sizes !== undefined) {
      await until(() => !find('sizes').hidden);
      const field = find('sizes').querySelector('input');
      proposal = [field.name, field.value, field.labels[0].textContent, page.activeElement === field];
      field.value = sizes;
      find('sizes').requestSubmit();
    }
    if (cancelled) {
      await until(() => /Planning|Compiling|Loading/.test(find('status').textContent));
      find('cancel').click();
    }
    await until(() => find('work').hidden);
    const outputs = [];
    for (const link of page.querySelectorAll('#results a'))
      outputs.push([link.download, [...new Uint8Array(await (await fetch(link.href)).arrayBuffer())]]);
    const cells = (selector) => [...page.querySelectorAll(selector)].map(({ textContent }) => textContent);
    shown.push({
      prevented: drop.defaultPrevented,
      proposal,
      stages: [...stages],
      status: find('status').textContent,
      problems: find('problems').textContent,
      warnings: page.querySelector('#results details')?.textContent,
      times: find('times')?.textContent,
      outputs,
      classes: page.querySelectorAll('#results table')[1]?.rows.length,
      nodes: cells('#profile td:first-child').join(', '),
      shares: cells('#profile td:nth-child(4)').map(parseFloat),
    });
  }
  return { isolated: crossOriginIsolated, isolation: find('isolation').textContent, violations, shown };
};
const send = (value) => fetch('/report', { method: 'POST', body: JSON.stringify(value) });
report().then(send, (problem) => send({ problem: String(problem) + problem.stack }));`;

interface Drop {
  readonly name: string;
  readonly sizes?: string;
  readonly cancelled?: true;
}

/** What the page shows of a file. */
interface Shown {
  readonly proposal?: readonly unknown[];
  readonly stages: readonly string[];
  readonly status: string;
  readonly problems: string;
  readonly warnings?: string;
  readonly times?: string;
  readonly outputs: readonly (readonly [string, readonly number[]])[];
  readonly classes?: number;
  readonly nodes: string;
  readonly shares: readonly number[];
}

/** The outputs that Node computes, as the page gives them. */
const expectedOutputs = async (name: string, shape: readonly number[]) => {
  const model = unwrap(await compileModel(models[name]!, { inputs: { image: shape } }));
  const length = shape.reduce((product, size) => product * size, 1);
  const results = await model.run({ image: seededNumbers(length, 1) });
  model.dispose();
  return Object.entries(results).map(([output, { buffer }]) => [
    `${output}.bin`,
    [...new Uint8Array(buffer)],
  ]);
};

describe.skipIf(!hasChromium)('the page of models', () => {
  const folder = emptyFolder(afterAll);
  let servePage: (folder: string, options: { readonly isolated: boolean }) => RequestListener;
  beforeAll(async () => {
    await output(root, process.execPath, join(example, 'build.mjs'), folder);
    const server: unknown = await import(pathToFileURL(join(example, 'serve.mjs')).href);
    ({ servePage } = server as { servePage: typeof servePage });
  });

  /** Drops files on the page; says what that asks the server for, too. */
  const dropOn = async (isolated: boolean, drops: readonly Drop[]) => {
    const asked = new Set<string>();
    const page = servePage(folder, { isolated });
    const others: RequestListener = (request, response) => {
      const [, start = '', name = ''] = /^\/(page|models)\/(.*)$/.exec(request.url ?? '') ?? [];
      if (start === 'models') response.end(models[name]);
      else {
        asked.add(request.url ?? '');
        request.url = `/${name}`;
        page(request, response);
      }
    };
    const script = driver.replace('DROPS', JSON.stringify(drops));
    const report = JSON.parse(await reportOf({ script, isolated, others })) as { shown: readonly Shown[] };
    return { ...report, asked: [...asked].filter((path) => path !== '/favicon.ico').sort() };
  };

  const files = ['index.html', 'main.js', 'model-worker.js', 'style.css'].map((name) => `/page/${name}`);
  const stages = [
    'Reading: 0.0 of 0.0 MB',
    'Importing',
    'Planning',
    'Compiling',
    'Loading',
    'Profiling, part by part',
    'Done',
  ];

  it('runs a network like SqueezeNet on two threads where it is isolated', async () => {
    const report = await dropOn(true, [
      { name: 'squeeze.onnx', sizes: '1x3x48x48' },
      { name: 'squeeze.onnx', sizes: '1x3x48x48', cancelled: true },
    ]);
    const [ran, cancelled] = report.shown;
    expect(report).toMatchObject({ isolated: true, violations: [] });
    expect(report.asked).toEqual([...files, '/page/thread-worker.js'].sort());
    expect(ran).toMatchObject({
      proposal: ['image', '1x3x224x224', 'image (batch x 3 x height x width) ', true],
      status: 'Done',
      problems: '',
      classes: 6,
    });
    expect(ran!.times).toMatch(/^[\d.]+ ms, median of \d+ calls, by 2 threads\. Ready after /);
    expect(ran!.outputs).toEqual(await expectedOutputs('squeeze.onnx', [1, 3, 48, 48]));
    expect(ran!.nodes).toContain('fire1.squeeze, fire1.squeeze.relu');
    expect(ran!.shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(100, -1);
    expect(cancelled).toMatchObject({ status: 'Cancelled', problems: '', outputs: [], nodes: '' });
  });

  it('runs one like BlazeFace on one thread where it is not, and says so', async () => {
    const report = await dropOn(false, [{ name: 'face.onnx' }, { name: 'text.onnx' }, { name: 'loop.onnx' }]);
    const [ran, text, unknown] = report.shown;
    const alone = 'this page is not cross-origin isolated';
    expect(report).toMatchObject({
      isolated: false,
      isolation: `One thread: ${alone}, so that threads share no memory.`,
      violations: [],
    });
    expect(report.asked).toEqual(files);
    expect(ran).toMatchObject({ status: 'Done', problems: '' });
    expect(ran!.times).toContain(`by one thread: ${alone}. `);
    expect(ran!.warnings).toContain('warning: same.depthwise: this op is not fused');
    expect(ran!.stages).toEqual(expect.arrayContaining(stages));
    expect(ran!.outputs).toEqual(await expectedOutputs('face.onnx', [1, 32, 32, 3]));
    expect(ran!.nodes).toContain('half.pointwise');
    for (const failed of [text, unknown])
      expect(failed).toMatchObject({ status: 'The model does not run', outputs: [], nodes: '' });
    expect(text!.problems).toMatch(/^error: text\.onnx: this is no ONNX model.* \[onnx\/malformed\]$/);
    expect(unknown!.problems).toMatch(/^error: walk: not imported: Loop \[onnx\/unsupported\]/);
  });
});
