/** Uses of handles, parameters, plans and targets that the compiler accepts; all of them run. */
import type { Plan } from '@sconv/plans';
import { success } from '@sconv/diagnostics';
import { consumes, produces, reads, readsParam } from '@sconv/transform';
import type { Handle, Param, Recorder } from 'sconv';
import {
  alternatives,
  cast,
  convolution,
  defineTransformOp,
  delinearize,
  derive,
  foreach,
  formMicrokernel,
  gatherOperand,
  generalize,
  include,
  linearize,
  match,
  mergeHandles,
  multipack,
  namedSequence,
  oneShotBufferize,
  packFilters,
  packWindows,
  planConvolution,
  planForTarget,
  sconv,
  sequence,
  splitHandle,
  split,
  suppress,
  swapInductionVars,
  target,
  tileUsingFor,
  wasm,
} from 'sconv';

type Root = Recorder<'builtin.module'>;

const convolutionName = 'linalg.conv_2d_nchw_fchw';
const shape = convolution({
  inputChannels: 4,
  inputHeight: 10,
  inputWidth: 10,
  filters: 8,
  filterHeight: 3,
  filterWidth: 3,
});
const scalar: Extract<Plan, { kind: 'scalar' }> = {
  kind: 'scalar',
  extents: { batch: 1, group: 1, channels: 4, windows: 64, filters: 8 },
};

const generic = ($: Root): Handle<'linalg.generic'> =>
  generalize({ target: $.match(convolutionName) }).transformed;
const functions = ($: Root): Handle<'func.func'> => $.match('func.func');

/** A third party's op. */
const foreign = defineTransformOp({
  name: 'transform.my.mark',
  summary: 'Marks.',
  operands: { target: consumes('ops', 'my.op', 'my.other'), size: readsParam<number>('how much') },
  results: { marked: produces('the same', 'my.op') },
  apply: (_, { target: ops }) => success({ marked: ops }),
});
/** One whose result has its target's type. */
const keeping = defineTransformOp({
  name: 'transform.my.keep',
  summary: 'Keeps.',
  operands: { target: reads('ops', 'linalg.*') },
  results: { kept: produces('the same') },
  resultsLike: 'target',
  apply: (_, { target: ops }) => success({ kept: ops }),
});
const tile = namedSequence(
  'tile',
  (of: Handle<'linalg.generic'>, size: Param<number>) =>
    tileUsingFor({ target: of }, { staticSizes: [0, size] }).tiledLinalgOp,
);
const bufferize = namedSequence('bufferize', (root: Handle<'builtin.module'>) => {
  oneShotBufferize({ target: root });
});

