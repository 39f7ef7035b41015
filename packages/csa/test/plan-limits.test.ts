import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planProblems } from '@sconv/plans';
import { sconvDefaults } from '@sconv/targets';
import {
  edgeKinds,
  hierarchy,
  parseShape,
  planConvolution,
  planLimits,
  planOfTiling,
  slice,
} from '../src/index.ts';
import { arbitraryMicrokernel, arbitraryShape } from './arbitrary.ts';

describe('planLimits', () => {
  it('finds nothing wrong with what a tiling stands for', () => {
    fc.assert(
      fc.property(
        arbitraryShape(9),
        arbitraryMicrokernel,
        fc.constantFrom('is' as const, 'ws' as const),
        fc.constantFrom(...edgeKinds),
        fc.tuple(
          fc.integer({ min: 1, max: 9 }),
          fc.integer({ min: 1, max: 9 }),
          fc.integer({ min: 1, max: 9 }),
        ),
        (shape, kernelShape, schedule, edges, [nc, k2, k3]) => {
          const sliced = slice(shape, kernelShape);
          const plan = planOfTiling(sliced, { schedule, nc, k2, k3 }, edges);
          expect(planProblems(plan, planLimits(sliced))).toEqual([]);
        },
      ),
    );
  });

  it("finds CSA's plans to fit the caches of their machine, and not those of a smaller one", () => {
    const shape = parseShape('1x32x152x152,256x32x3x3,s2');
    const { tree, microkernel: own } = planConvolution(shape, sconvDefaults);
    const sliced = slice(shape, own);
    const caches = hierarchy(sconvDefaults.machine, { l1: 0.9, l2: 0.9, l3: 0.9 });
    expect(planProblems(tree, planLimits(sliced, caches))).toEqual([]);
    // 32 filter tiles of 9 KiB, in the first nest and in the second; with an input tile of 18 KiB besides.
    const small = { room: { l1: 1000, l2: 32 * 9216, l3: Infinity } };
    expect(planProblems(tree, planLimits(sliced, small)).map(({ path }) => path)).toEqual([
      'plan.parts[0].body.parts[0].body.body.body.body.body.body.body',
      'plan.parts[0].body.parts[1].body.body.body.body.body.body.body',
    ]);
    const none = { room: { l1: Infinity, l2: Infinity, l3: Infinity } };
    expect(planProblems(tree, planLimits(sliced, none))).toEqual([]);
  });
});
