/** `vectorizeOp` as a transform. */
import type { Diagnosed } from '@sconv/diagnostics';
import { andThen, collect, definite, error, mapSuccess, success } from '@sconv/diagnostics';
import { indexNumber } from '@sconv/dialects';
import { i64ArrayAttribute, unitAttributeKind, withImplicitDefault } from '@sconv/ir';
import {
  consumes,
  defineTransformOp,
  directives,
  flagsArrayAttribute,
  payloadSizes,
  readsSizes,
} from '@sconv/transform';
import { vectorizeOp } from '../vectorize-op.ts';

/** `transform.structured.vectorize`. */
export const vectorize = defineTransformOp({
  name: 'transform.structured.vectorize',
  summary: 'Vectorizes the target, with the given vector sizes if any.',
  operands: { target: consumes('structured ops'), vectorSizes: readsSizes('sizes held by parameters') },
  attributes: {
    staticVectorSizes: withImplicitDefault(i64ArrayAttribute, []),
    vectorizeNdExtract: unitAttributeKind,
    scalableSizes: withImplicitDefault(flagsArrayAttribute, []),
  },
  failures: {
    'vectorize/unsupported': { mode: 'silenceable', when: 'a target is not a structured op' },
    'vectorize/size': { mode: 'definite', when: 'a size is not constant' },
    'vectorize/failed': {
      mode: 'silenceable',
      when:
        'a size is dynamic without a vector size, zero, or larger than its vector; an indexing map is ' +
        'not a projected permutation; or the body has operations other than elementwise ones and one ' +
        'combiner per reduced output',
    },
  },
  assembly: {
    format:
      '$target oilist(`vector_sizes` custom<DynamicIndexList>($vectorSizes, $static_vector_sizes, ' +
      '$scalable_sizes)) attr-dict `:` type($target) (`,` type($vectorSizes)^)?',
    directives,
  },
  *verify({ attributes: { staticVectorSizes, scalableSizes } }) {
    if (scalableSizes.length > 0 && scalableSizes.length !== staticVectorSizes.length) {
      yield (
        `expected same number of vector sizes (${staticVectorSizes.length}) and scalable sizes ` +
        `(${scalableSizes.length})`
      );
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
