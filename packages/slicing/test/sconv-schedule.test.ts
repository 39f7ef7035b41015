import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { convolution, planConvolution } from '@sconv/csa';
import type { Edges, PlanOptions } from '@sconv/csa';
import { payloadDialects } from '@sconv/dialects';
import { filePosition } from '@sconv/diagnostics';
import { bodyOf, children, createRegistry, extendRegistry, walk } from '@sconv/ir';
import { transformDialect, transformDialectOf } from '@sconv/transform';
import { convolutionNames, sconvSchedule, sconvStages, targetOf } from '../src/index.ts';
import type { Elements } from './payloads.ts';
import { allTransforms, apply, convolutionText, loopsOf, microkernelsOf, sconv } from './payloads.ts';

const registry = extendRegistry(createRegistry([...payloadDialects, transformDialect]), [
  transformDialectOf(allTransforms),
]);

/** The ops of a schedule for 30 windows and 4 filters in tiles of 8 and 2, with their attributes. */
const stepsOf = (schedule: NonNullable<PlanOptions['schedule']>, edges: Edges): readonly string[] => {
  const shape = convolution({
    inputChannels: 2,
    inputHeight: 7,
    inputWidth: 8,
    filters: 4,
    filterHeight: 3,
    filterWidth: 3,
  });
  const plan = planConvolution(shape, targetOf({ mkInfo: [8, 2] }), { schedule, edges });
  return [
    ...sconvSchedule(plan.tree)
      .toMlir(registry)
      .matchAll(
        /transform\.(?:structured|loop)\.(\w+) %\w+(?:#\d)?(?: (?:after|tile_sizes) ?(.*?))? *(?:\{.*\})? :/g,
      ),
  ].map(([, name, said]) => [name, said].filter((part) => part !== undefined && part !== '').join(' '));
};

/** Mixed operand types; a quantized convolution's zero points are as wide as the sums, or as the input. */
const mixed = (input: string, filters: string, output: string): readonly Elements[] =>
  [input, output].map((zeroPoint) => ({ input, filters, output, zeroPoint }));

describe('sconvSchedule', () => {
  it('slices the windows that fill tiles, input stationary', () => {
    expect(stepsOf('is', 'scalar')).toEqual([
      'assert_extents',
      'generalize',
      'linearize',
      'split 24',
      'gather_operand',
      'tile_using_for [1, 4, 24, 2, 0, 0] interchange = [0, 3, 2, 1]',
      'tile_using_for [0, 2, 8]',
      'swap_induction_vars',
      'pack_windows',
      'pack_filters',
      'form_microkernel',
      'multipack',
      'delinearize',
      'fold_pad',
    ]);
  });

  it('stands where it was asked for', () => {
    const { module } = sconvSchedule(
      planConvolution(
        convolution({
          inputChannels: 2,
          inputHeight: 7,
          inputWidth: 8,
          filters: 4,
          filterHeight: 3,
          filterWidth: 3,
        }),
        targetOf({ mkInfo: [8, 2] }),
      ).tree,
    );
    const files = bodyOf(children(module.root)[0]!)
      .operations.slice(0, -1)
      .map(({ location }) => filePosition(location)?.file);
    expect(new Set(files.map((file) => file?.replace(/.*[/]/, '')))).toEqual(
      new Set(['sconv-schedule.test.ts']),
    );
  });

  it('slices them weight stationary: other loops, and nothing to swap', () => {
    expect(stepsOf('ws', 'scalar').slice(4)).toEqual([
      'gather_operand',
      'tile_using_for [1, 4, 24, 2, 0, 0] interchange = [0, 3, 1, 2]',
      'tile_using_for [0, 2, 8]',
      'pack_windows',
      'pack_filters',
      'form_microkernel',
      'multipack',
      'delinearize',
      'fold_pad',
    ]);
  });

  it('slices the edge with a smaller microkernel', () => {
    const tiles = stepsOf('ws', 'small').filter((step) => step.startsWith('tile_using_for'));
    expect(tiles).toEqual([
      'tile_using_for [1, 4, 24, 2, 0, 0] interchange = [0, 3, 1, 2]',
      'tile_using_for [1, 4, 6, 2, 0, 0] interchange = [0, 3, 1, 2]',
      'tile_using_for [0, 2, 8]',
      'tile_using_for [0, 2, 6]',
    ]);
  });

  it('groups its steps in the stages', () => {
    const shape = convolution({
      inputChannels: 1,
      inputHeight: 5,
      inputWidth: 5,
      filters: 2,
      filterHeight: 2,
      filterWidth: 2,
    });
    const plan = planConvolution(shape, targetOf({ mkInfo: [4, 2] }), { schedule: 'ws' });
    const { root } = sconvSchedule(plan.tree).module;
    const stages = [...walk(root)].flatMap(({ location }) =>
      location.kind === 'name' ? [location.name] : [],
    );
    // There are no groups, the tiles cover everything, and weight stationary needs no swap.
    const idle = ['ungroup', 'split', 'swap'];
    expect([...new Set(stages)]).toEqual(sconvStages.filter((stage) => !idle.includes(stage)));
  });

  const integers = ['i32', ...mixed('i8', 'i8', 'i32'), ...mixed('i8', 'i16', 'i32')];
  const floats = ['f32', 'f64', ...mixed('f16', 'bf16', 'f32'), ...mixed('f32', 'f16', 'f64')];
  const typedOps = fc.oneof(
    fc.record({ op: fc.constantFrom(...convolutionNames), element: fc.constantFrom(...integers) }),
    fc.record({
      op: fc.constantFrom(...convolutionNames.filter((name) => !name.endsWith('_q'))),
      element: fc.constantFrom(...floats, ...mixed('i8', 'f32', 'f32')),
    }),
  );

  const cases = fc.record({
    typedOp: typedOps,
    shape: fc.record({
      groups: fc.integer({ min: 1, max: 3 }),
      batch: fc.integer({ min: 1, max: 2 }),
      channels: fc.integer({ min: 1, max: 5 }),
      filters: fc.integer({ min: 1, max: 7 }),
      filter: fc.constantFrom([1, 1] as const, [3, 2] as const, [1, 3] as const),
      output: fc.tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 6 })),
      strides: fc.constantFrom([1, 1] as const, [2, 1] as const, [1, 3] as const),
      dilations: fc.constantFrom([1, 1] as const, [1, 2] as const),
      slack: fc.constantFrom([0, 0] as const, [1, 2] as const),
    }),
    tile: fc.constantFrom([4, 2] as const, [3, 3] as const, [1, 1] as const, [5, 4] as const),
    l1: fc.constantFrom(256, 768),
    schedule: fc.constantFrom('is', 'ws'),
    edges: fc.constantFrom('scalar', 'small', 'composed', 'best'),
    pairs: fc.boolean(),
  });

  it('computes the convolution, whatever the elements, shape, machine, schedule and edges', () => {
    fc.assert(
      fc.property(cases, ({ typedOp, shape: sizes, tile, l1, schedule, edges, pairs }) => {
        const shape = { ...sizes, ...typedOp };
        const attributes = `{mk_info = [${tile.join(', ')}], arch_info = [${l1}, ${2 * l1}, ${4 * l1}, 64], schedule = "${schedule}", edges = "${edges}"${pairs ? ', pairs' : ''}}`;
        const { status, text } = apply(convolutionText(shape), sconv(attributes, shape.op));
        expect(status).toBe('success');
        const overGroups = shape.op.includes('ngchw') ? 1 : 0;
        expect(loopsOf(text)).toBe(6 * microkernelsOf(text) + overGroups);
        if (edges === 'small' || edges === 'composed') expect(microkernelsOf(text)).toBeGreaterThan(0);
      }),
      { numRuns: process.env['THOROUGH'] === undefined ? 30 : 80 },
    );
  });
});
