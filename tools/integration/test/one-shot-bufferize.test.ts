/** One-Shot Bufferize produces the same text as LLVM 19's `mlir-opt`, under each option. */
import { readdirSync, readFileSync } from 'node:fs';
import { oneShotBufferizePass } from '@sconv/bufferization';
import { unwrap } from '@sconv/diagnostics';
import { printModule, runPipeline } from '@sconv/ir';
import { describe, expect, it } from 'vitest';
import { hasMlirOpt, mlirOpt } from './support/mlir-opt.ts';
import { registry } from './support/registry.ts';
import { parse } from './support/stages.ts';

const folder = new URL('bufferization/', import.meta.url);
const files = readdirSync(folder).sort();

const boundaries = { 'bufferize-function-boundaries': 'true' };
const returns = { 'allow-return-allocs-from-loops': 'true' };
const options: readonly Readonly<Record<string, string>>[] = [
  returns,
  { ...boundaries, ...returns },
  { ...boundaries, ...returns, 'function-boundary-type-conversion': 'identity-layout-map' },
  { ...boundaries, ...returns, 'function-boundary-type-conversion': 'fully-dynamic-layout-map' },
  { ...returns, 'unknown-type-conversion': 'identity-layout-map' },
  { 'copy-before-write': 'true', 'dialect-filter': 'tensor,bufferization' },
  { 'copy-before-write': 'true', 'dialect-filter': 'linalg,bufferization' },
  { ...returns, 'check-parallel-regions': 'false' },
  { ...boundaries, ...returns, 'no-analysis-func-filter': 'caller,sel' },
  ...['bottom-up', 'top-down', 'bottom-up-from-terminators'].map((heuristic) => ({
    ...boundaries,
    ...returns,
    'test-analysis-only': 'true',
    'analysis-heuristic': heuristic,
  })),
  ...['1', '23', '4711'].map((seed) => ({
    ...boundaries,
    ...returns,
    'test-analysis-only': 'true',
    'analysis-heuristic': 'fuzzer',
    'analysis-fuzzer-seed': seed,
  })),
];

describe.skipIf(!hasMlirOpt).each(files)('%s', (name) => {
  const text = readFileSync(new URL(name, folder), 'utf8');

  it.each(options)('is what mlir-opt makes of it with %o', (given) => {
    const words = Object.entries(given).map(([option, value]) => `${option}=${value}`);
    const pass = unwrap(oneShotBufferizePass.definition.fromText(given));
    const ours = unwrap(runPipeline(parse(text, name), [pass], { registry }));
    const [theirs] = mlirOpt([text], [`--one-shot-bufferize=${words.join(' ')}`]);
    expect(printModule(ours, { registry }).trim()).toBe(theirs!.trim());
  });
});
