/** Cleanup passes preserve the results of random functions bit for bit. */
import { canonicalize } from '@sconv/canonicalization';
import { success, unwrap } from '@sconv/diagnostics';
import { parseModule, printModule } from '@sconv/ir';
import { defaultRegistry as registry } from 'sconv';
import { expect, it } from 'vitest';
import { addCampaigns, noCampaign } from '../src/campaign.ts';
import { cleanupPasses, passLabel } from '../src/cleanup-passes.ts';
import { compareSizes } from '../src/compare-sizes.ts';
import { functionText, fuzzFunction } from '../src/fuzz-function.ts';
import { hasMlirOpt } from '../src/mlir-opt.ts';

const seed = 1;
/** All in `.ci/run`, see CONTRIBUTING.md. */
const count = process.env['THOROUGH'] === undefined ? 60 : 400;
const indices = Array.from({ length: count }, (_, index) => index);

it('random functions are valid, nearly all are executed, and passes keep what they compute', () => {
  const { faults, statistics } = indices
    .map((index) => fuzzFunction(seed, index))
    .reduce(addCampaigns, noCampaign);
  expect(faults).toEqual([]);
  expect(statistics.features['executed']).toBeGreaterThan(count * 0.95);
  for (const pass of cleanupPasses) {
    const { drawn, applied } = statistics.steps[passLabel(pass)]!;
    expect([drawn, applied > count / 4]).toEqual([count, true]);
  }
});

it('a pass that changes what a function computes is a fault, with a schedule that shows it', () => {
  const lost = unwrap(parseModule('func.func private @f()', { registry }));
  const broken = { ...canonicalize(), run: () => success(lost) };
  const { faults } = fuzzFunction(seed, 0, [broken]);
  expect(faults.map(({ fault: { kind, transform } }) => [kind, transform])).toEqual([
    ['result', 'canonicalize'],
  ]);
  expect(faults[0]!.script).toContain('apply_registered_pass "canonicalize" to %root :');
});

it('canonicalize does nothing the second time', () => {
  const pass = canonicalize();
  const unstable = indices.filter((index) => {
    const once = unwrap(pass.run(unwrap(parseModule(functionText(seed, index), { registry })), { registry }));
    return (
      printModule(unwrap(pass.run(once, { registry })), { registry }) !== printModule(once, { registry })
    );
  });
  expect(unstable).toEqual([]);
});

it.skipIf(!hasMlirOpt())('canonicalize leaves at most as much as mlir-opt in nearly all functions', () => {
  const compared = indices.slice(0, 200);
  const { functions, atMost } = compareSizes(compared.map((index) => functionText(seed, index)));
  expect(functions).toBe(compared.length);
  expect(atMost).toBeGreaterThan(0.95 * functions);
});
