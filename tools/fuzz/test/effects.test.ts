/** Single passes and transforms on random functions with effects; `npm run fuzz -- --effects` does longer runs. */
import { parseModule, verify } from '@sconv/ir';
import { unwrap } from '@sconv/diagnostics';
import { defaultRegistry as registry } from 'sconv';
import { describe, expect, it } from 'vitest';
import { addCampaigns, noCampaign } from '../src/campaign.ts';
import { drawEffects } from '../src/draw-effects.ts';
import { focuses } from '../src/draw-focus.ts';
import { drawEffectStep } from '../src/effect-steps.ts';
import { drawInput, effectRunner, inputKinds, outcomeDifference } from '../src/effect-inputs.ts';
import { fuzzEffects } from '../src/fuzz-effects.ts';
import { randomOf } from '../src/random.ts';
import { reduceModule } from '../src/reduce-module.ts';
import { runText } from '../src/run-text.ts';
import { isSameModule } from '../src/same-module.ts';

const seed = 1;
const indices = Array.from({ length: 8 }, (_, index) => index);

describe('functions with effects', () => {
  it('are valid, and defined on buffers that are apart, the same, or overlap', () => {
    for (const index of indices) {
      const random = randomOf(seed, index);
      const drawn = drawEffects(random);
      const module = unwrap(parseModule(drawn.text, { registry }));
      expect(verify(module, registry)).toEqual([]);
      const runs = inputKinds.map((kind) => effectRunner(module)(drawInput(random, drawn, kind)).status);
      expect(runs.slice(0, 3)).toEqual(['success', 'success', 'success']);
    }
  });

  it.each(Object.keys(focuses))('have something to do for %s', (name) => {
    const { text } = drawEffects(randomOf(seed, 3), name);
    const module = unwrap(parseModule(text, { registry }));
    expect(verify(module, registry)).toEqual([]);
    expect(drawEffectStep(randomOf(seed, 3), module, registry, name).names).toContain(name);
  });

  it.each([
    'buffer-hoisting',
    'finalizing-bufferize',
    'sink-fills',
    'transform.memref.make_loop_independent',
    'transform.structured.decompose',
    'transform.structured.decompose_interface',
    'transform.structured.eliminate_empty_tensors',
    'transform.structured.promote',
    'transform.tensor.make_loop_independent',
  ])('are changed by %s where they are drawn for it', (name) => {
    const isChanged = (index: number): boolean => {
      const random = randomOf(seed, index);
      const module = unwrap(parseModule(drawEffects(random, name).text, { registry }));
      const { names, pass, script } = drawEffectStep(random, module, registry, name);
      if (!names.includes(name)) return false;
      if (pass !== undefined) return !isSameModule(unwrap(pass(module)), module);
      const trial = runText(script(module, false), { payload: module, registry, transform: name });
      return 'run' in trial && !isSameModule(trial.run.payload, module);
    };
    expect(indices.filter(isChanged).length).toBeGreaterThan(1);
  });

  it('go through single steps without a fault, of which most change something', () => {
    const { faults, statistics } = indices
      .map((index) => fuzzEffects(seed, index))
      .reduce(addCampaigns, noCampaign);
    expect(faults).toEqual([]);
    const changes = Object.values(statistics.steps).map(({ applied }) => applied);
    expect(changes.reduce((sum, applied) => sum + applied, 0)).toBeGreaterThan(indices.length);
  });
});

describe('outcomes', () => {
  const outcome = (value: number, array: number) => ({ results: [[value]], arrays: [[array]], added: 0 });
  it.each([
    [outcome(1, 2), outcome(1, 2), false, undefined],
    [outcome(1, 2), outcome(1, 3), false, 'array 0 is [3], not [2]'],
    [outcome(0, 2), outcome(-0, 2), false, 'result 0 is [0], not [0]'],
    [outcome(0, 2), outcome(-0, 2), true, undefined],
    [outcome(0.5, 2), outcome(0.25, 2), true, undefined],
  ])('%o and %o, sums in another order: %s', (before, after, reordered, expected) => {
    expect(outcomeDifference(before, after, reordered)).toBe(expected);
  });
});

it('a module is made smaller as long as it shows what it should', () => {
  const module = unwrap(
    parseModule(
      'func.func @f(%x: i32) -> i32 { %0 = arith.addi %x, %x : i32 %1 = arith.muli %0, %0 : i32 return %1 : i32 }',
      { registry },
    ),
  );
  const names = (root: typeof module.root): readonly string[] =>
    root.regions.flatMap(({ blocks }) =>
      blocks.flatMap(({ operations }) => operations.flatMap((each) => [each.name, ...names(each)])),
    );
  const smaller = reduceModule(module, registry, ({ root }) => names(root).includes('arith.muli'));
  expect(names(smaller.root)).toEqual(['func.func', 'arith.muli', 'func.return']);
});
