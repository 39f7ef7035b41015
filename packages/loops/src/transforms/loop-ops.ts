/** Transforms that rewrite loops into other loops. */
import type { Diagnosed, Location } from '@sconv/diagnostics';
import {
  andThen,
  collect,
  definite,
  error,
  mapSuccess,
  silenceable,
  silenceableError,
  success,
} from '@sconv/diagnostics';
import { forall, forallBounds } from '@sconv/dialects/scf';
import { boolAttribute, i64Attribute, stringAttributeKind, unitAttributeKind, withDefault } from '@sconv/ir';
import {
  consumes,
  consumesExactly,
  defineTransformOp,
  functional,
  produces,
  producesAll,
  reads,
} from '@sconv/transform';
import { coalesceOp } from '../coalesce-op.ts';
import { convertToLoopsOp } from '../structured-to-loops.ts';
import { fuseSiblingOp } from '../fuse-sibling-op.ts';
import { forallToForOp, forallToParallelOp } from '../forall-to-loops-op.ts';
import { outlineOp } from '../outline-op.ts';
import { peelFrontOp, peelOp } from '../peel-op.ts';
import { pipelineOp } from '../pipeline-op.ts';
import { takeAssumedBranchOp } from '../take-assumed-branch-op.ts';

const single = (count: number, operation: { readonly location: Location }): Diagnosed<undefined> =>
  count === 1
    ? success(undefined)
    : silenceable(error('forall/single', 'expected a single payload op', operation.location));

const forallFailures = {
  'forall/single': { mode: 'silenceable', when: 'there is not exactly one target' },
  'forall/kind': { mode: 'silenceable', when: 'the target is not an `scf.forall`' },
  'forall/outputs': { mode: 'silenceable', when: 'the loop has shared outputs' },
} as const;

/** `transform.loop.forall_to_for`. */
export const forallToFor = defineTransformOp({
  name: 'transform.loop.forall_to_for',
  summary: 'Converts an `scf.forall` on buffers to a nest of `scf.for` loops.',
  operands: { target: consumes('an `scf.forall`') },
  results: { transformed: producesAll('the loops, outermost first') },
  failures: {
    ...forallFailures,
    'forall/results': { mode: 'silenceable', when: 'the number of results differs from the number of loops' },
  },
  assembly: functional(),
  apply: ({ rewriter, operation, resultCount }, { target }) => {
    const [loop] = target;
    if (loop !== undefined && target.length === 1 && forall.is(loop) && loop.results.length === 0) {
      const { length } = forallBounds(loop);
      if (length !== resultCount)
        return silenceableError(
          'forall/results',
          `op expects as many results (${resultCount}) as payload has induction variables (${length})`,
          loop,
        );
    }
    return andThen(single(target.length, operation), () =>
      mapSuccess(forallToForOp(rewriter, loop!), (loops) => ({ transformed: loops.map((each) => [each]) })),
    );
  },
});

/** `transform.loop.forall_to_parallel`. */
export const forallToParallel = defineTransformOp({
  name: 'transform.loop.forall_to_parallel',
  summary: 'Converts an `scf.forall` on buffers to an `scf.parallel`.',
  operands: { target: consumes('an `scf.forall`') },
  results: { transformed: producesAll('the loop') },
  variadicResults: () => 1,
  failures: forallFailures,
  assembly: functional(),
  apply: ({ rewriter, operation }, { target }) =>
    andThen(single(target.length, operation), () =>
      mapSuccess(forallToParallelOp(rewriter, target[0]!), (loop) => ({ transformed: [[loop]] })),
    ),
});

/** `transform.loop.outline`. */
export const outline = defineTransformOp({
  name: 'transform.loop.outline',
  summary: 'Outlines a loop into a function, and calls it.',
  operands: { target: consumes('loops') },
  attributes: { funcName: stringAttributeKind },
  results: { function: produces('the functions', 'func.func'), call: produces('the calls', 'func.call') },
  failures: {
    'outline/failed': {
      mode: 'silenceable',
      when: 'a target does not have exactly one region, or is not in a function',
    },
  },
  assembly: functional(),
  apply: ({ rewriter }, { target }, { funcName }) =>
    mapSuccess(
      collect(target, (loop) => outlineOp(rewriter, loop, funcName)),
      (outlined) => ({
        function: outlined.map((each) => each.function),
        call: outlined.map((each) => each.call),
      }),
    ),
});

/** `transform.loop.peel`. */
export const peel = defineTransformOp({
  name: 'transform.loop.peel',
  summary: 'Peels the first iteration, or the partial last one, off a loop.',
  operands: { target: consumesExactly('loops', 'scf.for') },
  attributes: {
    peelFront: withDefault(boolAttribute, false),
    // LLVM 19 does not read it either: such loops fail in any case.
    failIfAlreadyDivisible: withDefault(boolAttribute, false),
  },
  results: {
    peeledLoop: produces('the loop', 'scf.for'),
    remainderLoop: produces('the peeled iterations', 'scf.for'),
  },
  failures: {
    'peel/first': { mode: 'silenceable', when: 'a loop has at most one iteration' },
    'peel/last': {
      mode: 'silenceable',
      when: 'the step of a loop divides its range, whatever `fail_if_already_divisible` says',
    },
  },
  assembly: functional(),
  apply: ({ rewriter }, { target }, { peelFront }) =>
    mapSuccess(
      collect(target, (loop) => (peelFront ? peelFrontOp : peelOp)(rewriter, loop)),
      (peeled) => ({
        peeledLoop: peeled.map(({ loop }) => loop),
        remainderLoop: peeled.map(({ remainder }) => remainder),
      }),
    ),
});

