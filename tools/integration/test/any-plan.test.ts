/**
 * Plans of any form, drawn at random, which no analysis would make: each is consistent, priced, explained, printed and
 * read back; the IR has its loops, and computes the contraction exactly, in the interpreter, on wasm and natively.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { evaluate } from '@sconv/affine';
import { bufferizeModule } from '@sconv/bufferization';
import {
  contractionOf,
  convolution,
  drawTree,
  extentsOf,
  hierarchy,
  planLimits,
  slice,
  trafficOfPlan,
} from '@sconv/csa';
import type { ConvolutionShape } from '@sconv/csa';
import { unknownLocation, unwrap } from '@sconv/diagnostics';
import { integerData } from '@sconv/interpreter';
import { firstDifference } from '@sconv/interpreter/testing';
import { printModule } from '@sconv/ir';
import type { Module } from '@sconv/ir';
import { findToolchain, nativeBackend } from '@sconv/native';
import type { Contraction } from '@sconv/plans';
import { planProblems, printPlan } from '@sconv/plans';
import type { ConvolutionName } from '@sconv/slicing';
import { planAttribute, planOfAttribute, sconv } from '@sconv/slicing';
import { avx2, neon, wasm } from '@sconv/targets';
import { runSchedule, schedule } from '@sconv/transform';
import { emitModule, instantiate } from '@sconv/wasm';
import type { DrawnSpace } from './support/draw-plan.ts';
import { drawPlan } from './support/draw-plan.ts';
import { nestsOfModule, nestsOfPlan } from './support/nests.ts';
import { registry } from './support/registry.ts';
import { parse } from './support/stages.ts';
import { isThorough } from './support/thorough.ts';

/** A contraction as an op on tensors. */
interface Drawn {
  readonly name: ConvolutionName;
  readonly attributes: string;
  readonly shape: ConvolutionShape;
  readonly contraction: Contraction;
  readonly space: DrawnSpace;
}

const size = (max: number) => fc.integer({ min: 1, max });

const sizes = fc
  .record({
    batch: size(2),
    inputChannels: size(6),
    filters: size(9),
    rows: size(5),
    columns: size(6),
    filterHeight: size(3),
    filterWidth: size(3),
    stride: size(2),
    dilation: size(2),
  })
  .map(({ rows, columns, stride, dilation, ...others }) =>
    convolution({
      ...others,
      inputHeight: (rows - 1) * stride + (others.filterHeight - 1) * dilation + 1,
      inputWidth: (columns - 1) * stride + (others.filterWidth - 1) * dilation + 1,
      strides: { h: stride, w: stride },
      dilations: { h: dilation, w: dilation },
    }),
  );

const openExtents = (shape: ConvolutionShape): DrawnSpace['open'] => ({
  batch: shape.batch,
  group: 1,
  channels: shape.inputChannels,
  filters: shape.filters,
  rows: shape.outputHeight,
  columns: shape.outputWidth,
  tapRows: shape.filterHeight,
  tapColumns: shape.filterWidth,
});

const ofLayout =
  (
    name: ConvolutionName,
    layouts: { readonly input: string; readonly filters: string; readonly output: string },
  ) =>
  (shape: ConvolutionShape): Drawn => {
    const { strides, dilations, inputWidth, outputWidth } = shape;
    const isChannelsLast = layouts.output.endsWith('f');
    // Windows one after another, at equal distances; along lanes next to each other.
    const isEven = outputWidth === 1 || strides.h * inputWidth === strides.w * outputWidth;
    const isDense = isChannelsLast || outputWidth === 1 || strides.w === 1;
    const isDenseFused =
      isChannelsLast || (outputWidth === 1 ? strides.h * inputWidth === 1 : strides.w === 1);
    return {
      name,
      attributes: `{dilations = dense<${dilations.h}> : tensor<2xi64>, strides = dense<${strides.h}> : tensor<2xi64>}`,
      shape,
      contraction: contractionOf(shape, layouts),
      space: {
        extents: extentsOf(slice(shape, { windows: 1, filters: 1 })),
        open: openExtents(shape),
        isChannelsLast,
        mayReadInput: { windows: isEven && isDenseFused, rows: isDense },
      },
    };
  };

const product = ({ inputChannels, filters, inputHeight }: ConvolutionShape): Drawn => {
  const one = { filterHeight: 1, filterWidth: 1, inputWidth: 1 };
  const shape = convolution({ ...one, inputChannels, filters, inputHeight });
  return {
    name: 'linalg.matmul',
    attributes: '',
    shape,
    contraction: contractionOf(shape, { input: 'ch', filters: 'fc', output: 'fh' }),
    space: {
      extents: extentsOf(slice(shape, { windows: 1, filters: 1 })),
      open: undefined,
      isChannelsLast: false,
      mayReadInput: { windows: true, rows: false },
    },
  };
};

const contractions = fc.oneof(
  sizes.map(ofLayout('linalg.conv_2d_nchw_fchw', { input: 'nchw', filters: 'fchw', output: 'nfhw' })),
  sizes.map(ofLayout('linalg.conv_2d_nhwc_hwcf', { input: 'nhwc', filters: 'hwcf', output: 'nhwf' })),
  sizes.map(product),
);

const textOf = ({ name, attributes, contraction: { operands } }: Drawn): string => {
  const [input, filters, output] = operands.map((each) => `tensor<${each.sizes.join('x')}xf32>`);
  // A product has the filters first.
  const [first, second] = name === 'linalg.matmul' ? ['%f', '%x'] : ['%x', '%f'];
  const [a, b] = name === 'linalg.matmul' ? [filters, input] : [input, filters];
  return `func.func @f(%x: ${input!}, %f: ${filters!}, %y: ${output!}) -> ${output!} {
    %0 = ${name} ${attributes} ins(${first}, ${second} : ${a!}, ${b!}) outs(%y : ${output!}) -> ${output!}
    return %0 : ${output!}
  }`;
};

