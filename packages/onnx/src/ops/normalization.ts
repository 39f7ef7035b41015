/** Normalizations: `BatchNormalization` by known means, and those that compute theirs. */
import { dim } from '@sconv/affine';
import * as math from '@sconv/dialects/math';
import type { TensorType, Value } from '@sconv/ir';
import { constantOfNumbers, countOf, numbersOf } from '../constant.ts';
import type { ElementType } from '../element-type.ts';
import type { OnnxNode } from '../node.ts';
import type { Operand } from '../operand.ts';
import { computed, constantOperand, reshapeOperand } from '../operations.ts';
import { invalid, printSizes, unsupported } from '../problem.ts';
import { ScalarOps } from '../scalar-ops.ts';
import { broadcastAccess, broadcastShapes } from '../broadcast.ts';
import { meanAlong, reduceAlong, sums, without } from './reductions.ts';

/** `BatchNormalization` at inference: a factor and an addend for each channel, folded into a convolution before it. */
const batchNormalization = (node: OnnxNode): Operand => {
  node.expectOneOutput();
  if (node.flag('training_mode') || !node.flag('spatial', true)) unsupported('training_mode 1 or spatial 0');
  const input = node.input(0);
  const { type, shape } = input;
  const channels = shape[1] ?? invalid(`has an input of ${printSizes(shape)}`);
  const parameters = [1, 2, 3, 4].map((i) => node.input(i));
  if (parameters.some((each) => each.shape.length !== 1 || each.shape[0] !== channels))
    invalid(
      `has parameters of ${parameters.map((each) => printSizes(each.shape)).join(', ')} for ${channels} channels`,
    );
  if (type.kind !== 'float') unsupported(`elements of type ${type.name}`);
  const epsilon = node.float('epsilon', 1e-5);
  const constants = parameters.flatMap(({ constant }) => constant ?? []);
  if (constants.length < parameters.length)
    return computed(type, shape, () => normalizedByValues(node, type, input, parameters, epsilon));
  const [scale, bias, mean, variance] = constants.map(numbersOf) as [
    readonly number[],
    readonly number[],
    readonly number[],
    readonly number[],
  ];
  const factors = scale.map((each, i) => each / Math.sqrt(variance[i]! + epsilon));
  const addends = factors.map((factor, i) => bias[i]! - mean[i]! * factor);
  const folded = input.scaled?.(factors, addends);
  if (folded !== undefined) {
    // Not to be scaled again: nothing is left to be created later.
    const { scaled: _scaled, ...rest } = folded;
    return rest;
  }
  const table = (numbers: readonly number[]): Operand =>
    constantOperand(node.emitter, constantOfNumbers(type, [channels], numbers));
  return computed(type, shape, () => {
    const at = [dim(1)];
    const inputs = [
      { value: input.value() },
      { value: table(factors).value(), at },
      { value: table(addends).value(), at },
    ];
    return node.emitter.parallel(type, shape, inputs, (b, x, factor, addend) => {
      const ops = new ScalarOps(b, type);
      return ops.add(ops.mul(x, factor), addend);
    });
  });
};

const normalizedByValues = (
  { emitter }: OnnxNode,
  type: ElementType,
  input: Operand,
  parameters: readonly Operand[],
  epsilon: number,
) => {
  const inputs = parameters.map((each) => ({ value: each.value(), at: [dim(1)] }));
  return emitter.parallel(type, input.shape, [{ value: input.value() }, ...inputs], (b, ...elements) => {
    const ops = new ScalarOps(b, type);
    const [x, scale, bias, mean, variance] = elements as [Value, Value, Value, Value, Value];
    const normal = normalized(ops, ops.sub(x, mean), variance, epsilon);
    return ops.add(ops.mul(normal, scale), bias);
  });
};

const normalized = (ops: ScalarOps, difference: Value, variance: Value, epsilon: number): Value =>
  ops.div(difference, ops.b(math.sqrt, { operand: ops.add(variance, ops.constant(epsilon)) }));

