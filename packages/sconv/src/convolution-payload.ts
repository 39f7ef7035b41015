/** The payload of a convolution: one function of the named op. */
import type { Padding } from '@sconv/csa';
import { convolution } from '@sconv/csa';
import { unwrap } from '@sconv/diagnostics';
import { buildPayload } from '@sconv/dialects';
import { constant } from '@sconv/dialects/arith';
import { conv2dNchwFchw, fill } from '@sconv/dialects/linalg';
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
 * returns their convolution: to compile with a schedule of one's own (`compileModule`). Throws as `compileConvolution`.
 */
export const convolutionPayload = (spec: ConvolutionSpec): Module => payloadOf(checkedSpec(spec)).payload;

/** The payload of options that were checked. Throws `CsaError` for a shape that cannot be. */
export const payloadOf = (spec: CheckedSpec): { readonly payload: Module; readonly output: OutputShape } => {
  const { strides, dilations, padding, accumulate } = spec;
  const [batch, inputChannels, inputHeight, inputWidth] = spec.input;
  const [filters, , filterHeight, filterWidth] = spec.filters;
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
  });
  const output = [batch, filters, outputHeight, outputWidth] as const;
  const types = [
    tensorType(spec.input, f32),
    tensorType(spec.filters, f32),
    tensorType(output, f32),
  ] as const;
  const payload = buildPayload(defaultRegistry, ({ func }) =>
    func(convolutionFunction, types, (b, image, kernels, initial) =>
      b(conv2dNchwFchw, {
        inputs: [padded(b, image, padding), kernels],
        outputs: [accumulate ? initial : zeros(b, initial)],
        strides,
        dilations,
      }),
    ),
  );
  return { payload: unwrap(payload), output };
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
  const [batch, channels, height, width] = input.type.shape as readonly [number, number, number, number];
  const zero = b(constant, { value: floatAttribute(0, f32) });
  return b(
    pad,
    { source: input, staticLow: [0, 0, top, left], staticHigh: [0, 0, bottom, right] },
    {
      resultTypes: [tensorType([batch, channels, height + top + bottom, width + left + right], f32)],
      bodies: [
        {
          argumentTypes: [indexType, indexType, indexType, indexType],
          build: (inner) => inner(yieldOp, { value: zero }),
        },
      ],
    },
  );
};
