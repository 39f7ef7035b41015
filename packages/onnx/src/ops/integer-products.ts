/** Convolutions and products of quantized integers: sums of i32, which `QLinear…` ops then scale and round. */
import { conv2dNgchwGfchwQ } from '@sconv/dialects/linalg';
import type { Value } from '@sconv/ir';
import { elementwise } from '../broadcast.ts';
import { splatValue } from '../constant.ts';
import { elementTypeOfCode, float32, int32 } from '../element-type.ts';
import type { OnnxNode } from '../node.ts';
import type { Operand } from '../operand.ts';
import { computed, constantOperand, reshapeOperand } from '../operations.ts';
import { invalid, printSizes, unsupported } from '../problem.ts';
import { ScalarOps } from '../scalar-ops.ts';
import type { Convolution } from './convolution.ts';
import { convolutionOf } from './convolution.ts';
import { productOperand } from './products.ts';
import { alongAxis, quantized } from './quantization.ts';
import { withUnitDimension } from './window.ts';

const int8 = elementTypeOfCode(3)!;

/** A zero point that is the same for the whole tensor, and known; 0 if it is left out. */
const zeroPoint = (node: OnnxNode, position: number): number => {
  if (node.optional(position) === undefined) return 0;
  const constant = node.constant(position, 'zero point');
  return splatValue(constant) ?? sameValue(node, position);
};

const sameValue = (node: OnnxNode, position: number): number => {
  const values = node.list(position, 'zero points') ?? [];
  return values.every((value) => value === values[0])
    ? (values[0] ?? 0)
    : unsupported('zero points that differ');
};

/** Numbers as i8: unsigned ones less 128, as their zero point. */
const asSigned = (
  node: OnnxNode,
  operand: Operand,
): { readonly operand: Operand; readonly offset: number } => {
  const { type, constant } = operand;
  if (type.kind !== 'integer' || type.size !== 1) return unsupported(`elements of type ${type.name}`);
  if (!type.isUnsigned) return { operand, offset: 0 };
  if (constant !== undefined && node.context.mayFold(constant.bytes.length)) {
    const bytes = constant.bytes.map((byte) => byte ^ 0x80);
    return { operand: constantOperand(node.emitter, { ...constant, type: int8, bytes }), offset: 128 };
  }
  // The highest bit, in whose place 128 is subtracted.
  const flipped = elementwise(node, [operand], {
    type: int8,
    emit: (b, x) => {
      const ops = new ScalarOps(b, int8);
      return ops.xor(x, ops.constant(-128));
    },
  });
  return { operand: flipped, offset: 128 };
};

/** Sums of i32 of a convolution of i8, with zero points. */
const integerConvolution = (
  node: OnnxNode,
  convolution: Convolution,
  zeros: readonly [number, number],
): Operand => {
  const { input, filters, bias, groups, windows } = convolution;
  if (input.shape.length === 3) {
    const withRow = (operand: Operand): Operand =>
      reshapeOperand(node, operand, operand.shape.toSpliced(2, 0, 1));
    const parts = { input: withRow(input), filters: withRow(filters), windows: withUnitDimension(windows) };
    const planar = integerConvolution(node, { ...convolution, ...parts }, zeros);
    return reshapeOperand(node, planar, planar.shape.toSpliced(2, 1));
  }
  const [image, kernels] = [asSigned(node, input), asSigned(node, filters)];
  const [imageZero, kernelZero] = [zeros[0] - image.offset, zeros[1] - kernels.offset];
  const shape = [input.shape[0]!, filters.shape[0]!, ...windows.outputs];
  const divided = (sizes: readonly number[], at: number): readonly number[] =>
    sizes.toSpliced(at, 1, groups, sizes[at]! / groups);
  const result = divided(shape, 1);
  return computed(int32, shape, () => {
    const { emitter } = node;
    const padded = emitter.pad(
      image.operand.value(),
      [0, 0, ...windows.before],
      [0, 0, ...windows.after],
      emitter.scalar(int8, imageZero),
    );
    const initial =
      bias === undefined
        ? emitter.filled(int32, result, 0)
        : emitter.broadcast(reshapeOperand(node, bias, divided(bias.shape, 0)).value(), result, [0, 3, 4]);
    const [sums] = emitter.b(
      conv2dNgchwGfchwQ,
      {
        inputs: [
          emitter.reshape(padded, divided(padded.type.shape, 1)),
          reshapeOperand(node, kernels.operand, divided(filters.shape, 0)).value(),
          emitter.scalar(int32, imageZero),
          emitter.scalar(int32, kernelZero),
        ],
        outputs: [initial],
        strides: windows.strides,
        dilations: windows.dilations,
      },
      { resultTypes: [initial.type] },
    );
    return emitter.reshape(sums!, shape);
  });
};

