// @ts-check
/**
 * Plans every convolution of ConvBench on every target, asserts the constraints, and prints the time.
 *
 *     node tools/csa/plan-all.js [--cost-model sc] [--heuristic halving]
 *
 * Needs the packages built.
 */

import { costModelNames, heuristics, planForTarget } from '@sconv/csa';
import { targets } from '@sconv/targets';
import { choiceOf, commandLine } from '../command-line.mjs';
import { convbench } from './data.js';

const { values } = commandLine('[--cost-model sc] [--heuristic halving]', {
  'cost-model': { type: 'string', default: 'sc' },
  heuristic: { type: 'string', default: 'halving' },
});
const costModel = choiceOf('cost-model', values['cost-model'], costModelNames);
const heuristic = choiceOf('heuristic', values.heuristic, heuristics);

/** @param {number} value */
const count = (value) => Number.isInteger(value) && value > 0;

let failures = 0;
const start = performance.now();
for (const target of targets) {
  let other = 0;
  let small = 0;
  for (const { name, shape } of convbench) {
    const plan = planForTarget(shape, target, { costModel, heuristic });
    const holds = plan.constraints.every((constraint) => constraint.holds);
    const finite = Number.isFinite(plan.cost.is) && Number.isFinite(plan.cost.ws);
    if (!holds || !finite || !count(plan.nc) || !count(plan.k2) || !count(plan.k3)) {
      failures += 1;
      console.error(`${target.name} ${name}: ${plan.warnings.map(({ message }) => message).join('; ')}`);
    }
    const { windows, filters } = target.microkernel;
    if (plan.microkernel.windows !== windows || plan.microkernel.filters !== filters) other += 1;
    if (plan.tiles.windows === 0 || plan.tiles.filters === 0) small += 1;
  }
  console.log(
    `${target.name}: ${convbench.length} plans, ${other} with another microkernel than the preferred one, ` +
      `${small} smaller than every tile`,
  );
}
const seconds = (performance.now() - start) / 1000;
const processor = process.cpuUsage().user / 1e6;
console.log(
  `${convbench.length * targets.length} plans in ${seconds.toFixed(2)} s ` +
    `(${processor.toFixed(2)} s of processor time, reading included), ${failures} not valid`,
);
process.exitCode = failures === 0 ? 0 : 1;
