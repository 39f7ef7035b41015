import { beforeAll, describe, expect, it } from 'vitest';
import type { Module } from '@sconv/ir';
import { dictionaryAttribute, f32, printModule, unitAttribute } from '@sconv/ir';
import type { Handle, Param, Recorder } from 'sconv';
import {
  alternatives,
  cast,
  foreach,
  generalize,
  include,
  match,
  mergeHandles,
  namedSequence,
  schedule,
  sequence,
  splitHandle,
  split,
  suppress,
  tileUsingFor,
  tileUsingForall,
} from 'sconv';
import { cases, listing1 } from './support/convolutions.ts';
import { hasMlirOpt, mlirOpt } from './support/mlir-opt.ts';
import { registry } from './support/registry.ts';
import { parse, stagesOfCase } from './support/stages.ts';

/** Schedules of upstream ops only. */
const schedules: Readonly<Record<string, ($: Recorder<'builtin.module'>) => unknown>> = {
  'everything that may be asked of a match': ($) => {
    match({ target: $.root }, { ops: ['func.func', 'linalg.fill'] });
    match({ target: $.root }, { interface: 'TilingInterface', filterOperandTypes: [f32, f32] });
    match({ target: $.root }, { interface: 'LoopLikeInterface', filterResultType: f32 });
    const opAttrs = dictionaryAttribute({ hot: unitAttribute });
    return match({ target: $.root }, { ops: ['func.func'], interface: 'LinalgOp', opAttrs });
  },
  'handles of several types, joined': ($) => {
    const { result } = mergeHandles({ handles: [$.match('linalg.fill'), $.root] }, { deduplicate: true });
    return cast(result, 'linalg.fill');
  },
  'the parts of a handle': ($) => splitHandle({ handle: $.match('linalg.fill') }, {}, { resultCount: 2 }),
  'parameters, and sizes that are some': ($) => {
    $.param('text');
    $.param(true);
    $.param(0.5);
    const target = $.match('linalg.generic');
    return tileUsingFor({ target }, { staticSizes: [$.param(8), 0, 4], interchange: [2, 1, 0] });
  },
  'tiles that run at the same time': ($) => {
    const target = $.match('linalg.conv_2d_nchw_fchw');
    const { tiledOp } = tileUsingForall({ target }, { staticNumThreads: [0, 2] });
    const { first } = split({ target: tiledOp }, { dimension: 2, staticChunkSizes: 4 });
    return tileUsingForall({ target: first }, { staticTileSizes: [1, 0, 2] });
  },
  'a body': ($) =>
    foreach($.match('linalg.generic'), (target) => {
      const { first } = split({ target }, { dimension: 0, staticChunkSizes: 4 });
      return first;
    }),
  'a body over several handles and parameters': ($) => {
    foreach(
      [$.match('linalg.generic'), $.param(8)],
      (target, size) => {
        tileUsingFor({ target }, { staticSizes: [size] });
      },
      { zipShortest: true },
    );
  },
  'a sequence that consumes one of its arguments': ($) => {
    const tile = namedSequence('tile', (target: Handle<'linalg.generic'>, size: Param<number>) => [
      tileUsingFor({ target }, { staticSizes: [size] }).tiledLinalgOp,
      size,
    ]);
    include(tile, [$.match('linalg.generic'), $.param(4)], { failures: 'suppress' });
  },
  'a sequence that includes another': ($) => {
    const inner = namedSequence(
      'inner',
      (target: Handle<'linalg.fill'>) => generalize({ target }).transformed,
    );
    const outer = namedSequence('outer', (target: Handle<'linalg.fill'>) => include(inner, [target]));
    include(outer, [$.match('linalg.fill')]);
  },
  'steps, and those whose failures are suppressed': ($) => {
    const generic = sequence($.match('linalg.fill'), (target) => generalize({ target }).transformed);
    suppress([generic, $.param(4)], (target, size) => {
      tileUsingFor({ target }, { staticSizes: [size] });
    });
  },
  alternatives: ($) =>
    alternatives($.match('func.func'), [
      (scope) => generalize({ target: scope.recorder.match('linalg.fill') }).transformed,
      (scope) => scope.recorder.match('linalg.matmul'),
      (scope) => scope.recorder.match('linalg.generic'),
    ]),
};

describe.skipIf(!hasMlirOpt)('mlir-opt-19 reads, verifies and prints as we do', () => {
  describe('every stage of each convolution', () => {
    let stages: readonly { readonly name: string; readonly module: Module }[] = [];
    beforeAll(() => {
      stages = [...cases, ...listing1].flatMap((each) =>
        stagesOfCase(each).map(({ name, module }) => ({ name: `${each.name}: ${name}`, module })),
      );
    });

    // All in one run: it takes longer to start than to read one.
    it.each([
      ['in the forms of its ops', false],
      ['in the generic form', true],
    ])('%s', (_, generic) => {
      const printed = stages.map(({ module }) => printModule(module, { registry, generic }));
      const theirs = mlirOpt(printed, generic ? ['--mlir-print-op-generic'] : []);
      expect(theirs).toHaveLength(stages.length);
      for (const [i, { name }] of stages.entries())
        expect({ name, text: theirs[i]!.trim() }).toEqual({ name, text: printed[i]!.trim() });
    });
  });

  it.each(Object.entries(schedules))('a recorded schedule: %s', (_, record) => {
    const { module } = schedule(($) => {
      record($);
    });
    for (const generic of [false, true]) {
      const printed = printModule(module, { registry, generic });
      const [theirs] = mlirOpt([printed], generic ? ['--mlir-print-op-generic'] : []);
      // Theirs names results differently.
      expect(printModule(parse(theirs!, 'theirs.mlir'), { registry, generic })).toBe(printed);
    }
  });
});
