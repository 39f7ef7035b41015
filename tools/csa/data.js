// @ts-check
/** Reads the data folders that the checks take as an argument. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseCsv, shapeFromConvbench } from '@sconv/csa';

/** ConvBench's files, in a fixed order, so that a seed draws the same convolutions everywhere. */
const datasets = ['grouped', 'pointwise', 'rectangular', 'regular'];

/**
 * Every convolution of a ConvBench folder, with its file and row number.
 *
 * @param {string} folder
 */
export const readConvbench = (folder) =>
  datasets.flatMap((dataset) =>
    parseCsv(readFileSync(join(folder, `${dataset}.csv`), 'utf8')).map((row) => ({
      dataset,
      id: row['ID'] ?? '',
      shape: shapeFromConvbench(row),
    })),
  );

/**
 * The value of `--name value` among the arguments, or the default.
 *
 * @param {string} name
 * @param {string} otherwise
 */
export const option = (name, otherwise) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? otherwise : (process.argv[at + 1] ?? otherwise);
};

/**
 * The folder that is the first argument; exits with 2 and the usage without one.
 *
 * @param {string} usage
 */
export const folderArgument = (usage) => {
  const folder = process.argv[2];
  if (folder !== undefined && !folder.startsWith('--')) return folder;
  console.error(`usage: ${usage}`);
  process.exit(2);
};
