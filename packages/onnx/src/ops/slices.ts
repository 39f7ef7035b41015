/** Ops that put tensors together, or take parts of them. */
import { constant as constantExpr, dim, sub } from '@sconv/affine';
import type { Constant } from '../constant.ts';
import { allocate, constantOf, countOf, elementsOf, stridesOf } from '../constant.ts';
import type { OnnxNode } from '../node.ts';
import type { Operand } from '../operand.ts';
import { checkedShape, computed, constantOperand, foldStrided } from '../operations.ts';
import { invalid, printSizes } from '../problem.ts';

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
const sliceOperand = (
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
  const steps = node.opset < 10 ? starts.map(() => 1) : (node.list(4, 'steps') ?? starts.map(() => 1));
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

/** Ops of this file by their ONNX names. */
export const sliceOps: Readonly<Record<string, (node: OnnxNode) => Operand | readonly Operand[]>> = {
  Concat: concat,
  Slice: slice,
  Split: split,
};
