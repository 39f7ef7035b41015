import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defaultServerConditions } from 'vite';
import { defineConfig } from 'vitest/config';
import { failureCodes } from './tools/checks/vitest/instrument.ts';
import { failureCodesReporter } from './tools/checks/vitest/reporter.ts';

const conditions = ['@sconv/source', ...defaultServerConditions];
const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const projects: readonly { name: string; root: string; globalSetup?: string[] }[] = [
  ...readdirSync(folder('packages')).map((name) => ({ name, root: folder(`packages/${name}`) })),
  { name: 'integration', root: folder('tools/integration') },
  { name: 'mutation', root: folder('tools/mutation') },
  { name: 'fuzz', root: folder('tools/fuzz') },
  { name: 'checks', root: folder('tools/checks'), globalSetup: [folder('tools/checks/support/pack.ts')] },
  {
    // `npm run matrix` runs it, and neither `--project checks` nor `--project '!checks*'`.
    name: 'checks-matrix',
    root: folder('tools/matrix'),
    globalSetup: [folder('tools/matrix/support/tools.ts'), folder('tools/checks/support/pack.ts')],
  },
];
/**
 * The name of a run of `npm test`, which leaves its results as JSON, for `.ci/run` to count, and the failures that the
 * tests provoked.
 */
const run = process.env['TEST_RUN'];
const results = (name: string) => folder(`test-results/${name}`);

export default defineConfig({
  plugins: run === undefined ? [] : [failureCodes],
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    pool: 'threads',
    // The modules of a thread are evaluated once, not for each test file: nothing registers itself when it is imported.
    isolate: false,
    maxWorkers: availableParallelism(),
    setupFiles: [
      folder('tools/checks/vitest/seed.ts'),
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
        ...project,
        include: ['test/**/*.test.ts'],
        passWithNoTests: false,
        testTimeout: 300_000,
        hookTimeout: 300_000,
      },
    })),
  },
});
