/** Damaged and lying files: imported, or refused with a diagnostic, quickly, and without more memory than they justify. */
import type { OnnxModel } from '@sconv/onnx';
import { importOnnx, readOnnx, writeOnnx } from '@sconv/onnx';
import { unwrap } from '@sconv/diagnostics';
import { describe, expect, it } from 'vitest';
import { counting, floats, ints, modelFile } from './models.ts';

/** Many ops, so that there is much to damage. */
const rich = modelFile({
  inputs: { x: [1, 4, 9, 9] },
  outputs: ['y', 'z', 'q'],
  weights: {
    w: counting(8, 2, 3, 3),
    b: counting(8),
    s: counting(8),
    t: counting(8, 3, 2, 2),
    m: counting(8, 5),
    shape: ints(1, -1),
    scales: floats([4], [1, 1, 2, 2]),
    pads: ints(0, 0, 1, 1, 0, 0, 1, 1),
  },
  nodes: [
    {
      op: 'Conv',
      inputs: ['x', 'w', 'b'],
      outputs: ['c'],
      attributes: { group: 2, pads: [1, 1, 1, 1], strides: [2, 2] },
    },
    {
      op: 'BatchNormalization',
      inputs: ['c', 's', 'b', 'b', 's'],
      outputs: ['n'],
      attributes: { epsilon: { float: 0.1 } },
    },
    { op: 'LRN', inputs: ['n'], outputs: ['l'], attributes: { size: 3 } },
    {
      op: 'MaxPool',
      inputs: ['l'],
      outputs: ['p'],
      attributes: { kernel_shape: [3, 3], ceil_mode: 1, dilations: [1, 1] },
    },
    {
      op: 'AveragePool',
      inputs: ['p'],
      outputs: ['a'],
      attributes: { kernel_shape: [2, 2], pads: [0, 0, 1, 1] },
    },
    { op: 'Concat', inputs: ['p', 'a'], outputs: ['k'], attributes: { axis: 1 } },
    { op: 'Split', inputs: ['k'], outputs: ['k1', 'k2'], attributes: { axis: 1 } },
    { op: 'ConvTranspose', inputs: ['k1', 't'], outputs: ['u'], attributes: { strides: [2, 2] } },
    { op: 'Resize', inputs: ['k2', '', 'scales'], outputs: ['r'], attributes: { mode: 'linear' } },
    { op: 'Pad', inputs: ['r', 'pads'], outputs: ['e'], attributes: { mode: 'edge' } },
    { op: 'Transpose', inputs: ['e'], outputs: ['v'], attributes: { perm: [0, 2, 3, 1] } },
    { op: 'MatMul', inputs: ['v', 'm'], outputs: ['f'] },
    { op: 'Reshape', inputs: ['f', 'shape'], outputs: ['g'] },
    { op: 'Softmax', inputs: ['g'], outputs: ['y'], attributes: { axis: -1 } },
    { op: 'ReduceMean', inputs: ['u'], outputs: ['z'], attributes: { axes: [2, 3], keepdims: 0 } },
    { op: 'Gather', inputs: ['u', 'axis'], outputs: ['q'], attributes: { axis: 1 } },
    { op: 'Constant', inputs: [], outputs: ['axis'], attributes: { value: ints(2, 1) } },
  ],
});

/** Numbers below a bound, the same in each run. */
const drawing = (seed: number) => {
  // Neighbouring seeds would begin with neighbouring numbers.
  let state = Math.imul(seed + 1, 0x9e3779b1) >>> 0;
  return (below: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
};
type Draw = (below: number) => number;

/** Bytes changed, left out, or repeated. */
const damage = (file: Uint8Array, draw: Draw): Uint8Array => {
  const changed = Uint8Array.from(file);
  for (let i = draw(4); i >= 0; i--) changed[draw(changed.length)] = draw(256);
  const [from, to] = [draw(file.length), draw(file.length)];
  switch (draw(4)) {
    case 0:
      return changed.subarray(0, from);
    case 1:
      return Uint8Array.of(...changed.subarray(0, from), ...changed.subarray(to));
    default:
      return changed;
  }
};

const oddNumbers = [
  0n,
  1n,
  2n,
  3n,
  5n,
  -1n,
  -2n,
  100n,
  65_537n,
  2n ** 31n,
  2n ** 40n,
  -(2n ** 63n),
  2n ** 63n - 1n,
];

/** Attributes, sizes and names changed in a file that stays well-formed. */
const lie = (draw: Draw): Uint8Array => {
  // A copy: weights are views, and one lie must not be told in all files after it.
  const model: OnnxModel = unwrap(readOnnx(Uint8Array.from(rich)));
  const graph = model.graph!;
  const one = <T>(list: readonly T[]): T => list[draw(list.length)]!;
  const odd = (): bigint => one(oddNumbers);
  // Most of the time one lie: of several, one is nearly always refused.
  for (let i = Math.max(0, draw(6) - 3); i >= 0; i--) {
    const node = one(graph.node);
    const attribute = node.attribute.length > 0 ? one(node.attribute) : undefined;
    const tensor = one(graph.initializer);
    switch (draw(9)) {
      case 0:
        if (attribute !== undefined) attribute.i = odd();
        break;
      case 1:
        if (attribute !== undefined)
          attribute.ints = attribute.ints.map((each) => (draw(2) === 0 ? odd() : each));
        break;
      case 2:
        if (attribute !== undefined) attribute.ints.splice(draw(4), 1);
        break;
      case 3:
        tensor.dims[draw(tensor.dims.length)] = odd();
        break;
      case 4:
        tensor.dataType = draw(20);
        break;
      case 5:
        node.input[draw(node.input.length + 1)] = one(graph.node).output[0]!;
        break;
      case 6:
        node.opType = one(graph.node).opType;
        break;
      case 7:
        one(graph.input[0]!.type!.tensorType!.shape!.dim).value = { case: 'dimValue', value: odd() };
        break;
      default:
        new DataView(tensor.rawData.buffer, tensor.rawData.byteOffset).setUint32(0, draw(2 ** 32));
    }
  }
  return writeOnnx(model);
};

const count = Number(process.env['RUNS'] ?? (process.env['THOROUGH'] === undefined ? 60 : 10_000));

/** An import, and the processor time that passed. */
const timed = (file: Uint8Array) => {
  const start = process.cpuUsage();
  const result = importOnnx(file);
  const { user, system } = process.cpuUsage(start);
  return { result, seconds: (user + system) / 1e6 };
};

/** 20,000 files take minutes, and several times as long on a busy machine: ms. */
const longest = 1_200_000;

describe('files', () => {
  it.each([
    ['that are damaged', (draw: Draw) => damage(rich, draw)],
    ['that lie', lie],
  ])('%s are imported or refused', { timeout: longest }, (_, mutate) => {
    const before = process.memoryUsage().arrayBuffers;
    const slow: number[] = [];
    let imported = 0;
    for (let seed = 0; seed < count; seed++) {
      const file = mutate(drawing(seed));
      const { result, seconds } = timed(file);
      // Other threads of the process may have computed meanwhile.
      if (seconds > 1 && timed(file).seconds > 1 && timed(file).seconds > 1) slow.push(seed);
      if (result.status === 'success') imported += 1;
      else
        for (const { code, message } of result.diagnostics)
          expect(`${code} ${message}`).toMatch(/^onnx\/[a-z-]+ ./);
    }
    expect(slow).toEqual([]);
    expect(imported).toBeGreaterThan(count / 10);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2 ** 28);
  });
});
