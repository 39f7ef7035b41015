import { describe, expect, it } from 'vitest';
import { edgeKinds, parseShape, planConvolution } from '@sconv/csa';
import type { Dataflow } from '@sconv/csa';
import type { Plan } from '@sconv/plans';
import { filePosition, unwrap } from '@sconv/diagnostics';
import { payloadDialects } from '@sconv/dialects';
import { firstDifference } from '@sconv/interpreter/testing';
import type { Module } from '@sconv/ir';
import {
  createRegistry,
  dictionaryAttribute,
  extendRegistry,
  parseModule,
  printModule,
  stringAttribute,
} from '@sconv/ir';
import {
  annotate,
  match,
  runSchedule,
  schedule,
  transformDialect,
  transformDialectOf,
} from '@sconv/transform';
import { planAttribute, recordPlan, sconv, targetOf } from '../src/index.ts';
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
const kernel = (windows: number, filters: number, channels = 3): Plan => ({
  kind: 'kernel',
  lanes: 'windows',
  extents: { batch: 1, group: 1, channels, windows, filters },
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
const pack = (operand: 'input' | 'filters', tiles: number, body: Plan): Plan => ({
  kind: 'pack',
  operand,
  tiles,
  body,
});
const split = (dimension: 'channels' | 'windows', ...parts: readonly (readonly [number, Plan])[]): Plan => ({
  kind: 'split',
  dimension,
  parts: parts.map(([size, body]) => ({ size, body })),
});
/** One level of loops: windows outside, filters inside. */
const flat = pack('filters', 1, kernel(5, 7));
/** Two channels, then the third, of all windows; in tiles of 5 windows. */
const splitInside = loop(
  'batch',
  2,
  1,
  split(
    'windows',
    [10, loop('windows', 2, 5, pack('input', 1, loop('filters', 1, 7, flat)))],
    [
      20,
      loop(
        'windows',
        4,
        5,
        split(
          'channels',
          [2, pack('input', 1, loop('filters', 1, 7, pack('filters', 1, kernel(5, 7, 2))))],
          [1, pack('input', 1, loop('filters', 1, 7, pack('filters', 1, kernel(5, 7, 1))))],
        ),
      ),
    ],
  ),
);
const scalarAlone: Plan = { kind: 'scalar', extents };
const scalarLoops = loop(
  'windows',
  5,
  6,
  loop('batch', 2, 1, { kind: 'scalar', extents: { ...extents, batch: 1, windows: 6 } }),
);
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
    'puts a plan of CSA on the convolution: %s, %s',
    (edges, stationary: Dataflow) => {
      const plan = planConvolution(shape, target, { edges, schedule: stationary });
      const said = textOf({ plan });
      expect(said).toContain('"sconv.plan"');
      expect(said).toContain('transform.structured.sconv');
      expect(said).not.toContain('tile_using_for');
      const { asCode, asText } = outcomes({ plan });
      expect(asText).toBe(asCode);
      expect(asCode).not.toContain('sconv.plan');
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
    ['splits inside of loops', splitInside, { loops: 6, kernels: 3 }],
    ['loops around scalar code', scalarLoops, { loops: 2, kernels: undefined }],
    ['no loop at all', scalarAlone, { loops: undefined, kernels: undefined }],
  ])('generates another plan: %s', (_, plan, expected) => {
    const { asCode, asText } = outcomes({ plan });
    expect(asText).toBe(asCode);
    expect({
      loops: asCode.match(/scf\.for/g)?.length,
      kernels: asCode.match(/\{microkernel\}/g)?.length,
    }).toEqual(expected);
    const { module } = unwrap(slicing({ plan }).run(payload, { registry }));
    expect(firstDifference(payload, module)).toBeUndefined();
  });

  it('takes attributes', () => {
    expect(textOf({ mkInfo: [8, 2], costModel: 'traffic', heuristic: 'divisors', edges: 'best' })).toContain(
      '{cost_model = "traffic", edges = "best", heuristic = "divisors", mk_info = [8, 2]}',
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

  it.each([
    ['of more windows', '2x3x9x7,7x3x3x2'],
    ['of other filters', '2x3x7x7,6x3x3x2'],
    ['of another batch', '1x3x7x7,7x3x3x2'],
    ['of other channels', '2x2x7x7,7x2x3x2'],
    ['without a microkernel', '2x3x3x2,7x3x3x2'],
    ['of groups', '2x6x7x7,14x3x3x2,g2'],
  ])('refuses a plan for another convolution: %s', (_, text) => {
    const recorded = slicing({ plan: planConvolution(parseShape(text), target) });
    const read = unwrap(parseModule(recorded.toMlir(registry), { registry }));
    for (const script of [recorded.module, read]) {
      const result = runSchedule(script, payload, { registry });
      expect(result.status).toBe('definite');
      expect(result.diagnostics.map(({ code }) => code)).toEqual(['sconv/plan-shape']);
    }
  });

  it.each([
    [
      'sconv/planned',
      planAttribute(simple),
      { mkInfo: [8, 2], edges: 'best' },
      'mk_info, edges would ask for',
    ],
    ['sconv/plan', dictionaryAttribute({}), {}, 'plan: expected a node of a plan, not undefined'],
    ['sconv/plan', stringAttribute('loop'), {}, "plan: expected a node of a plan, not 'loop'"],
    [
      'sconv/plan',
      planAttribute(loop('batch', 2, 1, { kind: 'scalar', extents })),
      {},
      'plan.body: this scalar covers 2 of batch, of which there is 1 here',
    ],
  ] as const)('refuses, at run time, as %s: %s', (code, plan, attributes, message) => {
    const { status, diagnostics } = schedule(({ root }) => {
      const { results } = match({ target: root }, { ops: ['linalg.conv_2d_nchw_fchw'] });
      annotate({ target: results, param: root.recorder.param(plan) }, { name: 'sconv.plan' });
      sconv({ target: results }, attributes);
      return undefined;
    }).run(payload, { registry });
    expect([status, diagnostics[0]?.code]).toEqual(['definite', code]);
    expect(diagnostics[0]?.message).toContain(message);
  });

  it('slices a grouped convolution by the plan of one group, or of all of them', () => {
    const sizes = { channels: 3, filters: 7, filter: [3, 2], output: [5, 6], batch: 2, groups: 2 } as const;
    const text = convolutionText({ op: 'linalg.conv_2d_ngchw_gfchw', ...sizes });
    const grouped = unwrap(parseModule(text, { registry }));
    const ofOne = planConvolution(shape, target, { edges: 'small' });
    const ofAll = planConvolution(parseShape('2x6x7x7,14x3x3x2,g2'), target, { edges: 'small' });
    const [one, all] = [ofOne, ofAll].map((plan) => {
      const recorded = schedule(({ root }) => {
        const { results } = match({ target: root }, { ops: ['linalg.conv_2d_ngchw_gfchw'] });
        sconv({ target: results }, { plan });
        return undefined;
      });
      return unwrap(recorded.run(grouped, { registry })).module;
    });
    expect(printModule(all!, { registry })).toBe(printModule(one!, { registry }));
    expect(firstDifference(grouped, one!)).toBeUndefined();
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
  it.each([
    ['sconv/plan', 'a number', 3 as never, 'plan: expected a node of a plan, not 3'],
    ['sconv/plan', 'null', null as never, 'plan: expected a node of a plan, not null'],
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
