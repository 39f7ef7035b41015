// @ts-check
import { readFileSync, readdirSync } from 'node:fs';
import js from '@eslint/js';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

/** One package per directory; its floor is the number in the `floor:N` tag. */
const packages = readdirSync(new URL('./packages/', import.meta.url)).map((dir) => {
  const pkg = JSON.parse(readFileSync(new URL(`./packages/${dir}/package.json`, import.meta.url), 'utf8'));
  const tag = pkg.nx?.tags?.find((/** @type {string} */ t) => t.startsWith('floor:'));
  if (tag === undefined) throw new Error(`packages/${dir} has no floor tag`);
  return {
    dir,
    name: pkg.name,
    floor: Number(tag.slice(6)),
    browser: pkg.nx.tags.includes('platform:any'),
    deps: Object.keys(pkg.dependencies ?? {}),
  };
});

/** A package may import only packages of a lower floor that it declares as dependencies, and only by their name. */
const layering = packages.map((p) => {
  const banned = packages.filter(
    (q) => q.name !== p.name && (q.floor >= p.floor || !p.deps.includes(q.name)),
  );
  return {
    files: [`packages/${p.dir}/src/**/*.ts`],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: [{ name: p.name, message: 'A package must not import itself by name.' }],
          patterns: [
            ...banned.map((q) => ({
              group: [q.name, `${q.name}/*`],
              message: `${p.name} (floor ${p.floor}) may not import ${q.name} (floor ${q.floor}).`,
            })),
            ...(p.browser ? [{ group: ['node:*'], message: `${p.name} runs in a browser.` }] : []),
            { regex: '^(\\.\\./)+(packages/)?[^/]+/(src|dist)/', message: 'Import other packages by name.' },
          ],
        },
      ],
    },
  };
});

export default defineConfig(
  globalIgnores([
    '**/dist/',
    'packages/*/bundle/',
    'packages/sconv/bin/commands.js',
    'packages/sconv/bin/language-server.js',
    '**/.tsout/',
    '**/coverage/',
    '.nx/',
    'api/',
    'tools/*/node_modules/',
  ]),
  js.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      // With noUncheckedIndexedAccess, `!` is how code says that an index is in range.
      '@typescript-eslint/no-non-null-assertion': 'off',
      // There are no enums (erasableSyntaxOnly), and what has the shape of an interface is one. A seventh of the time.
      '@typescript-eslint/no-unsafe-enum-assignment': 'off',
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
    },
  },
  {
    files: ['**/*.js', '**/*.mjs'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        URL: 'readonly',
        performance: 'readonly',
        WebAssembly: 'readonly',
      },
    },
  },
  ...layering,
);
