// @ts-check
/**
 * Checks that the generated code matches the priced plan, for all rows of tools/integration/test/convbench/rows.txt;
 * the tests run some of them.
 *
 *     node tools/integration/check-plans.mjs
 */
import { commandLine } from '../command-line.mjs';
import { runTests } from './run-tests.mjs';

commandLine('', {});
runTests('plans.test', { PLANS_EVERY: '1' });
