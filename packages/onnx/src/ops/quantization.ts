/** Quantized tensors: integers with a scale and a zero point, for the whole tensor or for each part along an axis. */
import { roundeven } from '@sconv/dialects/math';
import type { Builder, Value } from '@sconv/ir';
import { elementwise } from '../broadcast.ts';
import { allocate, constantOf, countOf, elementsOf, numbersOf, stridesOf } from '../constant.ts';
import type { ElementType } from '../element-type.ts';
import { elementTypeOfCode, float32, int32, numberAt } from '../element-type.ts';
import type { OnnxNode } from '../node.ts';
import type { Operand } from '../operand.ts';
import { computed, constantOperand, reshapeOperand } from '../operations.ts';
import { invalid, printSizes, unsupported } from '../problem.ts';
import { ScalarOps } from '../scalar-ops.ts';
import { highestOf, lowestOf } from './neutral.ts';
import { maxima, minima, reduceAlong } from './reductions.ts';

const uint8 = elementTypeOfCode(2)!;

/** A scale or zero point in a form that broadcasts with a tensor of this shape. */
export const alongAxis = (
  node: OnnxNode,
  parameter: Operand,
  shape: readonly number[],
  axis: number,
): Operand => {
  if (countOf(parameter.shape) === 1) return reshapeOperand(node, parameter, []);
  if (parameter.shape.length !== 1) return unsupported(`a scale of ${printSizes(parameter.shape)}`);
  const at = node.axis(axis, shape.length);
  if (parameter.shape[0] !== shape[at])
    invalid(`has a scale of ${printSizes(parameter.shape)} for dimension ${at} of ${printSizes(shape)}`);
  return reshapeOperand(
    node,
    parameter,
    shape.map((size, i) => (i === at ? size : 1)),
  );
};

/** A number of type `from` plus a zero point, rounded to even and saturated. */
export const quantized = (
  b: Builder,
  value: Value,
  zeroPoint: Value,
  from: ElementType,
  to: ElementType,
): Value => {
  const ops = new ScalarOps(b, from);
  const shifted = ops.add(b(roundeven, { operand: value }), zeroPoint);
  const [low, high] = [lowestOf(to), Number(highestOf(to))];
  return ops.cast(ops.min(ops.max(shifted, ops.constant(low)), ops.constant(high)), to);
};

const zeroPointOf = (node: OnnxNode, position: number): Operand | undefined => node.optional(position);

/** `QuantizeLinear`. */
const quantizeLinear = (node: OnnxNode): Operand => {
  const [input, scale, zeroPoint] = [node.input(0), node.input(1), zeroPointOf(node, 2)];
  const code = node.int('output_dtype', 0);
  const type =
    zeroPoint?.type ?? elementTypeOfCode(code === 0 ? 2 : code) ?? unsupported(`elements of type ${code}`);
  if (type.kind !== 'integer' || type.size > 2) unsupported(`results of type ${type.name}`);
  const float = input.type.kind === 'float' ? input.type : unsupported(`elements of type ${input.type.name}`);
  const axis = node.int('axis', 1);
  const parameters = [scale, ...(zeroPoint === undefined ? [] : [zeroPoint])];
  return elementwise(node, [input, ...parameters.map((each) => alongAxis(node, each, input.shape, axis))], {
    type,
    emit: (b, x, by, zero?: Value) => {
      const ops = new ScalarOps(b, float);
      const divided = ops.div(x, new ScalarOps(b, scale.type).cast(by, float));
      const shift = zero === undefined ? ops.constant(0) : new ScalarOps(b, type).cast(zero, float);
      return quantized(b, divided, shift, float, type);
    },
  });
};

