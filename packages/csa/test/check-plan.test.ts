import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sconvDefaults } from '@sconv/targets';
import {
  edgeKinds,
  hierarchy,
  parseShape,
  planConvolution,
  planLimits,
  planOfTiling,
  planProblems,
  slice,
  type Plan,
} from '../src/index.ts';
import { arbitraryMicrokernel, arbitraryShape } from './arbitrary.ts';

const extents = { batch: 1, group: 1, channels: 2, windows: 8, filters: 4 };
const microkernel = { windows: 4, filters: 4 };

const kernel = (fields: object = {}) => ({
  kind: 'kernel',
  microkernel,
  lanes: 'windows',
  fill: 'exact',
  extents: { ...extents, windows: 4 },
  ...fields,
});
const pack = (operand: string, body: unknown, fields: object = {}) => ({
  kind: 'pack',
  operand,
  tiles: 1,
  lifetime: 'here',
  body,
  ...fields,
});
const windows = (body: unknown, fields: object = {}) => ({
  kind: 'loop',
  dimension: 'windows',
  step: 4,
  count: 2,
  body,
  ...fields,
});
const packed = (body: unknown) => pack('filters', pack('input', body));
const good = pack('filters', windows(pack('input', kernel())));
const scalar = (fields: object = {}) => ({ kind: 'scalar', extents: { ...extents, ...fields } });
const split = (...parts: readonly (readonly [unknown, unknown])[]) => ({
  kind: 'split',
  dimension: 'windows',
  parts: parts.map(([size, body]) => ({ size, body })),
});

const problemsOf = (plan: unknown, limits: object = { extents }): readonly string[] =>
  planProblems(plan as Plan, limits).map(({ code, path, message }) => `${path}: ${message} [${code}]`);

