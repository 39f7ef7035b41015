// @ts-check
/** Models with other weights and for more inputs at once, to compare. */
import { readOnnx, writeOnnx } from '@sconv/onnx';
import { unwrap } from 'sconv';

/** Numbers from 0 to 1 that follow from a seed. */
export const drawing = (/** @type {number} */ seed) => {
  let state = Math.imul(seed + 1, 0x9e3779b1) >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
};

/** Numbers from -1 to 1 that follow from a seed. */
export const drawn = (/** @type {number} */ length, /** @type {number} */ seed) => {
  const draw = drawing(seed);
  return Float32Array.from({ length }, () => 2 * draw() - 1);
};

/** Ops whose constants are weights; those of others are sizes, scales, bounds. */
const weighted = new Set([
  ...['Conv', 'ConvTranspose', 'Gemm', 'MatMul', 'BatchNormalization', 'LayerNormalization', 'PRelu'],
  ...['Add', 'Sub', 'Mul'],
]);
const float = 1;

/** A tensor of floats with its elements in another order, so that they keep their scale and their signs. */
const shuffled = (tensor, /** @type {() => number} */ draw) => {
  const bytes = Uint8Array.from(tensor.rawData);
  const elements = new Float32Array(bytes.buffer);
  for (let i = elements.length - 1; i > 0; i--) {
    const k = Math.floor(draw() * (i + 1));
    [elements[i], elements[k]] = [elements[k], elements[i]];
  }
  return { name: tensor.name, dims: tensor.dims, dataType: tensor.dataType, rawData: bytes };
};

/** The elements of a tensor of small integers that are stored as varints, in a field that is not decoded. */
const varints = ({ $unknown = [] }) =>
  $unknown
    .filter(({ no }) => no === 7)
    .flatMap(({ data }) => {
      const [, ...bytes] = data;
      const values = [];
      for (let i = 0, value = 0, shift = 0; i < bytes.length; i++) {
        value += (bytes[i] & 127) * 2 ** shift;
        shift = bytes[i] > 127 ? shift + 7 : 0;
        if (shift > 0) continue;
        values.push(BigInt(value));
        value = 0;
      }
      return values;
    });

/** A shape that is an input of a node, with the batch in place of a first 1. */
const withBatch = (tensor, /** @type {number} */ batch) => {
  const { name, dims, dataType, rawData } = tensor;
  const values =
    rawData.length > 0 ? [...new BigInt64Array(Uint8Array.from(rawData).buffer)] : varints(tensor);
  if (values.length < 2 || values[0] !== 1n) return tensor;
  values[0] = BigInt(batch);
  return { name, dims, dataType, rawData: new Uint8Array(BigInt64Array.from(values).buffer) };
};

const isUsed = (graph) => {
  const read = new Set(graph.node.flatMap(({ input }) => input));
  return ({ name }) => read.has(name);
};

/**
 * The file of a model, changed: with each weight's elements in an order that is drawn for `seed` (as they are, for 1),
 * and for `batch` inputs at once. Inputs that no node reads are left out, and so are the sizes of outputs.
 *
 * @param {Uint8Array} file
 * @param {{ seed?: number, batch?: number }} changes
 */
export const variedModel = (file, { seed = 1, batch = 1 }) => {
  const { irVersion, opsetImport, graph } = unwrap(readOnnx(file));
  if (graph === undefined) throw new Error('a model without a graph');
  const draw = drawing(seed);
  const uses = graph.node.flatMap(({ opType, input }) => input.map((name, at) => ({ name, opType, at })));
  const weights = new Set(uses.filter(({ opType }) => weighted.has(opType)).map(({ name }) => name));
  const isShape = ({ opType, at }) => (opType === 'Reshape' && at === 1) || opType === 'ConstantOfShape';
  const shapes = new Set(uses.filter(isShape).map(({ name }) => name));
  const changed = (tensor, /** @type {string} */ name) => {
    if (seed > 1 && weights.has(name) && tensor.dataType === float && tensor.rawData.length > 4)
      return shuffled(tensor, draw);
    return batch > 1 && shapes.has(name) ? withBatch(tensor, batch) : tensor;
  };
  const node = graph.node.map((each) => {
    const { opType, name, input, output, attribute } = each;
    const t = attribute.find((one) => one.t !== undefined)?.t;
    if (opType !== 'Constant' || t === undefined) return each;
    return {
      opType,
      name,
      input,
      output,
      attribute: [{ name: 'value', type: 4, t: changed(t, output[0] ?? '') }],
    };
  });
  const input = graph.input.filter(isUsed(graph));
  for (const { type } of input) {
    const first = type?.tensorType?.shape?.dim[0];
    if (batch > 1 && first?.value.case === 'dimValue') first.value.value = BigInt(batch);
  }
  return writeOnnx({
    irVersion,
    opsetImport,
    graph: {
      name: graph.name,
      node,
      initializer: graph.initializer.map((tensor) => changed(tensor, tensor.name)),
      input,
      output: graph.output.map(({ name }) => ({ name })),
    },
  });
};

/** `max|d| / max|y|` of arrays; infinite where one has other numbers. */
export const difference = (
  /** @type {ArrayLike<number>} */ found,
  /** @type {ArrayLike<number>} */ expected,
) => {
  if (found.length !== expected.length) return Infinity;
  let [most, largest] = [0, 0];
  for (let i = 0; i < expected.length; i++) {
    const [a, b] = [Number(found[i]), Number(expected[i])];
    if (Number.isFinite(b)) largest = Math.max(largest, Math.abs(b));
    if (a === b || (Number.isNaN(a) && Number.isNaN(b))) continue;
    most = Math.max(most, Number.isNaN(a - b) ? Infinity : Math.abs(a - b));
  }
  return most === 0 ? 0 : most / largest;
};
