/**
 * Tests the package as users get it: packs it, installs the tarball into an empty folder with vitest and jest, and runs
 * the README's example in both. Prints the size of the bundle and the dependencies.
 *
 *   node packages/affine/scripts/check-package.mjs [--keep]
 *
 * Needs a built package and the npm registry. Exits with 1 if something fails or the bundle is too large.
 */
import { Buffer } from 'node:buffer';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';

const maxBytes = 60_000;
const packageFolder = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'affine-package-'));

function run(program, args, options = {}) {
  return execFileSync(program, args, {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    ...options,
  });
}

/** The README's example for a framework: its import, and the matchers' import. */
function example(framework) {
  const readme = readFileSync(join(packageFolder, 'README.md'), 'utf8');
  const [, code] = /check-package\.mjs[^\n]*\n\n```js\n([\s\S]*?)```/.exec(readme) ?? [];
  if (code === undefined) throw new Error('the README has no example');
  return framework === 'vitest'
    ? code
    : code
        .replace("from 'vitest'", "from '@jest/globals'")
        .replace('@sconv/affine/vitest', '@sconv/affine/jest');
}

async function bundleSize(entry) {
  const { output } = await build({
    root: folder,
    configFile: false,
    logLevel: 'silent',
    build: { write: false, minify: true, rollupOptions: { input: entry, preserveEntrySignatures: 'strict' } },
  });
  const { code } = output[0];
  return { minified: Buffer.byteLength(code), gzipped: gzipSync(code).length };
}

try {
  // 1. Pack, and install into an empty folder.
  const packed = JSON.parse(
    run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: packageFolder }),
  );
  const [{ filename, size, entryCount }] = packed;
  console.log(`tarball: ${size} bytes, ${entryCount} files`);
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'stranger', private: true, type: 'module' }),
  );
  run('npm', [
    'install',
    '--no-audit',
    '--no-fund',
    `./${filename}`,
    'vitest@4',
    'jest@30',
    '@jest/globals@30',
  ]);

  // 2. Nothing else of this project is installed, nor any other dependency.
  const scope = readdirSync(join(folder, 'node_modules', '@sconv'));
  const { dependencies } = JSON.parse(
    readFileSync(join(folder, 'node_modules/@sconv/affine/package.json'), 'utf8'),
  );
  console.log(
    `dependencies: ${Object.keys(dependencies ?? {}).length}; packages of @sconv: ${scope.join(', ')}`,
  );
  if (scope.length !== 1) throw new Error('other @sconv packages were installed');

  // 3. The README's example, in both frameworks.
  mkdirSync(join(folder, 'test'));
  writeFileSync(join(folder, 'test/readme.vitest.test.js'), example('vitest'));
  writeFileSync(join(folder, 'test/readme.jest.test.js'), example('jest'));
  run('npx', ['vitest', 'run', 'vitest.test']);
  console.log('vitest: the example passes');
  run('npx', ['jest', '--testPathPatterns', 'jest.test', '--transform', '{}'], {
    env: { ...process.env, NODE_OPTIONS: '--experimental-vm-modules' },
  });
  console.log('jest: the example passes');

  // 4. The size of everything the main entry exports.
  const entry = join(folder, 'entry.js');
  writeFileSync(entry, "export * from '@sconv/affine';\n");
  const { minified, gzipped } = await bundleSize(entry);
  console.log(`bundle: ${minified} bytes minified, ${gzipped} gzipped (limit ${maxBytes})`);
  if (minified > maxBytes) throw new Error('the bundle is too large');
} catch (error) {
  console.error(error.message);
  console.error(error.stdout ?? '', error.stderr ?? '');
  process.exitCode = 1;
} finally {
  if (process.argv.includes('--keep')) console.log(`kept ${folder}`);
  else rmSync(folder, { recursive: true, force: true });
}
