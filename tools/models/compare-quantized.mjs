/**
 * Quantizes ONNX models and compares them with onnxruntime-node: `node tools/models/compare-quantized.mjs MODEL…
 * [--target NAME] [--seed N] [--peers FOLDER]`
 *
 * The form is that of exporters: what layers take and give passes through `QuantizeLinear` and `DequantizeLinear`,
 * uint8 of ranges that onnxruntime computes for seeded inputs; filters are int8 of a scale each. The quantized
 * outputs differ by one step at most, or the exit code is 1.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { readOnnx, writeOnnx } from '@sconv/onnx';
import { findTarget, unwrap } from 'sconv';
import { compileModel } from 'sconv/model';
import { nodeBackends } from 'sconv/node';

const { values: options, positionals: files } = parseArgs({
  allowPositionals: true,
  options: {
    target: { type: 'string', default: 'wasm' },
    seed: { type: 'string', default: '1' },
    peers: { type: 'string', default: join(import.meta.dirname, '../bench') },
  },
});
const target = findTarget(options.target);
if (files.length === 0 || target === undefined) {
  process.stderr.write('usage: compare-quantized.mjs MODEL… [--target NAME] [--seed N] [--peers FOLDER]\n');
  process.exit(2);
}
const ort = createRequire(join(options.peers, 'package.json'))('onnxruntime-node');

const drawn = (/** @type {number} */ length, /** @type {number} */ seed) => {
  let state = seed >>> 0;
  return Float32Array.from({ length }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  });
};
const tensor = (name, dims, dataType, data) => ({
  name,
  dims: dims.map(BigInt),
  dataType,
  rawData: new Uint8Array(data.buffer),
});
const node = (opType, input, output, attribute = []) => ({
  opType,
  name: output,
  input,
  output: [output],
  attribute,
});
const axis = (/** @type {bigint} */ i) => [{ name: 'axis', i, type: 2 }];
const session = (bytes, level) =>
  ort.InferenceSession.create(bytes, {
    graphOptimizationLevel: level,
    intraOpNumThreads: 1,
    logSeverityLevel: 3,
  });
const withGraph = ({ irVersion, opsetImport }, { node: nodes, initializer, input, output }) =>
  writeOnnx({ irVersion, opsetImport, graph: { node: nodes, initializer, input, output } });

/** Filters as int8, and the scale of each. */
const quantizedFilters = ({ dims, rawData }) => {
  const values = new Float32Array(Uint8Array.from(rawData).buffer);
  const filters = Number(dims[0]);
  const length = values.length / filters;
  const scales = Float32Array.from({ length: filters }, (_, i) => {
    const row = values.subarray(i * length, (i + 1) * length);
    return (
      Math.max(
        row.reduce((most, x) => Math.max(most, Math.abs(x)), 0),
        1e-8,
      ) / 127
    );
  });
  return { scales, bytes: Int8Array.from(values, (x, i) => Math.round(x / scales[Math.floor(i / length)])) };
};

