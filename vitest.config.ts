import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defaultServerConditions } from 'vite';
import { defineConfig } from 'vitest/config';

const conditions = ['@sconv/source', ...defaultServerConditions];
const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const projects: readonly { name: string; root: string; globalSetup?: string[]; testTimeout?: number }[] = [
  ...readdirSync(folder('packages')).map((name) => ({ name, root: folder(`packages/${name}`) })),
  { name: 'integration', root: folder('tools/integration') },
  { name: 'mutation', root: folder('tools/mutation') },
  { name: 'fuzz', root: folder('tools/fuzz') },
  {
    name: 'checks',
    root: folder('tools/checks'),
    globalSetup: [folder('tools/checks/support/pack.ts')],
    // Most of them start npm or a compiler, on a machine that may have other work to do.
    testTimeout: 300_000,
  },
];
/** Under Nx each project leaves its results as JSON, for `.ci/run` to count. */
const nxProject = process.env['NX_TASK_TARGET_PROJECT'];
const jsonFile = nxProject === undefined ? undefined : folder(`test-results/${nxProject}.json`);

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    pool: 'threads',
    reporters: jsonFile === undefined ? ['default'] : ['default', ['json', { outputFile: jsonFile }]],
    coverage: { provider: 'v8', include: ['packages/*/src/**'], reporter: ['text-summary', 'json-summary'] },
    projects: projects.map((project) => ({
      extends: true,
      // The root is absolute: vitest 4 resolves a relative one against the working folder.
      test: { testTimeout: 60_000, ...project, include: ['test/**/*.test.ts'], passWithNoTests: false },
    })),
  },
});