/** Each recorded into a schedule. */
export const rightSchedules: Readonly<Record<string, ($: Root) => unknown>> = {
  'match gives a handle of the name that is asked for': ($) =>
    generalize({ target: $.match(convolutionName) }),
  'match of several names gives a union': ($) =>
    generalize({ target: $.match('linalg.matmul', 'linalg.fill') }),
  'a name out of a list': ($) =>
    generalize({ target: match({ target: $.root }, { ops: [convolutionName] }).results }),
  'the function form takes attributes alone': ($) => match({ target: $.root }, { interface: 'LinalgOp' }),
  'a result is of the name that its op declares': ($) => linearize({ target: generic($) }),
  'steps one after the other': ($) => {
    const { linearized } = linearize({ target: generic($) });
    const { first, second } = split(
      { target: linearized },
      { dimension: 2, staticChunkSizes: 8, exact: true },
    );
    return [gatherOperand({ target: first }, { operand: 0 }), second];
  },
  'tiles and loops': ($) => {
    const { tiledLinalgOp, loops } = tileUsingFor({ target: generic($) }, { staticSizes: [1, 2] });
    swapInductionVars({ outer: loops[0]! });
    return tiledLinalgOp;
  },
  'a size that is a parameter': ($) => tileUsingFor({ target: generic($) }, { staticSizes: [$.param(1), 2] }),
  'an interchange': ($) => tileUsingFor({ target: generic($) }, { staticSizes: [1, 2], interchange: [1, 0] }),
  'packing and the microkernel': ($) => {
    const { packed, packing } = packWindows({ target: generic($) });
    multipack({ target: packing });
    return formMicrokernel({ target: packFilters({ target: packed }).packed });
  },
  'an op that leaves its target': ($) => {
    const target = generic($);
    delinearize({ target });
    delinearize({ target });
  },
  'any handle to where only names are known at run time': ($) =>
    linearize({ target: cast(match({ target: $.root }).results, 'linalg.generic') }),
  'a foreign op, by a cast': ($) => foreign({ target: cast(functions($), 'my.op'), size: $.param(2) }),
  'one of the names that an op takes': ($) => foreign({ target: $.match('my.other'), size: $.param(2) }),
  'both of them': ($) => foreign({ target: $.match('my.op', 'my.other'), size: $.param(2) }),
  'a result like its target': ($) => linearize({ target: keeping({ target: generic($) }).kept }),
  'handles of two names, joined': ($) =>
    generalize({ target: mergeHandles({ handles: [$.match('linalg.matmul'), generic($)] }).result }),
  'handles of one name, joined once each': ($) => {
    const target = generic($);
    return linearize({ target: mergeHandles({ handles: [target, target] }, { deduplicate: true }).result });
  },
  'the parts of a handle': ($) =>
    splitHandle({ handle: generic($) }, {}, { resultCount: 2 }).results.map((each) =>
      linearize({ target: each }),
    ),
  'a handle to anything, where anything is taken': ($) =>
    match({ target: match({ target: $.root }).results }),
  'a body that yields': ($) =>
    linearize({
      target: foreach($.match(convolutionName), (each) => generalize({ target: each }).transformed),
    }),
  'a body that yields nothing': ($) => {
    foreach(generic($), (each) => {
      linearize({ target: each });
    });
  },
  'bodies over several handles': ($) =>
    foreach([generic($), functions($)], (each, around) => [linearize({ target: each }).linearized, around], {
      zipShortest: true,
    })[0],
  'a sequence with a parameter': ($) => delinearize({ target: include(tile, [generic($), $.param(4)]) }),
  'a sequence that yields nothing, its failures suppressed': ($) => {
    include(bufferize, [$.root], { failures: 'suppress' });
  },
  'suppressed steps': ($) => suppress(generic($), (each) => linearize({ target: each }).linearized),
  'steps with a parameter': ($) =>
    sequence([generic($), $.param(2)], (each, size) => {
      tileUsingFor({ target: each }, { staticSizes: [size] });
    }),
  'alternatives in a function': ($) => {
    alternatives(functions($), [
      (scope) => {
        linearize({
          target: cast(scope.recorder.match('linalg.generic', 'linalg.fill'), 'linalg.generic'),
        });
      },
      () => undefined,
    ]);
  },
  'slicing, as attributes say': ($) =>
    sconv({ target: $.match(convolutionName) }, { mkInfo: [8, 2], schedule: 'is' }),
  'slicing, as a plan says': ($) =>
    sconv({ target: $.match(convolutionName) }, { plan: planForTarget(shape, wasm, { edges: 'small' }) }),
};

/** Plans and targets. */
export const rightValues: Readonly<Record<string, () => unknown>> = {
  'a plan for a target': () => planForTarget(shape, wasm, { edges: 'best', costModel: 'traffic' }),
  'a plan for a machine and a tile': () =>
    planConvolution(shape, { machine: wasm.machine, microkernel: { windows: 4, filters: 4 } }),
  'a plan by hand': (): Plan => ({
    kind: 'loop',
    dimension: 'filters',
    step: 4,
    count: 2,
    body: { ...scalar, extents: { ...scalar.extents, filters: 4 } },
  }),
  'a plan over other dimensions': (): Plan<'rows' | 'columns'> => ({
    kind: 'split',
    dimension: 'rows',
    parts: [{ size: 3, body: { kind: 'scalar', extents: { rows: 3, columns: 5 } } }],
  }),
  'a target by name': () => target('avx512').machine.cache.l2?.bytes,
  'a derived target': () =>
    derive(target('avx512'), ({ machine }) => {
      if (machine.cache.l2 !== undefined) machine.cache.l2.bytes = 1 << 20;
    }),
};

/** The ops of this file. */
export const foreignOps = [foreign, keeping];
