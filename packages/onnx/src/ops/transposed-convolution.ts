/** `ConvTranspose`: as a convolution with other filters, of the input with zeros between its elements. */
import { sub, constant as constantExpr, dim } from '@sconv/affine';
import { insertSlice } from '@sconv/dialects/tensor';
import { tensorType } from '@sconv/ir';
import { stridesOf } from '../constant.ts';
import type { OnnxNode } from '../node.ts';
import type { Operand } from '../operand.ts';
import { computed, foldStrided, reshapeOperand, transposeOperand } from '../operations.ts';
import { elementwiseOver } from '../broadcast.ts';
import { invalid, printSizes, unsupported } from '../problem.ts';
import { convolutionOperand } from './convolution.ts';
import { sliceOperand } from './slices.ts';
import type { Windows } from './window.ts';

/** A transposed convolution of two spatial dimensions. */
interface Transposed {
  readonly input: Operand;
  /** Channels, filters of a group, rows, columns. */
  readonly filters: Operand;
  readonly bias: Operand | undefined;
  readonly groups: number;
  readonly strides: readonly number[];
  readonly dilations: readonly number[];
  /** What is cut off before. */
  readonly before: readonly number[];
  readonly outputs: readonly number[];
}

/** `ConvTranspose` of one or two spatial dimensions. */
export const convTranspose = (node: OnnxNode): Operand => {
  const [input, filters, bias] = [node.input(0), node.input(1), node.optional(2)];
  const type = node.commonType([input, filters, ...(bias === undefined ? [] : [bias])]);
  if (type.kind !== 'float') unsupported(`elements of type ${type.name}`);
  const rank = input.shape.length;
  if (rank !== filters.shape.length || rank < 3)
    invalid(`has an input of ${printSizes(input.shape)} and filters of ${printSizes(filters.shape)}`);
  if (rank > 4) unsupported(`${rank - 2} spatial dimensions`);
  const groups = node.int('group', 1);
  const [channels, perGroup] = [filters.shape[0]!, filters.shape[1]!];
  if (groups < 1 || input.shape[1] !== channels || channels % groups !== 0)
    invalid(
      `has ${groups} groups and filters of ${printSizes(filters.shape)} for ${printSizes(input.shape)}`,
    );
  if (bias !== undefined && printSizes(bias.shape) !== printSizes([perGroup * groups]))
    invalid(`has a bias of ${printSizes(bias.shape)} for ${perGroup * groups} filters`);
  const placed = placement(node, input.shape.slice(2), filters.shape.slice(2));
  const whole: Transposed = { input, filters, bias, groups, ...placed };
  if (rank === 4) return transposedOperand(node, whole);
  const withRow = (operand: Operand): Operand =>
    reshapeOperand(node, operand, operand.shape.toSpliced(2, 0, 1));
  const planar = transposedOperand(node, {
    ...whole,
    input: withRow(input),
    filters: withRow(filters),
    strides: [1, ...placed.strides],
    dilations: [1, ...placed.dilations],
    before: [0, ...placed.before],
    outputs: [1, ...placed.outputs],
  });
  return reshapeOperand(node, planar, planar.shape.toSpliced(2, 1));
};

/** Strides and sizes, from pads or from the shape that the model wants. */
const placement = (node: OnnxNode, sizes: readonly number[], kernel: readonly number[]) => {
  const rank = sizes.length;
  const list = (name: string, otherwise: number, length = rank): readonly number[] => {
    const given = node.ints(name) ?? Array.from({ length }, () => otherwise);
    if (
      given.length !== length ||
      given.some((each) => each < (name === 'strides' || name === 'dilations' ? 1 : 0))
    )
      invalid(`has ${name} ${given.join(', ')}`);
    return given;
  };
  const given = node.ints('kernel_shape') ?? kernel;
  if (printSizes(given) !== printSizes(kernel) || kernel.some((size) => size < 1))
    invalid(`has kernel_shape ${printSizes(given)} and filters of ${printSizes(kernel)}`);
  const [strides, dilations] = [list('strides', 1), list('dilations', 1)];
  const [pads, extra] = [list('pads', 0, 2 * rank), list('output_padding', 0)];
  const wanted = node.has('output_shape') ? list('output_shape', 0).slice(-rank) : undefined;
  const autoPad = node.text('auto_pad', 'NOTSET');
  const each = sizes.map((size, i) => {
    const full = strides[i]! * (size - 1) + extra[i]! + (kernel[i]! - 1) * dilations[i]! + 1;
    const isSame = autoPad === 'SAME_UPPER' || autoPad === 'SAME_LOWER';
    const output = wanted?.[i] ?? (isSame ? size * strides[i]! : undefined);
    if (output === undefined) {
      const [first, last] = autoPad === 'VALID' ? [0, 0] : [pads[i]!, pads[i + rank]!];
      return { before: first, output: full - first - last };
    }
    const total = Math.max(0, full - output);
    const less = Math.floor(total / 2);
    return { before: autoPad === 'SAME_UPPER' ? less : total - less, output };
  });
  const outputs = each.map(({ output }) => output);
  if (outputs.some((size) => size < 1)) invalid(`has outputs of ${printSizes(outputs)}`);
  return { strides, dilations, before: each.map(({ before }) => before), outputs };
};

