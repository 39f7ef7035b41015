/** Operations on operands: on constants at import where that is cheap, else as ops. */
import type { Constant } from './constant.ts';
import { countOf, reshaped, strided, stridesOf } from './constant.ts';
import { invalid, printSizes } from './problem.ts';
import type { ElementType } from './element-type.ts';
import type { Emitter } from './emitter.ts';
import type { OnnxNode } from './node.ts';
import type { Operand } from './operand.ts';
import type { TensorType, Value } from '@sconv/ir';

/** An operand for a constant, which becomes a value at its first use. */
export const constantOperand = (emitter: Emitter, constant: Constant): Operand => {
  let value: Value<TensorType> | undefined;
  return {
    type: constant.type,
    shape: constant.shape,
    constant,
    value: () => (value ??= emitter.constant(constant)),
  };
};

/** An operand whose ops are created at the first use. */
export const computed = (
  type: ElementType,
  shape: readonly number[],
  create: () => Value<TensorType>,
): Operand => {
  let value: Value<TensorType> | undefined;
  return { type, shape: checkedShape(shape), value: () => (value ??= create()) };
};

/** More elements than that address no memory of a program. */
const mostElements = 2 ** 31;

/** A shape that a tensor can have. */
export const checkedShape = (shape: readonly number[]): readonly number[] => {
  if (shape.some((size) => size < 0) || countOf(shape) > mostElements)
    invalid(`gives a tensor of ${printSizes(shape)}`);
  return shape;
};

/** The same elements in another shape of as many elements. */
export const reshapeOperand = (
  { emitter }: OnnxNode,
  operand: Operand,
  shape: readonly number[],
): Operand => {
  if (printSizes(shape) === printSizes(operand.shape)) return operand;
  if (countOf(shape) !== countOf(operand.shape))
    invalid(`makes ${printSizes(shape)} of ${printSizes(operand.shape)}`);
  if (operand.constant !== undefined) return constantOperand(emitter, reshaped(operand.constant, shape));
  return computed(operand.type, shape, () => emitter.reshape(operand.value(), shape));
};

/** The constant's elements at these strides, if it is one that may be computed at import. */
export const foldStrided = (
  node: OnnxNode,
  { constant, type }: Operand,
  shape: readonly number[],
  strides: readonly number[],
  offset = 0,
): Operand | undefined => {
  if (constant === undefined) return undefined;
  checkedShape(shape);
  if (!constant.isSplat && !node.context.mayFold(countOf(shape) * type.size)) return undefined;
  return constantOperand(node.emitter, strided(constant, shape, strides, offset));
};

/** Dimension `i` of the result is dimension `permutation[i]`. */
export const transposeOperand = (
  node: OnnxNode,
  operand: Operand,
  permutation: readonly number[],
): Operand => {
  const shape = permutation.map((dimension) => operand.shape[dimension]!);
  const strides = stridesOf(operand.shape);
  return (
    foldStrided(
      node,
      operand,
      shape,
      permutation.map((dimension) => strides[dimension]!),
    ) ?? computed(operand.type, shape, () => node.emitter.transpose(operand.value(), permutation))
  );
};
