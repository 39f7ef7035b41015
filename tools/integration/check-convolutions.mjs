// @ts-check
/**
 * Compiles and runs random convolutions of all layouts and element types, padded, grouped and quantized, for WebAssembly
 * and natively: each result has to be the sum of products. The tests run some of them.
 *
 *     node tools/integration/check-convolutions.mjs [NUMBER] [SEED] [--schedulers]
 *
 * NUMBER is 300 by default, SEED is 1 (5 minutes). With `--schedulers`, each way to compute them instead, as a product
 * and in blocked layouts, also by the interpreter (30 minutes).
 */
import { commandLine } from '../command-line.mjs';
import { runTests } from './run-tests.mjs';

const { positionals, values } = commandLine('[NUMBER] [SEED]', { schedulers: { type: 'boolean' } }, 2);
const [CONVOLUTIONS = '300', SEED = '1'] = positionals;
runTests(
  values.schedulers ? 'convolution-schedulers.test' : 'convolution-types.test',
  { CONVOLUTIONS, SEED },
  [...['--reporter', 'verbose'], ...['--testNamePattern', 'a random convolution']],
);
