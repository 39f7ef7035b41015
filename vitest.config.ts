import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defaultServerConditions } from 'vite';
import { defineConfig } from 'vitest/config';

const conditions = ['@sconv/source', ...defaultServerConditions];
const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const projects = [
  ...readdirSync(folder('packages')).map((name) => ({ name, root: folder(`packages/${name}`) })),
  { name: 'integration', root: folder('tools/integration') },
];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    pool: 'threads',
    coverage: { provider: 'v8', include: ['packages/*/src/**'], reporter: ['text-summary', 'json-summary'] },
    projects: projects.map(({ name, root }) => ({
      extends: true,
      // The root is absolute: vitest 4 resolves a relative one against the working folder.
      test: { name, root, include: ['test/**/*.test.ts'], passWithNoTests: false, testTimeout: 60_000 },
    })),
  },
});