const convInteger = (node: OnnxNode): Operand =>
  integerConvolution(node, convolutionOf(node, node.input(0), node.input(1), undefined), [
    zeroPoint(node, 2),
    zeroPoint(node, 3),
  ]);

/** Numbers less their zero point, as i32: for the whole tensor, or of each row or column. */
const shifted = (node: OnnxNode, position: number, zeroPosition: number, axis: number): Operand => {
  const [operand, zero] = [node.input(position), node.optional(zeroPosition)];
  if (operand.type.kind !== 'integer') unsupported(`elements of type ${operand.type.name}`);
  const zeros = zero === undefined ? [] : [alongAxis(node, zero, operand.shape, axis)];
  return elementwise(node, [operand, ...zeros], {
    type: int32,
    emit: (b, x, by?: Value) => {
      const from = new ScalarOps(b, operand.type);
      const wide = from.cast(x, int32);
      return by === undefined ? wide : new ScalarOps(b, int32).sub(wide, from.cast(by, int32));
    },
  });
};

const matMulInteger = (node: OnnxNode): Operand =>
  productOperand(node, shifted(node, 0, 2, -2), shifted(node, 1, 3, -1));

/** Sums times the scales of the inputs, over that of the result, which has the type of its zero point. */
const requantized = (
  node: OnnxNode,
  sums: Operand,
  scales: readonly Operand[],
  axis: number,
  [scale, zero]: readonly [Operand, Operand],
): Operand => {
  const { type } = zero;
  if (type.kind !== 'integer' || type.size !== 1) unsupported(`results of type ${type.name}`);
  const parameters = [...scales, scale, zero].map((each) => alongAxis(node, each, sums.shape, axis));
  return elementwise(node, [sums, ...parameters], {
    type,
    emit: (b, sum, first, second, divisor, shift) => {
      const ops = new ScalarOps(b, float32);
      const factor = ops.div(ops.mul(first, second), divisor);
      const value = ops.mul(new ScalarOps(b, int32).cast(sum, float32), factor);
      return quantized(b, value, new ScalarOps(b, type).cast(shift, float32), float32, type);
    },
  });
};

const qLinearConv = (node: OnnxNode): Operand => {
  const [input, filters, bias] = [node.input(0), node.input(3), node.optional(8)];
  if (bias !== undefined && bias.type !== int32) invalid(`has a bias of ${bias.type.name}`);
  const sums = integerConvolution(node, convolutionOf(node, input, filters, bias), [
    zeroPoint(node, 2),
    zeroPoint(node, 5),
  ]);
  if (sums.shape.length < 2) invalid(`has an input of ${printSizes(input.shape)}`);
  return requantized(node, sums, [node.input(1), node.input(4)], 1, [node.input(6), node.input(7)]);
};

const qLinearMatMul = (node: OnnxNode): Operand => {
  const sums = productOperand(node, shifted(node, 0, 2, -2), shifted(node, 3, 5, -1));
  return requantized(node, sums, [node.input(1), node.input(4)], -1, [node.input(6), node.input(7)]);
};

/** Ops of this file by their ONNX names. */
export const integerProductOps: Readonly<Record<string, (node: OnnxNode) => Operand>> = {
  ConvInteger: convInteger,
  MatMulInteger: matMulInteger,
  QLinearConv: qLinearConv,
  QLinearMatMul: qLinearMatMul,
};
