// @ts-check
/**
 * Evaluates the cost models: for convolutions of ConvBench, the time of the plan that each model chooses, relative to
 * the fastest plan measured: those of the models and others drawn uniformly from all valid ones.
 *
 *     node tools/csa/measure-models.js [--seed 1] [--convolutions 100] [--plans 8] [--target wasm] [--samples 5] [--all]
 *
 * Dense convolutions of 1 to 200 MFLOP and more than one output pixel, padding included in the input, filters bound.
 * The plans of a convolution are measured interleaved in one process. With --all prints a row per convolution. Needs
 * the packages built.
 */
import { costModelNames, hierarchy, planForTarget, planWithTiling, slice, tilingSpace } from '@sconv/csa';
import { samePlan } from '@sconv/plans';
import { servedTargets } from '@sconv/backend';
import { integerData } from '@sconv/interpreter';
import { compileModule, schedule, sconv, specOfShape, splitHandle, unwrap } from 'sconv';
import { nodeBackends } from 'sconv/node';
import { inTurns } from '../../packages/sconv/dist/bench/in-turns.js';
import { median, spreadOf } from '../../packages/sconv/dist/bench/statistics.js';
import { withPaddingIncluded, workOf } from '../../packages/sconv/dist/bench/workload.js';
import { targetOf } from '../../packages/sconv/dist/commands/target-option.js';
import { readDatasets } from '../../packages/sconv/dist/convbench/datasets.js';
import { functionNameOf, payloadOfAll } from '../../packages/sconv/dist/convolution-payload.js';
import { checkedSpec } from '../../packages/sconv/dist/convolution-spec.js';
import { choiceOf, commandLine, numberOf } from '../command-line.mjs';
import { random } from './statistics.js';

/** @typedef {import('@sconv/csa').SlicingPlan} Plan */

const { values } = commandLine(
  '[--seed 1] [--convolutions 100] [--plans 8] [--target wasm] [--samples 5] [--all]',
  {
    seed: { type: 'string', default: '1' },
    convolutions: { type: 'string', default: '100' },
    plans: { type: 'string', default: '8' },
    samples: { type: 'string', default: '5' },
    target: { type: 'string', default: 'wasm' },
    all: { type: 'boolean', default: false },
  },
);
const seed = numberOf('seed', values.seed);
const wanted = numberOf('convolutions', values.convolutions);
const plansEach = numberOf('plans', values.plans);
const samples = numberOf('samples', values.samples);
const target = targetOf(
  choiceOf('target', values.target, ['host', ...servedTargets(nodeBackends).map(({ name }) => name)]),
);
const caches = hierarchy(target.machine, { l1: 0.9, l2: 0.9, l3: 0.9 });
const next = random(seed);
/** @param {number} size */
const draw = (size) => Math.floor(next() * size);

/**
 * A convolution under each of some plans, as calls on arrays of one artifact: compiled together, so that native tools
 * start only once.
 *
 * @param {import('@sconv/csa').ConvolutionShape} shape
 * @param {readonly Plan[]} plans
 */
const compiled = async (shape, plans) => {
  const spec = checkedSpec({ ...specOfShape(shape), accumulate: false });
  const { payload } = payloadOfAll(plans.map(() => spec));
  const sliced = schedule(($) => {
    const { results } = splitHandle(
      { handle: $.match('linalg.conv_2d_nchw_fchw') },
      {},
      { resultCount: plans.length },
    );
    plans.forEach((plan, i) => sconv({ target: results[i] }, { plan }));
  });
  const artifact = unwrap(await compileModule(payload, { target, schedule: sliced, backends: nodeBackends }));
  const [input, filters, output] = artifact.functions[0].parameters.map((each) =>
    artifact.allocate('f32', each.length),
  );
  input.set(integerData(input.length, 1));
  filters.set(integerData(filters.length, 2));
  const sides = plans.map((_, i) => {
    const bound = artifact.bind(functionNameOf(i, plans.length), { 1: filters });
    return { call: () => bound.run(input, output) };
  });
  return { sides, dispose: () => artifact.dispose() };
};

const rows = unwrap(readDatasets(['pointwise', 'rectangular', 'regular']));
const shapes = [
  ...new Map(rows.map(({ text, shape }) => [text, withPaddingIncluded(shape)])).values(),
].filter(
  (shape) =>
    shape.groups === 1 &&
    shape.outputHeight * shape.outputWidth > 1 &&
    workOf(shape).flop >= 1e6 &&
    workOf(shape).flop <= 200e6,
);

/** @type {Record<string, number[]>} */
const ratios = Object.fromEntries([...costModelNames, 'drawn'].map((name) => [name, []]));
for (let count = 0; count < wanted;) {
  const shape = shapes[draw(shapes.length)];
  const chosen = costModelNames.map((costModel) =>
    planForTarget(shape, target, { costModel, edges: 'best' }),
  );
  const { microkernel, edgeKind } = chosen[costModelNames.indexOf('traffic')];
  const space = tilingSpace(slice(shape, microkernel), caches);
  // Too few plans to choose from.
  if (space.size < plansEach) continue;
  count += 1;
  const drawn = Array.from({ length: plansEach }, () =>
    planWithTiling(shape, microkernel, space.at(draw(space.size)), edgeKind),
  );
  /** @type {Plan[]} */
  const plans = [];
  for (const plan of [...chosen, ...drawn])
    if (!plans.some((other) => samePlan(other.tree, plan.tree))) plans.push(plan);
  const { sides, dispose } = await compiled(shape, plans);
  const timings = await inTurns(sides, { samples, sampleSeconds: 0.01, warmUpSeconds: 0.05 });
  dispose();
  const times = timings.map(({ seconds }) => median(seconds));
  const least = Math.min(...times);
  /** @param {Plan} plan */
  const ratioOf = (plan) => times[plans.findIndex((other) => samePlan(other.tree, plan.tree))] / least;
  costModelNames.forEach((name, i) => ratios[name].push(ratioOf(chosen[i])));
  ratios['drawn'].push(...drawn.map(ratioOf));
  if (process.stderr.isTTY) process.stderr.write(`\r${count} of ${wanted}`);
  if (values.all)
    console.log(
      `${count}: ${costModelNames.map((name) => `${name} ${ratios[name].at(-1).toFixed(2)}`).join(', ')}`,
    );
}

console.log(`Seed ${seed}, ${target.name}: ${wanted} convolutions, ${plansEach} plans drawn for each.\n`);
console.log('| time over the fastest | median | upper quartile | 90th percentile | greatest |');
console.log('|---|---|---|---|---|');
for (const [name, values] of Object.entries(ratios)) {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (/** @type {number} */ part) => sorted[Math.floor(part * (sorted.length - 1))].toFixed(2);
  console.log(`| ${name} | ${spreadOf(values).median.toFixed(2)} | ${at(0.75)} | ${at(0.9)} | ${at(1)} |`);
}
