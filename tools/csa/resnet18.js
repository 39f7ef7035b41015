// @ts-check
/**
 * The schedules of ResNet-18's convolutions on the two machines of SC (§7.2: mostly WS on x86, mostly IS on
 * POWER10), for every cost model.
 *
 *     node tools/csa/resnet18.js
 */

import { costModelNames, planConvolution } from '@sconv/csa';
import { cascadeLake, power10 } from '@sconv/targets';
import { shapeSet } from '../../packages/sconv/dist/bench/shape-sets.js';
import { commandLine } from '../command-line.mjs';

commandLine('', {});

const shapes = (shapeSet('figure-8') ?? [])
  .filter(({ name }) => name.startsWith('ResNet18'))
  .map(({ shape }) => shape);

console.log('| machine | microkernel | cost model | IS | WS |');
console.log('|---|---|---|---|---|');
for (const target of [cascadeLake, power10]) {
  const { windows, filters } = target.microkernel;
  for (const costModel of costModelNames) {
    const schedules = shapes.map((shape) => planConvolution(shape, target, { costModel }).schedule);
    const is = schedules.filter((schedule) => schedule === 'is').length;
    console.log(
      `| ${target.machine.title} | ${windows}x${filters} | ${costModel} | ${is} | ${schedules.length - is} |`,
    );
  }
}
