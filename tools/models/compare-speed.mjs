/**
 * Times whole ONNX models beside onnxruntime, by one thread each: `node tools/models/compare-speed.mjs MODEL… [--target NAME]
 * [--input x=1x3x320x320] [--calls N] [--peers FOLDER] [--json]`
 *
 * For a target of WebAssembly beside onnxruntime-web, for others beside onnxruntime-node, at its highest level of optimization. Calls
 * are made in turns, after three of each; the table has medians. Each model is timed in a process of its own.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { readOnnx } from '@sconv/onnx';
import { median } from '@sconv/tuning';
import { findTarget, unwrap } from 'sconv';
import { compileModel } from 'sconv/model';
import { nodeBackends } from 'sconv/node';

const { values: options, positionals: files } = parseArgs({
  allowPositionals: true,
  options: {
    target: { type: 'string', default: 'wasm' },
    input: { type: 'string', multiple: true, default: [] },
    calls: { type: 'string', default: '21' },
    peers: { type: 'string', default: join(import.meta.dirname, '../bench') },
    json: { type: 'boolean', default: false },
    child: { type: 'boolean', default: false },
  },
});
const target = findTarget(options.target);
if (files.length === 0 || target === undefined) {
  process.stderr.write(
    'usage: compare-speed.mjs MODEL… [--target NAME] [--input x=SIZES] [--calls N] [--peers FOLDER] [--json]\n',
  );
  process.exit(2);
}

/** The sizes that are given for inputs that the model has. */
const sizesOf = (/** @type {Uint8Array} */ file) => {
  const names = new Set(unwrap(readOnnx(file)).graph?.input.map(({ name }) => name));
  const given = options.input.map((text) => {
    const at = text.lastIndexOf('=');
    const sizes = text.slice(at + 1).split('x');
    return /** @type {const} */ ([text.slice(0, at), sizes.map(Number)]);
  });
  return Object.fromEntries(given.filter(([name]) => names.has(name)));
};

/** Times one model. */
const timed = async (/** @type {string} */ path) => {
  const file = readFileSync(path);
  const begin = performance.now();
  const model = unwrap(await compileModel(file, { target, backends: nodeBackends, inputs: sizesOf(file) }));
  const compiled = performance.now();
  const given = Object.fromEntries(
    model.inputs.map(({ name, shape }) => {
      const length = shape.reduce((product, size) => product * size, 1);
      return [name, Float32Array.from({ length }, (_, i) => ((i * 2654435761) % 2001) / 1000 - 1)];
    }),
  );
  const ours = () => model.runSync(given);
  ours();
  const first = performance.now();

  const isWasm = target.machine.isa === 'wasm32';
  const ort = createRequire(join(options.peers, 'package.json'))(
    isWasm ? 'onnxruntime-web' : 'onnxruntime-node',
  );
  ort.env.wasm.numThreads = 1;
  const session = await ort.InferenceSession.create(file, {
    graphOptimizationLevel: 'all',
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    logSeverityLevel: 3,
    ...(isWasm ? { executionProviders: ['wasm'] } : {}),
  });
  const feeds = Object.fromEntries(
    model.inputs.map(({ name, shape }) => [name, new ort.Tensor('float32', given[name], shape)]),
  );
  const loaded = performance.now();
  const theirs = () => session.run(feeds);
  await theirs();
  const firstOfTheirs = performance.now();
  for (let i = 0; i < 2; i++) {
    ours();
    await theirs();
  }
  const times = { ours: [], theirs: [] };
  for (let i = 0; i < Number(options.calls); i++) {
    const start = performance.now();
    ours();
    const between = performance.now();
    await theirs();
    times.ours.push(between - start);
    times.theirs.push(performance.now() - between);
  }
  const [own, peer] = [median(times.ours), median(times.theirs)];
  return {
    model: basename(path, '.onnx'),
    target: options.target,
    milliseconds: own,
    peerMilliseconds: peer,
    ratio: peer / own,
    loadMilliseconds: compiled - begin,
    firstCallMilliseconds: first - compiled,
    peerLoadMilliseconds: loaded - first,
    peerFirstCallMilliseconds: firstOfTheirs - loaded,
  };
};

/** Times one model in a process of its own; undefined if that fails, as it has said then. */
const timedApart = (/** @type {string} */ path) => {
  const given = options.input.flatMap((each) => ['--input', each]);
  const { stdout, status } = spawnSync(
    process.execPath,
    [
      ...[
        fileURLToPath(import.meta.url),
        path,
        '--child',
        '--target',
        options.target,
        '--calls',
        options.calls,
      ],
      ...['--peers', options.peers, ...given],
    ],
    { stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8' },
  );
  return status === 0 ? JSON.parse(stdout.trim().split('\n').at(-1)) : undefined;
};

if (options.child) {
  console.log(JSON.stringify(await timed(files[0])));
  // onnxruntime's threads would keep it alive.
  process.exit(0);
}
const all = files.map(timedApart);
const found = all.filter((each) => each !== undefined);
const mean = Math.exp(found.reduce((sum, { ratio }) => sum + Math.log(ratio), 0) / found.length);
if (options.json) console.log(JSON.stringify({ models: found, geometricMean: mean }, undefined, 2));
else {
  const row = (/** @type {readonly string[]} */ cells) => console.log(`| ${cells.join(' | ')} |`);
  row([
    'model',
    'ms',
    'onnxruntime, ms',
    'ratio',
    'ready, ms',
    'first call, ms',
    'theirs ready, ms',
    'first call, ms',
  ]);
  row(['---', '--:', '--:', '--:', '--:', '--:', '--:', '--:']);
  for (const each of found)
    row([
      each.model,
      each.milliseconds.toFixed(2),
      each.peerMilliseconds.toFixed(2),
      each.ratio.toFixed(2),
      each.loadMilliseconds.toFixed(0),
      each.firstCallMilliseconds.toFixed(0),
      each.peerLoadMilliseconds.toFixed(0),
      each.peerFirstCallMilliseconds.toFixed(0),
    ]);
  console.log(`\ngeometric mean of the ratios: ${mean.toFixed(2)}`);
}
process.exitCode = found.length === all.length ? 0 : 1;