/** `DequantizeLinear`; of constants, at import. */
const dequantizeLinear = (node: OnnxNode): Operand => {
  const [input, scale, zeroPoint] = [node.input(0), node.input(1), zeroPointOf(node, 2)];
  const axis = node.int('axis', 1);
  if (input.type.kind !== 'integer') unsupported(`elements of type ${input.type.name}`);
  if (zeroPoint !== undefined && zeroPoint.type !== input.type)
    invalid(`has a zero point of ${zeroPoint.type.name} for ${input.type.name}`);
  const { type } = scale;
  const parameters = [scale, ...(zeroPoint === undefined ? [] : [zeroPoint])].map((each) =>
    alongAxis(node, each, input.shape, axis),
  );
  return (
    foldDequantized(node, input, parameters) ??
    elementwise(node, [input, ...parameters], {
      type,
      emit: (b, x, by, zero?: Value) => {
        const [ops, from] = [new ScalarOps(b, int32), new ScalarOps(b, input.type)];
        const wide = from.cast(x, int32);
        const shifted = zero === undefined ? wide : ops.sub(wide, from.cast(zero, int32));
        return new ScalarOps(b, type).mul(ops.cast(shifted, type), by);
      },
    })
  );
};

const foldDequantized = (
  node: OnnxNode,
  { constant, type, shape }: Operand,
  [scale, zeroPoint]: readonly Operand[],
): Operand | undefined => {
  const scales = scale?.constant;
  const zeros = zeroPoint?.constant;
  const isKnown = zeroPoint === undefined || zeros !== undefined;
  if (
    constant === undefined ||
    constant.isSplat ||
    scales === undefined ||
    !isKnown ||
    scales.type !== float32
  )
    return undefined;
  const count = countOf(shape);
  if (!node.context.mayFold(4 * count)) return undefined;
  const [factors, shifts] = [numbersOf(scales), zeros === undefined ? [0] : numbersOf(zeros)];
  // The position along the only axis that a parameter has.
  const partOf = (parameter: readonly number[], form: readonly number[]) => {
    if (parameter.length === 1) return () => 0;
    const axis = form.findIndex((size) => size !== 1);
    const stride = stridesOf(shape)[axis]!;
    return (i: number): number => Math.floor(i / stride) % shape[axis]!;
  };
  const [factorAt, shiftAt] = [partOf(factors, scales.shape), partOf(shifts, zeros?.shape ?? [])];
  const elements = elementsOf(constant);
  const result = allocate(float32, count);
  for (let i = 0; i < count; i++)
    result[i] = Math.fround((numberAt(type, elements, i) - shifts[shiftAt(i)]!) * factors[factorAt(i)]!);
  return constantOperand(node.emitter, constantOf(float32, shape, result));
};

/** `DynamicQuantizeLinear`: uint8 of the range of the elements, made to have 0, with its scale and zero point. */
const dynamicQuantizeLinear = (node: OnnxNode): readonly Operand[] => {
  const input = node.input(0);
  const { type, shape } = input;
  if (type !== float32) unsupported(`elements of type ${type.name}`);
  const axes = shape.map((_, i) => i);
  const [low, high] = [minima, maxima].map((reduction) =>
    computed(type, [], () => reduceAlong(node, type, input.value(), axes, reduction)),
  ) as [Operand, Operand];
  const ofRange =
    (emit: (ops: ScalarOps, least: Value, most: Value) => Value) =>
    (b: Builder, ...range: readonly Value[]) => {
      const ops = new ScalarOps(b, type);
      const zero = ops.constant(0);
      return emit(ops, ops.min(range[0]!, zero), ops.max(range[1]!, zero));
    };
  const scaleOf = (ops: ScalarOps, least: Value, most: Value): Value =>
    ops.div(ops.sub(most, least), ops.constant(255));
  const scale = elementwise(node, [low, high], { type, emit: ofRange(scaleOf) });
  const zeroPoint = elementwise(node, [low, high], {
    type: uint8,
    emit: ofRange((ops, least, most) => {
      const zero = ops.div(ops.neg(least), scaleOf(ops, least, most));
      return quantized(ops.b, zero, ops.constant(0), type, uint8);
    }),
  });
  const values = elementwise(node, [input, scale, zeroPoint], {
    type: uint8,
    emit: (b, x, by, zero) => {
      const ops = new ScalarOps(b, type);
      return quantized(b, ops.div(x, by), new ScalarOps(b, uint8).cast(zero, type), type, uint8);
    },
  });
  return [values, scale, zeroPoint];
};

/** Ops of this file by their ONNX names. */
export const quantizationOps: Readonly<Record<string, (node: OnnxNode) => Operand | readonly Operand[]>> = {
  DynamicQuantizeLinear: dynamicQuantizeLinear,
  DequantizeLinear: dequantizeLinear,
  QuantizeLinear: quantizeLinear,
};
