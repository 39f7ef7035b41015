/** The payload of a convolution: one function with the named op. */
import type { Padding } from '@sconv/csa';
import { convolution } from '@sconv/csa';
import { unwrap } from '@sconv/diagnostics';
import { buildPayload } from '@sconv/dialects';
import { constant } from '@sconv/dialects/arith';
import { conv2dNchwFchw, conv2dNgchwGfchw, depthwiseConv2dNchwChw, fill } from '@sconv/dialects/linalg';
import { pad, yieldOp } from '@sconv/dialects/tensor';
import type { Builder, Module, TensorType, Value } from '@sconv/ir';
import { f32, floatAttribute, indexType, tensorType } from '@sconv/ir';
import type { CheckedSpec, ConvolutionSpec } from './convolution-spec.ts';
import { checkedSpec } from './convolution-spec.ts';
import { defaultRegistry } from './default-registry.ts';

/** The output's sizes: batch, filters, height, width. */
export type OutputShape = readonly [number, number, number, number];

/** The only function of the payload: takes input, filters and the output to accumulate into or overwrite. */
export const convolutionFunction = 'convolve';

/**
 * A module with the function `@convolve` of input (unpadded), filters and initial output, all tensors, returning their
 * convolution; groups are separate dimensions. For compilation with your own schedule (`compileModule`). Throws as
 * `compileConvolution`.
 */
export const convolutionPayload = (spec: ConvolutionSpec): Module => payloadOf(checkedSpec(spec)).payload;

/** The payload for checked options. Throws `CsaError` for an impossible shape. */
export const payloadOf = (spec: CheckedSpec): { readonly payload: Module; readonly output: OutputShape } => {
  const { payload, outputs } = payloadOfAll([spec]);
  return { payload, output: outputs[0]! };
};

/** The name of a convolution's function in a payload of `count` of them. */
export const functionNameOf = (position: number, count: number): string =>
  count === 1 ? convolutionFunction : `${convolutionFunction}${position}`;

/** A payload with a function per convolution. Throws `CsaError` for an impossible shape. */
export const payloadOfAll = (
  specs: readonly CheckedSpec[],
): { readonly payload: Module; readonly outputs: readonly OutputShape[] } => {
  const outputs = specs.map(outputOf);
  const payload = buildPayload(defaultRegistry, ({ func }) => {
    specs.forEach((spec, i) => {
      const { strides, dilations, padding, accumulate } = spec;
      const { definition, types } = formOf(spec, outputs[i]!);
      func(functionNameOf(i, specs.length), types, (b, image, kernels, initial) =>
        b(definition, {
          inputs: [padded(b, image, padding), kernels],
          outputs: [accumulate ? initial : zeros(b, initial)],
          strides,
          dilations,
        }),
      );
    });
  });
  return { payload: unwrap(payload), outputs };
};

/** The named op of a convolution, and its operand types: groups are a dimension before the one they divide. */
const formOf = ({ input, filters, groups }: CheckedSpec, output: OutputShape) => {
  const typed = (...shapes: readonly [readonly number[], readonly number[], readonly number[]]) =>
    shapes.map((shape) => tensorType(shape, f32)) as [TensorType, TensorType, TensorType];
  if (groups === 1) return { definition: conv2dNchwFchw, types: typed(input, filters, output) };
  if (groups === input[1] && groups === filters[0]) {
    const [, , height, width] = filters;
    return { definition: depthwiseConv2dNchwChw, types: typed(input, [groups, height, width], output) };
  }
  const divided = (shape: readonly number[], position: number): readonly number[] =>
    shape.toSpliced(position, 1, groups, shape[position]! / groups);
  const types = typed(divided(input, 1), divided(filters, 0), divided(output, 1));
  return { definition: conv2dNgchwGfchw, types };
};

const outputOf = ({
  input,
  filters: kernels,
  strides,
  dilations,
  padding,
  groups,
}: CheckedSpec): OutputShape => {
  const [batch, inputChannels, inputHeight, inputWidth] = input;
  const [filters, , filterHeight, filterWidth] = kernels;
  const { outputHeight, outputWidth } = convolution({
    batch,
    inputChannels,
    inputHeight,
    inputWidth,
    filters,
    filterHeight,
    filterWidth,
    strides: { h: strides[0], w: strides[1] },
    dilations: { h: dilations[0], w: dilations[1] },
    padding,
    groups,
  });
  return [batch, filters, outputHeight, outputWidth];
};

/** A zero tensor in place of a tensor's contents. */
const zeros = (b: Builder, tensor: Value<TensorType>): Value => {
  const zero = b(constant, { value: floatAttribute(0, f32) });
  const [filled] = b(fill, { inputs: [zero], outputs: [tensor] }, { resultTypes: [tensor.type] });
  return filled!;
};

/** The input with zero padding around each image; unchanged if there is none. */
const padded = (b: Builder, input: Value<TensorType>, { top, bottom, left, right }: Padding): Value => {
  if (top + bottom + left + right === 0) return input;
  const { shape } = input.type;
  const around = (rows: number, columns: number): readonly number[] =>
    shape.map((_, i) => (i === shape.length - 2 ? rows : i === shape.length - 1 ? columns : 0));
  const [low, high] = [around(top, left), around(bottom, right)];
  const zero = b(constant, { value: floatAttribute(0, f32) });
  return b(
    pad,
    { source: input, staticLow: low, staticHigh: high },
    {
      resultTypes: [
        tensorType(
          shape.map((size, i) => low[i]! + size + high[i]!),
          f32,
        ),
      ],
      bodies: [
        {
          argumentTypes: shape.map(() => indexType),
          build: (inner) => inner(yieldOp, { value: zero }),
        },
      ],
    },
  );
};
