/** Random convolutions of all named forms, with sums of i32 and f32: functions of one pad and one convolution. */
import type { TensorValue } from '@sconv/interpreter';
import { elementsOf, randomIntegers } from '@sconv/interpreter';
import { bodyOf } from '@sconv/ir';
import fc from 'fast-check';
import { children, defaultRegistry, interpret, parseModule, tensor, unwrap } from '../../src/index.ts';

const forms = [
  ['conv_2d_nchw_fchw', 'nchw', 'fchw', 'nfhw'],
  ['conv_2d_nhwc_hwcf', 'nhwc', 'hwcf', 'nhwf'],
  ['conv_2d_nhwc_fhwc', 'nhwc', 'fhwc', 'nhwf'],
  ['conv_2d_nhwc_hwcf_q', 'nhwc', 'hwcf', 'nhwf'],
  ['conv_2d_nhwc_fhwc_q', 'nhwc', 'fhwc', 'nhwf'],
  ['conv_2d_ngchw_fgchw', 'ngchw', 'fgchw', 'ngfhw'],
  ['conv_2d_ngchw_gfchw', 'ngchw', 'gfchw', 'ngfhw'],
  ['conv_2d_ngchw_gfchw_q', 'ngchw', 'gfchw', 'ngfhw'],
  ['depthwise_conv_2d_nchw_chw', 'nchw', 'chw', 'nchw'],
  ['depthwise_conv_2d_nhwc_hwc', 'nhwc', 'hwc', 'nhwc'],
  ['depthwise_conv_2d_nhwc_hwc_q', 'nhwc', 'hwc', 'nhwc'],
  ['depthwise_conv_2d_nhwc_hwcm', 'nhwc', 'hwcf', 'nhwcf'],
  ['depthwise_conv_2d_nhwc_hwcm_q', 'nhwc', 'hwcf', 'nhwcf'],
] as const;

const arrays = { f32: Float32Array, i32: Int32Array, i16: Int16Array, i8: Int8Array } as const;
type Element = keyof typeof arrays;

export interface FormCase {
  readonly form: (typeof forms)[number];
  readonly types: readonly [Element, Element, Element];
  readonly sizes: Readonly<Record<'n' | 'g' | 'c' | 'f', number>>;
  readonly kernel: readonly [number, number];
  readonly output: readonly [number, number];
  readonly strides: readonly [number, number];
  readonly dilations: readonly [number, number];
  readonly padding: readonly [number, number];
  readonly seed: number;
}

const isQuantized = ({ form: [op] }: FormCase): boolean => op.endsWith('_q');
const pair = (max: number) => fc.tuple(fc.integer({ min: 1, max }), fc.integer({ min: 1, max }));

export const formCases: fc.Arbitrary<FormCase> = fc
  .record({
    form: fc.constantFrom(...forms),
    types: fc.constantFrom<FormCase['types']>(
      ['i8', 'i8', 'i32'],
      ['i8', 'i16', 'i32'],
      ['i32', 'i32', 'i32'],
      ['f32', 'f32', 'f32'],
      ['i8', 'f32', 'f32'],
    ),
    sizes: fc.record({
      n: fc.integer({ min: 1, max: 2 }),
      g: fc.integer({ min: 1, max: 3 }),
      c: fc.integer({ min: 1, max: 4 }),
      f: fc.integer({ min: 1, max: 5 }),
    }),
    kernel: pair(3),
    output: pair(4),
    strides: pair(2),
    dilations: pair(2),
    padding: fc.tuple(fc.nat(1), fc.nat(1)),
    seed: fc.integer(),
  })
  .filter((each) => !isQuantized(each) || each.types[2] === 'i32');

const count = (sizes: readonly number[]): number => sizes.reduce((product, size) => product * size, 1);

/** The function of a case, and its arguments. */
export const functionOf = (each: FormCase) => {
  const { form, types, sizes, kernel, output, strides, dilations, padding, seed } = each;
  const [op, ...layouts] = form;
  const side = (i: 0 | 1): number => (output[i] - 1) * strides[i] + (kernel[i] - 1) * dilations[i] + 1;
  const shape = (layout: string, [h, w]: readonly number[]): readonly number[] =>
    Array.from(layout, (letter) => ({ ...sizes, h: h!, w: w! })[letter as 'n']);
  const type = (of: readonly number[], i: number): string => `tensor<${[...of, types[i]!].join('x')}>`;
  const whole = shape(layouts[0], [side(0), side(1)]);
  const margins = Array.from(layouts[0], (letter) =>
    letter === 'h'
      ? Math.min(padding[0], side(0) - 1)
      : letter === 'w'
        ? Math.min(padding[1], side(1) - 1)
        : 0,
  );
  const image = whole.map((size, i) => size - margins[i]!);
  const shapes = [image, shape(layouts[1], kernel), shape(layouts[2], output)] as const;
  const scalars = isQuantized(each) ? ', %za, %zb' : '';
  const [a, f, o] = shapes.map(type);
  const zero = types[0] === 'f32' ? '0.0' : '0';
  const text = `func.func @f(%in: ${a!}, %f: ${f!}, %out: ${o!}) -> ${o!} {
    %pad = arith.constant ${zero} : ${types[0]}
    %za = arith.constant 5 : i32
    %zb = arith.constant -3 : i32
    %p = tensor.pad %in low[${margins.join(', ')}] high[${margins.map(() => 0).join(', ')}] {
    ^bb0(${margins.map((_, i) => `%i${i}: index`).join(', ')}):
      tensor.yield %pad : ${types[0]}
    } : ${a!} to ${type(whole, 0)}
    %0 = linalg.${op} {dilations = dense<[${dilations.join(', ')}]> : tensor<2xi64>, strides = dense<[${strides.join(', ')}]> : tensor<2xi64>}
      ins(%p, %f${scalars} : ${type(whole, 0)}, ${f!}${isQuantized(each) ? ', i32, i32' : ''}) outs(%out : ${o!}) -> ${o!}
    return %0 : ${o!}
  }`;
  const module = unwrap(parseModule(text, { registry: defaultRegistry }));
  const given = shapes.map((of, i) => {
    const next = randomIntegers(seed + i);
    // All of i32, so that sums wrap.
    const draw = types[i] === 'f32' ? () => (next() % 17) - 8 : () => next() ^ (next() << 16);
    return arrays[types[i]!].from(Array.from({ length: count(of) }, draw));
  });
  return { module, definition: children(module.root)[0]!, given };
};

/** The interpreter's result. */
export const resultOf = ({ module, definition, given }: ReturnType<typeof functionOf>) => {
  const types = bodyOf(definition).arguments.map(({ type }) => type);
  const values = given.map((data, i) => {
    const type = types[i]!;
    if (type.kind !== 'tensor') throw new Error('arguments are tensors');
    return tensor(type.shape, data, type.elementType);
  });
  const [computed] = unwrap(interpret(module, 'f', values));
  const elements = Array.from(elementsOf(computed as TensorValue), Number);
  return given[2] instanceof Int32Array ? Int32Array.from(elements) : Float32Array.from(elements);
};
