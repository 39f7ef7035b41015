/**
 * Two threads against two instances of one thread each:
 *
 *   node tools/bench/threads.mjs [--threads N] [--target NAME] [--json]
 *
 * For ST's Listing 1 and larger network layers: multiply-adds per second of one artifact on N threads, and of N
 * single-threaded artifacts running concurrently, each in its own worker. Both loop for a while, interleaved, with
 * filters bound; figures are medians of the turns, ratios are per turn. Results are compared bit for bit. Last: the
 * overhead of a parallel loop with empty iterations over one thread, which `partsForThreads` accounts for.
 *
 * Exits with 1 if results differ. Needs the packages built (`npm run prepare`).
 */
import { parentPort, Worker, isMainThread, workerData } from 'node:worker_threads';
import { targets, wasm } from '@sconv/targets';
import {
  compileConvolutionAsync,
  compileModule,
  defaultRegistry,
  integerData,
  parseModule,
  unwrap,
} from 'sconv';
import { nodeBackends, nodeWorkers } from 'sconv/node';
import { median } from '../../packages/sconv/dist/bench/statistics.js';
import { choiceOf, commandLine, numberOf } from '../command-line.mjs';

const layers = {
  'Listing 1: 1x32x152x152, 256x32x3x3, s2': {
    input: [1, 32, 152, 152],
    filters: [256, 32, 3, 3],
    strides: [2, 2],
  },
  'ResNet conv2: 1x64x58x58, 64x64x3x3': { input: [1, 64, 58, 58], filters: [64, 64, 3, 3] },
  'ResNet conv3: 1x128x30x30, 128x128x3x3': { input: [1, 128, 30, 30], filters: [128, 128, 3, 3] },
  'ResNet conv5: 1x512x9x9, 512x512x3x3': { input: [1, 512, 9, 9], filters: [512, 512, 3, 3] },
  'VGG conv2: 1x64x226x226, 64x64x3x3': { input: [1, 64, 226, 226], filters: [64, 64, 3, 3] },
  'pointwise, batch 4: 4x256x28x28, 512x256x1x1': { input: [4, 256, 28, 28], filters: [512, 256, 1, 1] },
};

const milliseconds = 200;
const turns = 15;

const count = (sizes) => sizes.reduce((product, size) => product * size, 1);
/** Fractions, whose sums depend on the order. */
const data = (length, seed) => integerData(length, seed).map((value, i) => value * 0.1 + Math.sin(i));

/** A convolution on the artifact's own arrays: nothing is copied. */
const prepare = async ({ target: name, ...spec }, options) => {
  const target = targets.find((each) => each.name === name) ?? wasm;
  const compiled = await compileConvolutionAsync({ ...spec, target, backends: nodeBackends, ...options });
  const [input, filters] = [data(count(spec.input), 1), data(count(spec.filters), 2)];
  const own = compiled.artifact.allocate('f32', input.length);
  own.set(input);
  const output = compiled.artifact.allocate('f32', count(compiled.output));
  const bound = compiled.artifact.bind('convolve', { 1: filters });
  return { compiled, output, run: () => bound.run(own, output), runAsync: () => bound.runAsync(own, output) };
};

/** Runs per second, over a while. */
const looped = async (run) => {
  const start = performance.now();
  let runs = 0;
  let now = start;
  for (; now - start < milliseconds; now = performance.now()) {
    await run();
    runs += 1;
  }
  return runs / ((now - start) / 1000);
};

const instance = async () => {
  const { output, run } = await prepare(workerData, {});
  run();
  parentPort.postMessage({ output: output.slice() });
  run();
  parentPort.on('message', async () => {
    const start = performance.now();
    let runs = 0;
    let now = start;
    for (; now - start < milliseconds; now = performance.now()) {
      run();
      runs += 1;
    }
    parentPort.postMessage({ rate: runs / ((now - start) / 1000) });
  });
};

const answer = (worker) => new Promise((resolve) => worker.once('message', resolve));

