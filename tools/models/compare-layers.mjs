/**
 * Compares each node of ONNX models with onnxruntime-node: `node tools/models/compare-layers.mjs MODEL… [--target
 * NAME] [--input x=1x3x320x320] [--seed N] [--batch N] [--peers FOLDER]`
 *
 * onnxruntime computes all intermediate tensors of seeded inputs, without optimizations. The nodes are then compiled
 * for the target, each by itself, and given onnxruntime's inputs: `max|d| / max|y|` of its outputs is at most 1e-5,
 * or the exit code 1. Weights are those of the file for seed 1, and in another order for others (`vary-model.mjs`).
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { importOnnx, readOnnx, writeOnnx } from '@sconv/onnx';
import { findTarget, render, unwrap } from 'sconv';
import { compileModel } from 'sconv/model';
import { nodeBackends } from 'sconv/node';
import { difference, drawn, variedModel } from './vary-model.mjs';

const { values: options, positionals: files } = parseArgs({
  allowPositionals: true,
  options: {
    target: { type: 'string', default: 'wasm' },
    input: { type: 'string', multiple: true, default: [] },
    seed: { type: 'string', default: '1' },
    batch: { type: 'string', default: '1' },
    peers: { type: 'string', default: join(import.meta.dirname, '../bench') },
    verbose: { type: 'boolean', default: false },
  },
});
const limit = 1e-5;
const target = findTarget(options.target);
if (files.length === 0 || target === undefined) {
  process.stderr.write(
    'usage: compare-layers.mjs MODEL… [--target NAME] [--input x=SIZES] [--seed N] [--batch N] [--peers FOLDER]\n',
  );
  process.exit(2);
}
const ort = createRequire(join(options.peers, 'package.json'))('onnxruntime-node');
const sizes = Object.fromEntries(
  options.input.map((text) => {
    const at = text.lastIndexOf('=');
    return [
      text.slice(0, at),
      text
        .slice(at + 1)
        .split('x')
        .map(Number),
    ];
  }),
);

/** Data types of onnx.proto, by their names in onnxruntime. */
const dataTypes = { float32: 1, uint8: 2, int8: 3, int32: 6, int64: 7, bool: 9 };

const bytesOf = (/** @type {ArrayBufferView} */ { buffer, byteOffset, byteLength }) =>
  new Uint8Array(buffer, byteOffset, byteLength);
const shapeOf = (/** @type {readonly number[]} */ dims) => ({
  dim: dims.map((size) => ({ value: { case: 'dimValue', value: BigInt(size) } })),
});

const plain = ({ node, initializer, input }) => ({ node, initializer, input });
/** A model with another graph. */
const withGraph = ({ irVersion, opsetImport }, graph) => ({ irVersion, opsetImport, graph });

/** All tensors of a model that its nodes compute, by name, and its inputs. */
const tensorsOf = async (/** @type {import('@sconv/onnx').OnnxModel} */ model, file) => {
  const { graph } = model;
  const known = new Set(graph.output.map(({ name }) => name));
  const read = new Set(graph.node.flatMap(({ input }) => input));
  const all = graph.node.flatMap(({ output }) => output).filter((name) => read.has(name) && !known.has(name));
  const output = [...graph.output, ...all.map((name) => ({ name }))];
  const session = await ort.InferenceSession.create(
    writeOnnx(withGraph(model, { ...plain(graph), output })),
    {
      graphOptimizationLevel: 'disabled',
      intraOpNumThreads: 1,
      logSeverityLevel: 3,
    },
  );
  const imported = unwrap(importOnnx(file, { inputs: sizes }));
  const feeds = Object.fromEntries(
    imported.inputs.map(({ name, shape }, i) => {
      const length = shape.reduce((product, size) => product * size, 1);
      return [name, new ort.Tensor('float32', drawn(length, Number(options.seed) + i), shape)];
    }),
  );
  const results = await session.run(feeds);
  await session.release();
  return new Map(Object.entries({ ...feeds, ...results }));
};

/**
 * A node by itself, whose names begin with a number: floats that are `computed` of the inputs are its own inputs, and
 * what else it reads are weights. Undefined without such floats: it is computed at import then.
 */
const aloneOf = (graph, node, tensors, computed, number) => {
  const own = (name) => (name === '' ? '' : `${number}:${name}`);
  const names = [...new Set(node.input.filter((name) => name !== ''))];
  const weights = graph.initializer.filter(({ name }) => names.includes(name));
  const given = names.filter((name) => !weights.some((weight) => weight.name === name));
  const isFree = (name) =>
    computed.has(name) && tensors.get(name).type === 'float32' && tensors.get(name).data.length > 0;
  const free = given.filter(isFree);
  if (free.length === 0) return undefined;
  const known = given
    .filter((name) => !isFree(name))
    .map((name) => {
      const { dims, type, data } = tensors.get(name);
      return { name: own(name), dims: dims.map(BigInt), dataType: dataTypes[type], rawData: bytesOf(data) };
    });
  const outputs = node.output.filter((name) => name !== '' && tensors.has(name));
  const initializer = [...weights.map((weight) => ({ ...weight, name: own(weight.name) })), ...known];
  return {
    node: { ...node, input: node.input.map(own), output: node.output.map(own) },
    name: `${node.opType} ${node.name || node.output[0]}`,
    op: node.opType,
    bytes: initializer.reduce((sum, { rawData }) => sum + rawData.length, 0),
    initializer,
    inputs: free.map((name) => ({ name: own(name), tensor: tensors.get(name) })),
    outputs: outputs.map((name) => ({ name: own(name), tensor: tensors.get(name) })),
  };
};

