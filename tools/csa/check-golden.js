// @ts-check
/**
 * Compares plans with the golden tilings of the reference implementation: `costModel: 'reference'`, `heuristic:
 * 'halving'`, every row of every configuration, schedule, Nc, K2 and K3 of both schedules.
 *
 *     node tools/csa/check-golden.js GOLDEN
 *
 * GOLDEN holds csa-configs.json and csa-<configuration>.csv.gz. Exits with 1 if a row differs. Needs the packages built.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parseCsv, planConvolution } from '@sconv/csa';
import { machineFromFigures } from '@sconv/targets';
import { commandLine, refuse } from '../command-line.mjs';
import { convbench } from './data.js';

const { positionals } = commandLine('GOLDEN', {}, 1);
const golden = positionals[0] ?? refuse('the folder of the golden tilings is missing');

const shapes = new Map(convbench.map(({ name, shape }) => [name, shape]));
const configurations = JSON.parse(readFileSync(join(golden, 'csa-configs.json'), 'utf8'));

let rows = 0;
let equal = 0;
for (const [name, figures] of Object.entries(configurations)) {
  const machine = machineFromFigures({ name, ...figures, source: 'csa-configs.json' });
  const fraction = figures.cacheFraction;
  const file = join(golden, `csa-${name.replaceAll('_', '-')}.csv.gz`);
  let own = 0;
  let agreeing = 0;
  for (const row of parseCsv(gunzipSync(readFileSync(file)).toString())) {
    const convolution = `${row['dataset']}:${row['id']}`;
    const shape = shapes.get(convolution);
    if (shape === undefined) throw new Error(`${file}: no convolution ${convolution}`);
    const { candidates, schedule, nc } = planConvolution(
      shape,
      { machine, microkernel: figures.microkernel },
      {
        costModel: 'reference',
        heuristic: 'halving',
        fractions: { l1: fraction, l2: fraction, l3: fraction },
      },
    );
    const { is, ws } = candidates;
    const plan = [schedule.toUpperCase(), nc, is.k2, is.k3, ws.k2, ws.k3].join(',');
    const expected = ['schedule', 'nc', 'k2_is', 'k3_is', 'k2_ws', 'k3_ws']
      .map((column) => row[column])
      .join(',');
    own += 1;
    if (plan === expected) agreeing += 1;
    else console.error(`${name} ${convolution}: planned ${plan}, golden ${expected}`);
  }
  console.log(`${name}: ${agreeing} of ${own} rows agree`);
  rows += own;
  equal += agreeing;
}
console.log(`${equal} of ${rows} rows agree: ${((100 * equal) / rows).toFixed(2)} %`);
process.exitCode = equal === rows ? 0 : 1;
