/** Gathers and scatters slices of a tensor, at coordinates in another tensor. */
import type { TensorType } from '@sconv/ir';
import { defineOp, i64ArrayAttribute, one, tensorType, typeEquals, unitAttributeKind } from '@sconv/ir';
import { indexTensor, rankedTensor } from './constraints.ts';
import { notSpeculatable } from './speculatable-models.ts';
import { typeText } from './type-text.ts';

/** Errors of the indexed dimensions. */
function* dimsErrors(
  dims: readonly number[],
  indices: TensorType,
  rank: number,
  verb: 'gather' | 'scatter',
  side: 'source' | 'dest',
): Generator<string> {
  if (dims.length === 0) yield `${verb}_dims must be non-empty`;
  else if (dims.length > rank) yield `${verb}_dims overflow ${side} rank`;
  else if (indices.shape.at(-1) !== dims.length)
    yield `${verb}_dims length must match the size of last dimension of indices`;
  else if (dims.some((dim) => dim < 0)) yield `${verb}_dims value must be non-negative`;
  else if (dims.some((dim) => dim >= rank)) yield `${verb}_dims value must be smaller than ${side} rank`;
  else if (dims.some((dim, i) => i > 0 && dim <= dims[i - 1]!))
    yield `${verb}_dims values must be strictly increasing`;
}

/** Errors of the slice type, which must be the full type with unit sizes for the coordinates, or that without them. */
function* slicesErrors(
  what: 'result' | 'source',
  given: TensorType,
  whole: TensorType,
  indices: TensorType,
  dims: readonly number[],
): Generator<string> {
  const leading = indices.shape.slice(0, -1);
  const ofSizes = (sizes: readonly number[]): TensorType =>
    tensorType([...leading, ...sizes], whole.elementType);
  const expected = ofSizes(whole.shape.map((size, i) => (dims.includes(i) ? 1 : size)));
  const reduced = ofSizes(whole.shape.filter((_, i) => !dims.includes(i)));
  if (![expected, reduced].some((type) => typeEquals(type, given)))
    yield (
      `${what} type mismatch: expected '${typeText(expected)}' or its rank-reduced variant ` +
      `'${typeText(reduced)}' (got: '${typeText(given)}')`
    );
}

const tail = '(`unique` $unique^)? attr-dict `:` functional-type(operands, results)';

/** `tensor.gather %t[%indices] gather_dims([0]) : …`. */
export const gather = defineOp({
  name: 'tensor.gather',
  interfaces: [notSpeculatable],
  summary: 'slices of a tensor at given coordinates',
  operands: { source: one(rankedTensor), indices: one(indexTensor) },
  results: { result: one(rankedTensor) },
  attributes: { gatherDims: i64ArrayAttribute, unique: unitAttributeKind },
  traits: ['pure'],
  assembly: { format: '$source `[` $indices `]` `gather_dims` `(` $gather_dims `)` ' + tail },
  *verify({ operands: { source, indices }, results: { result }, attributes: { gatherDims: dims } }) {
    yield* dimsErrors(dims, indices.type, source.type.shape.length, 'gather', 'source');
    yield* slicesErrors('result', result.type, source.type, indices.type, dims);
  },
  resultName: () => 'gather',
});

/** `tensor.scatter %slices into %t[%indices] scatter_dims([0]) unique : …`. */
export const scatter = defineOp({
  name: 'tensor.scatter',
  interfaces: [notSpeculatable],
  summary: 'a tensor with slices at given coordinates replaced',
  operands: { source: one(rankedTensor), dest: one(rankedTensor), indices: one(indexTensor) },
  results: { result: one(rankedTensor) },
  attributes: { scatterDims: i64ArrayAttribute, unique: unitAttributeKind },
  traits: ['pure'],
  assembly: {
    format: '$source `into` $dest `[` $indices `]` `scatter_dims` `(` $scatter_dims `)` ' + tail,
  },
  *verify({ operands: { source, dest, indices }, attributes: { scatterDims: dims, unique } }) {
    yield* dimsErrors(dims, indices.type, dest.type.shape.length, 'scatter', 'dest');
    if (!unique) yield "requires 'unique' attribute to be set";
    else yield* slicesErrors('source', source.type, dest.type, indices.type, dims);
  },
  resultName: () => 'scatter',
});
