/** Ops that put tensors together, or take parts of them. */
import { constant as constantExpr, dim, sub } from '@sconv/affine';
import { indexCast } from '@sconv/dialects/arith';
import { index as indexOp } from '@sconv/dialects/linalg';
import { extract } from '@sconv/dialects/tensor';
import type { Value } from '@sconv/ir';
import { indexType } from '@sconv/ir';
import type { Constant } from '../constant.ts';
import { allocate, constantOf, countOf, elementsOf, stridesOf } from '../constant.ts';
import type { OnnxNode } from '../node.ts';
import type { Operand } from '../operand.ts';
import { checkedShape, computed, constantOperand, foldStrided, reshapeOperand } from '../operations.ts';
import { invalid, printSizes, unsupported } from '../problem.ts';
import { ScalarOps } from '../scalar-ops.ts';
import { int64 } from '../element-type.ts';

const concat = (node: OnnxNode): Operand => {
  const operands = node.inputs.map((_, i) => node.input(i));
  const type = node.commonType(operands);
  const first = operands[0]!.shape;
  const axis = node.axis(node.int('axis', node.has('axis') ? 0 : NaN), first.length);
  if (
    operands.some(
      ({ shape }) =>
        shape.length !== first.length || shape.some((size, i) => i !== axis && size !== first[i]),
    )
  )
    invalid(`puts ${operands.map(({ shape }) => printSizes(shape)).join(', ')} together along ${axis}`);
  const total = operands.reduce((sum, { shape }) => sum + shape[axis]!, 0);
  const shape = checkedShape(first.with(axis, total));
  const constants = operands.flatMap(({ constant }) => constant ?? []);
  if (constants.length === operands.length && node.context.mayFold(countOf(shape) * type.size))
    return constantOperand(node.emitter, concatConstants(constants, shape, axis));
  const filled = operands.filter((operand) => countOf(operand.shape) > 0);
  if (filled.length === 1 && countOf(shape) > 0) return filled[0]!;
  return computed(type, shape, () =>
    node.emitter.concat(
      type,
      filled.map((operand) => operand.value()),
      shape,
      axis,
    ),
  );
};

const concatConstants = (
  constants: readonly Constant[],
  shape: readonly number[],
  axis: number,
): Constant => {
  const { type } = constants[0]!;
  const result = allocate(type, countOf(shape));
  const [rows, inner] = [countOf(shape.slice(0, axis)), countOf(shape.slice(axis + 1))];
  let offset = 0;
  for (const constant of constants) {
    const elements = elementsOf(constant);
    const length = constant.shape[axis]! * inner;
    for (let row = 0; row < rows; row++)
      for (let i = 0; i < length; i++)
        result[row * shape[axis]! * inner + offset + i] = elements[constant.isSplat ? 0 : row * length + i]!;
    offset += length;
  }
  return constantOf(type, shape, result);
};

/** The elements at these offsets, every `steps`-th, which may be negative. */
export const sliceOperand = (
  node: OnnxNode,
  operand: Operand,
  offsets: readonly number[],
  sizes: readonly number[],
  steps: readonly number[],
): Operand => {
  const { emitter } = node;
  const strides = stridesOf(operand.shape);
  const offset = offsets.reduce((sum, each, i) => sum + each * strides[i]!, 0);
  const folded = foldStrided(
    node,
    operand,
    sizes,
    steps.map((step, i) => step * strides[i]!),
    offset,
  );
  if (folded !== undefined) return folded;
  if (sizes.every((size, i) => size === operand.shape[i]) && steps.every((step) => step > 0)) return operand;
  return computed(operand.type, sizes, () => {
    const lowest = offsets.map((each, i) => (steps[i]! < 0 ? each + (sizes[i]! - 1) * steps[i]! : each));
    const ascending = emitter.slice(operand.value(), lowest, sizes, steps.map(Math.abs));
    if (steps.every((step) => step > 0)) return ascending;
    const at = sizes.map((size, i) => (steps[i]! < 0 ? sub(constantExpr(size - 1), dim(i)) : dim(i)));
    return emitter.parallel(operand.type, sizes, [{ value: ascending, at }], (_, x) => x);
  });
};

const slice = (node: OnnxNode): Operand => {
  const operand = node.input(0);
  const { shape } = operand;
  const starts = node.intsOrInput('starts', 1) ?? invalid('lacks starts');
  const ends = node.intsOrInput('ends', 2) ?? invalid('lacks ends');
  const axes = (node.intsOrInput('axes', 3) ?? starts.map((_, i) => i)).map((axis) =>
    node.axis(axis, shape.length),
  );
  const steps = node.list(4, 'steps') ?? starts.map(() => 1);
  if ([ends, axes, steps].some(({ length }) => length !== starts.length) || new Set(axes).size < axes.length)
    invalid(`has ${starts.length} starts, ${ends.length} ends, axes ${axes.join(', ')}`);
  if (steps.includes(0)) invalid('has a step of 0');
  const parts = shape.map((size, i) => {
    const at = axes.indexOf(i);
    if (at < 0) return { offset: 0, size, step: 1 };
    const step = steps[at]!;
    const [low, high] = step > 0 ? [0, size] : [-1, size - 1];
    const position = (given: number): number =>
      Math.min(Math.max(given < 0 ? given + size : given, low), high);
    const [start, end] = [position(starts[at]!), position(ends[at]!)];
    return { offset: start, size: Math.max(0, Math.ceil((end - start) / step)), step };
  });
  return sliceOperand(
    node,
    operand,
    parts.map(({ offset, size }) => (size === 0 ? 0 : offset)),
    parts.map(({ size }) => size),
    parts.map(({ size, step }) => (size <= 1 ? 1 : step)),
  );
};

