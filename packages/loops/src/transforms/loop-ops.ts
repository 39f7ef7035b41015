/** Ops on loops, which have no behaviour yet. */
import { boolAttribute, stringAttributeKind, withDefault } from '@sconv/ir';
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

export const loopOps = [
  forallToFor,
  forallToParallel,
  outline,
  peel,
  coalesce,
  fuseSibling,
  hoistLoopInvariantSubsets,
];
