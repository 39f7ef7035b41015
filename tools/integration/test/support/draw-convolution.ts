/** Random convolutions of all layouts and element types, padded, grouped and quantized, and the sums that they are. */
import type { Elements, HalfName } from '@sconv/backend';
import { halfBits } from '@sconv/backend';
import { randomIntegers } from '@sconv/interpreter';
import fc from 'fast-check';

/** The operands' layouts as letters; `q`: with zero points. */
export const forms = [
  { op: 'conv_2d_nchw_fchw', layouts: ['nchw', 'fchw', 'nfhw'], quantized: false },
  { op: 'conv_2d_nhwc_hwcf', layouts: ['nhwc', 'hwcf', 'nhwf'], quantized: false },
  { op: 'conv_2d_nhwc_fhwc', layouts: ['nhwc', 'fhwc', 'nhwf'], quantized: false },
  { op: 'conv_2d_ngchw_fgchw', layouts: ['ngchw', 'fgchw', 'ngfhw'], quantized: false },
  { op: 'conv_2d_ngchw_gfchw', layouts: ['ngchw', 'gfchw', 'ngfhw'], quantized: false },
  { op: 'conv_2d_nhwc_hwcf_q', layouts: ['nhwc', 'hwcf', 'nhwf'], quantized: true },
  { op: 'conv_2d_nhwc_fhwc_q', layouts: ['nhwc', 'fhwc', 'nhwf'], quantized: true },
  { op: 'conv_2d_ngchw_gfchw_q', layouts: ['ngchw', 'gfchw', 'ngfhw'], quantized: true },
] as const;

/** Types of input, filters and output. */
const floats = [
  ['f32', 'f32', 'f32'],
  ['f64', 'f64', 'f64'],
  ['f32', 'f32', 'f64'],
  ['f16', 'f16', 'f32'],
  ['bf16', 'bf16', 'f32'],
  ['f16', 'f32', 'f32'],
  ['i8', 'f32', 'f32'],
] as const;
const integers = [
  ['i8', 'i8', 'i32'],
  ['i8', 'i16', 'i32'],
  ['i32', 'i32', 'i32'],
] as const;

const upTo = (max: number) => fc.integer({ min: 1, max });
const pairOf = (max: number) => fc.tuple(upTo(max), upTo(max));

/** Draws one. */
export const cases = fc.record({
  typed: fc.oneof(
    fc.record({ form: fc.constantFrom(...forms), types: fc.constantFrom(...integers) }),
    fc.record({
      form: fc.constantFrom(...forms.filter(({ quantized }) => !quantized)),
      types: fc.constantFrom(...floats),
    }),
  ),
  /** Of the input and the filters; the first is also the padding. */
  zeroPoints: fc.tuple(fc.integer({ min: -128, max: 127 }), fc.integer({ min: -3, max: 3 })),
  areConstant: fc.boolean(),
  isGeneralized: fc.boolean(),
  groups: upTo(3),
  batch: upTo(2),
  channels: upTo(20),
  filters: upTo(20),
  filter: pairOf(3),
  output: pairOf(12),
  strides: pairOf(2),
  dilations: pairOf(2),
  margins: fc.tuple(fc.nat(2), fc.nat(2)),
  threads: fc.constantFrom(1, 1, 3),
  seed: fc.integer(),
});

/** A convolution that was drawn. */
export type Case = typeof cases extends fc.Arbitrary<infer T> ? T : never;
type Sizes = Readonly<Record<string, number>>;

/** Extents of the operands by letter: the padded input, the filters, the output. */
export const sizesOf = ({
  groups,
  batch,
  channels,
  filters,
  ...each
}: Case): readonly [Sizes, Sizes, Sizes] => {
  const { filter, output, strides, dilations, margins } = each;
  const side = (i: 0 | 1): number =>
    Math.max(1, (output[i] - 1) * strides[i] + (filter[i] - 1) * dilations[i] + 1 - margins[0] - margins[1]);
  const common = { n: batch, g: groups, c: channels, f: filters };
  const [h, w] = [side(0), side(1)];
  const windows = (i: 0 | 1, size: number): number =>
    Math.floor((size + margins[0] + margins[1] - (filter[i] - 1) * dilations[i] - 1) / strides[i]) + 1;
  return [
    { ...common, h, w },
    { ...common, h: filter[0], w: filter[1] },
    { ...common, h: windows(0, h), w: windows(1, w) },
  ];
};

/** Elements of an operand. */
export const count = (layout: string, sizes: Sizes): number =>
  Array.from(layout).reduce((product, letter) => product * sizes[letter]!, 1);

