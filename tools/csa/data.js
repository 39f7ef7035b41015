// @ts-check
/** What the scripts of this folder draw from and are told. */

import { unwrap } from '@sconv/diagnostics';
import { readDatasets } from '../../packages/sconv/dist/convbench/datasets.js';

/** Every convolution of ConvBench, in a fixed order, so that a seed draws the same ones everywhere. */
export const convbench = unwrap(readDatasets(['grouped', 'pointwise', 'rectangular', 'regular']));

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
