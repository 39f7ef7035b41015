/** What a script value refers to: payload operations, payload values, or parameters. */
import type { Attribute, Id, Operation, Type, Value } from '@sconv/ir';
import { mostItems } from './run-limits.ts';

/** Operations and values by id, which survives edits; parameters as attributes. */
export type Payload =
  | { readonly kind: 'operations'; readonly ids: readonly Id[] }
  | { readonly kind: 'values'; readonly ids: readonly Id[] }
  | { readonly kind: 'params'; readonly attributes: readonly Attribute[] };

/** One item of a `Payload`. */
export type PayloadItem = Operation | Value | Attribute;

/** A `Payload` looked up in a module. */
export type ResolvedPayload =
  | { readonly kind: 'operations'; readonly operations: readonly Operation[] }
  | { readonly kind: 'values'; readonly values: readonly Value[] }
  | { readonly kind: 'params'; readonly attributes: readonly Attribute[] };

export const operationsPayload = (ids: readonly Id[]): Payload => ({ kind: 'operations', ids });

export const valuesPayload = (ids: readonly Id[]): Payload => ({ kind: 'values', ids });

export const paramsPayload = (attributes: readonly Attribute[]): Payload => ({ kind: 'params', attributes });

/** The types of parameters, without `!transform.`: of any attributes, of one type, of maps, of types. */
export const paramBody = /^(any_param$|param<|affine_map$|type$|test_dialect_param$)/;

/** The kind of payload of a script value with this type. */
export const payloadKindOf = (type: Type): Payload['kind'] => {
  if (type.kind !== 'dialect' || type.dialect !== 'transform') return 'operations';
  if (type.body === 'any_value') return 'values';
  return paramBody.test(type.body) ? 'params' : 'operations';
};

/** An empty payload of the kind of a script value with this type. */
export const emptyPayload = (type: Type): Payload => payloadOfIds(payloadKindOf(type), []);

/** The ids in a payload; empty for parameters. */
export const idsIn = (payload: Payload): readonly Id[] => (payload.kind === 'params' ? [] : payload.ids);

/** The number of items of a payload. */
export const sizeOf = (payload: Payload): number =>
  payload.kind === 'params' ? payload.attributes.length : payload.ids.length;

/** Each item of a payload on its own. */
export const singlesOf = (payload: Payload): readonly Payload[] =>
  payload.kind === 'params'
    ? payload.attributes.map((attribute) => paramsPayload([attribute]))
    : payload.ids.map((id): Payload => ({ kind: payload.kind, ids: [id] }));

/** Concatenates payloads for a script value with this type, up to the first that makes them too many to bind. */
export const joinPayloads = (type: Type, all: readonly Payload[]): Payload => {
  let count = 0;
  const last = all.findIndex((each) => (count += sizeOf(each)) > mostItems);
  const payloads = last < 0 ? all : all.slice(0, last + 1);
  const kind = payloadKindOf(type);
  return kind === 'params'
    ? paramsPayload(payloads.flatMap((each) => (each.kind === 'params' ? each.attributes : [])))
    : payloadOfIds(kind, payloads.flatMap(idsIn));
};

const payloadOfIds = (kind: Payload['kind'], ids: readonly Id[]): Payload =>
  kind === 'params' ? paramsPayload([]) : { kind, ids };
