/**
 * The last line of `.ci/run`: sums up the results that the test runs left in `test-results`. Exits with 1 where a test
 * failed, where there are no results, or where a step failed (the argument is then 1).
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../test-results', import.meta.url));
// The failures that the tests provoked lie in a folder beside the results.
const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
let [passed, failed, skipped] = [0, 0, 0];
for (const file of files) {
  const results = JSON.parse(readFileSync(join(folder, file), 'utf8'));
  passed += results.numPassedTests;
  failed += results.numFailedTests;
  skipped += results.numPendingTests + results.numTodoTests;
  // A file that does not even load has failed without a test.
  failed += results.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  ).length;
}
// A step that fails without a failing test (lint, types, build) counts as one.
const stepFailed = process.argv[2] !== '0';
if (failed === 0 && (stepFailed || passed === 0)) failed = 1;
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exitCode = failed === 0 ? 0 : 1;
