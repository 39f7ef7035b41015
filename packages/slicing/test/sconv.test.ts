import { describe, expect, it } from 'vitest';
import { edgeKinds, parseShape, planConvolution, planWithTiling } from '@sconv/csa';
import type { Dataflow, Plan, SlicingPlan } from '@sconv/csa';
import { filePosition, unwrap } from '@sconv/diagnostics';
import { payloadDialects } from '@sconv/dialects';
import { firstDifference } from '@sconv/interpreter/testing';
import type { Module } from '@sconv/ir';
import { createRegistry, extendRegistry, parseModule, printModule } from '@sconv/ir';
import { match, runSchedule, schedule, transformDialect, transformDialectOf } from '@sconv/transform';
import { recordPlan, sconv, targetOf } from '../src/index.ts';
import type { SconvOptions } from '../src/index.ts';
import { allTransforms, convolutionText } from './payloads.ts';

const registry = extendRegistry(createRegistry([...payloadDialects, transformDialect]), [
  transformDialectOf(allTransforms),
]);

/** 30 windows, 7 filters, 3 channels. */
const payload = unwrap(
  parseModule(convolutionText({ channels: 3, filters: 7, filter: [3, 2], output: [5, 6], batch: 2 }), {
    registry,
  }),
);
const shape = parseShape('2x3x7x7,7x3x3x2');
const target = targetOf({ mkInfo: [8, 2], archInfo: [768, 1536, 4096, 64] });

const slicing = (options: SconvOptions) =>
  schedule(({ root }) => {
    const { results } = match({ target: root }, { ops: ['linalg.conv_2d_nchw_fchw'] });
    sconv({ target: results }, options);
    return undefined;
  });

const textOf = (options: SconvOptions): string => slicing(options).toMlir(registry);
const run = (script: Module): string =>
  printModule(unwrap(runSchedule(script, payload, { registry })).module, { registry });

/** The result of a schedule, and of its text. */
const outcomes = (options: SconvOptions) => {
  const recorded = slicing(options);
  const read = unwrap(parseModule(recorded.toMlir(registry), { registry }));
  return { asCode: run(recorded.module), asText: run(read) };
};

const extents = { batch: 2, group: 1, channels: 3, windows: 30, filters: 7 };
const kernel = (windows: number, filters: number, fields: object = {}): Plan => ({
  kind: 'kernel',
  microkernel: { windows, filters },
  lanes: 'windows',
  fill: 'exact',
  extents: { batch: 1, group: 1, channels: 3, windows, filters },
  ...fields,
});
const loop = (
  dimension: 'batch' | 'channels' | 'windows' | 'filters',
  count: number,
  step: number,
  body: Plan,
): Plan => ({
  kind: 'loop',
  dimension,
  step,
  count,
  body,
});
const pack = (operand: 'input' | 'filters', tiles: number, body: Plan, fields: object = {}): Plan => ({
  kind: 'pack',
  operand,
  tiles,
  lifetime: 'here',
  body,
  ...fields,
});
/** One level of loops: windows outside, filters inside. */
const flat = pack('filters', 1, kernel(5, 7));
const simple = loop('batch', 2, 1, loop('windows', 6, 5, pack('input', 1, loop('filters', 1, 7, flat))));
const threeParts: Plan = {
  kind: 'split',
  dimension: 'windows',
  parts: [
    {
      size: 10,
      body: loop('batch', 2, 1, loop('windows', 2, 5, pack('input', 1, loop('filters', 1, 7, flat)))),
    },
    { size: 8, body: { kind: 'scalar', extents: { ...extents, windows: 8 } } },
    {
      size: 12,
      body: loop(
        'batch',
        2,
        1,
        pack('input', 3, loop('filters', 7, 1, pack('filters', 1, loop('windows', 3, 4, kernel(4, 1))))),
      ),
    },
  ],
};
/** Packing the input inside the loop over filters is rejected; before it, all tiles at once, it is accepted. */
const multipackedInput = loop(
  'batch',
  2,
  1,
  pack('input', 5, loop('filters', 7, 1, pack('filters', 1, loop('windows', 5, 6, kernel(6, 1))))),
);