/** Elements less the mean along axes, over the root of the variance there; and the mean and that root's reciprocal. */
const standardized = (
  node: OnnxNode,
  input: Operand,
  axes: readonly number[],
  epsilon: number,
): { readonly normal: Operand; readonly mean: Operand; readonly inverse: Operand } => {
  const { type, shape } = input;
  const { emitter } = node;
  const at = without(shape, axes);
  const rest = shape.filter((_, i) => !axes.includes(i));
  const mean = computed(type, rest, () => meanAlong(node, type, input.value(), axes));
  const differences = computed(type, shape, () =>
    emitter.parallel(type, shape, [{ value: input.value() }, { value: mean.value(), at }], (b, x, each) =>
      new ScalarOps(b, type).sub(x, each),
    ),
  );
  const inverse = computed(type, rest, () => {
    const variance = meanAlong(node, type, differences.value(), axes, (ops, x) => ops.mul(x, x));
    return emitter.parallel(type, rest, [{ value: variance }], (b, x) => {
      const ops = new ScalarOps(b, type);
      return ops.div(ops.constant(1), ops.power(ops.add(x, ops.constant(epsilon)), 0.5));
    });
  });
  const normal = computed(type, shape, () =>
    emitter.parallel(
      type,
      shape,
      [{ value: differences.value() }, { value: inverse.value(), at }],
      (b, x, each) => new ScalarOps(b, type).mul(x, each),
    ),
  );
  return { normal, mean, inverse };
};

const instanceNormalization = (node: OnnxNode): Operand => {
  const [input, scale, bias] = [node.input(0), node.input(1), node.input(2)];
  const { shape } = input;
  const type = node.commonType([input, scale, bias]);
  if (shape.length < 3 || [scale, bias].some((each) => each.shape.length !== 1 || each.shape[0] !== shape[1]))
    invalid(`has an input of ${printSizes(shape)} and a scale of ${printSizes(scale.shape)}`);
  const axes = shape.flatMap((_, i) => (i < 2 ? [] : [i]));
  const { normal } = standardized(node, input, axes, node.float('epsilon', 1e-5));
  return scaledBy(node, type, normal, [scale, bias], (i) => ({
    value: [scale, bias][i]!.value(),
    at: [dim(1)],
  }));
};

const layerNormalization = (node: OnnxNode): readonly Operand[] => {
  const [input, scale, bias] = [node.input(0), node.input(1), node.optional(2)];
  const { shape } = input;
  const parameters = [scale, ...(bias === undefined ? [] : [bias])];
  const type = node.commonType([input, ...parameters]);
  const first = node.axis(node.int('axis', -1), shape.length);
  const axes = shape.flatMap((_, i) => (i < first ? [] : [i]));
  if (parameters.some((each) => printSizes(broadcastShapes([each.shape, shape])) !== printSizes(shape)))
    invalid(`has a scale of ${printSizes(scale.shape)} for ${printSizes(shape)}`);
  const { normal, mean, inverse } = standardized(node, input, axes, node.float('epsilon', 1e-5));
  const kept = shape.map((size, i) => (i < first ? size : 1));
  return [
    scaledBy(node, type, normal, parameters, (i) => broadcastAccess(node, parameters[i]!, shape)),
    reshapeOperand(node, mean, kept),
    reshapeOperand(node, inverse, kept),
  ];
};

/** A normal tensor times a scale, plus a bias if there is one. */
const scaledBy = (
  { emitter }: OnnxNode,
  type: ElementType,
  normal: Operand,
  parameters: readonly Operand[],
  access: (i: number) => ReturnType<typeof broadcastAccess>,
): Operand =>
  computed(type, normal.shape, () =>
    emitter.parallel(
      type,
      normal.shape,
      [{ value: normal.value() }, ...parameters.map((_, i) => access(i))],
      (b, x, scale, bias?: Value) => {
        const ops = new ScalarOps(b, type);
        const product = ops.mul(x, scale);
        return bias === undefined ? product : ops.add(product, bias);
      },
    ),
  );

/** `GroupNormalization`: of groups of channels; scales are of groups before opset 21, and of channels since then. */
const groupNormalization = (node: OnnxNode): Operand => {
  const [input, scale, bias] = [node.input(0), node.input(1), node.input(2)];
  const { shape } = input;
  const type = node.commonType([input, scale, bias]);
  const [channels, groups] = [shape[1] ?? 0, node.int('num_groups', 0)];
  const count = node.opset < 21 ? groups : channels;
  if (shape.length < 3 || groups < 1 || channels % groups !== 0)
    invalid(`has ${groups} groups for ${printSizes(shape)}`);
  if ([scale, bias].some((each) => printSizes(each.shape) !== printSizes([count])))
    invalid(`has a scale of ${printSizes(scale.shape)}, not of ${count}`);
  const grouped = reshapeOperand(node, input, [
    shape[0]!,
    groups,
    (channels / groups) * countOf(shape.slice(2)),
  ]);
  const { normal } = standardized(node, grouped, [2], node.float('epsilon', 1e-5));
  const form = [shape[0]!, groups, channels / groups, countOf(shape.slice(2))];
  const wide = reshapeOperand(node, normal, form);
  const perChannel = [scale, bias].map((each) => reshapeOperand(node, each, [groups, count / groups, 1]));
  const result = scaledBy(node, type, wide, perChannel, (i) => broadcastAccess(node, perChannel[i]!, form));
  return reshapeOperand(node, result, shape);
};

