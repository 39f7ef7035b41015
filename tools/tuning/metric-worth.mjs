// @ts-check
/**
 * What the metric is worth by which schemes are chosen (TT §5.4), on six layers:
 *
 * 1. its first schemes against as many random ones, paired by ten seeds: the best and the median of each;
 * 2. the best scheme of the pruned space against the best of `--unpruned` random ones, each compared with the untuned plan
 *    last of all, in turns and in fresh processes.
 *
 *     node tools/tuning/metric-worth.mjs [--target wasm|host|NAME] [--strategy volume|paper] [--top 20] [--seeds 10]
 *       [--pruned 200] [--unpruned 2000] [--layers 6] [--budget SECONDS] [--warm] [--output FOLDER] [--json FILE]
 *
 * What was measured stays in the folder: run again, it goes on. After `--budget` seconds it stops, between two steps, and
 * reports what it has. Needs the packages built, and a quiet machine.
 */
import { writeFileSync } from 'node:fs';
import { choiceOf, commandLine, numberOf } from '../command-line.mjs';
import {
  bestRatio,
  figure8,
  geometricMean,
  ratiosOf,
  targetOf,
  timeLeft,
  tunedLayer,
} from './tuned-layer.mjs';

const usage = `[--target wasm|host|NAME] [--strategy volume|paper] [--top 20] [--seeds 10]
  [--pruned 200] [--unpruned 2000] [--layers 6] [--budget SECONDS] [--warm] [--output FOLDER] [--json FILE]`;
const { values } = commandLine(usage, {
  target: { type: 'string', default: 'wasm' },
  strategy: { type: 'string', default: 'volume' },
  top: { type: 'string', default: '20' },
  seeds: { type: 'string', default: '10' },
  pruned: { type: 'string', default: '200' },
  unpruned: { type: 'string', default: '2000' },
  layers: { type: 'string', default: '6' },
  budget: { type: 'string', default: '1000000' },
  warm: { type: 'boolean', default: false },
  output: { type: 'string', default: 'metric-worth' },
  json: { type: 'string' },
});
const strategy = choiceOf('strategy', values.strategy, /** @type {const} */ (['volume', 'paper']));
const [top, seeds, pruned, unpruned, most] = /** @type {const} */ ([
  numberOf('top', values.top),
  numberOf('seeds', values.seeds),
  numberOf('pruned', values.pruned),
  numberOf('unpruned', values.unpruned),
  numberOf('layers', values.layers),
]);
const left = timeLeft(numberOf('budget', values.budget));
const target = targetOf(values.target);
const temperature = values.warm ? /** @type {const} */ ('warm') : /** @type {const} */ ('cold');

/** Of both networks, with one tap and nine, and sizes that combinations are for. */
const chosen = ['ResNet18-6', 'ResNet18-9', 'Yolo9000-18', 'ResNet18-3', 'Yolo9000-12', 'Yolo9000-13'];
const layers = chosen.slice(0, most).flatMap((name) => figure8().filter((each) => each.name === name));

/**
 * @param {import('./tuned-layer.mjs').Layer} layer
 * @param {typeof strategy | 'schemes'} by
 * @param {number} count
 * @param {number} seed
 */
const measure = (layer, by, count, seed) =>
  tunedLayer(values.output, [target.name, layer.name, by, count, seed, temperature].join('-'), layer, {
    target,
    strategy: by,
    seed,
    temperature,
    budget: { kind: 'candidates', count },
  });

const middle = (/** @type {readonly number[]} */ sorted) => sorted[Math.floor(sorted.length / 2)] ?? NaN;
const first = (/** @type {readonly number[]} */ sorted) => sorted[0] ?? NaN;

/** @type {{ layer: string, seed: number, best: number, median: number }[]} */
const pairs = [];
for (let seed = 1; seed <= seeds; seed += 1)
  for (const layer of layers) {
    if (left() <= 0) break;
    const [metric, random] = [
      ratiosOf(await measure(layer, strategy, top, seed)),
      ratiosOf(await measure(layer, 'schemes', top, seed)),
    ];
    if (metric.length === 0 || random.length === 0) continue;
    const pair = { best: first(metric) / first(random), median: middle(metric) / middle(random) };
    pairs.push({ layer: layer.name, seed, ...pair });
    console.error(
      `${layer.name}, seed ${seed}: best ${pair.best.toFixed(3)}, median ${pair.median.toFixed(3)}`,
    );
  }

/** @type {{ layer: string, pruned: number, unpruned: number, share: number }[]} */
const spaces = [];
for (const layer of layers) {
  if (left() <= 0) break;
  const ofPruned = bestRatio(await measure(layer, strategy, pruned, 1));
  if (left() <= 0) break;
  const ofAll = bestRatio(await measure(layer, 'schemes', unpruned, 1));
  spaces.push({ layer: layer.name, pruned: ofPruned, unpruned: ofAll, share: ofAll / ofPruned });
  console.error(`${layer.name}: pruned ${ofPruned.toFixed(3)}, unpruned ${ofAll.toFixed(3)} of untuned`);
}

const percent = (/** @type {number} */ share) => `${Math.round(100 * share)} %`;
const names = [...new Set([...pairs, ...spaces].map(({ layer }) => layer))];
/** @param {string | undefined} layer all, if undefined */
const summaryOf = (layer) => {
  const own = pairs.filter((pair) => layer === undefined || pair.layer === layer);
  const ofSpaces = spaces.filter((each) => layer === undefined || each.layer === layer);
  return {
    layer: layer ?? 'all',
    pairs: own.length,
    best: own.length === 0 ? null : geometricMean(own.map(({ best }) => best)),
    median: own.length === 0 ? null : geometricMean(own.map(({ median }) => median)),
    won: own.length === 0 ? null : own.filter(({ median }) => median < 1).length / own.length,
    // Speeds: of the pruned space over that of all.
    share: ofSpaces.length === 0 ? null : Math.min(...ofSpaces.map(({ share }) => share)),
  };
};
const summaries = [...names.map(summaryOf), summaryOf(undefined)];
const figure = (/** @type {number | null} */ value) => (value === null ? '-' : value.toFixed(3));
console.log(`${target.name}, ${temperature}: first ${top} by ${strategy} over ${top} random ones, time\n`);
console.log('| layer | pairs | best | median | median won | best pruned of best unpruned |');
console.log('| --- | --- | --- | --- | --- | --- |');
for (const { layer, pairs: count, best, median, won, share } of summaries)
  console.log(
    `| ${layer} | ${count} | ${figure(best)} | ${figure(median)} | ${won === null ? '-' : percent(won)} | ${figure(share)} |`,
  );
if (values.json !== undefined)
  writeFileSync(
    values.json,
    `${JSON.stringify({ target: target.name, temperature, strategy, top, seeds, pruned, unpruned, pairs, spaces, summaries }, null, 2)}\n`,
  );
const all = summaryOf(undefined);
const isWorth = (all.median ?? 2) < 1 && (all.share ?? 1) >= 0.97;
const isWhole = pairs.length === layers.length * seeds && spaces.length === layers.length;
console.log(isWhole ? (isWorth ? '\nworth it' : '\nnot worth it') : '\nstopped before the end: run it again');
process.exitCode = isWhole && isWorth ? 0 : 1;
