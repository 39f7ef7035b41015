// @ts-check
/**
 * Compiles and runs random convolutions of all layouts and element types, padded, grouped and quantized, for WebAssembly
 * and natively: each result has to be the sum of products. The tests run some of them.
 *
 *     node tools/integration/check-convolutions.mjs [NUMBER] [SEED]
 *
 * NUMBER is 300 by default, SEED is 1 (5 minutes).
 */
import { commandLine } from '../command-line.mjs';
import { runTests } from './run-tests.mjs';

const { positionals } = commandLine('[NUMBER] [SEED]', {}, 2);
const [CONVOLUTIONS = '300', SEED = '1'] = positionals;
runTests('convolution-types.test', { CONVOLUTIONS, SEED }, [
  ...['--reporter', 'verbose'],
  ...['--testNamePattern', 'a random convolution'],
]);
