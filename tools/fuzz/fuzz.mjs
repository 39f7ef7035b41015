/** Builds what has changed and runs the fuzzer: `node tools/fuzz/fuzz.mjs --help`. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const folder = (path) => fileURLToPath(new URL(path, import.meta.url));
const compiler = folder('../../node_modules/.bin/tsc');
const built = spawnSync(process.execPath, [compiler, '-b', folder('tsconfig.lib.json')], {
  stdio: 'inherit',
});
if (built.status !== 0) process.exit(1);
const { main } = await import('./dist/command.js');
process.exitCode = await main(process.argv.slice(2));