/** The operands' data, and what plain loops add to the output. */
const dataOf = ({ operands, dimensions }: Contraction) => {
  const [input, filters, output] = operands.map(({ sizes: of }, i) =>
    integerData(
      of.reduce((all, each) => all * each, 1),
      i + 1,
    ),
  ) as [Float32Array, Float32Array, Float32Array];
  const steps = operands.map(({ map, sizes: of }) =>
    dimensions.map((_, d) => {
      const at = evaluate(
        map,
        dimensions.map((__, i) => (i === d ? 1 : 0)),
      );
      return at.reduce(
        (sum, index, i) => sum + index * of.slice(i + 1).reduce((all, each) => all * each, 1),
        0,
      );
    }),
  );
  const expected = output.slice();
  const visit = (d: number, places: readonly number[]): void => {
    const dimension = dimensions[d];
    if (dimension === undefined) {
      expected[places[2]!]! += input[places[0]!]! * filters[places[1]!]!;
      return;
    }
    for (let i = 0; i < dimension.extent; i += 1)
      visit(
        d + 1,
        places.map((place, operand) => place + i * steps[operand]![d]!),
      );
  };
  visit(0, [0, 0, 0]);
  return { input, filters, output, expected };
};

const caches = hierarchy(wasm.machine, { l1: 0.9, l2: 0.9, l3: 0.9 });
const hasLlvm = isThorough && 'paths' in (await findToolchain());

/** Every so many plans are computed natively, too. */
const nativeEvery = 12;

/** What is drawn, in the text of plans. */
const kinds: Readonly<Record<string, RegExp>> = {
  loop: /loop/,
  part: /part/,
  'pack input': /pack input/,
  'pack filters': /pack filters/,
  scalar: /scalar/,
  'kernel along windows': /along windows/,
  'kernel along columns': /along columns/,
  'kernel along filters': /along filters/,
  'rows and columns': /rows/,
  unrolled: /unrolled/,
  'in tiles': /in tiles/,
  'input in place': /^(?![^]*pack input)[^]*kernel/,
  'filters in place': /^(?![^]*pack filters)[^]*kernel/,
  'taps apart': /loop tapRows (?!1 x)/,
};

it('plans of any form are what is generated, and compute the contraction', async () => {
  const drawn = new Map<string, number>();
  const natively: { readonly module: Module; readonly data: ReturnType<typeof dataOf> }[] = [];
  let runs = 0;
  fc.assert(
    fc.property(contractions, fc.gen(), (each, draw) => {
      const { name, shape, contraction, space } = each;
      const sliced = slice(shape, { windows: 1, filters: 1 });
      const plan = drawPlan((bound) => draw(fc.integer, { min: 0, max: bound - 1 }), space);
      const printed = printPlan(plan);
      for (const [kind, pattern] of Object.entries(kinds))
        if (pattern.test(printed)) drawn.set(kind, (drawn.get(kind) ?? 0) + 1);
      expect(planProblems(plan, { ...planLimits(sliced), contraction })).toEqual([]);
      expect(trafficOfPlan(sliced, plan, caches).cycles).toBeGreaterThan(0);
      expect(drawTree(plan)).toContain('</svg>');
      const read = unwrap(planOfAttribute(planAttribute(plan), unknownLocation));
      expect(printPlan(read)).toBe(printed);

      const payload = parse(textOf(each), 'payload.mlir');
      const script = schedule(($) => {
        sconv({ target: $.match(name) }, { plan });
        return undefined;
      });
      const text = parse(script.toMlir(registry), 'schedule.mlir');
      const { module } = unwrap(runSchedule(text, payload, { registry }));
      expect(nestsOfModule(module)).toBe(nestsOfPlan(plan, shape, space.isChannelsLast));
      if (isThorough) expect(firstDifference(payload, module)).toBeUndefined();
      const data = dataOf(contraction);
      const bufferized = unwrap(bufferizeModule(module, { registry }));
      const emitted = emitModule(bufferized, { registry });
      expect(emitted.diagnostics.map(({ message }) => message)).toEqual([]);
      const output = data.output.slice();
      instantiate(unwrap(emitted)).run('f', data.input, data.filters, output);
      expect(output).toEqual(data.expected);
      if (hasLlvm && runs % nativeEvery === 0) natively.push({ module: bufferized, data });
      runs += 1;
    }),
    { numRuns: isThorough ? 1000 : 40 },
  );
  for (const kind of Object.keys(kinds))
    expect(drawn.get(kind) ?? 0, kind).toBeGreaterThanOrEqual(isThorough ? 50 : 1);
  if (natively.length === 0) return;
  const functions = natively.map(({ module }, i) =>
    printModule(module, { registry, localScope: true })
      .replace(/^module \{/, '')
      .replace(/\}\s*$/, '')
      .replace('@f', `@f${i}`),
  );
  const emitted = nativeBackend.emit(parse(functions.join('\n'), 'all.mlir'), {
    target: process.arch === 'arm64' ? neon : avx2,
    registry,
  });
  const loaded = await nativeBackend.load(unwrap(emitted));
  if (loaded.diagnostics.some(({ code }) => code === 'native/processor')) return;
  const artifact = unwrap(loaded);
  for (const [i, { data }] of natively.entries()) {
    const output = data.output.slice();
    artifact.run(`f${i}`, data.input, data.filters, output);
    expect(output).toEqual(data.expected);
  }
  artifact.dispose();
});
