/** Ops on loops, which have no behaviour yet. */
import {
  boolAttribute,
  i64Attribute,
  positive,
  stringAttributeKind,
  unitAttributeKind,
  withDefault,
} from '@sconv/ir';
import {
  consumes,
  consumesExactly,
  defineTransformOp,
  functional,
  produces,
  producesAll,
  reads,
  typed,
} from '@sconv/transform';

/** An op that makes loops of loops. */
const converts = (name: string, summary: string) =>
  defineTransformOp({
    name: `transform.loop.${name}`,
    summary,
    operands: { target: consumes('scf.forall ops') },
    results: { transformed: producesAll('the loops, outermost first') },
    assembly: functional(),
  });

export const forallToFor = converts('forall_to_for', 'Makes parallel loops sequential ones.');
export const forallToParallel = converts('forall_to_parallel', 'Makes an `scf.forall` an `scf.parallel`.');

export const outline = defineTransformOp({
  name: 'transform.loop.outline',
  summary: 'Makes a loop a function, and a call of it.',
  operands: { target: consumes('loops') },
  attributes: { funcName: stringAttributeKind },
  results: { function: produces('the functions'), call: produces('the calls') },
  assembly: functional(),
});

export const peel = defineTransformOp({
  name: 'transform.loop.peel',
  summary: 'Makes the first or the last iteration a loop of its own.',
  operands: { target: consumesExactly('loops', 'scf.for') },
  attributes: {
    peelFront: withDefault(boolAttribute, false),
    failIfAlreadyDivisible: withDefault(boolAttribute, false),
  },
  results: { peeledLoop: produces('the loop'), remainderLoop: produces('what was taken from it') },
  assembly: functional(),
});

export const pipeline = defineTransformOp({
  name: 'transform.loop.pipeline',
  summary: 'Lets parts of several iterations of a loop overlap.',
  operands: { target: consumesExactly('loops', 'scf.for') },
  attributes: { iterationInterval: withDefault(i64Attribute, 1), readLatency: withDefault(i64Attribute, 10) },
  results: { transformed: produces('the loop') },
  assembly: functional(),
});

export const promoteIfOneIteration = defineTransformOp({
  name: 'transform.loop.promote_if_one_iteration',
  summary: 'Replaces a loop of one iteration by its body.',
  operands: { target: consumes('loops') },
  assembly: typed(),
});

const unrolls = (name: string, summary: string) =>
  defineTransformOp({
    name: `transform.loop.${name}`,
    summary,
    operands: { target: consumes('loops') },
    attributes: { factor: positive(i64Attribute) },
    assembly: typed(),
  });

export const unroll = unrolls('unroll', 'Does several iterations of a loop in one.');
export const unrollAndJam = unrolls(
  'unroll_and_jam',
  'Does several iterations of an outer loop in one inner loop.',
);

export const coalesce = defineTransformOp({
  name: 'transform.loop.coalesce',
  summary: 'Makes a perfect nest of loops one loop.',
  operands: { target: consumes('the outermost loops') },
  results: { transformed: produces('the loop') },
  assembly: functional(),
});

export const fuseSibling = defineTransformOp({
  name: 'transform.loop.fuse_sibling',
  summary: 'Makes two loops of the same iterations one.',
  operands: { target: consumes('one loop'), source: consumes('another') },
  results: { fusedLoop: produces('both as one') },
  assembly: { format: '$target `into` $source attr-dict `:` functional-type(operands, results)' },
});

export const hoistLoopInvariantSubsets = defineTransformOp({
  name: 'transform.loop.hoist_loop_invariant_subsets',
  summary: 'Moves slices that are taken and put back at the same place out of loops.',
  operands: { target: reads('loops') },
  assembly: typed(),
});

export const takeAssumedBranch = defineTransformOp({
  name: 'transform.scf.take_assumed_branch',
  summary: 'Replaces an `scf.if` by one of its branches.',
  operands: { target: reads('scf.if ops') },
  attributes: { takeElseBranch: unitAttributeKind },
  assembly: {
    format:
      '$target (`take_else_branch` $take_else_branch^)? attr-dict `:` functional-type(operands, results)',
  },
});

/** An op that moves what does not depend on loops out of them. */
const makeLoopIndependent = (dialect: 'tensor' | 'memref') =>
  defineTransformOp({
    name: `transform.${dialect}.make_loop_independent`,
    summary: 'Makes the sizes of the target independent of loops around it.',
    operands: { target: consumes('ops whose sizes depend on loops') },
    attributes: { numLoops: i64Attribute },
    results: { transformed: produces('what replaces the target') },
    assembly: functional(),
  });

export const makeTensorLoopIndependent = makeLoopIndependent('tensor');
export const makeMemrefLoopIndependent = makeLoopIndependent('memref');

export const loopOps = [
  forallToFor,
  forallToParallel,
  outline,
  peel,
  pipeline,
  promoteIfOneIteration,
  unroll,
  unrollAndJam,
  coalesce,
  fuseSibling,
  hoistLoopInvariantSubsets,
  takeAssumedBranch,
  makeTensorLoopIndependent,
  makeMemrefLoopIndependent,
];
