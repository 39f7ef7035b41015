// @ts-check
/**
 * How well the cost models rank plans: rank correlation between predicted and simulated cycles, for convolutions drawn
 * from ConvBench and shrunk until exact simulation is feasible, and plans drawn uniformly from all valid ones.
 *
 *     node tools/csa/rank-models.js [--seed 1] [--convolutions 60] [--plans 24]
 *         [--microkernel 8x4] [--multiply-adds 4000000] [--all]
 *
 * Caches of 4 KiB, 32 KiB and 256 KiB, 8 ways, lines of 64 bytes; 4, 14, 50 and 200 cycles. Prints Markdown tables: for
 * all cycles, and for those beyond L1, which SC's model covers; with --all also a row per convolution. Exits with 1
 * unless `traffic` beats `sc` on the median and reaches 0.9.
 */

import {
  cacheSimulator,
  convolution,
  costModelNames,
  costModels,
  hierarchy,
  planOfTiling,
  multiplyAdds,
  printShape,
  slice,
  streamAccesses,
  tilingSpace,
} from '@sconv/csa';
import { machineFromFigures } from '@sconv/targets';
import { commandLine, numberOf, refuse } from '../command-line.mjs';
import { convbench } from './data.js';
import { median } from '../../packages/sconv/dist/bench/statistics.js';
import { random, spearman } from './statistics.js';

const { values } = commandLine(
  '[--seed 1] [--convolutions 60] [--plans 24] [--microkernel 8x4] [--multiply-adds 4000000] [--all]',
  {
    seed: { type: 'string', default: '1' },
    convolutions: { type: 'string', default: '60' },
    plans: { type: 'string', default: '24' },
    'multiply-adds': { type: 'string', default: '4000000' },
    microkernel: { type: 'string', default: '8x4' },
    all: { type: 'boolean', default: false },
  },
);
const seed = numberOf('seed', values.seed);
const wanted = numberOf('convolutions', values.convolutions);
const plansEach = numberOf('plans', values.plans);
const budget = numberOf('multiply-adds', values['multiply-adds']);
const sides = /^([1-9]\d*)x([1-9]\d*)$/.exec(values.microkernel ?? '');
if (sides === null) refuse(`--microkernel takes windows and filters, as 8x4, not '${values.microkernel}'`);
const [windows, filters] = [Number(sides[1]), Number(sides[2])];
const latencies = /** @type {const} */ ([4, 14, 50, 200]);

const machine = machineFromFigures({
  name: 'simulated',
  cacheBytes: [4 * 1024, 32 * 1024, 256 * 1024],
  lineBytes: 64,
  latencyCycles: latencies,
  ways: 8,
  source: 'the experiment',
});
const caches = hierarchy(machine, { l1: 0.9, l2: 0.9, l3: 0.9 });

/** @param {import('@sconv/csa').Served} served */
const cyclesBeyondL1 = ({ l2, l3, memory }) => l2 * latencies[1] + l3 * latencies[2] + memory * latencies[3];

/** @param {import('@sconv/csa').Served} served */
const cycles = (served) => served.l1 * latencies[0] + cyclesBeyondL1(served);

/**
 * One group of the convolution, padding included, with its largest extent halved until it is small enough.
 *
 * @param {import('@sconv/csa').ConvolutionShape} shape
 */
const shrink = (shape) => {
  const { strides, dilations, filterHeight, filterWidth, groups } = shape;
  const extents = {
    channels: shape.inputChannels / groups,
    filters: shape.filters / groups,
    height: shape.outputHeight,
    width: shape.outputWidth,
  };
  for (;;) {
    const small = convolution({
      inputChannels: extents.channels,
      inputHeight: (extents.height - 1) * strides.h + (filterHeight - 1) * dilations.h + 1,
      inputWidth: (extents.width - 1) * strides.w + (filterWidth - 1) * dilations.w + 1,
      filters: extents.filters,
      filterHeight,
      filterWidth,
      strides,
      dilations,
    });
    if (multiplyAdds(small) <= budget) return small;
    const largest = Math.max(...Object.values(extents));
    for (const name of /** @type {const} */ (['channels', 'filters', 'height', 'width'])) {
      if (extents[name] !== largest) continue;
      extents[name] = Math.ceil(largest / 2);
      break;
    }
  }
};

