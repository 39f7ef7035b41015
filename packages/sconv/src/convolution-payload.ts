/** The payload of a convolution: one function with the named op, and an elementwise op after it. */
import { dim, identityMap, makeMap } from '@sconv/affine';
import { convolution } from '@sconv/csa';
import { unwrap } from '@sconv/diagnostics';
import { buildPayload, zeroOf } from '@sconv/dialects';
import { addf, addi, constant, maximumf, maxsi, minimumf, minsi } from '@sconv/dialects/arith';
import {
  conv2dNchwFchw,
  conv2dNgchwGfchw,
  conv2dNhwcHwcf,
  depthwiseConv2dNchwChw,
  depthwiseConv2dNhwcHwc,
  depthwiseConv2dNhwcHwcm,
  fill,
  generic,
  yieldOp as yieldElement,
} from '@sconv/dialects/linalg';
import { pad, yieldOp } from '@sconv/dialects/tensor';
import type { Builder, Module, TensorType, Type, Value } from '@sconv/ir';
import {
  bf16,
  f16,
  f32,
  f64,
  floatAttribute,
  i32,
  integerType,
  indexType,
  integerAttribute,
  tensorType,
} from '@sconv/ir';
import type { ConvolutionElement } from './convolution-elements.ts';
import { sumElements } from './convolution-elements.ts';
import type { CheckedSpec, ConvolutionSpec } from './convolution-spec.ts';
import { checkedSpec, filterSizes, inputSizes } from './convolution-spec.ts';
import { convolutionRegistry } from './convolution-registry.ts';

/** The output's sizes, in the order of the layout: batch, filters, height, width, or batch, height, width, filters. */
export type OutputShape = readonly [number, number, number, number];

/** The only function of the payload. */
const convolutionFunction = 'convolve';

/**
 * A module with the function `@convolve` of input (unpadded), filters, bias and residual, if there are such, and the
 * output to accumulate into or overwrite, all tensors, returning their convolution; groups are separate dimensions. For
 * compilation with your own schedule (`compileModule`). Throws as `compileConvolution`.
 */
export const convolutionPayload = (spec: ConvolutionSpec<ConvolutionElement>): Module =>
  payloadOf(checkedSpec(spec)).payload;

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
  const payload = buildPayload(convolutionRegistry, ({ func }) => {
    specs.forEach((spec, i) => {
      const form = formOf(spec, outputs[i]!);
      const { input, filters, output } = form;
      const bias = tensorType(
        form.filterDims.map((dimension) => output.shape[dimension]!),
        output.elementType,
      );
      const others = [...(spec.bias ? [bias] : []), ...(spec.residual ? [output] : [])];
      func(functionNameOf(i, specs.length), [input, filters, ...others, output], (b, ...values) => {
        const [image, kernels] = values as readonly Value<TensorType>[];
        const initial = values.at(-1)!;
        const sums = b(form.definition, {
          inputs: [padded(b, image!, spec), kernels!],
          outputs: [spec.accumulate ? initial : zeros(b, initial)],
          strides: spec.strides,
          dilations: spec.dilations,
        });
        return withEpilogue(b, sums[0]!, values.slice(2, -1), spec, form);
      });
    });
  });
  return { payload: unwrap(payload), outputs };
};

const types: Readonly<Record<ConvolutionElement | 'i32', Type>> = {
  f32,
  f64,
  f16,
  bf16,
  i8: integerType(8),
  i32,
};

/** The named op of a convolution, and its operand types. */
interface Form {
  readonly definition: typeof conv2dNchwFchw;
  readonly input: TensorType;
  readonly filters: TensorType;
  readonly output: TensorType;
  /** The output's dimensions that count filters. */
  readonly filterDims: readonly number[];
}

/** Groups are a dimension before the one they divide. */
const formOf = (spec: CheckedSpec, output: OutputShape): Form => {
  const { layout, groups, elementType } = spec;
  const { channels } = inputSizes(spec);
  const { filters, height, width } = filterSizes(spec);
  const form = (
    definition: Form['definition'],
    filterDims: readonly number[],
    shapes: Readonly<Partial<Record<'input' | 'filters' | 'output', readonly number[]>>> = {},
  ): Form => ({
    definition,
    filterDims,
    input: tensorType(shapes.input ?? spec.input, types[elementType]),
    filters: tensorType(shapes.filters ?? spec.filters, types[elementType]),
    output: tensorType(shapes.output ?? output, types[sumElements[elementType]]),
  });
  const perChannel = filters / channels;
  if (layout === 'nhwc') {
    if (groups === 1) return form(conv2dNhwcHwcf, [3]);
    if (perChannel === 1) return form(depthwiseConv2dNhwcHwc, [3], { filters: [height, width, channels] });
    return form(depthwiseConv2dNhwcHwcm, [3, 4], {
      filters: [height, width, channels, perChannel],
      output: [...output.slice(0, 3), channels, perChannel],
    });
  }
  if (groups === 1) return form(conv2dNchwFchw, [1]);
  if (groups === channels && perChannel === 1)
    return form(depthwiseConv2dNchwChw, [1], { filters: [channels, height, width] });
  const divided = (shape: readonly number[], position: number): readonly number[] =>
    shape.toSpliced(position, 1, groups, shape[position]! / groups);
  return form(conv2dNgchwGfchw, [1, 2], {
    input: divided(spec.input, 1),
    filters: divided(spec.filters, 0),
    output: divided(output, 1),
  });
};

