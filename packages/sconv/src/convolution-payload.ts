/** The payload of a convolution: one function of the named op. */
import { convolution } from '@sconv/csa';
import { unwrap } from '@sconv/diagnostics';
import type { Module } from '@sconv/ir';
import { parseModule } from '@sconv/ir';
import type { CheckedSpec, ConvolutionSpec } from './convolution-spec.ts';
import { checkedSpec } from './convolution-spec.ts';
import { defaultRegistry } from './default-registry.ts';

/** The sizes of the output: batch, filters, height, width. */
export type OutputShape = readonly [number, number, number, number];

/** The only function of the payload: of input, filters and initial output. */
export const convolutionFunction = 'convolve';

/**
 * A module with the function `@convolve` of input (without padding), filters and initial output, all tensors, that
 * returns their convolution: to compile with a schedule of one's own (`compileModule`). Throws as `compileConvolution`.
 */
export const convolutionPayload = (spec: ConvolutionSpec): Module => payloadOf(checkedSpec(spec)).payload;

/** The payload of options that were checked. Throws `CsaError` for a shape that cannot be. */
export const payloadOf = (spec: CheckedSpec): { readonly payload: Module; readonly output: OutputShape } => {
  const { strides, dilations, padding } = spec;
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
  const { top, bottom, left, right } = padding;
  const output = [batch, filters, outputHeight, outputWidth] as const;
  const padded = [batch, inputChannels, inputHeight + top + bottom, inputWidth + left + right];
  const [input, filter, result, source] = [spec.input, spec.filters, output, padded].map(
    (sizes) => `tensor<${sizes.join('x')}xf32>`,
  );
  const pair = (values: readonly [number, number]) => `dense<[${values.join(', ')}]> : tensor<2xi64>`;
  const pad = `  %zero = arith.constant 0.0 : f32
  %source = tensor.pad %in low[0, 0, ${top}, ${left}] high[0, 0, ${bottom}, ${right}] {
  ^bb0(%n: index, %c: index, %h: index, %w: index):
    tensor.yield %zero : f32
  } : ${input} to ${source}
`;
  const isPadded = top + bottom + left + right > 0;
  const text = `func.func @${convolutionFunction}(%in: ${input}, %filters: ${filter}, %out: ${result}) -> ${result} {
${isPadded ? pad : ''}  %0 = linalg.conv_2d_nchw_fchw {dilations = ${pair(dilations)}, strides = ${pair(strides)}}
    ins(${isPadded ? '%source' : '%in'}, %filters : ${source}, ${filter}) outs(%out : ${result}) -> ${result}
  return %0 : ${result}
}`;
  const options = { registry: defaultRegistry, fileName: convolutionFunction };
  return { payload: unwrap(parseModule(text, options)), output };
};
