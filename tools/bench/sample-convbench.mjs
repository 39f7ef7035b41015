/**
 * Draws the convolutions of ConvBench that `sconv bench --shapes convbench` measures: 20 each for the seeds 1, 2 and 3,
 * from the ungrouped ones with more than one output pixel, stratified by work and output size.
 *
 *     node tools/bench/sample-convbench.mjs CONVBENCH > packages/sconv/src/bench/convbench-shapes.ts
 *
 * CONVBENCH is the folder of its CSV files. Needs the packages built.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { multiplyAdds, parseCsv, printShape, shapeFromConvbench } from '@sconv/csa';
import { stratifiedSample } from '../../packages/sconv/dist/bench/sample.js';

const folder = process.argv[2];
if (folder === undefined) throw new Error('usage: sample-convbench.mjs CONVBENCH');
const pixels = (shape) => shape.outputHeight * shape.outputWidth;
const rows = new Map();
for (const name of ['pointwise', 'rectangular', 'regular']) {
  for (const row of parseCsv(readFileSync(join(folder, `${name}.csv`), 'utf8'))) {
    const shape = shapeFromConvbench(row);
    const text = printShape(shape);
    // Several networks share a convolution.
    if (shape.groups !== 1 || pixels(shape) === 1 || rows.has(text)) continue;
    rows.set(text, { shape, text, row: `${name} ${row.ID}` });
  }
}
const sizes = [({ shape }) => multiplyAdds(shape), ({ shape }) => pixels(shape)];
const drawn = new Map();
for (const seed of [1, 2, 3]) {
  const left = [...rows.values()].filter(({ text }) => !drawn.has(text));
  for (const each of stratifiedSample(left, 20, seed, sizes)) drawn.set(each.text, { ...each, seed });
}
const lines = [...drawn.values()].map(({ text, row }) => `  ['${text}', '${row}'],`);
process.stdout.write(`/**
 * Convolutions of ConvBench (Alvarenga et al., MLArchSys 2024), each with its file and ID there: 20 for each of the seeds 1, 2
 * and 3, from ${rows.size} different ones of one group with more than one output pixel, strata by work and output size.
 * Drawn by tools/bench/sample-convbench.mjs.
 */
export const convbenchShapes: readonly (readonly [shape: string, row: string])[] = [
${lines.join('\n')}
];
`);