/** Elements over a norm along axes, which are kept as dimensions of size 1 or left out of `divisor`. */
const dividedBy = (
  node: OnnxNode,
  input: Operand,
  axes: readonly number[],
  divisor: () => Value<TensorType>,
): Operand => {
  const { type, shape } = input;
  const at = without(shape, axes);
  return computed(type, shape, () =>
    node.emitter.parallel(type, shape, [{ value: input.value() }, { value: divisor(), at }], (b, x, by) => {
      const ops = new ScalarOps(b, type);
      // Zeros of a norm of zero stay.
      const isZero = ops.compare('eq', by, ops.constant(0));
      return ops.div(x, ops.select(isZero, ops.constant(1), by));
    }),
  );
};

/** `RMSNormalization`: elements over the root of the mean of squares, times a scale. */
const rmsNormalization = (node: OnnxNode): Operand => {
  const [input, scale] = [node.input(0), node.input(1)];
  const { shape } = input;
  const type = node.commonType([input, scale]);
  const first = node.axis(node.int('axis', -1), shape.length);
  const axes = shape.flatMap((_, i) => (i < first ? [] : [i]));
  if (printSizes(broadcastShapes([scale.shape, shape])) !== printSizes(shape))
    invalid(`has a scale of ${printSizes(scale.shape)} for ${printSizes(shape)}`);
  const epsilon = node.float('epsilon', 1e-5);
  const normal = dividedBy(node, input, axes, () => {
    const mean = meanAlong(node, type, input.value(), axes, (ops, x) => ops.mul(x, x));
    return node.emitter.parallel(type, mean.type.shape, [{ value: mean }], (b, x) => {
      const ops = new ScalarOps(b, type);
      return ops.power(ops.add(x, ops.constant(epsilon)), 0.5);
    });
  });
  return scaledBy(node, type, normal, [scale], () => broadcastAccess(node, scale, shape));
};

/** `LpNormalization`: elements over the norm of their row. */
const lpNormalization = (node: OnnxNode): Operand => {
  const input = node.input(0);
  const { type, shape } = input;
  const axes = [node.axis(node.int('axis', -1), shape.length)];
  const p = node.int('p', 2);
  if (p !== 1 && p !== 2) invalid(`has p ${p}`);
  if (type.kind !== 'float') unsupported(`elements of type ${type.name}`);
  return dividedBy(node, input, axes, () => {
    const total = reduceAlong(node, type, input.value(), axes, sums, (ops, x) => ops.power(ops.abs(x), p));
    return node.emitter.parallel(type, total.type.shape, [{ value: total }], (b, x) =>
      new ScalarOps(b, type).power(x, 1 / p),
    );
  });
};

/** `MeanVarianceNormalization`: a mean of 0 and a variance of 1 along axes. */
const meanVarianceNormalization = (node: OnnxNode): Operand => {
  const input = node.input(0);
  if (input.type.kind !== 'float') unsupported(`elements of type ${input.type.name}`);
  const axes = node.axes(node.ints('axes') ?? [0, 2, 3], input.shape.length);
  // The root plus 1e-9, which no float has beside a root that matters.
  return standardized(node, input, axes, 1e-18).normal;
};

/** Ops of this file by their ONNX names. */
export const normalizationOps: Readonly<Record<string, (node: OnnxNode) => Operand | readonly Operand[]>> = {
  BatchNormalization: batchNormalization,
  GroupNormalization: groupNormalization,
  InstanceNormalization: instanceNormalization,
  LayerNormalization: layerNormalization,
  LpNormalization: lpNormalization,
  MeanVarianceNormalization: meanVarianceNormalization,
  RMSNormalization: rmsNormalization,
};
