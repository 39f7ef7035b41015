/** Poolings: windows of the input padded with what they ignore, and `LRN`, which pools along channels. */
import { add as addExprs, constant as constantExpr, dim, mul } from '@sconv/affine';
import { poolingNchwMax, poolingNchwSum } from '@sconv/dialects/linalg';
import type { TensorType, Value } from '@sconv/ir';
import { constantOfNumbers, countOf } from '../constant.ts';
import { dims } from '../emitter.ts';
import type { ElementType } from '../element-type.ts';
import type { OnnxNode } from '../node.ts';
import type { Operand } from '../operand.ts';
import { computed, constantOperand, reshapeOperand } from '../operations.ts';
import { invalid, printSizes, unsupported } from '../problem.ts';
import { ScalarOps } from '../scalar-ops.ts';
import { lowestOf } from './neutral.ts';
import { reduceAlong, sums } from './reductions.ts';
import type { Windows } from './window.ts';
import { windowsOf, withUnitDimension } from './window.ts';

type Kind = 'max' | 'sum';

/** The windows of a pooling node. */
const pooled = (node: OnnxNode): Windows => {
  const input = node.input(0);
  if (input.shape.length < 3) invalid(`has an input of ${printSizes(input.shape)}`);
  const kernel = node.ints('kernel_shape') ?? invalid('lacks kernel_shape');
  return windowsOf(node, input.shape.slice(2), kernel);
};

/** `MaxPool`, without its indices. */
export const maxPool = (node: OnnxNode): Operand => {
  node.expectOneOutput();
  if (node.flag('storage_order')) unsupported('storage_order 1');
  const input = node.input(0);
  const windows = pooled(node);
  return computed(input.type, [...input.shape.slice(0, 2), ...windows.outputs], () =>
    emitPooling(node, input.value(), input.type, windows, 'max'),
  );
};

/** Longer rows and columns of windows get no table of their sizes. */
const longestTable = 2 ** 16;

/** `AveragePool`. */
export const averagePool = (node: OnnxNode): Operand => {
  const input = node.input(0);
  const { type } = input;
  if (type.kind !== 'float') unsupported(`elements of type ${type.name}`);
  const windows = pooled(node);
  const counts = windows.outputs.map((count, i) => {
    if (count > longestTable) unsupported(`${count} windows in a row`);
    return windowCounts(windows, i, input.shape[i + 2]!, node.flag('count_include_pad'));
  });
  const shape = [...input.shape.slice(0, 2), ...windows.outputs];
  return computed(type, shape, () => {
    const sums = emitPooling(node, input.value(), type, windows, 'sum');
    return divideByCounts(node, type, sums, counts);
  });
};

/** How many elements each window has in dimension `i`: of the input, or of the input and its padding. */
const windowCounts = (
  windows: Windows,
  i: number,
  size: number,
  includesPadding: boolean,
): readonly number[] => {
  const [first, last] = includesPadding ? [-windows.before[i]!, size + windows.after[i]!] : [0, size];
  return Array.from({ length: windows.outputs[i]! }, (_, output) => {
    const start = output * windows.strides[i]! - windows.before[i]!;
    const dilation = windows.dilations[i]!;
    const from = Math.max(0, Math.ceil((first - start) / dilation));
    const to = Math.min(windows.kernel[i]!, Math.ceil((last - start) / dilation));
    return Math.max(0, to - from);
  });
};

const divideByCounts = (
  node: OnnxNode,
  type: ElementType,
  sums: Value<TensorType>,
  counts: readonly (readonly number[])[],
): Value<TensorType> => {
  const { shape } = sums.type;
  const { emitter } = node;
  const isUniform = counts.every((each) => each.every((count) => count === each[0]));
  if (isUniform) {
    const count = counts.reduce((product, each) => product * each[0]!, 1);
    return emitter.parallel(type, shape, [{ value: sums }], (b, sum) => {
      const ops = new ScalarOps(b, type);
      return ops.div(sum, ops.constant(count));
    });
  }
  // Of a dimension each, so that the table is as long as the input is wide, not as large.
  const tables = counts.map((each, i) => ({
    value: constantOperand(node.emitter, constantOfNumbers(type, [each.length], each)).value(),
    at: [dim(i + 2)],
  }));
  return emitter.parallel(type, shape, [{ value: sums }, ...tables], (b, sum, ...divisors) => {
    const ops = new ScalarOps(b, type);
    return ops.div(
      sum,
      divisors.reduce((product, divisor) => ops.mul(product, divisor)),
    );
  });
};

