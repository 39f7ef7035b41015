// @ts-check
/** What the scripts of this folder draw from. */

import { unwrap } from '@sconv/diagnostics';
import { readDatasets } from '../../packages/sconv/dist/convbench/datasets.js';

/** Every convolution of ConvBench, in a fixed order, so that a seed draws the same ones everywhere. */
export const convbench = unwrap(readDatasets(['grouped', 'pointwise', 'rectangular', 'regular']));