const split = (node: OnnxNode): readonly Operand[] => {
  const operand = node.input(0);
  const { shape } = operand;
  const axis = node.axis(node.int('axis', 0), shape.length);
  const count = node.outputs.length;
  const given = node.intsOrInput('split', 1);
  const chunk = Math.ceil(shape[axis]! / count);
  const sizes = given ?? node.outputs.map((_, i) => Math.max(0, Math.min(chunk, shape[axis]! - i * chunk)));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  if (sizes.length !== count || total !== shape[axis] || sizes.some((size) => size < 0))
    invalid(`splits ${shape[axis]} into ${sizes.join(', ')} for ${count} outputs`);
  let at = 0;
  return sizes.map((size) => {
    const offsets = shape.map((_, i) => (i === axis ? at : 0));
    at += size;
    return sliceOperand(
      node,
      operand,
      offsets,
      shape.with(axis, size),
      shape.map(() => 1),
    );
  });
};

/** `Tile`: dimensions repeated as a whole. */
const tile = (node: OnnxNode): Operand => {
  const operand = node.input(0);
  const { type, shape } = operand;
  const repeats = node.list(1, 'repeats') ?? invalid('lacks repeats');
  if (repeats.length !== shape.length) invalid(`repeats ${printSizes(shape)} by ${repeats.join(', ')}`);
  const result = checkedShape(shape.map((size, i) => size * repeats[i]!));
  // Each dimension as the repetition, and what repeats.
  const pairs = checkedShape(shape.flatMap((size, i) => [repeats[i]!, size]));
  const strides = stridesOf(shape).flatMap((stride) => [0, stride]);
  const folded = foldStrided(node, operand, pairs, strides);
  if (folded !== undefined) return reshapeOperand(node, folded, result);
  const repeated = computed(type, pairs, () => {
    const at = shape.map((_, i) => dim(2 * i + 1));
    return node.emitter.parallel(type, pairs, [{ value: operand.value(), at }], (_, x) => x);
  });
  return reshapeOperand(node, repeated, result);
};

/** `Pad`: with a constant, or with elements of the tensor; negative pads cut off. */
const pad = (node: OnnxNode): Operand => {
  const operand = node.input(0);
  const { type, shape } = operand;
  const rank = shape.length;
  const given = node.intsOrInput('pads', 1) ?? invalid('lacks pads');
  const axes = node.axes(node.list(3, 'axes') ?? shape.map((_, i) => i), rank);
  if (given.length !== 2 * axes.length) invalid(`has ${given.length} pads for ${axes.length} dimensions`);
  // With axes, pads are in their order.
  const order = (node.list(3, 'axes') ?? axes).map((axis) => node.axis(axis, rank));
  const padOf = (i: number, side: 0 | 1): number => {
    const at = order.indexOf(i);
    return at < 0 ? 0 : given[at + side * order.length]!;
  };
  const [low, high] = [shape.map((_, i) => padOf(i, 0)), shape.map((_, i) => padOf(i, 1))];
  const result = checkedShape(shape.map((size, i) => low[i]! + size + high[i]!));
  const mode = node.text('mode', 'constant');
  if (mode === 'constant') {
    const value = node.number(2, 'value') ?? node.float('value', 0);
    const cut = sliceOperand(
      node,
      operand,
      low.map((size) => Math.max(0, -size)),
      shape.map((size, i) => size + Math.min(0, low[i]!) + Math.min(0, high[i]!)),
      shape.map(() => 1),
    );
    return computed(type, result, () => {
      const [before, after] = [low, high].map((sizes) => sizes.map((size) => Math.max(0, size)));
      return node.emitter.pad(cut.value(), before!, after!, node.emitter.scalar(type, value));
    });
  }
  const indexOf = paddingModes[mode] ?? invalid(`has mode '${mode}'`);
  if (
    shape.some(
      (size, i) =>
        size === 0 || (mode === 'reflect' && Math.max(low[i]!, high[i]!) >= size && low[i]! + high[i]! !== 0),
    )
  )
    unsupported(`pads wider than ${printSizes(shape)}`);
  return computed(type, result, () =>
    node.emitter.parallel(type, result, [], (b) => {
      const indices = shape.map((size, i) => {
        const index = b(indexOp, { dim: i });
        const wide = new ScalarOps(b, int64);
        const position = b(indexCast, { in: index }, { resultTypes: [int64.type] });
        const inside = indexOf(wide, wide.sub(position, wide.constant(low[i]!)), size);
        return b(indexCast, { in: inside }, { resultTypes: [indexType] });
      });
      return b(extract, { tensor: operand.value(), indices });
    }),
  );
};

/** The index inside for one that may be outside, before 0 or from `size` on. */
const paddingModes: Readonly<Record<string, (ops: ScalarOps, index: Value, size: number) => Value>> = {
  edge: (ops, index, size) => ops.min(ops.max(index, ops.constant(0)), ops.constant(size - 1)),
  reflect: (ops, index, size) => {
    const folded = ops.abs(index);
    return ops.min(folded, ops.sub(ops.constant(2 * (size - 1)), folded));
  },
  wrap: (ops, index, size) => {
    const rest = ops.rem(index, ops.constant(size));
    return ops.select(ops.compare('lt', rest, ops.constant(0)), ops.add(rest, ops.constant(size)), rest);
  },
};

/** Ops of this file by their ONNX names. */
export const sliceOps: Readonly<Record<string, (node: OnnxNode) => Operand | readonly Operand[]>> = {
  Concat: concat,
  Pad: pad,
  Slice: slice,
  Split: split,
  Tile: tile,
};