/** Groups of nodes that are compiled at once, which starts fewer compilers: of this many nodes and bytes at most. */
const [mostNodes, mostBytes] = [24, 2 ** 26];
const groupsOf = (nodes) => {
  const groups = [[]];
  let bytes = 0;
  for (const node of nodes) {
    if (groups.at(-1).length === mostNodes || (bytes > 0 && bytes + node.bytes > mostBytes)) {
      groups.push([]);
      bytes = 0;
    }
    groups.at(-1).push(node);
    bytes += node.bytes;
  }
  return groups.filter((group) => group.length > 0);
};

/** A model of nodes that have nothing to do with each other. */
const modelOfNodes = (model, nodes) =>
  writeOnnx(
    withGraph(model, {
      node: nodes.map(({ node }) => node),
      initializer: nodes.flatMap(({ initializer }) => initializer),
      input: nodes.flatMap(({ inputs }) =>
        inputs.map(({ name, tensor: { dims } }) => ({
          name,
          type: { tensorType: { elemType: dataTypes.float32, shape: shapeOf(dims) } },
        })),
      ),
      output: nodes.flatMap(({ outputs }) => outputs.map(({ name }) => ({ name }))),
    }),
  );

/** What onnxruntime approximates more roughly than we do, exactly: where it differs from us by more than the limit. */
const exact = { Sigmoid: (/** @type {number} */ x) => 1 / (1 + Math.exp(-x)) };

let failures = 0;
for (const path of files) {
  const [seed, batch] = [Number(options.seed), Number(options.batch)];
  const file = variedModel(readFileSync(path), { seed, batch });
  const model = unwrap(readOnnx(file));
  const tensors = await tensorsOf(model, file);
  /** The worst of each op. */
  const worst = new Map();
  // Of elements, not of sizes alone.
  const computed = new Set(model.graph.input.map(({ name }) => name));
  for (const { name } of model.graph.initializer) computed.delete(name);
  for (const { opType, input, output } of model.graph.node)
    if (opType !== 'Shape' && input.some((name) => computed.has(name)))
      for (const name of output) computed.add(name);
  const all = model.graph.node.map((node, i) => aloneOf(model.graph, node, tensors, computed, i));
  const nodes = all.filter((each) => each !== undefined);
  const compare = async (/** @type {typeof nodes} */ group) => {
    const compiled = await compileModel(modelOfNodes(model, group), { target, backends: nodeBackends });
    if (compiled.status !== 'success' && group.length > 1) {
      for (const each of group) await compare([each]);
      return;
    }
    if (compiled.status !== 'success') {
      failures += 1;
      console.log(`${group[0].name}: ${compiled.diagnostics.map((each) => render(each)).join('\n')}`);
      return;
    }
    const given = group.flatMap(({ inputs }) => inputs.map(({ name, tensor }) => [name, tensor.data]));
    const results = await compiled.value.run(Object.fromEntries(given));
    compiled.value.dispose();
    for (const { name, op, inputs, outputs } of group) {
      const off = Math.max(...outputs.map((output) => difference(results[output.name], output.tensor.data)));
      if (off > (worst.get(op)?.off ?? -1)) worst.set(op, { off, name });
      if (options.verbose) console.log(`${off.toExponential(1)}  ${name}`);
      if (off <= limit) continue;
      if (op in exact) {
        const [{ tensor: given }] = inputs;
        const truth = Float64Array.from(given.data, exact[op]);
        const own = difference(results[outputs[0].name], truth);
        const other = difference(outputs[0].tensor.data, truth).toExponential(2);
        console.log(`${name}: ${own.toExponential(2)} from the exact result, onnxruntime ${other}`);
        if (own <= limit) continue;
      }
      failures += 1;
      console.log(`${name}: off by ${off.toExponential(2)}`);
    }
  };
  for (const group of groupsOf(nodes)) await compare(group);
  console.log(
    `${path} on ${options.target}, seed ${seed}, batch ${batch}: ${nodes.length} nodes compared, ` +
      `${all.length - nodes.length} computed at import`,
  );
  for (const [op, { off, name }] of [...worst].sort(([, a], [, b]) => b.off - a.off))
    console.log(`  ${op.padEnd(20)} at most ${off.toExponential(1)}, at ${name}`);
}
console.log(failures === 0 ? `all within ${limit}` : `${failures} nodes failed`);
process.exitCode = failures === 0 ? 0 : 1;
