/**
 * A module of random functions, canonicalized here and by LLVM 19's `mlir-opt`, both without parsing and printing:
 *
 *     node tools/bench/canonicalize.mjs [--functions 1000] [--json]
 *
 * Milliseconds, medians of interleaved samples; ratios are per turn. Needs `mlir-opt-19`, which runs on one thread and
 * reports its own pass time.
 */
import { spawnSync } from 'node:child_process';
import { canonicalize } from '@sconv/canonicalization';
import { unwrap } from '@sconv/diagnostics';
import { parseModule } from '@sconv/ir';
import { defaultRegistry as registry } from 'sconv';
import { median } from '../../packages/sconv/dist/bench/statistics.js';
import { commandLine, numberOf } from '../command-line.mjs';
import { buildFuzz } from '../fuzz/build.mjs';

const { values } = commandLine('[--functions 1000] [--json]', {
  functions: { type: 'string', default: '1000' },
  json: { type: 'boolean', default: false },
});
const count = numberOf('functions', values.functions);

buildFuzz();
const { drawFunction } = await import('../fuzz/dist/draw-function.js');
const { randomOf } = await import('../fuzz/dist/random.js');

const turns = 9;
const seed = 1;

const text = Array.from({ length: count }, (_, i) =>
  drawFunction(randomOf(seed, i)).text.replace('@f(', `@f${i}(`),
).join('\n');

/** Seconds in the pass, as `mlir-opt` reports it. */
const theirs = () => {
  const flags = [
    '--canonicalize',
    '--mlir-disable-threading',
    '--mlir-timing',
    '--mlir-timing-display=list',
    '-',
  ];
  const { stderr, error } = spawnSync('mlir-opt-19', flags, {
    input: text,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (error !== undefined) throw error;
  const [, seconds] = /([\d.]+) \([^)]*\) {2}Canonicalizer/.exec(stderr) ?? [];
  if (seconds === undefined) throw new Error(stderr);
  return Number(seconds);
};

/** Seconds in the pass, on a module that no edit has seen. */
const ours = () => {
  const module = unwrap(parseModule(text, { registry }));
  const start = performance.now();
  unwrap(canonicalize().run(module, { registry }));
  return (performance.now() - start) / 1000;
};

const samples = Array.from({ length: turns }, () => ({ ours: ours(), theirs: theirs() }));
const figures = {
  functions: count,
  seed,
  ours: median(samples.map((sample) => sample.ours)) * 1000,
  mlirOpt: median(samples.map((sample) => sample.theirs)) * 1000,
  ratio: median(samples.map((sample) => sample.ours / sample.theirs)),
};
console.log(
  values.json
    ? JSON.stringify(figures)
    : `${count} functions: ${figures.ours.toFixed(0)} ms, mlir-opt ${figures.mlirOpt.toFixed(0)} ms; ${figures.ratio.toFixed(1)} times`,
);
