/** `transform.merge_handles`: concatenates the payload of several handles. */
import { allTypesMatch, attributeEquals, one, unitAttributeKind } from '@sconv/ir';
import { castToAny } from './cast.ts';
import type { RecordOptions } from './define-transform-op.ts';
import { defineTransformOp } from './define-transform-op.ts';
import { readsAny } from './handle-specs.ts';
import type { Handle } from './handle.ts';
import { isScriptValue, sharedType } from './handle.ts';
import { anyOp, scriptType } from './handle-type.ts';
import type { Payload } from './payload.ts';
import { joinPayloads } from './payload.ts';

const mergeOp = defineTransformOp({
  name: 'transform.merge_handles',
  summary: 'Merges handles into one pointing to the union of payload ops.',
  isMatcher: true,
  operands: { handles: readsAny<Handle>('handles or parameters to join') },
  attributes: { deduplicate: unitAttributeKind },
  results: { result: { ...one(scriptType, 'the payload of all handles, in order'), handle: anyOp } },
  resultsLike: 'handles',
  typeRelations: [allTypesMatch('result', 'handles')],
  assembly: { format: '(`deduplicate` $deduplicate^)? $handles attr-dict `:` type($result)' },
  interpret: (run, operation, { deduplicate }) => {
    const { type } = operation.results[0]!;
    const all = joinPayloads(
      type,
      operation.operands.map((operand) => run.payloadOf(operand)),
    );
    return run.bindResults(operation, [deduplicate ? eachOnce(all) : all]);
  },
});

/**
 * Records a handle to the payload of several, in order; `deduplicate` drops repetitions. The op has a single type:
 * handles of different types are cast to `any_op` first.
 */
export const mergeHandles = Object.assign(
  <const N extends string>(
    operands: { readonly handles: readonly Handle<N>[] },
    attributes: { readonly deduplicate?: boolean } = {},
    options?: RecordOptions,
  ): { readonly result: Handle<N> } => {
    // The op reports what is no list of handles.
    const { handles } = { ...operands };
    return mergeOp(
      areMixed(handles) ? { handles: handles.map((each) => castToAny(each) as Handle<N>) } : operands,
      attributes,
      options,
    );
  },
  { definition: mergeOp.definition },
);

/** A payload without duplicates. */
const eachOnce = (payload: Payload): Payload =>
  payload.kind === 'params'
    ? {
        kind: 'params',
        attributes: payload.attributes.filter(
          (attribute, i, all) => all.findIndex((other) => attributeEquals(other, attribute)) === i,
        ),
      }
    : { kind: payload.kind, ids: [...new Set(payload.ids)] };

/** Whether handles have several types; the op reports anything that is not a list of handles. */
const areMixed = (handles: unknown): boolean =>
  Array.isArray(handles) &&
  handles.length > 1 &&
  handles.every(isScriptValue) &&
  sharedType(handles) === undefined;