const next = random(seed);
/** @param {number} size */
const draw = (size) => Math.floor(next() * size);

/** @type {{ shape: string, space: number, correlation: Record<string, number>, beyondL1: Record<string, number>, ratio: number }[]} */
const results = [];
let drawn = 0;
let plans = 0;
while (results.length < wanted && drawn < 100 * wanted) {
  drawn += 1;
  const shape = shrink(
    /** @type {{ shape: import('@sconv/csa').ConvolutionShape }} */ (convbench[draw(convbench.length)]).shape,
  );
  const sliced = slice(shape, { windows, filters });
  const space = tilingSpace(sliced, caches);
  // Too few different plans to rank, or no full tile at all.
  if (sliced.tiles.windows === 0 || sliced.tiles.filters === 0 || space.size < plansEach) continue;
  /** @type {Set<number>} */
  const indices = new Set();
  while (indices.size < plansEach) indices.add(draw(space.size));
  const tilings = [...indices].map((index) => space.at(index));
  const served = tilings.map((tiling) => {
    const simulator = cacheSimulator(machine);
    streamAccesses(sliced, planOfTiling(sliced, tiling), { lineBytes: 64 }, simulator.touch);
    return simulator.served();
  });
  plans += tilings.length;
  const costs = Object.fromEntries(
    costModelNames.map((name) => [name, tilings.map((tiling) => costModels[name](sliced, tiling, caches))]),
  );
  const correlate = (
    /** @type {readonly number[]} */ truth,
    /** @type {(cost: import('@sconv/csa').Cost) => number} */ predicted,
  ) =>
    Object.fromEntries(
      costModelNames.map((name) => [name, spearman((costs[name] ?? []).map(predicted), truth)]),
    );
  const simulated = served.map(cycles);
  results.push({
    shape: printShape(shape),
    space: space.size,
    correlation: correlate(simulated, (cost) => cost.cycles),
    beyondL1: correlate(served.map(cyclesBeyondL1), (cost) => cyclesBeyondL1(cost.accesses)),
    ratio: median(
      (costs['traffic'] ?? []).map((cost, index) => cost.cycles / (simulated[index] ?? Number.NaN)),
    ),
  });
}

/** @param {number} value */
const two = (value) => value.toFixed(3);
if (values.all) {
  console.log(`| convolution | valid plans | ${costModelNames.join(' | ')} | traffic / simulated cycles |`);
  console.log(`|---|---|${costModelNames.map(() => '---|').join('')}---|`);
  for (const { shape, space, correlation, ratio } of results) {
    const cells = costModelNames.map((name) => two(correlation[name] ?? Number.NaN));
    console.log(`| ${shape} | ${space} | ${cells.join(' | ')} | ${two(ratio)} |`);
  }
  console.log('');
}
console.log(
  `Seed ${seed}: ${results.length} convolutions (of ${drawn} drawn), ${plans} plans, microkernel ${windows}x${filters}.\n`,
);
/**
 * @param {string} title
 * @param {'correlation' | 'beyondL1'} measure
 */
const table = (title, measure) => {
  console.log(`| ${title} | median | lower quartile | least |`);
  console.log('|---|---|---|---|');
  for (const name of costModelNames) {
    const sorted = results.map((result) => result[measure][name] ?? Number.NaN).sort((a, b) => a - b);
    const quartile = sorted[Math.floor(sorted.length / 4)] ?? Number.NaN;
    console.log(`| ${name} | ${two(median(sorted))} | ${two(quartile)} | ${two(sorted[0] ?? Number.NaN)} |`);
  }
  console.log('');
};
table('all cycles', 'correlation');
table('cycles beyond L1', 'beyondL1');
const medianOf = (/** @type {string} */ name) =>
  median(results.map(({ correlation }) => correlation[name] ?? Number.NaN));
const reached = medianOf('traffic') >= 0.9 && medianOf('traffic') > medianOf('sc');
console.log(
  `traffic predicts ${two(median(results.map(({ ratio }) => ratio)))} of the simulated cycles (median).`,
);
process.exitCode = reached ? 0 : 1;
