/** Normalizations: `BatchNormalization` by known means, and those that compute theirs. */
import { dim } from '@sconv/affine';
import * as math from '@sconv/dialects/math';
import type { Value } from '@sconv/ir';
import { constantOfNumbers, numbersOf } from '../constant.ts';
import type { ElementType } from '../element-type.ts';
import type { OnnxNode } from '../node.ts';
import type { Operand } from '../operand.ts';
import { computed, constantOperand, reshapeOperand } from '../operations.ts';
import { invalid, printSizes, unsupported } from '../problem.ts';
import { ScalarOps } from '../scalar-ops.ts';
import { broadcastAccess, broadcastShapes } from '../broadcast.ts';
import { meanAlong, without } from './reductions.ts';

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

/** Ops of this file by their ONNX names. */
export const normalizationOps: Readonly<Record<string, (node: OnnxNode) => Operand | readonly Operand[]>> = {
  BatchNormalization: batchNormalization,
  InstanceNormalization: instanceNormalization,
  LayerNormalization: layerNormalization,
};
