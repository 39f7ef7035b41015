/** `vectorizeOp` as a transform. */
import type { Diagnosed } from '@sconv/diagnostics';
import { andThen, collect, definite, error, mapSuccess, success } from '@sconv/diagnostics';
import { indexNumber } from '@sconv/dialects';
import { i64ArrayAttribute, unitAttributeKind, withImplicitDefault } from '@sconv/ir';
import {
  defineTransformOp,
  directives,
  flagsArrayAttribute,
  payloadSizes,
  reads,
  readsSizes,
} from '@sconv/transform';
import { vectorizeOp } from '../vectorize-op.ts';

/** `transform.structured.vectorize`. */
export const vectorize = defineTransformOp({
  name: 'transform.structured.vectorize',
  summary: 'Vectorizes the target, with these sizes if given.',
  operands: { target: reads('structured ops'), vectorSizes: readsSizes('sizes that parameters hold') },
  attributes: {
    staticVectorSizes: withImplicitDefault(i64ArrayAttribute, []),
    vectorizeNdExtract: unitAttributeKind,
    scalableSizes: withImplicitDefault(flagsArrayAttribute, []),
  },
  failures: {
    'vectorize/unsupported': { mode: 'silenceable', when: 'a target is no structured op' },
    'vectorize/size': { mode: 'definite', when: 'a size is not constant' },
    'vectorize/failed': {
      mode: 'silenceable',
      when: 'a size is not known, zero, or larger than the vector; a map is no projected permutation; or the body is more than operations on elements and one combination for each output that is reduced',
    },
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
  apply: (
    { rewriter, location },
    { target, vectorSizes },
    { staticVectorSizes, scalableSizes, vectorizeNdExtract },
  ) =>
    andThen(payloadSizes(staticVectorSizes, vectorSizes, location), (mixed) =>
      andThen(
        collect(mixed, (size): Diagnosed<number> => {
          const known = indexNumber(rewriter, size);
          return known === undefined
            ? definite(error('vectorize/size', 'expected a constant vector size', location))
            : success(known);
        }),
        (sizes) =>
          mapSuccess(
            collect(target, (each) =>
              vectorizeOp(rewriter, each, { vectorSizes: sizes, scalableSizes, vectorizeNdExtract }),
            ),
            () => ({}),
          ),
      ),
    ),
});
