/** Convolutions of all named forms and element types, as code: against the interpreter. */
import { findToolchain } from '@sconv/native';
import { avx2, neon } from '@sconv/targets';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compileModule, unwrap } from '../src/index.ts';
import { nodeBackends } from '../src/node.ts';
import { formCases, functionOf, resultOf } from './support/form-cases.ts';
import { isThorough } from './support/thorough.ts';

const hasLlvm = 'paths' in (await findToolchain());
const native = { target: process.arch === 'arm64' ? neon : avx2, backends: nodeBackends } as const;

const backends = [
  { name: 'WebAssembly', options: {}, numRuns: isThorough ? 150 : 60, runs: true },
  { name: 'native code', options: native, numRuns: isThorough ? 15 : 5, runs: hasLlvm },
];

it.each(backends.filter(({ runs }) => runs))(
  "are the interpreter's as $name",
  async ({ options, numRuns }) => {
    await fc.assert(
      fc.asyncProperty(formCases, async (each) => {
        const made = functionOf(each);
        const compiled = unwrap(await compileModule(made.module, options));
        const [actual] = compiled.run('f', ...made.given.map((data) => data.slice()));
        expect(actual).toEqual(resultOf(made));
        compiled.dispose();
      }),
      { numRuns, seed: 3 },
    );
  },
  120_000,
);
