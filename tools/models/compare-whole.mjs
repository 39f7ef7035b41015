/**
 * Compares ONNX models as a whole with onnxruntime-node: `node tools/models/compare-whole.mjs MODEL… [--target NAME]
 * [--input x=1x3x320x320] [--seeds N] [--batches 1,2] [--peers FOLDER]`
 *
 * Outputs are those of the model, and some of the tensors between, so that there are several; before a last Softmax or
 * Sigmoid, which hides differences. `max|d| / max|y|` of each is at most 1e-5, or 4 times what the levels of
 * optimization of onnxruntime differ by, or the exit code is 1. Seeds from 2 have the weights in another order
 * (`vary-model.mjs`), and other inputs.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { readOnnx, writeOnnx } from '@sconv/onnx';
import { findTarget, unwrap } from 'sconv';
import { compileModel } from 'sconv/model';
import { nodeBackends } from 'sconv/node';
import { difference, drawn, variedModel } from './vary-model.mjs';

const { values: options, positionals: files } = parseArgs({
  allowPositionals: true,
  options: {
    target: { type: 'string', default: 'wasm' },
    input: { type: 'string', multiple: true, default: [] },
    seeds: { type: 'string', default: '3' },
    batches: { type: 'string', default: '1,2' },
    peers: { type: 'string', default: path.join(import.meta.dirname, '../bench') },
  },
});
const target = findTarget(options.target);
if (files.length === 0 || target === undefined) {
  process.stderr.write(
    'usage: compare-whole.mjs MODEL… [--target NAME] [--input x=SIZES] [--seeds N] [--batches 1,2] ' +
      '[--peers FOLDER]\n',
  );
  process.exit(2);
}
const ort = createRequire(path.join(options.peers, 'package.json'))('onnxruntime-node');
const levels = ['disabled', 'basic', 'extended', 'all'];
const isLast = new Set(['Softmax', 'Sigmoid']);
/** How many tensors between are outputs. */
const between = 3;

/** The file of a model with other outputs. */
const withOutputs = (file) => {
  const { irVersion, opsetImport, graph } = unwrap(readOnnx(file));
  const { node, initializer, input, output } = graph;
  const byOutput = new Map(node.flatMap((each) => each.output.map((name) => [name, each])));
  const last = output.map(({ name }) => {
    const producer = byOutput.get(name);
    return producer !== undefined && isLast.has(producer.opType) ? producer.input[0] : name;
  });
  const some = node.filter(({ opType }) => opType === 'Relu' || opType === 'Conv' || opType === 'MatMul');
  const shares = Array.from({ length: between }, (_, i) => (i + 1) / (between + 1));
  const names = shares.map((share) => some[Math.floor(share * some.length)].output[0]);
  const outputs = [...new Set([...last, ...names])].map((name) => ({ name }));
  return writeOnnx({ irVersion, opsetImport, graph: { node, initializer, input, output: outputs } });
};

/** The sizes of inputs that the model leaves open, for a batch. */
const sizesFor = (/** @type {number} */ batch) =>
  Object.fromEntries(
    options.input.map((text) => {
      const at = text.lastIndexOf('=');
      const [, ...sizes] = text.slice(at + 1).split('x');
      return [text.slice(0, at), [batch, ...sizes.map(Number)]];
    }),
  );

let failures = 0;
const compare = async (
  /** @type {string} */ name,
  /** @type {number} */ seed,
  /** @type {number} */ batch,
) => {
  const file = withOutputs(variedModel(readFileSync(name), { seed, batch }));
  const compiled = unwrap(
    await compileModel(file, { target, inputs: sizesFor(batch), backends: nodeBackends }),
  );
  const given = compiled.inputs.map(({ name: input, shape }, i) => {
    const length = shape.reduce((product, size) => product * size, 1);
    return { input, shape, data: drawn(length, 10 * seed + i) };
  });
  const found = await compiled.run(Object.fromEntries(given.map(({ input, data }) => [input, data])));
  const shapes = new Map(compiled.outputs.map((output) => [output.name, output.shape.join('x')]));
  compiled.dispose();
  const feeds = Object.fromEntries(
    given.map(({ input, shape, data }) => [input, new ort.Tensor('float32', data, shape)]),
  );
  const runs = [];
  for (const level of levels) {
    const session = await ort.InferenceSession.create(file, {
      graphOptimizationLevel: level,
      intraOpNumThreads: 1,
      logSeverityLevel: 3,
    });
    runs.push(await session.run(feeds));
    await session.release();
  }
  const [plain, ...optimized] = runs;
  for (const [output, { data, dims }] of Object.entries(plain)) {
    const spread = Math.max(...optimized.map((run) => difference(run[output].data, data)));
    const off = dims.join('x') === shapes.get(output) ? difference(found[output], data) : Infinity;
    const isClose = off <= Math.max(1e-5, 4 * spread);
    if (!isClose) failures += 1;
    const distinct = new Set(data).size;
    console.log(
      `${path.basename(name)} on ${target.name}, seed ${seed}, batch ${batch}, ` +
        `${dims.join('x')} (${distinct} values): off by ${off.toExponential(1)}, ` +
        `levels by ${spread.toExponential(1)}${isClose ? '' : ': TOO FAR'}`,
    );
  }
};

for (const name of files)
  for (const batch of options.batches.split(',').map(Number))
    for (let seed = 1; seed <= Number(options.seeds); seed++) await compare(name, seed, batch);
console.log(failures === 0 ? 'all outputs are close enough' : `${failures} outputs are too far off`);
process.exitCode = failures === 0 ? 0 : 1;
