/**
 * Uses of handles, parameters, plans and targets that the compiler refuses, each with its reason. Nothing here runs: an
 * expected error that disappears is itself an error.
 */
import type { Plan } from '@sconv/plans';
import { success } from '@sconv/diagnostics';
import { consumes, produces } from '@sconv/transform';
import type { Handle, Param, Recorder, ValueHandle } from '@sconv/transform';
import {
  alternatives,
  cast,
  convolution,
  defineTransformOp,
  delinearize,
  derive,
  foreach,
  generalize,
  include,
  linearize,
  match,
  mergeHandles,
  namedSequence,
  oneShotBufferize,
  planConvolution,
  planForTarget,
  schedule,
  sconv,
  splitHandle,
  split,
  suppress,
  swapInductionVars,
  tileUsingFor,
  wasm,
} from 'sconv';

declare const $: Recorder<'builtin.module'>;
declare const convs: Handle<'linalg.conv_2d_nchw_fchw'>;
declare const generics: Handle<'linalg.generic'>;
declare const loops: readonly Handle<'scf.for'>[];
declare const anything: Handle;
declare const values: ValueHandle;
declare const count: Param<number>;
declare const label: Param<string>;
declare const shape: ReturnType<typeof convolution>;

/** Handles. */
export const handles = (): void => {
  // @ts-expect-error -- the root is a module, not a structured op
  generalize({ target: $.root });
  // @ts-expect-error -- a module is not split
  split({ target: $.root }, { dimension: 0, staticChunkSizes: 1 });
  // @ts-expect-error -- what may be anything is cast first
  linearize({ target: anything });
  // @ts-expect-error -- a match of any names is a handle to anything
  linearize({ target: match({ target: $.root }).results });
  // @ts-expect-error -- one of the two names is not what is taken
  linearize({ target: $.match('linalg.generic', 'linalg.fill') });
  // @ts-expect-error -- loops are swapped, not what is in them
  swapInductionVars({ outer: generics });
  // @ts-expect-error -- one loop, not all
  swapInductionVars({ outer: loops });
  // @ts-expect-error -- there may be no such loop
  swapInductionVars({ outer: loops[0] });
  // @ts-expect-error -- modules and functions are bufferized
  oneShotBufferize({ target: generics });
  // @ts-expect-error -- convolutions are sliced, not the loops around them
  sconv({ target: loops });
  // @ts-expect-error -- a name is no handle
  generalize({ target: 'linalg.generic' });
  // @ts-expect-error -- the operand has another name
  generalize({ op: convs });
  // @ts-expect-error -- there is no such operand
  generalize({ target: convs, other: convs });
  // @ts-expect-error -- joined, they are of two names
  linearize({ target: mergeHandles({ handles: [generics, convs] }).result });
  // @ts-expect-error -- the parts are convolutions, as the whole
  splitHandle({ handle: convs }, {}, { resultCount: 1 }).results.map((target) => linearize({ target }));
  // @ts-expect-error -- a cast names ops
  cast(anything, 3);
  // @ts-expect-error -- a parameter has no payload that could be matched in
  match({ target: count });
  // @ts-expect-error -- nor have values
  generalize({ target: values });
  // @ts-expect-error -- a match is of at least one name
  $.match();
};

// @ts-expect-error -- the result has another name
export const other: keyof ReturnType<typeof generalize> = 'generic';

/** Parameters and options. */
export const parameters = (): void => {
  // @ts-expect-error -- a size is a number
  tileUsingFor({ target: generics }, { staticSizes: [label] });
  // @ts-expect-error -- also where it is a parameter
  tileUsingFor({ target: generics }, { staticSizes: [$.param('8')] });
  // @ts-expect-error -- a handle is no size
  tileUsingFor({ target: generics }, { staticSizes: [generics] });
  // @ts-expect-error -- a list of sizes
  tileUsingFor({ target: generics }, { staticSizes: 8 });
  // @ts-expect-error -- the order of loops is known when it is recorded
  tileUsingFor({ target: generics }, { interchange: [count] });
  // @ts-expect-error -- the option has another name
  split({ target: generics }, { dimension: 0, at: 8 });
  // @ts-expect-error -- a parameter holds a number, a string or a boolean
  $.param([8]);
  // @ts-expect-error -- there are two schedules
  sconv({ target: convs }, { schedule: 'os' });
  // @ts-expect-error -- windows and filters
  sconv({ target: convs }, { mkInfo: [8] });
  // @ts-expect-error -- attributes or a plan
  sconv({ target: convs }, { mkInfo: [8, 2], plan: planForTarget(shape, wasm) });
};

