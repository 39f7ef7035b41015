/**
 * Compares mutants of small models with onnxruntime-node: `node tools/models/compare-mutants.mjs [MODEL…] [--count N]
 * [--seed N] [--target NAME] [--natively N] [--peers FOLDER] [--verbose]`
 *
 * A mutant has other pads, strides, dilations, groups, axes, an epsilon, `ceil_mode`, `auto_pad`, another operator
 * set, its nodes in another order, or weights that are inputs of the graph, too. Models are given, or else three that
 * are written here. Each mutant runs on the target, every `--natively`-th on that of `--native`, too. Those that run
 * on both sides agree, or the exit code is 1; what this project refuses is listed by its message.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { parseArgs, TextEncoder } from 'node:util';
import { readOnnx, writeOnnx } from '@sconv/onnx';
import { findTarget, unwrap } from 'sconv';
import { compileModel } from 'sconv/model';
import { nodeBackends } from 'sconv/node';
import { smallModels } from './small-models.mjs';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string', default: '500' },
    seed: { type: 'string', default: '1' },
    target: { type: 'string', default: 'wasm' },
    natively: { type: 'string', default: '5' },
    native: { type: 'string', default: 'avx2' },
    peers: { type: 'string', default: join(import.meta.dirname, '../bench') },
    verbose: { type: 'boolean', default: false },
  },
});
const target = findTarget(options.target);
const native = findTarget(options.native);
if (target === undefined) {
  process.stderr.write(
    'usage: compare-mutants.mjs [MODEL…] [--count N] [--seed N] [--target NAME] [--peers FOLDER]\n',
  );
  process.exit(2);
}
const ort = createRequire(join(options.peers, 'package.json'))('onnxruntime-node');
/** Of the largest output, end to end. */
const limit = 2e-5;