/** The payload, with one function `@conv`. */
export const textOf = (each: Case): string => {
  const { form, types } = each.typed;
  const sizes = sizesOf(each);
  const { margins, zeroPoints, areConstant } = each;
  const shape = (i: number, of: Sizes): string =>
    `tensor<${[...Array.from(form.layouts[i]!, (letter) => of[letter]!), types[i]!].join('x')}>`;
  const sum = margins[0] + margins[1];
  const whole = { ...sizes[0], h: sizes[0]['h']! + sum, w: sizes[0]['w']! + sum };
  const [unpadded, input, filters, output] = [
    shape(0, sizes[0]),
    shape(0, whole),
    shape(1, sizes[1]),
    shape(2, sizes[2]),
  ];
  const isFloat = types[0] !== 'i8' && types[0] !== 'i32';
  const padding = form.quantized ? zeroPoints[0] : 0;
  const marginText = (margin: number): string =>
    Array.from(form.layouts[0], (letter) => ('hw'.includes(letter) ? margin : 0)).join(', ');
  const indices = Array.from(form.layouts[0], (_, i) => `%d${i}: index`).join(', ');
  const scalars = form.quantized ? ', %za, %zb' : '';
  const scalarTypes = form.quantized ? ', i32, i32' : '';
  const constants =
    form.quantized && areConstant
      ? `%za = arith.constant ${zeroPoints[0]} : i32\n  %zb = arith.constant ${zeroPoints[1]} : i32`
      : '';
  const parameters = form.quantized && !areConstant ? ', %za: i32, %zb: i32' : '';
  const stride = (name: string, [h, w]: readonly [number, number]): string =>
    `${name} = dense<[${h}, ${w}]> : tensor<2xi64>`;
  return `func.func @conv(%in: ${unpadded}, %f: ${filters}, %out: ${output}${parameters}) -> ${output} {
  ${constants}
  %pad = arith.constant ${isFloat ? '0.0' : padding} : ${types[0]}
  %p = tensor.pad %in low[${marginText(margins[0])}] high[${marginText(margins[1])}] {
  ^bb0(${indices}):
    tensor.yield %pad : ${types[0]}
  } : ${unpadded} to ${input}
  %0 = linalg.${form.op} {${stride('dilations', each.dilations)}, ${stride('strides', each.strides)}}
    ins(%p, %f${scalars} : ${input}, ${filters}${scalarTypes}) outs(%out : ${output}) -> ${output}
  return %0 : ${output}
}`;
};

/** Small integers, which all types can represent; for i8 the full range. */
export const dataOf = (type: string, length: number, seed: number): number[] => {
  const next = randomIntegers(seed);
  return Array.from({ length }, () => (type.startsWith('i') ? (next() % 256) - 128 : (next() % 17) - 8));
};

const arrays = { f32: Float32Array, f64: Float64Array, i8: Int8Array, i16: Int16Array, i32: Int32Array };

const isHalf = (type: string): type is HalfName => type === 'f16' || type === 'bf16';

/** Numbers as the elements of an array. */
export const elementsOf = (type: string, data: readonly number[]): Elements =>
  isHalf(type) ? halfBits(type, data) : arrays[type as keyof typeof arrays].from(data);

/** The sums of products. */
export const plain = (each: Case, [input, filters, initial]: readonly (readonly number[])[]): number[] => {
  const { form, types } = each.typed;
  const [ofInput, ofFilters, ofOutput] = sizesOf(each);
  const position = (layout: string, sizes: Sizes, at: Sizes): number =>
    Array.from(layout).reduce((offset, letter) => offset * sizes[letter]! + at[letter]!, 0);
  const [zeroInput, zeroFilters] = form.quantized ? each.zeroPoints : [0, 0];
  const result = [...initial!];
  const groups = form.layouts[0].includes('g') ? each.groups : 1;
  for (let n = 0; n < each.batch; n += 1)
    for (let g = 0; g < groups; g += 1)
      for (let f = 0; f < each.filters; f += 1)
        for (let h = 0; h < ofOutput['h']!; h += 1)
          for (let w = 0; w < ofOutput['w']!; w += 1) {
            const at = position(form.layouts[2], ofOutput, { n, g, f, h, w });
            for (let c = 0; c < each.channels; c += 1)
              for (let kh = 0; kh < each.filter[0]; kh += 1)
                for (let kw = 0; kw < each.filter[1]; kw += 1) {
                  const row = h * each.strides[0] + kh * each.dilations[0] - each.margins[0];
                  const column = w * each.strides[1] + kw * each.dilations[1] - each.margins[0];
                  // The padding is the zero point.
                  if (row < 0 || row >= ofInput['h']! || column < 0 || column >= ofInput['w']!) continue;
                  const x = input![position(form.layouts[0], ofInput, { n, g, c, h: row, w: column })]!;
                  const y = filters![position(form.layouts[1], ofFilters, { g, f, c, h: kh, w: kw })]!;
                  result[at]! += (x - zeroInput) * (y - zeroFilters);
                }
          }
  return types[2] === 'i32' ? result.map((value) => value | 0) : result;
};
