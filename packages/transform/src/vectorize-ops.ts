/** Ops that make vectors of structured operations, and what is done to the vectors. */
import { i64ArrayAttribute, unitAttributeKind, withImplicitDefault } from '@sconv/ir';
import { flagsArrayAttribute } from './attribute-kinds.ts';
import { consumes, defineTransformOp, produces, reads, readsSizes } from './define-transform-op.ts';
import { directives } from './directives.ts';
import { functional } from './forms.ts';

export const vectorize = defineTransformOp({
  name: 'transform.structured.vectorize',
  summary: 'Makes the target operate on vectors, of these sizes where any are given.',
  operands: { target: reads('structured ops'), vectorSizes: readsSizes('sizes that parameters hold') },
  attributes: {
    staticVectorSizes: withImplicitDefault(i64ArrayAttribute, []),
    vectorizeNdExtract: unitAttributeKind,
    scalableSizes: withImplicitDefault(flagsArrayAttribute, []),
  },
  assembly: {
    format:
      '$target oilist(`vector_sizes` custom<DynamicIndexList>($vectorSizes, $static_vector_sizes, $scalable_sizes)) attr-dict `:` type($target) (`,` type($vectorSizes)^)?',
    directives,
  },
  *verify({ attributes: { staticVectorSizes, scalableSizes } }) {
    if (scalableSizes.length > 0 && scalableSizes.length !== staticVectorSizes.length) {
      yield `expected same number of vector sizes (${staticVectorSizes.length}) and scalable sizes (${scalableSizes.length})`;
    }
  },
});

export const vectorizeChildren = defineTransformOp({
  name: 'transform.structured.vectorize_children_and_apply_patterns',
  summary: 'Makes all structured ops in the target operate on vectors, and tidies what comes of it.',
  operands: { target: consumes('what is isolated from above') },
  attributes: {
    vectorizePadding: unitAttributeKind,
    vectorizeNdExtract: unitAttributeKind,
    flatten_1d_depthwise_conv: unitAttributeKind,
    disableMultiReductionToContractPatterns: unitAttributeKind,
    disableTransferPermutationMapLoweringPatterns: unitAttributeKind,
  },
  results: { transformed: produces('the target afterwards') },
  assembly: functional(),
});

export const hoistBroadcasts = defineTransformOp({
  name: 'transform.structured.hoist_redundant_vector_broadcasts',
  summary: 'Moves broadcasts of the same value in each iteration out of loops.',
  operands: { target: consumes('functions') },
  results: { transformed: produces('the target afterwards') },
  assembly: functional(),
});

export const vectorizeOps = [vectorize, vectorizeChildren, hoistBroadcasts];