const drawing = (/** @type {number} */ seed) => {
  let state = Math.imul(seed + 1, 0x9e3779b1) >>> 0;
  return (/** @type {number} */ below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
};

const texts = {
  auto_pad: ['SAME_UPPER', 'SAME_LOWER', 'VALID', 'NOTSET'],
  mode: ['nearest', 'linear', 'cubic'],
};
const windowed = new Set(['Conv', 'MaxPool', 'AveragePool', 'ConvTranspose']);
const pooling = new Set(['MaxPool', 'AveragePool']);
const encoder = new TextEncoder();

/** Sets an attribute, be it there or not. */
const setAttribute = (node, attribute) => {
  const found = node.attribute.find(({ name }) => name === attribute.name);
  if (found === undefined) node.attribute.push({ floats: [], ints: [], ...attribute });
  else Object.assign(found, attribute);
};

/** Changes a model; says how. */
const mutations = {
  number(graph, draw) {
    const nodes = graph.node.filter(({ attribute }) => attribute.some(({ ints }) => ints.length > 0));
    const node = nodes[draw(nodes.length)];
    const lists = node.attribute.filter(({ ints }) => ints.length > 0);
    const { name, ints } = lists[draw(lists.length)];
    const at = draw(ints.length);
    const least = name === 'pads' ? 0 : 1;
    ints[at] = BigInt(Math.max(least, Number(ints[at]) + [1, -1, 2][draw(3)]));
    return `${name} of ${node.opType}`;
  },
  scalar(graph, draw) {
    const nodes = graph.node.filter(({ attribute }) =>
      attribute.some(({ type }) => type === 1 || type === 2),
    );
    const node = nodes[draw(nodes.length)];
    const some = node.attribute.filter(({ type }) => type === 1 || type === 2);
    const attribute = some[draw(some.length)];
    if (attribute.type === 1) attribute.f *= [2, 0.5, 10][draw(3)];
    else attribute.i = [-2n, -1n, 0n, 1n, 2n, 3n, 4n][draw(7)];
    return `${attribute.name} of ${node.opType}`;
  },
  window(graph, draw) {
    const nodes = graph.node.filter(({ opType }) => windowed.has(opType));
    const node = nodes[draw(nodes.length)];
    const name = ['dilations', 'strides', 'auto_pad', 'ceil_mode', 'count_include_pad', 'group'][draw(6)];
    if (name === 'auto_pad') {
      node.attribute = node.attribute.filter((each) => each.name !== 'pads');
      setAttribute(node, { name, s: encoder.encode(texts.auto_pad[draw(4)]), type: 3 });
    } else if (name === 'dilations' || name === 'strides')
      setAttribute(node, { name, ints: [BigInt(1 + draw(3)), BigInt(1 + draw(2))], type: 7 });
    else if (name === 'group') {
      if (!pooling.has(node.opType)) setAttribute(node, { name, i: BigInt(1 + draw(4)), type: 2 });
    } else if (pooling.has(node.opType) && (name === 'ceil_mode' || node.opType === 'AveragePool'))
      setAttribute(node, { name, i: BigInt(draw(2)), type: 2 });
    return `${name} of ${node.opType}`;
  },
  removal(graph, draw) {
    const nodes = graph.node.filter(({ attribute }) => attribute.length > 0);
    const node = nodes[draw(nodes.length)];
    const [{ name }] = node.attribute.splice(draw(node.attribute.length), 1);
    return `no ${name} of ${node.opType}`;
  },
  opset(_, draw, model) {
    const version = 7 + draw(16);
    model.opsetImport.forEach((each) => (each.version = BigInt(version)));
    return `operator set ${version}`;
  },
  order(graph, draw) {
    for (let i = graph.node.length - 1; i > 0; i--) {
      const k = draw(i + 1);
      [graph.node[i], graph.node[k]] = [graph.node[k], graph.node[i]];
    }
    return 'order of nodes';
  },
  inputs(graph, draw) {
    const isAll = draw(2) === 0;
    for (const { name, dims, dataType } of graph.initializer)
      if ((isAll || draw(2) === 0) && !graph.input.some((each) => each.name === name))
        graph.input.push({
          name,
          type: {
            tensorType: {
              elemType: dataType,
              shape: { dim: dims.map((value) => ({ value: { case: 'dimValue', value } })) },
            },
          },
        });
    return 'weights as inputs';
  },
};

const plain = (/** @type {import('@sconv/onnx').OnnxModel} */ { irVersion, opsetImport, graph }) => ({
  irVersion,
  opsetImport: opsetImport.map(({ domain, version }) => ({ domain, version })),
  graph: {
    node: graph.node.map(({ opType, name, domain, input, output, attribute }) => ({
      opType,
      name,
      domain,
      input: [...input],
      output: [...output],
      attribute: attribute.map(({ name: each, i, f, s, t, ints, floats, type }) => ({
        ...{ name: each, i, f, s, type, ints: [...ints], floats: [...floats] },
        ...(t === undefined ? {} : { t }),
      })),
    })),
    initializer: [...graph.initializer],
    input: [...graph.input],
    output: graph.output.map(({ name }) => ({ name })),
  },
});

const mutant = (/** @type {Uint8Array} */ file, /** @type {number} */ seed) => {
  const draw = drawing(seed);
  const model = plain(unwrap(readOnnx(Uint8Array.from(file))));
  const names = Object.keys(mutations);
  const changes = Array.from({ length: 1 + draw(2) }, () =>
    mutations[names[draw(names.length)]](model.graph, draw, model),
  );
  return { bytes: writeOnnx(model), changes: changes.join(', ') };
};

const difference = (/** @type {ArrayLike<number>} */ found, /** @type {ArrayLike<number>} */ expected) => {
  if (found.length !== expected.length) return Infinity;
  let [most, largest] = [0, 0];
  for (let i = 0; i < expected.length; i++) {
    const [a, b] = [Number(found[i]), Number(expected[i])];
    if (Number.isNaN(a) && Number.isNaN(b)) continue;
    if (a === b) largest = Math.max(largest, Number.isFinite(b) ? Math.abs(b) : 0);
    else {
      most = Math.max(most, Number.isNaN(a - b) ? Infinity : Math.abs(a - b));
      largest = Math.max(largest, Math.abs(b));
    }
  }
  return most === 0 ? 0 : most / largest;
};

/** Runs a mutant on a target: its outputs, or why not. */
const ours = async (bytes, on, feeds) => {
  const compiled = await compileModel(bytes, { target: on, backends: nodeBackends });
  if (compiled.status !== 'success') {
    const [{ code, message, notes }] = compiled.diagnostics;
    return {
      why: `${code}: ${[message, ...notes.map((note) => note.message)].join('; ')}`,
      isRefused: code.startsWith('onnx/'),
    };
  }
  const results = await compiled.value.run(
    Object.fromEntries(compiled.value.inputs.map(({ name }) => [name, feeds[name].data])),
  );
  const shapes = new Map(compiled.value.outputs.map(({ name, shape }) => [name, shape]));
  compiled.value.dispose();
  return { results, shapes };
};

const theirs = async (bytes, feeds) => {
  try {
    const session = await ort.InferenceSession.create(bytes, {
      graphOptimizationLevel: 'disabled',
      intraOpNumThreads: 1,
      logSeverityLevel: 4,
    });
    const results = await session.run(feeds);
    await session.release();
    return { results };
  } catch (thrown) {
    return { why: String(thrown) };
  }
};

const files = positionals.length > 0 ? positionals.map((path) => readFileSync(path)) : smallModels;
const counts = {
  agree: 0,
  differ: 0,
  'refused by both': 0,
  'refused here only': 0,
  'refused there only': 0,
  natively: 0,
};
for (let i = 0; i < Number(options.count); i++) {
  const file = files[i % files.length];
  const { bytes, changes } = mutant(file, Number(options.seed) * 1_000_003 + i);
  const { graph } = unwrap(readOnnx(file));
  const weights = new Set(graph.initializer.map(({ name }) => name));
  const draw = drawing(i);
  const feeds = Object.fromEntries(
    graph.input
      .filter(({ name }) => !weights.has(name))
      .map(({ name, type }) => {
        const sizes = type.tensorType.shape.dim.map(({ value }) => Number(value.value));
        const length = sizes.reduce((product, size) => product * size, 1);
        return [
          name,
          new ort.Tensor(
            'float32',
            Float32Array.from({ length }, () => draw(2001) / 1000 - 1),
            sizes,
          ),
        ];
      }),
  );
  const expected = await theirs(bytes, feeds);
  const targets = [target, ...(native !== undefined && i % Number(options.natively) === 0 ? [native] : [])];
  for (const [k, on] of targets.entries()) {
    const found = await ours(bytes, on, feeds);
    const say = (/** @type {string} */ kind, /** @type {string} */ why, isAlways = false) => {
      if (k === 0) counts[kind] += 1;
      if (isAlways || options.verbose) console.log(`${kind}  ${i} on ${on.name}: ${changes}: ${why}`);
    };
    if (found.why !== undefined && !found.isRefused) say('differ', found.why, true);
    else if (found.why !== undefined && expected.why !== undefined) say('refused by both', found.why);
    else if (found.why !== undefined) say('refused here only', found.why, true);
    else if (expected.why !== undefined) say('refused there only', expected.why);
    else {
      const off = Math.max(
        ...Object.entries(expected.results).map(([name, { data, dims }]) =>
          found.shapes.get(name).join() === dims.join() ? difference(found.results[name], data) : Infinity,
        ),
      );
      say(off <= limit ? 'agree' : 'differ', `off by ${off.toExponential(2)}`, off > limit);
      if (k === 1) counts.natively += 1;
    }
  }
}
for (const [kind, count] of Object.entries(counts)) console.log(`${String(count).padStart(5)} ${kind}`);
process.exitCode = counts.differ === 0 ? 0 : 1;
