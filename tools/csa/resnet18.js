// @ts-check
/**
 * The schedules of ResNet-18's convolutions on the two machines of SC (§7.2: mostly WS on x86, mostly IS on
 * POWER10), for every cost model.
 *
 *     node tools/csa/resnet18.js
 */

import { convolution, costModelNames, planConvolution } from '@sconv/csa';
import { cascadeLake, power10 } from '@sconv/targets';

/** TT Figure 8: filters, channels, height and width, filter size, stride (those marked with a star: 2). */
const layers = [
  [64, 3, 224, 7, 2],
  [64, 64, 56, 3, 1],
  [64, 64, 56, 1, 1],
  [128, 64, 56, 3, 2],
  [128, 64, 56, 1, 2],
  [128, 128, 28, 3, 1],
  [256, 128, 28, 3, 2],
  [256, 128, 28, 3, 1],
  [256, 256, 14, 3, 1],
  [512, 512, 14, 3, 2],
  [512, 256, 14, 1, 2],
  [512, 512, 7, 3, 1],
];

const shapes = layers.map(([filters = 0, channels = 0, extent = 0, filter = 0, stride = 0]) => {
  const pad = (filter - 1) / 2;
  return convolution({
    inputChannels: channels,
    inputHeight: extent,
    inputWidth: extent,
    filters,
    filterHeight: filter,
    filterWidth: filter,
    strides: { h: stride, w: stride },
    padding: { top: pad, bottom: pad, left: pad, right: pad },
  });
});

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
