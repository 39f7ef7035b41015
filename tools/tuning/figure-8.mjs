// @ts-check
/**
 * TT's Figure 8: 23 layers on one core, each tuned by optimization schemes for `--seconds`, cold and warm: the best found
 * against the untuned plan, as a share of the measured peak, and beside im2col with OpenBLAS and oneDNN, where
 * `tools/bench/native/build.mjs` has built them. The peers are measured warm (`sconv bench`), in turns with the untuned plan.
 *
 *     node tools/tuning/figure-8.mjs [--targets wasm,avx2,avx512] [--seconds 120] [--layers 23] [--strategy volume]
 *       [--no-peers] [--budget SECONDS] [--output FOLDER] [--json FILE]
 *
 * What was measured stays in the folder: run again, it goes on. After `--budget` seconds it stops, between two layers, and
 * reports what it has. Needs the packages built, and a quiet machine.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { printShape } from '@sconv/csa';
import { measured } from '@sconv/tuning';
import { choiceOf, commandLine, numberOf } from '../command-line.mjs';
import { bestRatio, figure8, geometricMean, targetOf, timeLeft, tunedLayer } from './tuned-layer.mjs';

const usage = `[--targets wasm,avx2,avx512] [--seconds 120] [--layers 23] [--strategy volume]
  [--no-peers] [--budget SECONDS] [--output FOLDER] [--json FILE]`;
const { values } = commandLine(usage, {
  targets: { type: 'string', default: 'wasm,avx2,avx512' },
  seconds: { type: 'string', default: '120' },
  layers: { type: 'string', default: '23' },
  strategy: { type: 'string', default: 'volume' },
  'no-peers': { type: 'boolean', default: false },
  budget: { type: 'string', default: '1000000' },
  output: { type: 'string', default: 'figure-8' },
  json: { type: 'string' },
});
const strategy = choiceOf(
  'strategy',
  values.strategy,
  /** @type {const} */ (['volume', 'paper', 'schemes', 'evolve', 'model', 'random']),
);
const seconds = numberOf('seconds', values.seconds);
const layers = figure8().slice(0, numberOf('layers', values.layers));
const left = timeLeft(numberOf('budget', values.budget));

const sconv = fileURLToPath(new URL('../../packages/sconv/bin/sconv.js', import.meta.url));
const bench = fileURLToPath(new URL('../bench', import.meta.url));
const peers = ['openblas', 'onednn', 'onednn-own-layouts'];

/**
 * The time of each peer over that of the untuned plan, warm; none of those that are not there. Kept in a file.
 *
 * @param {import('./tuned-layer.mjs').Layer} layer
 * @param {string} target
 * @returns {Readonly<Record<string, number>>}
 */
const peerRatios = (layer, target) => {
  const file = path.join(values.output, `${target}-${layer.name}-peers.json`);
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'));
  const words = ['--shapes', printShape(layer.shape), '--target', target, '--filters', 'arguments', '--json'];
  const { status, stdout } = spawnSync(
    process.execPath,
    [sconv, 'bench', ...words, '--peers', ...peers, '--peers-from', bench],
    { encoding: 'utf8', maxBuffer: 2 ** 26 },
  );
  if (status !== 0) return {};
  /** @type {{ groups: { rows: { sides: { name: string, ratio: { median: number } | null }[] }[] }[] }} */
  const report = JSON.parse(stdout);
  const sides = report.groups.flatMap(({ rows }) => rows.flatMap((row) => row.sides));
  const ratios = Object.fromEntries(
    sides.flatMap(({ name, ratio }) =>
      peers.includes(name) && ratio !== null ? [[name, ratio.median]] : [],
    ),
  );
  writeFileSync(file, JSON.stringify(ratios));
  return ratios;
};

/** @typedef {'cold' | 'warm'} Temperature */
/**
 * @typedef {{
 *   readonly target: string, readonly layer: string, readonly temperature: Temperature, readonly speedup: number,
 *   readonly peak: number | undefined, readonly seconds: number, readonly best: string,
 *   readonly peers: Readonly<Record<string, number>>,
 * }} Row
 */

/** @type {Row[]} */
const rows = [];
let isWhole = true;
for (const name of values.targets.split(',')) {
  const target = targetOf(name);
  for (const layer of layers)
    for (const temperature of /** @type {const} */ (['cold', 'warm'])) {
      if (left() <= 0) {
        isWhole = false;
        continue;
      }
      const file = [target.name, layer.name, strategy, seconds, temperature].join('-');
      const workload = await tunedLayer(values.output, file, layer, {
        target,
        strategy,
        temperature,
        budget: { kind: 'seconds', seconds },
      });
      const speedup = 1 / bestRatio(workload);
      const chosen = workload.finals.find(({ configuration }) => configuration.name === workload.best.name);
      const isNative = target.machine.isa !== 'wasm32';
      const beside = temperature === 'warm' && isNative && !values['no-peers'] ? peerRatios(layer, name) : {};
      rows.push({
        target: target.name,
        layer: layer.name,
        temperature,
        speedup,
        peak: chosen && measured(chosen, 'peak_share'),
        seconds: workload.seconds,
        best: workload.best.name,
        // Speeds: the time of the peer over that of the best.
        peers: Object.fromEntries(Object.entries(beside).map(([peer, ratio]) => [peer, ratio * speedup])),
      });
      console.error(`${target.name}, ${layer.name}, ${temperature}: ${speedup.toFixed(3)} of untuned`);
    }
}

const figure = (/** @type {number | undefined} */ value) => (value === undefined ? '-' : value.toFixed(3));
const cells = (/** @type {readonly string[]} */ each) => console.log(`| ${each.join(' | ')} |`);
for (const target of new Set(rows.map((row) => row.target)))
  for (const temperature of /** @type {const} */ (['cold', 'warm'])) {
    const own = rows.filter((row) => row.target === target && row.temperature === temperature);
    if (own.length === 0) continue;
    const beside = peers.filter((peer) => own.some((row) => row.peers[peer] !== undefined));
    console.log(`\n${target}, ${temperature}: speed of the best found over that of others\n`);
    cells(['layer', 'untuned', 'of peak', 'tuned in s', ...beside]);
    cells(['---', '---', '---', '---', ...beside.map(() => '---')]);
    for (const row of own)
      cells([
        row.layer,
        figure(row.speedup),
        figure(row.peak),
        row.seconds.toFixed(0),
        ...beside.map((peer) => figure(row.peers[peer])),
      ]);
    const mean = (/** @type {readonly (number | undefined)[]} */ numbers) => {
      const known = numbers.filter((each) => each !== undefined);
      return known.length === 0 ? undefined : geometricMean(known);
    };
    cells([
      'geometric mean',
      figure(mean(own.map(({ speedup }) => speedup))),
      figure(mean(own.map(({ peak }) => peak))),
      '',
      ...beside.map((peer) => figure(mean(own.map((row) => row.peers[peer])))),
    ]);
  }
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify({ strategy, rows }, null, 2)}\n`);
if (!isWhole) console.log('\nstopped before the end: run it again');
