/** `splitReductionOp` as a transform. */
import { collect, mapSuccess } from '@sconv/diagnostics';
import { i64Attribute, unitAttributeKind, withDefault } from '@sconv/ir';
import { consumes, defineTransformOp, functional, produces } from '@sconv/transform';
import { splitReductionOp } from '../split-reduction-op.ts';

/** `transform.structured.split_reduction`. */
export const splitReduction = defineTransformOp({
  name: 'transform.structured.split_reduction',
  summary: 'Splits a reduction into parallel partial reductions, and a reduction of their results.',
  operands: { target: consumes('reductions') },
  attributes: {
    splitFactor: withDefault(i64Attribute, 0),
    insertSplitDimension: withDefault(i64Attribute, 0),
    innerParallel: unitAttributeKind,
    useScalingAlgorithm: unitAttributeKind,
    useAlloc: unitAttributeKind,
  },
  results: {
    initOrAllocOp: produces('the tensor or allocation of the partial results'),
    fillOp: produces('the op that initializes it'),
    splitLinalgOp: produces('the parts'),
    combiningLinalgOp: produces('the op that combines the partial results'),
  },
  failures: {
    'split-reduction/not-structured': { mode: 'silenceable', when: 'a target is not a structured op' },
    'split-reduction/no-reduction': { mode: 'definite', when: 'the target has no reduction dimension' },
    'split-reduction/dimensions': {
      mode: 'definite',
      when: 'there are several reduction dimensions, and `use_scaling_algorithm` is not set',
    },
    'split-reduction/output': { mode: 'definite', when: 'there is not exactly one output, a tensor' },
    'split-reduction/factor': {
      mode: 'definite',
      when: 'the factor is less than 2, or not known to divide the dimension',
    },
    'split-reduction/position': {
      mode: 'definite',
      when: '`insert_split_dimension` is not a dimension of the partial results',
    },
    'split-reduction/inner-parallel': {
      mode: 'definite',
      when: '`use_scaling_algorithm` is given with `inner_parallel`',
    },
    'split-reduction/map': { mode: 'definite', when: 'an operand is not indexed by dimensions only' },
    'split-reduction/output-map': {
      mode: 'definite',
      when: 'the output is not indexed by the other dimensions only',
    },
    'split-reduction/index': { mode: 'definite', when: 'the body uses `linalg.index`' },
    'split-reduction/combiner': {
      mode: 'definite',
      when: 'the body does not combine values with a single operation that has a neutral element',
    },
  },
  assembly: functional(),
  apply: (
    { rewriter },
    { target },
    { splitFactor, insertSplitDimension, innerParallel, useScalingAlgorithm, useAlloc },
  ) => {
    const options = {
      factor: splitFactor,
      position: insertSplitDimension,
      innerParallel,
      byScaling: useScalingAlgorithm,
      useAlloc,
    };
    return mapSuccess(
      collect(target, (operation) => splitReductionOp(rewriter, operation, options)),
      (made) => ({
        initOrAllocOp: made.map(({ init }) => init),
        fillOp: made.map(({ fill }) => fill),
        splitLinalgOp: made.map(({ split }) => split),
        combiningLinalgOp: made.map(({ combining }) => combining),
      }),
    );
  },
});
