/**
 * What stands around a convolution costs, when it is fused: a bias and a relu behind it, beside the convolution alone; zeros around
 * the input before it, beside the convolution on an input padded before.
 *
 *     node tools/bench/epilogues.mjs [--target NAME] [--shapes N] [--only bias|padding] [--json]
 *
 * For the first N (default 20) convolutions of `sconv bench --shapes convbench`, and the first N of windows larger than an element: the
 * ratio of each in processor time, of samples in turns in one process, and the median of all. Filters are bound. Needs the packages built
 * (`npm run prepare`), and nothing installed here.
 */
import { parseShape } from '@sconv/csa';
import { targets } from '@sconv/targets';
import { compileModule, defaultRegistry, integerData, parseModule, unwrap } from 'sconv';
import { nodeBackends } from 'sconv/node';
import { convbenchShapes } from '../../packages/sconv/dist/bench/convbench-shapes.js';
import { clocks } from '../../packages/sconv/dist/bench/clock.js';
import { inTurns } from '../../packages/sconv/dist/bench/in-turns.js';
import { median } from '../../packages/sconv/dist/bench/statistics.js';
import { choiceOf, commandLine, numberOf } from '../command-line.mjs';

const { values: given } = commandLine('[--target NAME] [--shapes N] [--only bias|padding] [--json]', {
  target: { type: 'string', default: 'wasm' },
  shapes: { type: 'string', default: '20' },
  only: { type: 'string', default: '' },
  json: { type: 'boolean', default: false },
});
choiceOf('only', given.only, ['', 'bias', 'padding']);
const count = numberOf('shapes', given.shapes);
const targetName = choiceOf(
  'target',
  given.target,
  targets.map(({ name }) => name),
);

const tensor = (sizes) => `tensor<${sizes.join('x')}xf32>`;

/** A payload of a shape: `padded` adds its zeros, `epilogue` a bias and a relu. */
const payload = (shape, { padded, epilogue }) => {
  const { batch, inputChannels, filters, filterHeight, filterWidth, outputHeight, outputWidth, padding } =
    shape;
  const { top, bottom, left, right } = padding;
  const whole = [batch, inputChannels, shape.inputHeight + top + bottom, shape.inputWidth + left + right];
  const input = padded ? [batch, inputChannels, shape.inputHeight, shape.inputWidth] : whole;
  const [x, w, k] = [input, whole, [filters, inputChannels, filterHeight, filterWidth]].map(tensor);
  const [out, bias] = [[batch, filters, outputHeight, outputWidth], [filters]].map(tensor);
  const { strides, dilations } = shape;
  const id = 'affine_map<(n, f, h, w) -> (n, f, h, w)>';
  const text = `func.func @f(%x: ${x}, %k: ${k}, %bias: ${bias}, %out: ${out}) -> ${out} {
  %zero = arith.constant 0.0 : f32
  ${
    padded
      ? `%in = tensor.pad %x low[0, 0, ${top}, ${left}] high[0, 0, ${bottom}, ${right}] {
  ^bb0(%n: index, %c: index, %h: index, %w: index):
    tensor.yield %zero : f32
  } : ${x} to ${w}`
      : ''
  }
  %start = linalg.fill ins(%zero : f32) outs(%out : ${out}) -> ${out}
  %0 = linalg.conv_2d_nchw_fchw {strides = dense<[${strides.h}, ${strides.w}]> : tensor<2xi64>, dilations = dense<[${dilations.h}, ${dilations.w}]> : tensor<2xi64>}
    ins(${padded ? '%in' : '%x'}, %k : ${w}, ${k}) outs(%start : ${out}) -> ${out}
  ${
    epilogue
      ? `%empty = tensor.empty() : ${out}
  %1 = linalg.generic {indexing_maps = [${id}, affine_map<(n, f, h, w) -> (f)>, ${id}], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%0, %bias : ${out}, ${bias}) outs(%empty : ${out}) {
  ^bb0(%c: f32, %b: f32, %old: f32):
    %s = arith.addf %c, %b : f32
    %r = arith.maximumf %s, %zero : f32
    linalg.yield %r : f32
  } -> ${out}`
      : ''
  }
  return ${epilogue ? '%1' : '%0'} : ${out}
}`;
  const sizes = [input, [filters, inputChannels, filterHeight, filterWidth], [filters]];
  return { text, sizes: [...sizes, [batch, filters, outputHeight, outputWidth]] };
};

const target = targets.find((each) => each.name === targetName);

/** A side whose arrays are the artifact's own: nothing is copied. */
const prepare = async (shape, parts) => {
  const { text, sizes } = payload(shape, parts);
  const module = unwrap(parseModule(text, { registry: defaultRegistry }));
  const compiled = unwrap(await compileModule(module, { target, backends: nodeBackends }));
  const arrays = sizes.map((each, i) => {
    const data = integerData(
      each.reduce((product, size) => product * size, 1),
      i + 1,
    );
    const own = compiled.allocate('f32', data.length);
    own.set(data);
    return own;
  });
  const bound = compiled.bind('f', { 1: arrays[1] });
  return { compiled, call: () => bound.run(arrays[0], arrays[2], arrays[3]) };
};

/** The median over the rounds of what `parts` takes in terms of `base`. */
const ratioOf = async (shape, parts, base) => {
  const sides = [await prepare(shape, parts), await prepare(shape, base)];
  const [with_, without] = await inTurns(sides, {
    samples: 31,
    sampleSeconds: 0.008,
    warmUpSeconds: 0.1,
    clock: clocks.processor,
  });
  for (const { compiled } of sides) compiled.dispose();
  const ratios = with_.seconds.map((seconds, i) => seconds / without.seconds[i]);
  return { ratio: median(ratios), seconds: median(without.seconds) };
};

const shapes = convbenchShapes.map(([text]) => ({ text, shape: parseShape(text) }));
/** Shapes whose windows are larger than an element, with zeros around that are half a window wide where there are none. */
const withPadding = shapes
  .filter(({ shape: { filterHeight, filterWidth } }) => filterHeight * filterWidth > 1)
  .map(({ text, shape: { filterHeight, filterWidth } }) =>
    text.includes(',p') ? text : `${text},p${filterHeight >> 1}x${filterWidth >> 1}`,
  )
  .map((text) => ({ text, shape: parseShape(text) }));
const sets = {
  'bias and relu': [shapes, { padded: false, epilogue: true }, { padded: false, epilogue: false }],
  padding: [withPadding, { padded: true, epilogue: false }, { padded: false, epilogue: false }],
};
const figures = {};
for (const [set, [all, parts, base]] of Object.entries(sets)) {
  if (!set.startsWith(given.only)) continue;
  const rows = [];
  for (const { text, shape } of all.slice(0, count)) {
    const row = { shape: text, ...(await ratioOf(shape, parts, base)) };
    rows.push(row);
    const percent = (100 * (row.ratio - 1)).toFixed(1).padStart(6);
    if (!given.json)
      console.log(`${set.padEnd(14)} ${percent} % of ${(1e3 * row.seconds).toFixed(3)} ms  ${text}`);
  }
  figures[set] = { median: median(rows.map(({ ratio }) => ratio)), rows };
  if (!given.json)
    console.log(`${set}: ${(100 * (figures[set].median - 1)).toFixed(1)} %, median of ${rows.length}\n`);
}
if (given.json) console.log(JSON.stringify(figures));
