/**
 * Draws the convolutions of ConvBench that `sconv bench --shapes convbench` measures: 20 each for the seeds 1, 2 and 3,
 * from the ungrouped ones with more than one output pixel, stratified by work and output size.
 *
 *     node tools/bench/sample-convbench.mjs > packages/sconv/src/bench/convbench-shapes.ts
 *
 * Needs the packages built.
 */
import { multiplyAdds } from '@sconv/csa';
import { unwrap } from '@sconv/diagnostics';
import { stratifiedSample } from '../../packages/sconv/dist/bench/sample.js';
import { readDatasets } from '../../packages/sconv/dist/convbench/datasets.js';
import { commandLine } from '../command-line.mjs';

commandLine('> packages/sconv/src/bench/convbench-shapes.ts', {});

const pixels = (shape) => shape.outputHeight * shape.outputWidth;
const rows = new Map();
for (const { name, shape, text } of unwrap(readDatasets(['pointwise', 'rectangular', 'regular']))) {
  // Several networks share a convolution.
  if (shape.groups !== 1 || pixels(shape) === 1 || rows.has(text)) continue;
  rows.set(text, { shape, text, row: name.replace(':', ' ') });
}
const sizes = [({ shape }) => multiplyAdds(shape), ({ shape }) => pixels(shape)];
const drawn = new Map();
for (const seed of [1, 2, 3]) {
  const left = [...rows.values()].filter(({ text }) => !drawn.has(text));
  for (const each of stratifiedSample(left, 20, seed, sizes)) drawn.set(each.text, { ...each, seed });
}
const lines = [...drawn.values()].map(({ text, row }) => `  ['${text}', '${row}'],`);
process.stdout.write(`/**
 * Convolutions of ConvBench (Alvarenga et al., MLArchSys 2024) with their file and ID there: 20 for each of the seeds
 * 1, 2 and 3, from the ${rows.size} distinct ungrouped ones with more than one output pixel, stratified by work and output
 * size. Drawn by tools/bench/sample-convbench.mjs.
 */
export const convbenchShapes: readonly (readonly [shape: string, row: string])[] = [
${lines.join('\n')}
];
`);