/** `transform.loop.pipeline`. */
export const pipeline = defineTransformOp({
  name: 'transform.loop.pipeline',
  summary: 'Pipelines a loop: overlaps parts of consecutive iterations.',
  operands: { target: consumesExactly('loops', 'scf.for') },
  attributes: { iterationInterval: withDefault(i64Attribute, 1), readLatency: withDefault(i64Attribute, 10) },
  results: { transformed: produces('the loop', 'scf.for') },
  failures: {
    'pipeline/loop': {
      mode: 'silenceable',
      when: 'the bounds are not constant, there are fewer iterations than stages, or a dependence would be violated',
    },
    'pipeline/attribute': { mode: 'definite', when: 'the interval is less than 1, or the latency negative' },
  },
  assembly: functional(),
  apply: ({ rewriter, operation }, { target }, { iterationInterval, readLatency }) => {
    if (iterationInterval < 1 || readLatency < 0)
      return definite(
        error(
          'pipeline/attribute',
          'expects an interval of 1 and a latency of 0 at least',
          operation.location,
        ),
      );
    return mapSuccess(
      collect(target, (loop) => pipelineOp(rewriter, loop, { iterationInterval, readLatency })),
      (transformed) => ({ transformed }),
    );
  },
});

/** `transform.loop.coalesce`. */
export const coalesce = defineTransformOp({
  name: 'transform.loop.coalesce',
  summary: 'Coalesces a perfect loop nest into one loop.',
  operands: { target: consumes('the outermost loops') },
  results: { transformed: produces('the loop', 'scf.for') },
  failures: {
    'coalesce/failed': { mode: 'silenceable', when: 'no two loops of the nest can be coalesced' },
    'coalesce/overflow': {
      mode: 'silenceable',
      when: 'the iterations of loops may be more than the type of their bounds counts',
    },
  },
  assembly: functional(),
  apply: ({ rewriter }, { target }) =>
    mapSuccess(
      collect(target, (loop) => coalesceOp(rewriter, loop)),
      (transformed) => ({ transformed }),
    ),
});

/** `transform.scf.take_assumed_branch`. */
export const takeAssumedBranch = defineTransformOp({
  name: 'transform.scf.take_assumed_branch',
  summary: 'Replaces an `scf.if` by one of its branches.',
  operands: { target: reads('`scf.if` ops') },
  attributes: { takeElseBranch: unitAttributeKind },
  failures: {
    'take-branch/target': { mode: 'definite', when: 'a target is not an `scf.if`, or has no such branch' },
  },
  assembly: {
    format:
      '$target (`take_else_branch` $take_else_branch^)? attr-dict `:` functional-type(operands, results)',
  },
  apply: ({ rewriter }, { target }, { takeElseBranch }) =>
    mapSuccess(
      collect(target, (each) => takeAssumedBranchOp(rewriter, each, takeElseBranch)),
      () => ({}),
    ),
});

/** `transform.structured.convert_to_loops`. */
export const convertToLoops = defineTransformOp({
  name: 'transform.structured.convert_to_loops',
  summary: 'Converts structured ops on buffers to loops over scalars.',
  operands: { target: consumes('structured ops on buffers') },
  results: { result: produces('the loops, outermost first', 'scf.for') },
  failures: {
    'convert-to-loops/target': {
      mode: 'definite',
      when: 'a target is not structured, has no body, or works on tensors',
    },
  },
  assembly: functional(),
  apply: ({ rewriter }, { target }) =>
    mapSuccess(
      collect(target, (operation) => convertToLoopsOp(rewriter, operation)),
      (loops) => ({ result: loops.flat() }),
    ),
});

/** `transform.loop.fuse_sibling`. */
export const fuseSibling = defineTransformOp({
  name: 'transform.loop.fuse_sibling',
  summary: 'Fuses two sibling loops with equal bounds.',
  operands: { target: consumes('one loop'), source: consumes('another') },
  results: { fusedLoop: produces('the fused loop') },
  failures: {
    'fuse-sibling/single': { mode: 'definite', when: 'there is not exactly one target and one source' },
    'fuse-sibling/target': {
      mode: 'silenceable',
      when:
        'the loops have different bounds or blocks, an operand would no longer dominate its use, or ' +
        'accesses of one buffer would be reordered',
    },
  },
  apply: ({ rewriter, operation }, { target, source }) => {
    const [first, second] = [target[0], source[0]];
    if (first === undefined || second === undefined || target.length + source.length !== 2) {
      const message =
        `requires exactly one target handle (got ${target.length}) and exactly one source handle (got ` +
        `${source.length})`;
      return definite(error('fuse-sibling/single', message, operation.location));
    }
    return mapSuccess(fuseSiblingOp(rewriter, first, second), (loop) => ({ fusedLoop: [loop] }));
  },
  assembly: { format: '$target `into` $source attr-dict `:` functional-type(operands, results)' },
});