/** The quantized model; `ranges` are those of its tensors. */
const quantizedModel = (model, ranges) => {
  const { graph } = model;
  const weights = new Map(graph.initializer.map((each) => [each.name, each]));
  const initializer = new Map();
  const nodes = [];
  const scaleOf = new Map();
  const usersOf = (name) => graph.node.filter(({ input }) => input.includes(name));
  /** What the users of a tensor read. */
  const read = new Map();
  const quantize = (name) => {
    const [low, high] = ranges.get(name);
    const scale = Math.fround((high - low) / 255 || 1e-8);
    initializer.set(`${name}-s`, tensor(`${name}-s`, [], 1, Float32Array.of(scale)));
    initializer.set(`${name}-z`, tensor(`${name}-z`, [], 2, Uint8Array.of(Math.round(-low / scale))));
    nodes.push(node('QuantizeLinear', [name, `${name}-s`, `${name}-z`], `${name}-q`));
    nodes.push(node('DequantizeLinear', [`${name}-q`, `${name}-s`, `${name}-z`], `${name}-d`));
    scaleOf.set(name, scale);
    read.set(name, `${name}-d`);
  };
  for (const { name } of graph.input) if (!weights.has(name)) quantize(name);
  for (const each of graph.node) {
    const given = each.input.map((name) => read.get(name) ?? name);
    if (each.opType === 'Conv') {
      const [from, filters, bias] = each.input;
      const { scales, bytes } = quantizedFilters(weights.get(filters));
      initializer.set(
        `${filters}-q`,
        tensor(`${filters}-q`, weights.get(filters).dims.map(Number), 3, bytes),
      );
      initializer.set(`${filters}-s`, tensor(`${filters}-s`, [scales.length], 1, scales));
      nodes.push(node('DequantizeLinear', [`${filters}-q`, `${filters}-s`], `${filters}-d`, axis(0n)));
      given[1] = `${filters}-d`;
      if (bias !== undefined) {
        const values = new Float32Array(Uint8Array.from(weights.get(bias).rawData).buffer);
        const steps = scales.map((scale) => scale * scaleOf.get(from));
        initializer.set(
          `${bias}-q`,
          tensor(
            `${bias}-q`,
            [steps.length],
            6,
            Int32Array.from(values, (x, i) => Math.round(x / steps[i])),
          ),
        );
        initializer.set(`${bias}-s`, tensor(`${bias}-s`, [steps.length], 1, steps));
        nodes.push(node('DequantizeLinear', [`${bias}-q`, `${bias}-s`], `${bias}-d`, axis(0n)));
        given[2] = `${bias}-d`;
      }
    } else for (const name of each.input) if (weights.has(name)) initializer.set(name, weights.get(name));
    nodes.push({ ...each, input: given });
    const [output] = each.output;
    const users = usersOf(output);
    // Of a convolution and the rectifier after it, the second result is quantized.
    const isJoined = users.length === 1 && users[0].opType === 'Relu';
    if (ranges.has(output) && !isJoined && each.opType !== 'Constant') quantize(output);
  }
  const output = graph.output.map(({ name }) => ({ name: `${name}-q` }));
  return withGraph(model, {
    node: nodes,
    initializer: [...initializer.values()],
    input: graph.input,
    output,
  });
};

let worst = 0;
for (const path of files) {
  const model = unwrap(readOnnx(new Uint8Array(readFileSync(path))));
  const { graph } = model;
  const names = [
    ...new Set(graph.node.filter(({ opType }) => opType !== 'Constant').map(({ output }) => output[0])),
  ];
  const plain = { node: graph.node, initializer: graph.initializer, input: graph.input };
  const all = await session(
    withGraph(model, { ...plain, output: names.map((name) => ({ name })) }),
    'disabled',
  );
  const weights = new Set(graph.initializer.map(({ name }) => name));
  const feeds = Object.fromEntries(
    graph.input
      .filter(({ name }) => !weights.has(name))
      .map(({ name, type }, i) => {
        const sizes = type.tensorType.shape.dim.map(({ value }) => Number(value.value));
        const length = sizes.reduce((product, size) => product * size, 1);
        return [name, new ort.Tensor('float32', drawn(length, Number(options.seed) + i), sizes)];
      }),
  );
  const ranges = new Map();
  for (const [name, { data }] of Object.entries({ ...feeds, ...(await all.run(feeds)) })) {
    if (!(data instanceof Float32Array)) continue;
    let [low, high] = [0, 0];
    for (const x of data) [low, high] = [Math.min(low, x), Math.max(high, x)];
    ranges.set(name, [low, high]);
  }
  await all.release();
  const bytes = quantizedModel(model, ranges);
  const compiled = unwrap(await compileModel(bytes, { target, backends: nodeBackends }));
  const found = await compiled.run(
    Object.fromEntries(compiled.inputs.map(({ name }) => [name, feeds[name].data])),
  );
  compiled.dispose();
  for (const level of ['disabled', 'all']) {
    const peer = await session(bytes, level);
    const expected = await peer.run(feeds);
    for (const [name, { data }] of Object.entries(expected)) {
      const steps = Array.from(data, (value, i) => Math.abs(value - found[name][i]));
      const most = steps.reduce((a, b) => Math.max(a, b), 0);
      const different = steps.filter((step) => step > 0).length;
      worst = Math.max(worst, most);
      console.log(
        `${basename(path)} on ${options.target}, ${name}, beside '${level}': ${most} steps at most, ` +
          `${different} of ${data.length} differ, ${new Set(data).size} values`,
      );
    }
    await peer.release();
  }
}
process.exitCode = worst <= 1 ? 0 : 1;
