/** `transform.split_handle`: the payload operations of a handle one by one. */
import { error, silenceable, success } from '@sconv/diagnostics';
import { defineTransformOp, producesAll, reads } from './define-transform-op.ts';

/** Handles to the single payload operations of one, in order. */
export const splitHandle = defineTransformOp({
  name: 'transform.split_handle',
  summary: 'Splits a handle of payload ops into handles with a single op each.',
  operands: { handle: reads('as many payload ops as results') },
  results: { results: producesAll('one payload op each; none, where the handle has none') },
  resultsLike: 'handle',
  failures: {
    'transform/split-handle-sizes': {
      mode: 'silenceable',
      when: 'the handle has payload ops, but another number of them than there are results',
    },
  },
  assembly: { format: '$handle attr-dict `:` functional-type(operands, results)' },
  apply: ({ resultCount, location }, { handle }) => {
    if (handle.length !== 0 && handle.length !== resultCount) {
      const message = `the handle has ${handle.length} payload ops, but there are ${resultCount} results`;
      return silenceable(error('transform/split-handle-sizes', message, handle[0]?.location ?? location));
    }
    return success({ results: Array.from({ length: resultCount }, (_, i) => handle.slice(i, i + 1)) });
  },
});