const compare = async (name, spec, threads) => {
  const workers = Array.from(
    { length: threads },
    () => new Worker(new URL(import.meta.url), { workerData: spec }),
  );
  const [{ output: expected }] = await Promise.all(workers.map(answer));
  const threaded = await prepare(spec, { threads, workers: nodeWorkers });
  await threaded.runAsync();
  const equal = threaded.output.every((value, i) => Object.is(value, expected[i]));
  for (let i = 0; i < 3; i++) await threaded.runAsync();
  const rounds = [];
  for (let turn = 0; turn < turns; turn++) {
    const independent = Promise.all(workers.map(answer));
    for (const worker of workers) worker.postMessage('go');
    const together = (await independent).reduce((sum, { rate }) => sum + rate, 0);
    rounds.push({ together, threaded: await looped(threaded.runAsync) });
  }
  const { batch, filters, inputChannels, filterHeight, filterWidth } = {
    ...threaded.compiled.plan.shape,
    batch: spec.input[0],
    filters: spec.filters[0],
  };
  const [, , height, width] = threaded.compiled.output;
  const multiplyAdds = batch * filters * inputChannels * filterHeight * filterWidth * height * width;
  const giga = (rates) => (median(rates) * multiplyAdds) / 1e9;
  threaded.compiled.dispose();
  await Promise.all(workers.map((worker) => worker.terminate()));
  return {
    name,
    threads,
    gigaMultiplyAdds: giga(rounds.map((round) => round.threaded)),
    summed: giga(rounds.map((round) => round.together)),
    ratio: median(rounds.map((round) => round.threaded / round.together)),
    equal,
    warnings: threaded.compiled.warnings.map(({ message }) => message),
  };
};

/** Microseconds to fork and join threads. */
const forkMicroseconds = async (target, threads) => {
  const text = `func.func @f(%x: memref<${threads}xf32>, %c: f32) {
    scf.forall (%i) in (${threads}) { memref.store %c, %x[%i] : memref<${threads}xf32> }
    return
  }`;
  const payload = unwrap(parseModule(text, { registry: defaultRegistry }));
  const compiled = unwrap(
    await compileModule(payload, { target, threads, backends: nodeBackends, workers: nodeWorkers }),
  );
  const x = compiled.allocate('f32', threads);
  const timed = async (call) => {
    const times = [];
    for (let i = 0; i < 2000; i++) {
      const start = performance.now();
      await call();
      times.push(1000 * (performance.now() - start));
    }
    return median(times);
  };
  const [alone, together] = [
    await timed(() => compiled.run('f', x, 1)),
    await timed(() => compiled.runAsync('f', x, 1)),
  ];
  compiled.dispose();
  return together - alone;
};

if (isMainThread) {
  const { values } = commandLine('[--threads N] [--target NAME] [--json]', {
    threads: { type: 'string', default: '2' },
    target: { type: 'string', default: 'wasm' },
    json: { type: 'boolean', default: false },
  });
  const { json } = values;
  const threads = numberOf('threads', values.threads);
  const target = choiceOf(
    'target',
    values.target,
    targets.map(({ name }) => name),
  );
  const results = [];
  for (const [name, spec] of Object.entries(layers)) {
    const result = await compare(name, { ...spec, target }, threads);
    results.push(result);
    if (json) continue;
    const [rate, summed] = [result.gigaMultiplyAdds, result.summed].map((each) =>
      each.toFixed(2).padStart(6),
    );
    console.log(
      `${name.padEnd(46)} ${rate} G/s on ${threads} threads, ${summed} of ${threads} instances: ${result.ratio.toFixed(2)}` +
        `${result.equal ? ', equal bits' : ', BITS DIFFER'}${result.warnings.map((each) => `\n  ${each}`).join('')}`,
    );
  }
  const fork = await forkMicroseconds(
    targets.find((each) => each.name === target),
    threads,
  );
  if (json) console.log(JSON.stringify({ layers: results, forkMicroseconds: fork }, undefined, 2));
  else console.log(`a fork: ${fork.toFixed(0)} µs`);
  process.exitCode = results.every(({ equal }) => equal) ? 0 : 1;
} else await instance();
