/** `transform.param.constant`: a constant parameter. */
import { anyAttribute, f64, floatAttribute, i1, i64, integerAttribute, stringAttribute } from '@sconv/ir';
import type { Attribute, Type } from '@sconv/ir';
import { defineTransformOp } from './define-transform-op.ts';
import { producesParam } from './handle-specs.ts';
import type { ParamValue } from './handle.ts';
import { anyParam, paramOf } from './handle-type.ts';
import { paramsPayload } from './payload.ts';

/** Recorded by `param` of a recorder. */
export const constantParam = defineTransformOp({
  name: 'transform.param.constant',
  summary: 'Produces a parameter that holds the given attribute.',
  isMatcher: true,
  attributes: { value: anyAttribute },
  results: { param: producesParam('the attribute', i64) },
  assembly: { format: '$value attr-dict `->` type($param)' },
  interpret: (run, operation, { value }) => run.bindResults(operation, [paramsPayload([value])]),
});

/** The attribute for a host value, and the type of a parameter with it: as upstream, only integers are typed. */
export const paramAttribute = (value: ParamValue): { readonly attribute: Attribute; readonly type: Type } => {
  if (typeof value === 'boolean')
    return { attribute: integerAttribute(value ? 1 : 0, i1), type: paramOf(i1) };
  if (typeof value === 'string') return { attribute: stringAttribute(value), type: anyParam };
  if (typeof value === 'object') return { attribute: value, type: anyParam };
  return Number.isSafeInteger(value)
    ? { attribute: integerAttribute(value, i64), type: paramOf(i64) }
    : { attribute: floatAttribute(value, f64), type: anyParam };
};
