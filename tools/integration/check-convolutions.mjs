// @ts-check
/**
 * Compiles and runs random convolutions of all layouts and element types, padded, grouped and quantized, for WebAssembly
 * and natively: each result has to be the sum of products. The tests run some of them.
 *
 *     node tools/integration/check-convolutions.mjs [NUMBER] [SEED]
 *
 * NUMBER is 300 by default, SEED is 1 (5 minutes).
 */
import { runTests, wordsOf } from './run-tests.mjs';

const [CONVOLUTIONS = '300', SEED = '1'] = wordsOf('check-convolutions.mjs [NUMBER] [SEED]', 2);
runTests('convolution-types.test', { CONVOLUTIONS, SEED }, [
  ...['--reporter', 'verbose'],
  ...['--testNamePattern', 'a random convolution'],
]);
