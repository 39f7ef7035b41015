/** Cleanup passes preserve the results of random functions bit for bit. */
import {
  canonicalize,
  cse,
  loopInvariantCodeMotion,
  lowerAffine,
  sccp,
  scfForLoopCanonicalization,
} from '@sconv/canonicalization';
import { unwrap } from '@sconv/diagnostics';
import { parseModule, printModule, verify } from '@sconv/ir';
import { defaultRegistry as registry } from 'sconv';
import { describe, expect, it } from 'vitest';
import { differs, drawArguments, outcomeOf } from '../src/compare-functions.ts';
import { drawFunction } from '../src/draw-function.ts';
import { randomOf } from '../src/random.ts';

const seed = 1;
const count = 400;
const draws = Array.from({ length: count }, (_, index) => {
  const random = randomOf(seed, index);
  const drawn = drawFunction(random);
  const module = unwrap(parseModule(drawn.text, { registry }));
  const values = drawArguments(random, drawn);
  return { index, text: drawn.text, module, values, outcome: outcomeOf(module, values) };
});

it('random functions are valid, and nearly all are executed', () => {
  expect(draws.flatMap(({ module }) => verify(module, registry))).toEqual([]);
  const executed = draws.filter(({ outcome }) => 'results' in outcome);
  expect(executed.length).toBeGreaterThan(count * 0.95);
});

describe.each([
  ['canonicalize', canonicalize({ testConvergence: true })],
  ['canonicalize from below', canonicalize({ testConvergence: true, topDown: false })],
  ['canonicalize, blocks too', canonicalize({ regionSimplify: 'aggressive' })],
  ['cse', cse()],
  ['lower-affine', lowerAffine()],
  ['sccp', sccp()],
  ['loop-invariant-code-motion', loopInvariantCodeMotion()],
  ['scf-for-loop-canonicalization', scfForLoopCanonicalization()],
])('%s', (_, pass) => {
  it('keeps what functions compute', () => {
    const wrong = draws.filter(({ module, values, outcome }) => {
      const after = unwrap(pass.run(module, { registry }));
      if (verify(after, registry).length > 0) return true;
      if (!('results' in outcome)) return false;
      const now = outcomeOf(after, values);
      return !('results' in now) || differs(outcome.results, now.results);
    });
    expect(wrong.map(({ index }) => index)).toEqual([]);
  });
});

it('canonicalize does nothing the second time', () => {
  const pass = canonicalize();
  const unstable = draws.filter(({ module }) => {
    const once = unwrap(pass.run(module, { registry }));
    return (
      printModule(unwrap(pass.run(once, { registry })), { registry }) !== printModule(once, { registry })
    );
  });
  expect(unstable.map(({ index }) => index)).toEqual([]);
});
