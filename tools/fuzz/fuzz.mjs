/** Builds what has changed and runs the fuzzer: `node tools/fuzz/fuzz.mjs --help`. */
import { buildFuzz } from './build.mjs';

buildFuzz();
const { main } = await import('./dist/command.js');
process.exitCode = await main(process.argv.slice(2));