const transposedOperand = (node: OnnxNode, whole: Transposed): Operand => {
  const { input, filters, bias, groups, strides, dilations, before, outputs } = whole;
  const kernel = filters.shape.slice(2);
  const isTiling =
    groups === 1 &&
    kernel.every(
      (size, i) =>
        size === strides[i] &&
        before[i] === 0 &&
        (size === 1 || dilations[i] === 1) &&
        outputs[i] === size * input.shape[i + 2]!,
    );
  if (isTiling) return tilingOperand(node, input, filters, bias);
  // Where the first element lies in the input with zeros; what would lie before it is cut off afterwards.
  const offsets = kernel.map((size, i) => (size - 1) * dilations[i]! - before[i]!);
  const cut = offsets.map((offset) => Math.max(0, -offset));
  const computedSizes = outputs.map((size, i) => size + cut[i]!);
  const first = offsets.map((offset) => Math.max(0, offset));
  const sizes = computedSizes.map((size, i) => size + (kernel[i]! - 1) * dilations[i]!);
  const windows: Windows = {
    kernel,
    strides: kernel.map(() => 1),
    dilations,
    before: kernel.map(() => 0),
    after: kernel.map(() => 0),
    outputs: computedSizes,
    beyond: kernel.map(() => 0),
  };
  const result = convolutionOperand(node, {
    input: spread(node, input, first, strides, sizes),
    filters: mirrored(node, filters, groups),
    bias,
    groups,
    windows,
  });
  if (cut.every((size) => size === 0)) return result;
  const shape = [...result.shape.slice(0, 2), ...outputs];
  return sliceOperand(
    node,
    result,
    [0, 0, ...cut],
    shape,
    shape.map(() => 1),
  );
};

/** Windows that do not overlap: a convolution of one tap makes the elements of each, which are then put in place. */
const tilingOperand = (
  node: OnnxNode,
  input: Operand,
  filters: Operand,
  bias: Operand | undefined,
): Operand => {
  const [batch, channels, height, width] = input.shape as [number, number, number, number];
  const [, count, rows, columns] = filters.shape as [number, number, number, number];
  const each = count * rows * columns;
  const taps = reshapeOperand(node, transposeOperand(node, filters, [1, 2, 3, 0]), [each, channels, 1, 1]);
  const perElement = bias && reshapeOperand(node, repeatedBias(node, bias, [count, rows, columns]), [each]);
  const parts = convolutionOperand(node, {
    input,
    filters: taps,
    bias: perElement,
    groups: 1,
    windows: {
      kernel: [1, 1],
      strides: [1, 1],
      dilations: [1, 1],
      before: [0, 0],
      after: [0, 0],
      outputs: [height, width],
      beyond: [0, 0],
    },
  });
  const blocks = reshapeOperand(node, parts, [batch, count, rows, columns, height, width]);
  const placed = transposeOperand(node, blocks, [0, 1, 4, 2, 5, 3]);
  return reshapeOperand(node, placed, [batch, count, height * rows, width * columns]);
};

const repeatedBias = (node: OnnxNode, bias: Operand, shape: readonly number[]): Operand =>
  foldStrided(node, bias, shape, [1, 0, 0]) ??
  elementwiseOver(node, reshapeOperand(node, bias, [bias.shape[0]!, 1, 1]), shape);

/** The input in a tensor of zeros, each element `strides` after the one before it. */
const spread = (
  node: OnnxNode,
  input: Operand,
  first: readonly number[],
  strides: readonly number[],
  sizes: readonly number[],
): Operand => {
  const { type } = input;
  const shape = [...input.shape.slice(0, 2), ...sizes];
  // Of what lies behind, no output is computed.
  const inside = input.shape
    .slice(2)
    .map((size, i) => Math.min(size, Math.ceil((sizes[i]! - first[i]!) / strides[i]!)));
  const part = [...input.shape.slice(0, 2), ...inside];
  const source = sliceOperand(
    node,
    input,
    part.map(() => 0),
    part,
    part.map(() => 1),
  );
  return computed(type, shape, () => {
    const { emitter } = node;
    return emitter.b(
      insertSlice,
      {
        source: source.value(),
        dest: emitter.filled(type, shape, 0),
        staticOffsets: [0, 0, ...first],
        staticSizes: part,
        staticStrides: [1, 1, ...strides],
      },
      { resultTypes: [tensorType(shape, type.type)] },
    );
  });
};

/** Filters of a convolution: channels and filters exchanged within each group, rows and columns in reverse. */
const mirrored = (node: OnnxNode, filters: Operand, groups: number): Operand => {
  const [channels, count, rows, columns] = filters.shape as [number, number, number, number];
  const perGroup = channels / groups;
  const form = [groups, count, perGroup, rows, columns];
  const result = [groups * count, perGroup, rows, columns];
  const [channel, filter, row, column] = stridesOf(filters.shape) as [number, number, number, number];
  const folded = foldStrided(
    node,
    filters,
    form,
    [perGroup * channel, filter, channel, -row, -column],
    (rows - 1) * row + (columns - 1) * column,
  );
  if (folded !== undefined) return reshapeOperand(node, folded, result);
  const grouped = reshapeOperand(node, filters, [groups, perGroup, count, rows, columns]);
  const at = [
    dim(0),
    dim(2),
    dim(1),
    sub(constantExpr(rows - 1), dim(3)),
    sub(constantExpr(columns - 1), dim(4)),
  ];
  const moved = computed(filters.type, form, () =>
    node.emitter.parallel(filters.type, form, [{ value: grouped.value(), at }], (_, x) => x),
  );
  return reshapeOperand(node, moved, result);
};
