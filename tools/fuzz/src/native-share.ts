/** Compares the native programs of a share in a process of its own, which they may end: `native-share.js SEED FROM TO`. */
import { targets } from '@sconv/targets';
import { runNative } from './fuzz-native.ts';

const [seed, from, to] = process.argv.slice(2).map(Number) as [number, number, number];
const name = process.arch === 'arm64' ? 'neon' : 'avx2';
const target = targets.find((each) => each.name === name)!;
process.stdout.write(JSON.stringify(await runNative({ seed, from, to }, target)));