/** A pooling of a tensor padded with what it ignores. */
const emitPooling = (
  node: OnnxNode,
  input: Value<TensorType>,
  type: ElementType,
  windows: Windows,
  kind: Kind,
): Value<TensorType> => {
  const { emitter } = node;
  const { shape } = input.type;
  if (shape.length === 3) {
    const row = emitter.reshape(input, shape.toSpliced(2, 0, 1));
    const planar = emitPooling(node, row, type, withUnitDimension(windows), kind);
    return emitter.reshape(planar, planar.type.shape.toSpliced(2, 1));
  }
  const initial = kind === 'max' ? lowestOf(type) : 0;
  const padded = emitter.pad(
    input,
    [0, 0, ...windows.before],
    [0, 0, ...windows.after.map((size, i) => size + windows.beyond[i]!)],
    emitter.scalar(type, initial),
  );
  const output = emitter.filled(type, [...shape.slice(0, 2), ...windows.outputs], initial);
  const window = emitter.empty(type, windows.kernel);
  const { strides, dilations } = windows;
  if (shape.length === 4 && !type.isUnsigned) {
    const definition = kind === 'max' ? poolingNchwMax : poolingNchwSum;
    const [result] = emitter.b(
      definition,
      { inputs: [padded, window], outputs: [output], strides, dilations },
      { resultTypes: [output.type] },
    );
    return result!;
  }
  const [rank, spatial] = [shape.length, shape.length - 2];
  const at = [
    ...dims(0, 2),
    ...windows.kernel.map((_, i) =>
      addExprs(mul(dim(i + 2), constantExpr(strides[i]!)), mul(dim(i + rank), constantExpr(dilations[i]!))),
    ),
  ];
  return emitter.generic(
    'p'.repeat(rank) + 'r'.repeat(spatial),
    [
      { value: padded, at },
      { value: window, at: dims(rank, rank + spatial) },
    ],
    [{ value: output, at: dims(0, rank) }],
    (b, element, _, sum) => {
      const ops = new ScalarOps(b, type);
      return kind === 'max' ? ops.max(sum, element) : ops.add(sum, element);
    },
  )[0]!;
};

/** The root of sums of powers of magnitudes. */
const norms = (
  node: OnnxNode,
  input: Operand,
  shape: readonly number[],
  sum: (powers: Value<TensorType>) => Value<TensorType>,
): Operand => {
  const { type } = input;
  const { emitter } = node;
  const p = node.int('p', 2);
  if (type.kind !== 'float' || p < 1) unsupported(`norms ${p} of ${type.name}`);
  return computed(type, shape, () => {
    const powers = emitter.parallel(type, input.shape, [{ value: input.value() }], (b, x) => {
      const ops = new ScalarOps(b, type);
      return ops.power(ops.abs(x), p);
    });
    return emitter.parallel(type, shape, [{ value: sum(powers) }], (b, x) =>
      new ScalarOps(b, type).power(x, 1 / p),
    );
  });
};

/** `LpPool`: norms of windows. */
export const lpPool = (node: OnnxNode): Operand => {
  const input = node.input(0);
  const windows = pooled(node);
  return norms(node, input, [...input.shape.slice(0, 2), ...windows.outputs], (powers) =>
    emitPooling(node, powers, input.type, windows, 'sum'),
  );
};

/** `GlobalLpPool`: norms of channels. */
export const globalLpPool = (node: OnnxNode): Operand => {
  const input = node.input(0);
  const { shape } = input;
  const axes = shape.flatMap((_, i) => (i < 2 ? [] : [i]));
  const whole = norms(node, input, shape.slice(0, 2), (powers) =>
    reduceAlong(node, input.type, powers, axes, sums),
  );
  return reshapeOperand(
    node,
    whole,
    shape.map((size, i) => (i < 2 ? size : 1)),
  );
};

/** `LRN`: elements over powers of sums of squares along channels. */
export const lrn = (node: OnnxNode): Operand => {
  const input = node.input(0);
  const { type, shape } = input;
  if (shape.length < 2 || type.kind !== 'float')
    unsupported(`an input of ${printSizes(shape)} of ${type.name}`);
  const size = node.int('size', 0);
  const [alpha, beta, bias] = [node.float('alpha', 1e-4), node.float('beta', 0.75), node.float('bias', 1)];
  const channels = shape[1]!;
  if (size < 1 || size > 2 * channels + 1) invalid(`has size ${size} for ${channels} channels`);
  return computed(type, shape, () => {
    const { emitter } = node;
    const squares = emitter.parallel(type, shape, [{ value: input.value() }], (b, x) =>
      new ScalarOps(b, type).mul(x, x),
    );
    const rows = emitter.reshape(squares, [shape[0]!, 1, channels, countOf(shape.slice(2))]);
    const before = Math.floor((size - 1) / 2);
    const windows: Windows = {
      kernel: [size, 1],
      strides: [1, 1],
      dilations: [1, 1],
      before: [before, 0],
      after: [size - 1 - before, 0],
      outputs: [channels, rows.type.shape[3]!],
      beyond: [0, 0],
    };
    const sums = emitter.reshape(emitPooling(node, rows, type, windows, 'sum'), shape);
    return emitter.parallel(type, shape, [{ value: input.value() }, { value: sums }], (b, x, sum) => {
      const ops = new ScalarOps(b, type);
      const base = ops.add(ops.mul(sum, ops.constant(alpha / size)), ops.constant(bias));
      return ops.div(x, ops.power(base, beta));
    });
  });
};
