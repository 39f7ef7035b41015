/** `transform.merge_handles`: one handle to the payload of several. */
import { success } from '@sconv/diagnostics';
import { allTypesMatch, unitAttributeKind } from '@sconv/ir';
import { castToAny } from './cast.ts';
import type { RecordOptions } from './define-transform-op.ts';
import { defineTransformOp, produces, readsAll } from './define-transform-op.ts';
import type { Handle } from './handle.ts';
import { isScriptValue, sharedType } from './handle.ts';

const mergeOp = defineTransformOp({
  name: 'transform.merge_handles',
  summary: 'Merges handles into one pointing to the union of payload ops.',
  operands: { handles: readsAll('handles to join') },
  attributes: { deduplicate: unitAttributeKind },
  results: { result: produces('the payload of all, in order') },
  resultsLike: 'handles',
  typeRelations: [allTypesMatch('result', 'handles')],
  assembly: { format: '(`deduplicate` $deduplicate^)? $handles attr-dict `:` type($result)' },
  apply: (_context, { handles }, { deduplicate }) => {
    const all = handles.flat();
    return success({ result: deduplicate ? [...new Set(all)] : all });
  },
});

/**
 * Records one handle to the payload of several, in order; `deduplicate` keeps what stands twice once. The op has a single
 * type: handles of different ones are cast to any first.
 */
export const mergeHandles = Object.assign(
  <const N extends string>(
    { handles }: { readonly handles: readonly Handle<N>[] },
    attributes: { readonly deduplicate?: boolean } = {},
    options?: RecordOptions,
  ): { readonly result: Handle<N> } => {
    return mergeOp(
      { handles: areMixed(handles) ? handles.map((each) => castToAny(each) as Handle<N>) : handles },
      attributes,
      options,
    );
  },
  { definition: mergeOp.definition },
);

/** Whether handles are of several types; what is no list of handles is told by the op. */
const areMixed = (handles: unknown): boolean =>
  Array.isArray(handles) &&
  handles.length > 1 &&
  handles.every(isScriptValue) &&
  sharedType(handles) === undefined;
