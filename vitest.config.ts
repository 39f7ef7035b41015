import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defaultServerConditions } from 'vite';
import { defineConfig } from 'vitest/config';
import { failureCodes } from './tools/checks/vitest/instrument.ts';
import { LongestFirst } from './tools/checks/vitest/longest-first.ts';
import { failureCodesReporter } from './tools/checks/vitest/reporter.ts';

const conditions = ['@sconv/source', ...defaultServerConditions];
const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url));
/**
 * The name of a run of `npm test`, which leaves its results as JSON, for `.ci/run` to count, and the failures that the
 * tests provoked.
 */
const run = process.env['TEST_RUN'];
const results = (name: string) => folder(`test-results/${name}`);

interface Project {
  readonly name: string;
  readonly root: string;
  readonly include?: string[];
  readonly globalSetup?: string[];
}

/** The folders with tests of the packages and of their uses together. */
const tested = [
  ...readdirSync(folder('packages')).map((name) => `packages/${name}`),
  ...['integration', 'mutation', 'fuzz'].map((name) => `tools/${name}`),
];
const projects: readonly Project[] = [
  // A project compiles and evaluates all modules that it imports: in one, they are shared by the tests of all folders.
  ...(run === 'tests'
    ? [{ name: 'tests', root: folder('.'), include: tested.map((path) => `${path}/test/**/*.test.ts`) }]
    : tested.map((path) => ({ name: basename(path), root: folder(path) }))),
  { name: 'checks', root: folder('tools/checks'), globalSetup: [folder('tools/checks/support/pack.ts')] },
  {
    // `npm run matrix` runs it, and neither `--project checks` nor `--project '!checks*'`.
    name: 'checks-matrix',
    root: folder('tools/matrix'),
    globalSetup: [folder('tools/matrix/support/tools.ts'), folder('tools/checks/support/pack.ts')],
  },
];

export default defineConfig({
  plugins: run === undefined ? [] : [failureCodes],
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    pool: 'threads',
    // The modules of a thread are evaluated once, not for each test file: nothing registers itself when it is imported.
    isolate: false,
    maxWorkers: availableParallelism(),
    sequence: { sequencer: LongestFirst },
    setupFiles: [
      folder('tools/checks/vitest/seed.ts'),
      folder('tools/checks/vitest/compare-bytes.ts'),
      ...(run === undefined ? [] : [folder('tools/checks/vitest/record-failure-codes.ts')]),
    ],
    reporters:
      run === undefined
        ? ['default']
        : [
            'dot',
            ['json', { outputFile: results(`${run}.json`) }],
            failureCodesReporter(results('failure-codes')),
          ],
    coverage: { provider: 'v8', include: ['packages/*/src/**'], reporter: ['text-summary', 'json-summary'] },
    projects: projects.map((project) => ({
      extends: true,
      // The root is absolute: vitest 4 resolves a relative one against the working folder.
      // The time is for a machine that has much else to do; a hang is all that it is to end.
      test: {
        include: ['test/**/*.test.ts'],
        ...project,
        passWithNoTests: false,
        testTimeout: 300_000,
        hookTimeout: 300_000,
      },
    })),
  },
});
