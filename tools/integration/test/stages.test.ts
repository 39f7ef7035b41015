import { describe, expect, it } from 'vitest';
import { walk } from '@sconv/ir';
import { sconvStages } from '@sconv/slicing';
import { cases } from './support/convolutions.ts';
import { coverageOf, features } from './support/coverage.ts';
import { dataOf, firstMismatch, interpretConvolution, stagesOfCase } from './support/stages.ts';
import { isThorough } from './support/thorough.ts';

/** Each geometry under one schedule; thoroughly, under both. */
const some = cases.filter((_, i) => isThorough || i % 2 === Math.floor(i / 2) % 2);

describe('every stage computes the convolution', () => {
  it.each(some)('$name', (each) => {
    const stages = stagesOfCase(each);
    const [first, ...names] = stages.map(({ name }) => name);
    expect(first).toBe('payload');
    expect(names).toEqual(sconvStages.filter((stage) => names.includes(stage)));
    // There are no groups; splitting needs partial tiles, and weight stationary needs no swap.
    const idle = sconvStages.filter((stage) => stage !== 'split' && !names.includes(stage));
    expect(idle).toEqual(each.schedule === 'ws' ? ['ungroup', 'swap'] : ['ungroup']);
    const data = dataOf(each.shape);
    for (const { name, module } of stages) {
      const actual = interpretConvolution(module, each.shape, data);
      expect({ stage: name, mismatch: firstMismatch(actual, data.expected) }).toEqual({
        stage: name,
        mismatch: undefined,
      });
    }
    const microkernels = [...walk(stages.at(-1)!.module.root)].filter((op) => 'microkernel' in op.attributes);
    expect(microkernels.length).toBeGreaterThan(0);
  });
});

describe('the cases together', () => {
  it('are at least 40', () => {
    expect(cases.length).toBeGreaterThanOrEqual(40);
  });

  it.each(features)('reach: %s, under both schedules', (feature) => {
    for (const schedule of ['is', 'ws']) {
      const reaching = cases.filter((each) => each.schedule === schedule && coverageOf(each).has(feature));
      expect({ schedule, cases: reaching.length }).not.toEqual({ schedule, cases: 0 });
    }
  });

  it('reach every feature several times', () => {
    const counts = new Map<string, number>();
    for (const each of cases)
      for (const feature of coverageOf(each)) counts.set(feature, (counts.get(feature) ?? 0) + 1);
    expect([...counts.values()].every((count) => count >= 3)).toBe(true);
  });
});
