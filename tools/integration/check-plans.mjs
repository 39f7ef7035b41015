// @ts-check
/**
 * Checks that the generated code matches the priced plan, for all rows of tools/integration/test/convbench/rows.txt;
 * the tests run some of them.
 *
 *     node tools/integration/check-plans.mjs
 */
import { runTests, wordsOf } from './run-tests.mjs';

wordsOf('check-plans.mjs', 0);
runTests('plans.test', { PLANS_EVERY: '1' });
