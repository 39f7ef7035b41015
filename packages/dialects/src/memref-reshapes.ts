/** Reshapes of buffers: dimensions collapsed into one, expanded into several, or given by a buffer of sizes. */
import type { Folder } from '@sconv/ir';
import { DYNAMIC, defineOp, i64ArrayAttribute, index, one, typeEquals, variadic } from '@sconv/ir';
import { reassociationAttribute } from './attribute-kinds.ts';
import { anyMemref, shapeMemref } from './constraints.ts';
import { accessesOperands, viewOfFirstOperand } from './interfaces.ts';
import { dynamicIndexList } from './mixed-indices.ts';
import { inferCollapsedType, inferExpandedType } from './reshape-types.ts';
import { bufferReassociationErrors, dynamicReshapeErrors } from './reshape-verify.ts';
import { withStaticShapes } from './speculatable-models.ts';
import { stridedMemref } from './strided-layout.ts';
import { typeText } from './type-text.ts';

const foldReshape: Folder = (operation) => {
  const [source] = operation.operands;
  const [result] = operation.results;
  return source !== undefined && result !== undefined && typeEquals(source.type, result.type)
    ? [source]
    : undefined;
};

/** `memref.collapse_shape %m [[0, 1]] : memref<4x8xf32> into memref<32xf32>`. */
export const collapseShape = defineOp({
  name: 'memref.collapse_shape',
  interfaces: [viewOfFirstOperand, withStaticShapes],
  summary: 'groups of contiguous dimensions made into one each',
  operands: { src: one(stridedMemref) },
  results: { result: one(stridedMemref) },
  attributes: { reassociation: reassociationAttribute },
  traits: ['pure'],
  assembly: { format: '$src $reassociation attr-dict `:` type($src) `into` type($result)' },
  inferResultTypes: (operands, attributes) => {
    const source = operands[0]?.type;
    const { reassociation } = attributes;
    const groups = reassociation === undefined ? undefined : reassociationAttribute.decode(reassociation);
    if (source?.kind !== 'memref' || groups === undefined) return undefined;
    const type = inferCollapsedType(source, groups);
    return type === undefined ? undefined : [type];
  },
  *verify({ operands, results, attributes: { reassociation: groups } }) {
    const [source, result] = [operands.src.type, results.result.type];
    const errors = [...bufferReassociationErrors(source.shape, result.shape, groups)].slice(0, 1);
    yield* errors;
    if (errors.length > 0) return;
    const expected = inferCollapsedType(source, groups);
    if (expected === undefined) {
      yield 'invalid source layout map or collapsing non-contiguous dims';
    } else if (!typeEquals(expected, result)) {
      yield `expected collapsed type to be '${typeText(expected)}' but found '${typeText(result)}'`;
    }
  },
  fold: foldReshape,
  resultName: () => 'collapse_shape',
});

/** The output shape must match the result type, with operands for its dynamic sizes. */
function* outputShapeErrors(
  shape: readonly number[],
  sizes: readonly number[],
  given: number,
): Generator<string> {
  const dynamic = sizes.filter((size) => size === DYNAMIC).length;
  const wrong = sizes.findIndex((size, i) => size !== DYNAMIC && size !== shape[i]);
  if (sizes.length !== shape.length) {
    yield (
      `expected number of static shape bounds to be equal to the output rank (${shape.length}) but ` +
      `found ${sizes.length} inputs instead`
    );
  } else if (given !== dynamic) {
    yield (
      'mismatch in dynamic dims in output_shape and static_output_shape: static_output_shape has ' +
      `${dynamic} dynamic dims while output_shape has ${given} values`
    );
  } else if (wrong >= 0) {
    yield `invalid output shape provided at pos ${wrong}`;
  }
}

/** `memref.expand_shape %m [[0, 1]] output_shape [4, 8] : memref<32xf32> into memref<4x8xf32>`. */
export const expandShape = defineOp({
  name: 'memref.expand_shape',
  interfaces: [viewOfFirstOperand, withStaticShapes],
  summary: 'dimensions split into several',
  operands: { src: one(stridedMemref), outputShape: variadic(index) },
  results: { result: one(stridedMemref) },
  attributes: { reassociation: reassociationAttribute, staticOutputShape: i64ArrayAttribute },
  traits: ['pure'],
  assembly: {
    format:
      '$src $reassociation `output_shape` custom<DynamicIndexList>($outputShape, ' +
      '$static_output_shape) attr-dict `:` type($src) `into` type($result)',
    directives: { DynamicIndexList: dynamicIndexList },
  },
  *verify({ operands, results, attributes: { reassociation: groups, staticOutputShape } }) {
    const [source, result] = [operands.src.type, results.result.type];
    const errors = [...bufferReassociationErrors(result.shape, source.shape, groups)].slice(0, 1);
    yield* errors;
    if (errors.length > 0) return;
    const expected = inferExpandedType(source, result.shape, groups);
    if (expected !== undefined && !typeEquals(expected, result)) {
      yield `expected expanded type to be '${typeText(expected)}' but found '${typeText(result)}'`;
      return;
    }
    yield* outputShapeErrors(result.shape, staticOutputShape, operands.outputShape.length);
  },
  fold: foldReshape,
  resultName: () => 'expand_shape',
});

/** `memref.reshape %m(%shape) : (memref<4xf32>, memref<2xindex>) -> memref<2x2xf32>`. */
export const reshape = defineOp({
  name: 'memref.reshape',
  // The shape is read from a buffer.
  interfaces: [viewOfFirstOperand, accessesOperands([1], [])],
  summary: 'a contiguous buffer in a shape given at run time',
  operands: { source: one(anyMemref), shape: one(shapeMemref) },
  results: { result: one(anyMemref) },
  assembly: { format: '$source `(` $shape `)` attr-dict `:` functional-type(operands, results)' },
  verify: ({ operands: { source, shape }, results: { result } }) =>
    dynamicReshapeErrors(source.type, shape.type, result.type, 'memref'),
  resultName: () => 'reshape',
});