const outputOf = (spec: CheckedSpec): OutputShape => {
  const { strides, dilations, padding, groups } = spec;
  const input = inputSizes(spec);
  const { filters, height, width } = filterSizes(spec);
  const { outputHeight, outputWidth } = convolution({
    batch: input.batch,
    inputChannels: input.channels,
    inputHeight: input.height,
    inputWidth: input.width,
    filters,
    filterHeight: height,
    filterWidth: width,
    strides: { h: strides[0], w: strides[1] },
    dilations: { h: dilations[0], w: dilations[1] },
    padding,
    groups,
  });
  return spec.layout === 'nchw'
    ? [input.batch, filters, outputHeight, outputWidth]
    : [input.batch, outputHeight, outputWidth, filters];
};

/** A zero tensor in place of a tensor's contents. */
const zeros = (b: Builder, tensor: Value<TensorType>): Value => {
  const [filled] = b(fill, { inputs: [zero(b, tensor)], outputs: [tensor] }, { resultTypes: [tensor.type] });
  return filled!;
};

/** The zero of a tensor's elements. */
const zero = (b: Builder, { type }: Value<TensorType>): Value =>
  b(constant, { value: zeroOf(type.elementType)! });

/** The input with zero padding around each image; unchanged if there is none. */
const padded = (b: Builder, input: Value<TensorType>, spec: CheckedSpec): Value => {
  const { top, bottom, left, right } = spec.padding;
  if (top + bottom + left + right === 0) return input;
  const { shape, elementType } = input.type;
  const row = spec.layout === 'nhwc' ? 1 : shape.length - 2;
  const around = (rows: number, columns: number): readonly number[] =>
    shape.map((_, i) => (i === row ? rows : i === row + 1 ? columns : 0));
  const [low, high] = [around(top, left), around(bottom, right)];
  const value = zero(b, input);
  return b(
    pad,
    { source: input, staticLow: low, staticHigh: high },
    {
      resultTypes: [
        tensorType(
          shape.map((size, i) => low[i]! + size + high[i]!),
          elementType,
        ),
      ],
      bodies: [
        {
          argumentTypes: shape.map(() => indexType),
          build: (inner) => inner(yieldOp, { value }),
        },
      ],
    },
  );
};

/**
 * The sums plus bias and residual, in this order, then clamped: one elementwise op, in place; the sums if that is
 * nothing.
 */
const withEpilogue = (
  b: Builder,
  sums: Value,
  addends: readonly Value[],
  { clamp, bias }: CheckedSpec,
  { output, filterDims }: Form,
): Value => {
  const [low, high] = clamp.map((bound) =>
    Number.isFinite(bound) ? b(constant, { value: boundAttribute(bound, output.elementType) }) : undefined,
  );
  if (addends.length === 0 && low === undefined && high === undefined) return sums;
  const rank = output.shape.length;
  const ofBias = makeMap(
    rank,
    0,
    filterDims.map((dimension) => dim(dimension)),
  );
  const [result] = b(
    generic,
    {
      inputs: addends,
      outputs: [sums],
      indexingMaps: [
        ...addends.map((_, i) => (bias && i === 0 ? ofBias : identityMap(rank))),
        identityMap(rank),
      ],
      iteratorTypes: output.shape.map(() => 'parallel' as const),
    },
    {
      resultTypes: [output],
      bodies: [
        {
          argumentTypes: [...addends, sums].map(() => output.elementType),
          build: (inner, ...elements) => {
            const { add, max, min } = elementwise(inner, output.elementType);
            let value = elements.at(-1)!;
            for (const addend of elements.slice(0, -1)) value = add(value, addend);
            if (low !== undefined) value = max(value, low);
            if (high !== undefined) value = min(value, high);
            inner(yieldElement, { values: [value] });
          },
        },
      ],
    },
  );
  return result!;
};

/** The ops of elements, signed if they are integers. */
const elementwise = (b: Builder, { kind }: Type) =>
  kind === 'float'
    ? {
        add: (lhs: Value, rhs: Value): Value => b(addf, { lhs, rhs }),
        max: (lhs: Value, rhs: Value): Value => b(maximumf, { lhs, rhs }),
        min: (lhs: Value, rhs: Value): Value => b(minimumf, { lhs, rhs }),
      }
    : {
        add: (lhs: Value, rhs: Value): Value => b(addi, { lhs, rhs }),
        max: (lhs: Value, rhs: Value): Value => b(maxsi, { lhs, rhs }),
        min: (lhs: Value, rhs: Value): Value => b(minsi, { lhs, rhs }),
      };

/** A bound of an activation, rounded to the type of the sums. */
const boundAttribute = (bound: number, type: Type) => {
  if (type.kind !== 'float') return integerAttribute(bound, type);
  return floatAttribute(type === f32 ? Math.fround(bound) : bound, type);
};
