/**
 * Convolutions as products, explicit and implicit, and in blocked layouts: random ones of all layouts and element types,
 * interpreted and compiled, are the sums of products.
 */
import { unwrap } from '@sconv/diagnostics';
import { firstDifference } from '@sconv/interpreter/testing';
import { findToolchain, nativeBackend } from '@sconv/native';
import { avx2, neon, wasm } from '@sconv/targets';
import { compileModule, defaultBackends, explicitGemm, implicitGemm, nchwc } from 'sconv';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases, count, dataOf, elementsOf, plain, sizesOf, textOf } from './support/draw-convolution.ts';
import { parse } from './support/stages.ts';
import { isThorough } from './support/thorough.ts';

const hasLlvm = 'paths' in (await findToolchain());
const host = process.arch === 'arm64' ? neon : avx2;

/** How many, and from which seed: what `check-convolutions.mjs` requests, or a few. */
const [requested, seed] = [Number(process.env['CONVOLUTIONS'] ?? 0), Number(process.env['SEED'] ?? 1)];

const schedulers = { explicitGemm, implicitGemm, nchwc };
const names = ['explicitGemm', 'implicitGemm', 'nchwc'] as const;

describe('a random convolution by another scheduler', () => {
  const targets = [
    { target: wasm, backends: defaultBackends, runs: true, numRuns: requested || (isThorough ? 30 : 8) },
    { target: host, backends: [nativeBackend], runs: hasLlvm, numRuns: requested || (isThorough ? 12 : 3) },
  ];
  const all = names.flatMap((name) => targets.map((each) => ({ name, ...each })));

  it.each(all.filter(({ runs }) => runs))(
    '$name for $target.name is the sum of products',
    async ({ name, target, backends, numRuns }) => {
      await fc.assert(
        fc.asyncProperty(cases, async (each) => {
          const { form, types } = each.typed;
          const sizes = sizesOf(each);
          fc.pre(sizes[2]['h']! > 0 && sizes[2]['w']! > 0);
          const module = parse(textOf(each), 'payload.mlir');
          const schedule = schedulers[name];
          const data = types.map((type, i) =>
            dataOf(type, count(form.layouts[i]!, sizes[i]!), each.seed + i),
          );
          const scalars = form.quantized && !each.areConstant ? each.zeroPoints : [];
          const wanted = plain(each, data);
          const { threads } = each;
          const compiled = unwrap(await compileModule(module, { target, backends, schedule, threads }));
          const values = data.map((numbers, i) => elementsOf(types[i]!, numbers));
          const [output] = compiled.run('conv', ...values, ...scalars);
          expect([...(output as Float32Array)]).toEqual(wanted);
          expect(firstDifference(module, compiled.stages.scheduled)).toBeUndefined();
          compiled.dispose();
        }),
        { numRuns, seed },
      );
    },
    Math.max(240_000, requested * 6_000),
  );
});
