// @ts-check
/**
 * Runs hundreds of ConvBench's convolutions as code for other processors in emulators: all have to be exact and execute
 * as many outer products as their plans have. Those with more than a million multiply-adds are scaled down. The tests
 * run some of them.
 *
 *     node tools/integration/check-emulated.mjs [NAME]
 *
 * NAME is one of mma, sme, neon and avx512; default: all (15 minutes).
 */
import { commandLine } from '../command-line.mjs';
import { runTests } from './run-tests.mjs';

const { positionals } = commandLine('[NAME]', {}, 1);
const [name] = positionals;
runTests('emulated.test', { EMULATED: 'all' }, [
  ...['--reporter', 'dot'],
  ...(name === undefined ? [] : ['--testNamePattern', name]),
]);
