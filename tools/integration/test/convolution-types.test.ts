/**
 * Convolutions with element types other than f32: random ones, padded or not, compiled and compared with a plain sum of
 * products.
 */
import type { Elements, HalfName } from '@sconv/backend';
import { halfBits, halfValues } from '@sconv/backend';
import { unwrap } from '@sconv/diagnostics';
import { randomIntegers } from '@sconv/interpreter';
import { firstDifference } from '@sconv/interpreter/testing';
import { printModule } from '@sconv/ir';
import { findToolchain, nativeBackend } from '@sconv/native';
import { avx2, neon, wasm } from '@sconv/targets';
import { compileModule, defaultBackends } from 'sconv';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runSchedule } from '@sconv/transform';
import { registry } from './support/registry.ts';
import { hasMlirOpt, mlirOpt } from './support/mlir-opt.ts';
import { parse, stagesOf } from './support/stages.ts';
import { isThorough } from './support/thorough.ts';

const hasLlvm = 'paths' in (await findToolchain());

/** The operands' layouts as letters; `q`: with zero points. */
const forms = [
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

const cases = fc.record({
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

type Case = typeof cases extends fc.Arbitrary<infer T> ? T : never;
type Sizes = Readonly<Record<string, number>>;

/** Extents of the operands by letter: the padded input, the filters, the output. */
const sizesOf = ({ groups, batch, channels, filters, ...each }: Case): readonly [Sizes, Sizes, Sizes] => {
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

const count = (layout: string, sizes: Sizes): number =>
  Array.from(layout).reduce((product, letter) => product * sizes[letter]!, 1);

const textOf = (each: Case): string => {
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
const dataOf = (type: string, length: number, seed: number): number[] => {
  const next = randomIntegers(seed);
  return Array.from({ length }, () => (type.startsWith('i') ? (next() % 256) - 128 : (next() % 17) - 8));
};

const arrays = { f32: Float32Array, f64: Float64Array, i8: Int8Array, i16: Int16Array, i32: Int32Array };

const isHalf = (type: string): type is HalfName => type === 'f16' || type === 'bf16';

const elementsOf = (type: string, data: readonly number[]): Elements =>
  isHalf(type) ? halfBits(type, data) : arrays[type as keyof typeof arrays].from(data);

const plain = (each: Case, [input, filters, initial]: readonly (readonly number[])[]): number[] => {
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

const generalization = (op: string) =>
  parse(
    `module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %named = transform.structured.match ops{["linalg.${op}"]} in %root : (!transform.any_op) -> !transform.any_op
    %generic = transform.structured.generalize %named : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}`,
    'schedule.mlir',
  );

/** How many, and from which seed: what `check-convolutions.mjs` requests, or a few. */
const [requested, seed] = [Number(process.env['CONVOLUTIONS'] ?? 0), Number(process.env['SEED'] ?? 1)];

describe('a random convolution', () => {
  const targets = [
    { target: wasm, backends: defaultBackends, runs: true, numRuns: requested || (isThorough ? 60 : 20) },
    {
      target: process.arch === 'arm64' ? neon : avx2,
      backends: [nativeBackend],
      runs: hasLlvm,
      numRuns: requested || (isThorough ? 25 : 8),
    },
  ];

  it.each(targets.filter(({ runs }) => runs))(
    'compiled for $target.name is the sum of products',
    async ({ target, backends, numRuns }) => {
      await fc.assert(
        fc.asyncProperty(cases, async (each) => {
          const { form, types } = each.typed;
          const sizes = sizesOf(each);
          fc.pre(sizes[2]['h']! > 0 && sizes[2]['w']! > 0);
          const named = parse(textOf(each), 'payload.mlir');
          // Groups are loops around named ops only.
          const isGeneralized = each.isGeneralized && !form.layouts[0].includes('g');
          const module = isGeneralized
            ? unwrap(runSchedule(generalization(form.op), named, { registry })).module
            : named;
          const result = await compileModule(module, { target, backends, threads: each.threads });
          const compiled = unwrap(result);
          const data = types.map((type, i) =>
            dataOf(type, count(form.layouts[i]!, sizes[i]!), each.seed + i),
          );
          const values = data.map((numbers, i) => elementsOf(types[i]!, numbers));
          const scalars = form.quantized && !each.areConstant ? each.zeroPoints : [];
          const [output] = compiled.run('conv', ...values, ...scalars);
          expect([...(output as Float32Array)]).toEqual(plain(each, data));
          expect(compiled.plans).not.toEqual([]);
          expect(result.diagnostics.map(({ code }) => code)).not.toContain('kernels/no-microkernel');
          compiled.dispose();
        }),
        { numRuns, seed },
      );
    },
    Math.max(240_000, requested * 4_000),
  );
});

describe('sliced in steps', () => {
  const plainCase: Omit<Case, 'typed'> = {
    zeroPoints: [-7, 3],
    areConstant: true,
    isGeneralized: false,
    groups: 2,
    batch: 2,
    channels: 4,
    filters: 5,
    filter: [3, 3],
    output: [5, 9],
    strides: [1, 2],
    dilations: [1, 1],
    margins: [1, 2],
    threads: 1,
    seed: 1,
  };
  const typed = (op: (typeof forms)[number]['op'], types: Case['typed']['types']): Case => ({
    ...plainCase,
    typed: { form: forms.find((form) => form.op === op)!, types } as Case['typed'],
  });
  const sliced = [
    typed('conv_2d_nchw_fchw', ['f16', 'f16', 'f32']),
    typed('conv_2d_nhwc_hwcf', ['bf16', 'bf16', 'f32']),
    typed('conv_2d_nchw_fchw', ['i8', 'i8', 'i32']),
    typed('conv_2d_nhwc_fhwc_q', ['i8', 'i8', 'i32']),
    typed('conv_2d_ngchw_gfchw_q', ['i8', 'i8', 'i32']),
    { ...typed('conv_2d_nhwc_hwcf_q', ['i8', 'i8', 'i32']), areConstant: false },
  ].flatMap((each) => ['', ', pairs'].map((pairs) => ({ each, pairs, isGeneric: false })));
  const generics = [
    typed('conv_2d_ngchw_fgchw', ['f32', 'f32', 'f32']),
    typed('conv_2d_ngchw_gfchw', ['i8', 'i8', 'i32']),
    typed('conv_2d_ngchw_gfchw_q', ['i8', 'i8', 'i32']),
  ].map((each) => ({ each, pairs: '', isGeneric: true }));
  const stages = [...sliced, ...generics].map(({ each, pairs, isGeneric }) => ({
    name: `${each.typed.form.op} of ${each.typed.types.join(', ')}${pairs}${isGeneric ? ', as a generic' : ''}`,
    stages: stagesOf(
      parse(textOf(each), 'payload.mlir'),
      parse(
        `module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %named = transform.structured.match ops{["linalg.${each.typed.form.op}"]} in %root : (!transform.any_op) -> !transform.any_op
    ${isGeneric ? '%convs = transform.structured.generalize %named : (!transform.any_op) -> !transform.any_op' : '%convs = transform.merge_handles %named : !transform.any_op'}
    %kernels, %loops = transform.structured.sconv %convs {mk_info = [4, 2], arch_info = [512, 1024, 4096, 64], edges = "small"${pairs}}
      : (!transform.any_op) -> (!transform.op<"linalg.generic">, !transform.any_op)
    transform.yield
  }
}`,
        'schedule.mlir',
      ),
    ),
  }));

  it.each(stages)('$name computes the same after every stage', ({ stages: each }) => {
    const [first, ...later] = each;
    expect(later.map(({ name }) => name)).toContain('delinearize');
    for (const { name, module } of later)
      expect({ name, difference: firstDifference(first!.module, module) }).toEqual({
        name,
        difference: undefined,
      });
  });

  it.skipIf(!hasMlirOpt)('is what mlir-opt-19 reads, verifies and prints', () => {
    const printed = stages.flatMap(({ stages: each }) =>
      each.map(({ module }) => printModule(module, { registry }).trim()),
    );
    expect(mlirOpt(printed).map((text) => text.trim())).toEqual(printed);
  });
});

it('takes subnormal and infinite numbers of 16 bits as they are', async () => {
  for (const type of ['f16', 'bf16'] as const) {
    const shape = 'tensor<1x1x8x8x';
    const text = `func.func @conv(%in: ${shape.slice(0, -1)}x${type}>, %f: tensor<4x1x1x1x${type}>, %out: tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32> {
  %0 = linalg.conv_2d_nchw_fchw ins(%in, %f : tensor<1x1x8x8x${type}>, tensor<4x1x1x1x${type}>) outs(%out : tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
  return %0 : tensor<1x4x8x8xf32>
}`;
    const bits = Uint16Array.from({ length: 64 }, (_, i) => (i * 0x0401 + (i % 2) * 0x8000) & 0xffff);
    const ones = halfBits(type, [1, 1, 1, 1]);
    const compiled = unwrap(
      await compileModule(parse(text, 'payload.mlir'), { target: wasm, backends: defaultBackends }),
    );
    const [result] = compiled.run('conv', bits, ones, new Float32Array(256));
    const expected = [...halfValues(type, bits)].map((value) => value + 0);
    expect([...(result as Float32Array)].map((value) => value + 0)).toEqual(Array(4).fill(expected).flat());
  }
});
