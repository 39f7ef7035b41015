/** `transform.split_handle`: splits a handle into its payload operations. */
import { error, silenceable, success } from '@sconv/diagnostics';
import { boolAttribute, i64Attribute, optionalAttribute, withDefault } from '@sconv/ir';
import { defineTransformOp } from './define-transform-op.ts';
import { producesAll, reads } from './handle-specs.ts';

/**
 * Handles to the individual payload operations of a handle, in order: one per result, unless `overflowResult` gets
 * the excess, or fewer suffice (`failOnPayloadTooSmall: false`). An empty handle gives empty ones
 * (`passThroughEmptyHandle: false` rejects it).
 */
export const splitHandle = defineTransformOp({
  name: 'transform.split_handle',
  summary: 'Splits a handle of payload ops into handles with a single op each.',
  operands: { handle: reads('a handle to as many payload ops as there are results') },
  attributes: {
    passThroughEmptyHandle: withDefault(boolAttribute, true),
    failOnPayloadTooSmall: withDefault(boolAttribute, true),
    overflowResult: optionalAttribute(i64Attribute),
  },
  results: { results: producesAll('one payload op each, or none if the handle is empty') },
  resultsLike: 'handle',
  failures: {
    'transform/split-handle-sizes': {
      mode: 'silenceable',
      when: 'the number of payload ops differs from the number of results, and no attribute allows that',
    },
  },
  assembly: { format: '$handle attr-dict `:` functional-type(operands, results)' },
  *verify({ operation, attributes: { overflowResult } }) {
    if (overflowResult !== undefined && (overflowResult < 0 || overflowResult >= operation.results.length)) {
      yield 'overflow_result must be a valid result index';
    }
  },
  apply: (
    { resultCount, location },
    { handle },
    { passThroughEmptyHandle, failOnPayloadTooSmall, overflowResult },
  ) => {
    const isTooMany = handle.length > resultCount && overflowResult === undefined;
    const isEmptyAllowed = handle.length === 0 && passThroughEmptyHandle;
    const isTooFew = handle.length < resultCount && failOnPayloadTooSmall && !isEmptyAllowed;
    if (isTooMany || isTooFew) {
      const message =
        `handle expected to contain ${resultCount} payload ops but it contains ${handle.length} ` +
        'payload ops';
      return silenceable(error('transform/split-handle-sizes', message, handle[0]?.location ?? location));
    }
    return success({
      results: Array.from({ length: resultCount }, (_, i) => [
        ...handle.slice(i, i + 1),
        ...(i === overflowResult ? handle.slice(resultCount) : []),
      ]),
    });
  },
});
