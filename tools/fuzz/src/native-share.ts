/**
 * Compares the programs of a share in a process of its own, which they may end:
 * `native-share.js native|lowerings SEED FROM TO`.
 */
import { findToolchain } from '@sconv/native';
import { targets } from '@sconv/targets';
import { runLowerings } from './fuzz-lowerings.ts';
import { runNative } from './fuzz-native.ts';

const [subjects, ...numbers] = process.argv.slice(2);
const [seed, from, to] = numbers.map(Number) as [number, number, number];
const name = process.arch === 'arm64' ? 'neon' : 'avx2';
const target = targets.find((each) => each.name === name)!;
const share = { seed, from, to };
const campaign =
  subjects === 'lowerings'
    ? await runLowerings(share, 'paths' in (await findToolchain()) ? target : undefined)
    : await runNative(share, target);
process.stdout.write(JSON.stringify(campaign));
