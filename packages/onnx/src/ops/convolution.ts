/** `Conv`: padding, and the named convolution; its bias is what the sums begin with. */
import { conv2dNchwFchw, conv2dNgchwGfchw, depthwiseConv2dNchwChw } from '@sconv/dialects/linalg';
import type { TensorType, Value } from '@sconv/ir';
import type { Constant } from '../constant.ts';
import { constantOfNumbers, countOf, elementsOf, numbersOf, splatOf, splatValue } from '../constant.ts';
import { allocate, constantOf } from '../constant.ts';
import { numberAt, setNumber } from '../element-type.ts';
import type { OnnxNode } from '../node.ts';
import type { Operand } from '../operand.ts';
import { computed, constantOperand, reshapeOperand } from '../operations.ts';
import { invalid, printSizes, unsupported } from '../problem.ts';
import type { Windows } from './window.ts';
import { windowsOf, withUnitDimension } from './window.ts';

/** A convolution with everything known but its values. */
export interface Convolution {
  readonly input: Operand;
  readonly filters: Operand;
  readonly bias: Operand | undefined;
  readonly groups: number;
  readonly windows: Windows;
}

/** `Conv` of one or two spatial dimensions. */
export const conv = (node: OnnxNode): Operand => {
  const [input, filters, bias] = [node.input(0), node.input(1), node.optional(2)];
  const type = node.commonType([input, filters, ...(bias === undefined ? [] : [bias])]);
  if (type.kind !== 'float') unsupported(`elements of type ${type.name}`);
  return convolutionOperand(node, convolutionOf(node, input, filters, bias));
};

/** A convolution whose sizes fit together. */
export const convolutionOf = (
  node: OnnxNode,
  input: Operand,
  filters: Operand,
  bias: Operand | undefined,
): Convolution => {
  const rank = input.shape.length;
  if (rank !== filters.shape.length || rank < 3)
    invalid(`has an input of ${printSizes(input.shape)} and filters of ${printSizes(filters.shape)}`);
  if (rank > 4) unsupported(`${rank - 2} spatial dimensions`);
  const groups = node.int('group', 1);
  const [channels, perGroup, count] = [input.shape[1]!, filters.shape[1]!, filters.shape[0]!];
  if (groups < 1 || channels !== perGroup * groups || count % groups !== 0)
    invalid(`has ${groups} groups of ${perGroup} channels and ${count} filters for ${channels} channels`);
  if (bias !== undefined && (bias.shape.length !== 1 || bias.shape[0] !== count))
    invalid(`has a bias of ${printSizes(bias.shape)} for ${count} filters`);
  const kernel = filters.shape.slice(2);
  const given = node.ints('kernel_shape') ?? kernel;
  if (given.join() !== kernel.join())
    invalid(`has kernel_shape ${printSizes(given)} and filters of ${printSizes(filters.shape)}`);
  return { input, filters, bias, groups, windows: windowsOf(node, input.shape.slice(2), kernel) };
};

/** The convolution, into which a batch normalization after it may be folded. */
export const convolutionOperand = (node: OnnxNode, convolution: Convolution): Operand => {
  const { input, filters, windows } = convolution;
  const shape = [input.shape[0]!, filters.shape[0]!, ...windows.outputs];
  const result = computed(input.type, shape, () => emitConvolution(node, convolution));
  const isFolded = node.context.foldBatchNormalization && node.context.isNormalized(node.outputs[0]!);
  return isFolded ? { ...result, scaled: (scale, shift) => scaled(node, convolution, scale, shift) } : result;
};

/** The convolution with scaled filters and a bias, computed in f64; undefined unless all of them are known. */
const scaled = (
  node: OnnxNode,
  convolution: Convolution,
  scale: ArrayLike<number>,
  shift: ArrayLike<number>,
): Operand | undefined => {
  const { filters, bias } = convolution;
  if (filters.constant === undefined || (bias !== undefined && bias.constant === undefined)) return undefined;
  const before = bias?.constant === undefined ? undefined : numbersOf(bias.constant);
  const weights = scaledFilters(node, filters.constant, scale);
  if (weights === undefined) return undefined;
  const sums = Array.from(shift, (value, i) => (before?.[i] ?? 0) * scale[i]! + value);
  return convolutionOperand(node, {
    ...convolution,
    filters: constantOperand(node.emitter, weights),
    bias: constantOperand(node.emitter, constantOfNumbers(filters.type, [sums.length], sums)),
  });
};

const scaledFilters = (node: OnnxNode, filters: Constant, scale: ArrayLike<number>): Constant | undefined => {
  const { type, shape } = filters;
  const [first] = [scale[0]!];
  const same = splatValue(filters);
  if (same !== undefined && Array.from(scale).every((value) => value === first))
    return splatOf(type, shape, same * first);
  // Filters that are computed from a few bytes stay as they are.
  if (filters.isSplat || !node.context.mayFold(filters.bytes.length)) return undefined;
  const elements = elementsOf(filters);
  const result = allocate(type, elements.length);
  const perFilter = countOf(shape.slice(1));
  for (let i = 0; i < elements.length; i++)
    setNumber(type, result, i, numberAt(type, elements, i) * scale[Math.floor(i / perFilter)]!);
  return constantOf(type, shape, result);
};

const emitConvolution = (node: OnnxNode, convolution: Convolution): Value<TensorType> => {
  const { input, filters, bias, groups, windows } = convolution;
  const { emitter } = node;
  if (input.shape.length === 3) {
    const withRow = (operand: Operand): Operand =>
      reshapeOperand(node, operand, operand.shape.toSpliced(2, 0, 1));
    const planar = emitConvolution(node, {
      ...convolution,
      input: withRow(input),
      filters: withRow(filters),
      windows: withUnitDimension(windows),
    });
    return emitter.reshape(planar, planar.type.shape.toSpliced(2, 1));
  }
  const { type } = input;
  const [batch, channels] = input.shape as [number, number];
  const [count, perGroup] = filters.shape as [number, number];
  const shape = [batch, count, ...windows.outputs];
  const padded = emitter.pad(
    input.value(),
    [0, 0, ...windows.before],
    [0, 0, ...windows.after],
    emitter.scalar(type, 0),
  );
  const { strides, dilations } = windows;
  const isDepthwise = groups > 1 && perGroup === 1 && count === groups;
  const isGrouped = groups > 1 && !isDepthwise;
  const divided = (sizes: readonly number[], at: number): readonly number[] =>
    isGrouped ? sizes.toSpliced(at, 1, groups, sizes[at]! / groups) : sizes;
  const outputShape = divided(shape, 1);
  const initial =
    bias === undefined
      ? emitter.filled(type, outputShape, 0)
      : emitter.broadcast(
          reshapeOperand(node, bias, divided(bias.shape, 0)).value(),
          outputShape,
          isGrouped ? [0, 3, 4] : [0, 2, 3],
        );
  const kernels = isDepthwise ? [count, ...filters.shape.slice(2)] : divided(filters.shape, 0);
  const definition = isDepthwise ? depthwiseConv2dNchwChw : isGrouped ? conv2dNgchwGfchw : conv2dNchwFchw;
  const [sums] = emitter.b(
    definition,
    {
      inputs: [
        emitter.reshape(padded, divided([batch, channels, ...padded.type.shape.slice(2)], 1)),
        reshapeOperand(node, filters, kernels).value(),
      ],
      outputs: [initial],
      strides,
      dilations,
    },
    { resultTypes: [initial.type] },
  );
  return emitter.reshape(sums!, shape);
};