describe('sconv', () => {
  it.each(edgeKinds.flatMap((edges) => (['is', 'ws'] as const).map((each) => [edges, each] as const)))(
    'writes a plan of CSA as attributes, as a record and as a tree: %s, %s',
    (edges, stationary: Dataflow) => {
      const plan = planConvolution(shape, target, { edges, schedule: stationary });
      const { nc, k2, k3 } = plan;
      const said = textOf({ plan });
      for (const attribute of [
        `nc = ${nc} :`,
        `k2 = ${k2} :`,
        `k3 = ${k3} :`,
        'mk_info = [8, 2]',
        `schedule = "${stationary}"`,
        `edges = "${edges}"`,
      ]) {
        expect(said).toContain(attribute);
      }
      expect(said).not.toContain('tile_using_for');
      const { asCode, asText } = outcomes({ plan });
      expect(asText).toBe(asCode);
      expect(textOf({ plan: plan.tree })).toContain('transform.structured.sconv');
      expect(outcomes({ plan: plan.tree })).toEqual({ asCode, asText });
    },
  );

  it('is what the steps of the plan are', () => {
    const { tree } = planConvolution(shape, target, { edges: 'small' });
    const steps = schedule(({ root }) => {
      const { results } = match({ target: root }, { ops: ['linalg.conv_2d_nchw_fchw'] });
      recordPlan(results, tree);
      return undefined;
    });
    expect(run(steps.module)).toBe(outcomes({ plan: tree }).asCode);
  });

  it.each([
    ['one level of loops', simple, { loops: 3, kernels: 1 }],
    ['three parts, one of them scalar', threeParts, { loops: 6, kernels: 2 }],
    ['all tiles of the input packed before the filters', multipackedInput, { loops: 3, kernels: 1 }],
  ])('writes another plan as its steps, which compute the same: %s', (_, plan, expected) => {
    const text = textOf({ plan });
    expect(text).not.toContain('structured.sconv');
    const { asCode, asText } = outcomes({ plan });
    expect(asText).toBe(asCode);
    expect({
      loops: asCode.match(/scf\.for/g)?.length,
      kernels: asCode.match(/\{microkernel\}/g)?.length,
    }).toEqual(expected);
    const { module } = unwrap(slicing({ plan }).run(payload, { registry }));
    expect(firstDifference(payload, module)).toBeUndefined();
  });

  it('takes attributes, and a plan of a tiling', () => {
    expect(textOf({ mkInfo: [8, 2], costModel: 'traffic', heuristic: 'divisors', edges: 'best' })).toContain(
      '{cost_model = "traffic", edges = "best", heuristic = "divisors", mk_info = [8, 2]}',
    );
    const plan = planWithTiling(shape, { windows: 4, filters: 3 }, { schedule: 'ws', nc: 2, k2: 3, k3: 1 });
    expect(textOf({ plan })).toContain(
      'edges = "scalar", k2 = 3 : i64, k3 = 1 : i64, mk_info = [4, 3], nc = 2 : i64, schedule = "ws"',
    );
  });

  it.each(edgeKinds)('goes by the tree of a plan, not by the numbers beside it: %s', (edges) => {
    const plan = planConvolution(shape, target, { edges });
    const other = planConvolution(shape, target, {
      edges: edges === 'scalar' ? 'small' : 'scalar',
      schedule: 'ws',
    });
    const changed = { ...plan, tree: other.tree };
    expect(outcomes({ plan: changed })).toEqual(outcomes({ plan: other }));
    const byHand = { ...plan, tree: threeParts };
    expect(textOf({ plan: byHand })).toBe(textOf({ plan: threeParts }));
    expect(outcomes({ plan: byHand })).toEqual(outcomes({ plan: threeParts }));
  });

  it('does not go by numbers that the convolution does not have', () => {
    const plan = planConvolution(shape, target, { edges: 'small' });
    for (const change of [{ nc: 100 }, { k2: 0 }, { k3: 1.5 }, { microkernel: { windows: 0, filters: 2 } }]) {
      expect(outcomes({ plan: { ...plan, ...change } })).toEqual(outcomes({ plan }));
    }
  });

  it.each<readonly [string, string, (form: SlicingPlan) => Plan | SlicingPlan]>([
    ['as attributes', '2x3x9x7,7x3x3x2', (plan) => plan],
    ['as a tree that attributes say', '2x3x9x7,7x3x3x2', ({ tree }) => tree],
    ['of other filters', '2x3x7x7,6x3x3x2', (plan) => plan],
    ['of another batch', '1x3x7x7,7x3x3x2', (plan) => plan],
    ['of other channels', '2x2x7x7,7x2x3x2', (plan) => plan],
    ['without a microkernel', '2x3x3x2,7x3x3x2', (plan) => plan],
  ])('refuses a plan for another convolution: %s', (_, text, form) => {
    const options = { plan: form(planConvolution(parseShape(text), target)) };
    const recorded = slicing(options);
    const read = unwrap(parseModule(recorded.toMlir(registry), { registry }));
    for (const script of [recorded.module, read]) {
      const result = runSchedule(script, payload, { registry });
      expect(result.status).toBe('definite');
      expect(result.diagnostics.map(({ code }) => code)).toEqual(['sconv/plan-shape']);
    }
  });

  it('says both shapes where a plan is for another one', () => {
    const plan = loop('batch', 1, 1, loop('windows', 6, 5, pack('input', 1, loop('filters', 1, 7, flat))));
    const { diagnostics } = slicing({ plan }).run(payload, { registry });
    expect(diagnostics.map(({ message }) => message)).toEqual([
      'the plan is for batch 1, channels 3, windows 30, filters 7, but this convolution has batch 2, channels 3, windows 30, filters 7',
    ]);
    expect(filePosition(diagnostics[0]!.location)?.file).toMatch(/sconv\.test\.ts$/);
  });

  const scalar: Plan = { kind: 'scalar', extents };
  const scalarWith = (change: object): Plan => ({ kind: 'scalar', extents: { ...extents, ...change } });
  const disagreeing: Plan = {
    kind: 'split',
    dimension: 'windows',
    parts: [
      { size: 15, body: scalarWith({ windows: 15 }) },
      { size: 15, body: scalar },
    ],
  };
  const grouped: Plan = {
    kind: 'loop',
    dimension: 'group',
    step: 1,
    count: 2,
    body: scalarWith({ group: 1 }),
  };

  it.each([
    [
      'sconv/plan',
      'no plan',
      {} as Plan,
      'plan: kind is loop or split or pack or kernel or scalar, not undefined',
    ],
    [
      'sconv/plan',
      'parts that do not agree',
      disagreeing,
      'plan.parts[1].body: this scalar covers 30 of windows, of which there is 15 here',
    ],
    ['sconv/plan-not-generated', 'groups', grouped, 'plan.body: groups are not generated'],
    [
      'sconv/plan-not-generated',
      'grouped scalar code',
      scalarWith({ group: 2 }),
      'plan: groups are not generated',
    ],
    [
      'sconv/plan-not-generated',
      'loops around scalar code',
      loop('windows', 5, 6, scalarWith({ windows: 6 })),
      'plan.body: loops and packings around scalar code are not generated',
    ],
    [
      'sconv/plan-not-generated',
      'a split inside of a loop',
      loop('windows', 3, 10, {
        kind: 'split',
        dimension: 'windows',
        parts: [
          { size: 6, body: scalarWith({ windows: 6 }) },
          { size: 4, body: scalarWith({ windows: 4 }) },
        ],
      }),
      'plan.body.parts[0].body: a split inside of a loop or a packing is not generated',
    ],
    [
      'sconv/plan-not-generated',
      'padding',
      loop(
        'batch',
        2,
        1,
        loop(
          'windows',
          6,
          5,
          pack(
            'input',
            1,
            pack(
              'filters',
              1,
              kernel(8, 7, { fill: 'padded', extents: { ...extents, batch: 1, windows: 5 } }),
            ),
          ),
        ),
      ),
      "plan.body.body.body.body: a padded microkernel is not generated: fill 'exact' is",
    ],
    [
      'sconv/plan-not-generated',
      'several images at once',
      loop(
        'windows',
        6,
        5,
        pack('input', 1, pack('filters', 1, kernel(5, 7, { extents: { ...extents, windows: 5 } }))),
      ),
      'plan.body.body.body: a microkernel computes one image: a loop over batch by 1 is missing',
    ],
    [
      'sconv/plan-not-generated',
      'no loop at all',
      pack('input', 1, pack('filters', 1, kernel(5, 7))),
      'plan.body.body: a microkernel without a loop around it is not generated',
    ],
    [
      'sconv/plan-not-generated',
      'a packing that is kept',
      loop(
        'batch',
        2,
        1,
        loop('windows', 6, 5, pack('input', 1, pack('filters', 1, kernel(5, 7), { lifetime: 'artifact' }))),
      ),
      "plan.body.body.body.body: a packing for the 'artifact' is not generated: one 'here' is",
    ],
    [
      'sconv/plan-not-generated',
      'a packing that is made more often than it has to be',
      loop(
        'batch',
        2,
        1,
        loop('filters', 7, 1, loop('windows', 6, 5, pack('input', 1, pack('filters', 1, kernel(5, 1))))),
      ),
      'plan.body.body.body.body.body: a packing of the filters stands outside of loops that it does not depend on, as that over windows',
    ],
    [
      'sconv/plan-not-generated',
      'packing for several loops',
      loop(
        'batch',
        2,
        1,
        pack(
          'input',
          6,
          loop(
            'windows',
            3,
            10,
            loop('filters', 7, 1, pack('filters', 1, loop('windows', 2, 5, kernel(5, 1)))),
          ),
        ),
      ),
      'plan.body.body.body.body.body.body: tiles of the input are packed at once for one loop over the windows, which has as many iterations',
    ],
  ])('refuses, as %s, %s', (code, _, plan, message) => {
    const recording = () => slicing({ plan });
    expect(recording).toThrow(
      expect.objectContaining({
        name: 'DiagnosticError',
        diagnostics: [
          expect.objectContaining({
            code,
            location: expect.objectContaining({
              file: expect.stringMatching(/sconv\.test\.ts$/) as string,
            }) as object,
          }),
        ],
      }),
    );
    expect(recording).toThrow(message);
  });
});
