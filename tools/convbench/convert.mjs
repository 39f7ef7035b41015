// @ts-check
/**
 * Converts ConvBench's CSV files to the lists that `sconv convbench` knows by name: per line a row's ID and its shape.
 *
 *     node tools/convbench/convert.mjs CONVBENCH
 *
 * CONVBENCH is the folder of the CSV files. Writes packages/sconv/convbench. Needs the packages built.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseCsv, printShape, shapeFromConvbench } from '@sconv/csa';
import { commandLine, refuse } from '../command-line.mjs';

const { positionals } = commandLine('CONVBENCH', {}, 1);
const folder = positionals[0] ?? refuse('the folder of the CSV files is missing');
for (const name of ['pointwise', 'rectangular', 'regular', 'grouped']) {
  const rows = parseCsv(readFileSync(join(folder, `${name}.csv`), 'utf8'));
  const lines = rows.map((row) => `${row.ID} ${printShape(shapeFromConvbench(row))}`);
  const origin = `# The ${name} convolutions of ConvBench (Alvarenga et al., MLArchSys 2024): ID and shape.`;
  writeFileSync(
    new URL(`../../packages/sconv/convbench/${name}.txt`, import.meta.url),
    `${[origin, ...lines].join('\n')}\n`,
  );
}