const tile = namedSequence('tile', (_: Handle<'linalg.generic'>, size: Param<number>) => size);

/** Control flow. */
export const controlFlow = (): void => {
  // @ts-expect-error -- the body gets what the handle stands for
  foreach(convs, (each) => linearize({ target: each }).linearized);
  // @ts-expect-error -- it yields convolutions
  linearize({ target: foreach(convs, (each) => each) });
  // @ts-expect-error -- handles are yielded, not what they may be kept in
  foreach(convs, (each) => ({ each }));
  // @ts-expect-error -- an op without results gives nothing to yield
  foreach(generics, (each) => delinearize({ target: each }));
  // @ts-expect-error -- a body records, and is over when it returns
  foreach(convs, async (each) => Promise.resolve(each));
  // @ts-expect-error -- another body argument than there are targets
  foreach([convs, generics], (first: Handle, second: Handle, third: Handle) => [first, second, third]);
  // @ts-expect-error -- the sequence takes generics
  include(tile, [convs, count]);
  // @ts-expect-error -- and a number
  include(tile, [generics, label]);
  // @ts-expect-error -- both of them
  include(tile, [generics]);
  // @ts-expect-error -- its name is no sequence
  include('tile', [generics, count]);
  // @ts-expect-error -- failures are propagated or suppressed
  include(tile, [generics, count], { failures: 'ignore' });
  // @ts-expect-error -- several bodies, in a list
  alternatives(convs, (each: Handle) => each);
  // @ts-expect-error -- steps on a target
  suppress(() => undefined);
  // @ts-expect-error -- a schedule yields handles
  schedule(() => 'done');
};

/** Declarations. */
export const declarations = (): void => {
  defineTransformOp({
    name: 'transform.my.op',
    summary: 'Gives what it is not to.',
    operands: { target: consumes('ops', 'my.op') },
    results: { made: produces('others') },
    // @ts-expect-error -- the result is called made
    apply: (_, { target: ops }) => success({ result: ops }),
  });
  defineTransformOp({
    name: 'transform.my.op',
    summary: 'Is like what it does not have.',
    operands: { target: consumes('ops', 'my.op') },
    // @ts-expect-error -- there is no such operand
    resultsLike: 'source',
  });
};

/** Plans. */
export const plans: readonly Plan[] = [
  // @ts-expect-error -- there is no such node
  { kind: 'unroll', dimension: 'filters', count: 2 },
  // @ts-expect-error -- a convolution has windows, not rows
  { kind: 'scalar', extents: { batch: 1, group: 1, channels: 4, rows: 8, filters: 8 } },
  // @ts-expect-error -- a loop has a body
  { kind: 'loop', dimension: 'filters', step: 4, count: 2 },
  // @ts-expect-error -- a split is in parts
  { kind: 'split', dimension: 'filters', at: 4 },
];

/** Targets. */
export const machines = (): void => {
  // @ts-expect-error -- a target, not its name
  planForTarget(shape, 'avx512');
  // @ts-expect-error -- a plan is for a shape
  planForTarget([1, 32, 152, 152], wasm);
  // @ts-expect-error -- there is no such cost model
  planConvolution(shape, wasm, { costModel: 'guess' });
  // @ts-expect-error -- a machine alone has no microkernel
  planConvolution(shape, wasm.machine);
  // @ts-expect-error -- targets do not change
  wasm.microkernel.windows = 8;
  // @ts-expect-error -- a level of cache may be missing
  derive(wasm, ({ machine }) => (machine.cache.l2.bytes = 1));
  // @ts-expect-error -- shapes have no such dimension
  convolution({ inputChannels: 4, inputSize: 10, filters: 8 });
};
