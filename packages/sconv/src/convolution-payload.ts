/** The payload of a convolution: one function of the named op. */
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

/** The sizes of the output: batch, filters, height, width. */
export type OutputShape = readonly [number, number, number, number];

/** The only function of the payload: of input, filters and the output, which is added to or overwritten. */
export const convolutionFunction = 'convolve';

/**
 * A module with the function `@convolve` of input (without padding), filters and initial output, all tensors, that
 * returns their convolution; the groups of a grouped one are dimensions of their own: to compile with a
 * schedule of one's own (`compileModule`). Throws as `compileConvolution`.
 */
export const convolutionPayload = (spec: ConvolutionSpec): Module => payloadOf(checkedSpec(spec)).payload;

/** The payload of options that were checked. Throws `CsaError` for a shape that cannot be. */
export const payloadOf = (spec: CheckedSpec): { readonly payload: Module; readonly output: OutputShape } => {
  const { payload, outputs } = payloadOfAll([spec]);
  return { payload, output: outputs[0]! };
};

/** The name of a convolution's function, where `count` of them make a payload. */
export const functionNameOf = (position: number, count: number): string =>
  count === 1 ? convolutionFunction : `${convolutionFunction}${position}`;

/** A payload with a function for each convolution. Throws `CsaError` for a shape that cannot be. */
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

/** The named op of a convolution, and its operands: of groups, as a dimension before that of what is divided into them. */
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

/** Zeros in place of what a tensor holds. */
const zeros = (b: Builder, tensor: Value<TensorType>): Value => {
  const zero = b(constant, { value: floatAttribute(0, f32) });
  const [filled] = b(fill, { inputs: [zero], outputs: [tensor] }, { resultTypes: [tensor.type] });
  return filled!;
};

/** The input with zeros around each of its images; itself where there are none. */
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
