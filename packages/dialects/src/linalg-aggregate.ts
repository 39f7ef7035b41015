/** Unstructured linalg ops that decompose into several structured ones. */
import type { Operation } from '@sconv/ir';
import { defineOp, i64Attribute, one, variadic } from '@sconv/ir';
import { anyShaped, compatibleShapes, elementTypeErrors, rankedTensor, shapeOf } from './constraints.ts';
import {
  winogradFilterTransform,
  winogradInputTransform,
  winogradOutputTransform,
} from './linalg-winograd.ts';

const operandTypes = ({ operands }: Operation) => operands.map(({ type }) => type);

/** `linalg.softmax dimension(1) ins(%a : tensor<4x8xf32>) outs(%b : tensor<4x8xf32>) -> tensor<4x8xf32>`. */
export const softmax = defineOp({
  name: 'linalg.softmax',
  summary: 'exponentials along a dimension, normalized to sum 1',
  operands: { input: one(anyShaped), output: one(anyShaped) },
  results: { result: variadic(rankedTensor) },
  attributes: { dimension: i64Attribute },
  destinations: 'output',
  *verify({ operation, operands: { input, output }, attributes: { dimension } }) {
    const errors = [...elementTypeErrors('input and output', operandTypes(operation))];
    yield* errors;
    if (errors.length > 0) return;
    const [from, to] = [shapeOf(input.type) ?? [], shapeOf(output.type) ?? []];
    if (!compatibleShapes(from, to)) yield 'incompatible output shape';
    else if (dimension < 0 || dimension >= from.length) yield 'incorrect dimension specified';
  },
  assembly: {
    format:
      'attr-dict `dimension` `(` $dimension `)` `ins` `(` $input `:` type($input) `)` `outs` `(` ' +
      '$output `:` type($output) `)` (`->` type($result)^)?',
  },
});

/** All of them. */
export const aggregates = [
  softmax,
  winogradFilterTransform,
  winogradInputTransform,
  winogradOutputTransform,
] as const;