describe('planProblems', () => {
  it.each([
    ['a nest', good],
    ['scalar code', scalar()],
    ['parts', split([4, scalar({ windows: 4 })], [4, packed(kernel())])],
    [
      'a padded kernel',
      split(
        [7, scalar({ windows: 7 })],
        [1, packed(kernel({ fill: 'padded', extents: { ...extents, windows: 1 } }))],
      ),
    ],
    ['several tiles packed at once', pack('input', pack('filters', windows(kernel())), { tiles: 2 })],
    ['a packing that is kept', pack('filters', windows(pack('input', kernel())), { lifetime: 'artifact' })],
  ])('finds nothing wrong with %s', (_, plan) => {
    expect(problemsOf(plan)).toEqual([]);
  });

  it.each([
    [
      'parts that do not add up',
      split([4, scalar({ windows: 4 })], [3, scalar({ windows: 3 })]),
      'plan: the parts add up to 7, not to the 8 of windows here [csa/plan-parts]',
    ],
    [
      'a loop that runs too seldom',
      pack('filters', windows(pack('input', kernel()), { count: 1 })),
      'plan.body: 1 steps of 4 are not the 8 of windows here [csa/plan-loop]',
    ],
    [
      'a leaf that leaves something out',
      split([4, scalar({ windows: 4 })], [4, scalar({ windows: 4, channels: 1 })]),
      'plan.parts[1].body: this scalar covers 1 of channels, of which there is 2 here [csa/plan-coverage]',
    ],
    [
      'a leaf over another dimension',
      scalar({ rows: 3 }),
      'plan: this scalar covers 3 of rows, of which there is none here [csa/plan-coverage]',
    ],
    [
      'a leaf that leaves out a dimension',
      { kind: 'scalar', extents: { ...extents, batch: undefined } },
      'plan: extents.batch is a positive integer, not undefined [csa/plan-node]',
    ],
    [
      'a kernel that is smaller than what it computes',
      packed(kernel({ extents })),
      'plan.body.body: an exact microkernel of 4 windows cannot compute 8 [csa/plan-kernel]',
    ],
    [
      'a padded kernel that is smaller than what it computes',
      packed(kernel({ extents, fill: 'padded' })),
      'plan.body.body: a padded microkernel of 4 windows cannot compute 8 [csa/plan-kernel]',
    ],
    [
      'an exact kernel that is larger',
      pack('filters', windows(pack('input', kernel({ microkernel: { windows: 5, filters: 4 } })))),
      'plan.body.body.body: an exact microkernel of 5 windows cannot compute 4 [csa/plan-kernel]',
    ],
    [
      'a kernel on what is not packed',
      windows(pack('input', kernel())),
      'plan.body.body: a microkernel reads packed operands, and nothing packs the filters [csa/plan-kernel]',
    ],
    [
      'a kernel on tiles of another width',
      pack('filters', pack('input', windows(kernel()))),
      'plan.body.body.body: the input are packed in tiles of 8 windows, and this reads 4 [csa/plan-kernel]',
    ],
    [
      'an operand packed twice',
      pack('filters', windows(packed(kernel()))),
      'plan.body.body: the filters are packed already [csa/plan-pack]',
    ],
    [
      'tiles that do not divide',
      pack('filters', windows(pack('input', kernel(), { tiles: 3 }))),
      'plan.body.body: 3 tiles do not divide 4 windows [csa/plan-pack]',
    ],
    ['no plan', 'loop', "plan: expected a node of a plan, not 'loop' [csa/plan-node]"],
    [
      'a body that is missing',
      windows(undefined),
      'plan.body: expected a node of a plan, not undefined [csa/plan-node]',
    ],
    ['a list', [], 'plan: expected a node of a plan, not [] [csa/plan-node]'],
    [
      'another kind of node',
      { kind: 'tile' },
      "plan: kind is loop or split or pack or kernel or scalar, not 'tile' [csa/plan-node]",
    ],
    [
      'a loop over another dimension',
      windows(kernel(), { dimension: 'rows' }),
      "plan: dimension is batch or group or channels or windows or filters, not 'rows' [csa/plan-node]",
    ],
    [
      'a split of another dimension',
      { kind: 'split', dimension: 7, parts: [] },
      'plan: dimension is batch or group or channels or windows or filters, not 7 [csa/plan-node]',
    ],
    [
      'a step of nothing',
      windows(kernel(), { step: 0 }),
      'plan: step is a positive integer, not 0 [csa/plan-node]',
    ],
    [
      'half a turn',
      windows(kernel(), { count: 0.5 }),
      'plan: count is a positive integer, not 0.5 [csa/plan-node]',
    ],
    ['a split into nothing', split(), 'plan: expected parts, not [] [csa/plan-node]'],
    [
      'parts that are none',
      { kind: 'split', dimension: 'windows', parts: [4, 4] },
      'plan: expected parts, not [4, 4] [csa/plan-node]',
    ],
    [
      'parts of nothing',
      split([8, scalar()], [0, scalar()]),
      'plan: the size of a part is a positive integer, not 0 [csa/plan-node]',
    ],
    [
      'a packing of another operand',
      pack('output', kernel()),
      "plan: operand is input or filters, not 'output' [csa/plan-node]",
    ],
    [
      'another lifetime',
      pack('input', kernel(), { lifetime: 'ever' }),
      "plan: lifetime is here or artifact, not 'ever' [csa/plan-node]",
    ],
    [
      'no tiles',
      pack('input', kernel(), { tiles: 0 }),
      'plan: tiles is a positive integer, not 0 [csa/plan-node]',
    ],
    [
      'a kernel by name',
      kernel({ microkernel: '4x4' }),
      "plan: expected a microkernel, not '4x4' [csa/plan-node]",
    ],
    [
      'a kernel without windows',
      kernel({ microkernel: { filters: 4 } }),
      'plan: microkernel.windows is a positive integer, not undefined [csa/plan-node]',
    ],
    [
      'a kernel without filters',
      kernel({ microkernel: { windows: 4 } }),
      'plan: microkernel.filters is a positive integer, not undefined [csa/plan-node]',
    ],
    [
      'lanes along channels',
      kernel({ lanes: 'channels' }),
      "plan: lanes is windows or filters, not 'channels' [csa/plan-node]",
    ],
    ['another fill', kernel({ fill: 'half' }), "plan: fill is exact or padded, not 'half' [csa/plan-node]"],
    ['a kernel of no extents', kernel({ extents: 4 }), 'plan: expected extents, not 4 [csa/plan-node]'],
    [
      'scalar code of no extents',
      { kind: 'scalar' },
      'plan: expected extents, not undefined [csa/plan-node]',
    ],
  ])('refuses %s', (_, plan, problem) => {
    expect(problemsOf(plan)).toEqual([problem]);
  });

  it('looks at the packed buffers together, where there is a cache for them', () => {
    const packedBytes = (operand: string) => (operand === 'input' ? 100 : 50);
    expect(problemsOf(good, { extents, packedBytes, room: 150 })).toEqual([]);
    expect(problemsOf(good, { extents, packedBytes, room: 149 })).toEqual([
      'plan.body.body: the packed buffers take 150 bytes, and the largest cache has room for 149 [csa/plan-cache]',
    ]);
    expect(problemsOf(good, { extents, packedBytes })).toEqual([]);
  });

  it('goes on behind a problem', () => {
    expect(problemsOf(split([1, scalar()], [2, scalar()]))).toEqual([
      expect.stringMatching(/^plan: .*plan-parts]$/),
      expect.stringMatching(/^plan\.parts\[0]\.body: .*plan-coverage]$/),
      expect.stringMatching(/^plan\.parts\[1]\.body: .*plan-coverage]$/),
    ]);
  });

  it('says nothing else where a node is none', () => {
    expect(problemsOf(split([1, { kind: 'x' }], [2, windows(7)]))).toEqual([
      expect.stringMatching(/^plan\.parts\[0]\.body: .*plan-node]$/),
      expect.stringMatching(/^plan\.parts\[1]\.body\.body: .*plan-node]$/),
    ]);
  });

  it('holds a plan against itself where nothing else is given', () => {
    expect(problemsOf(good, {})).toEqual([]);
    expect(problemsOf(split([1, scalar({ windows: 1 })], [2, scalar()]), {})).toEqual([
      'plan.parts[1].body: this scalar covers 8 of windows, of which there is 2 here [csa/plan-coverage]',
    ]);
    expect(problemsOf({ kind: 'loop', dimension: 'rows' }, {})).toEqual([
      "plan: dimension is batch or group or channels or windows or filters, not 'rows' [csa/plan-node]",
    ]);
  });

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
