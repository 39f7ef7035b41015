/** `transform.structured.pack_greedily`. */
import { andThen, collect, mapSuccess } from '@sconv/diagnostics';
import { structured } from '@sconv/dialects/linalg';
import { constrained, i64ArrayAttribute, withDefault } from '@sconv/ir';
import { packFailures } from '@sconv/packing/transforms';
import {
  consumes,
  defineTransformOp,
  directives,
  payloadSizes,
  produces,
  readsSizes,
} from '@sconv/transform';
import { packGreedilyOp } from './pack-greedily.ts';

/** Three numbers, for m, n and k of a matrix product. */
const ofProduct = constrained(i64ArrayAttribute, 'with exactly 3 elements', ({ length }) => length === 3);

/**
 * `transform.structured.pack_greedily`: packs the operands of the target so that its innermost loops are a matrix
 * product of the given sizes.
 */
export const packGreedily = defineTransformOp({
  name: 'transform.structured.pack_greedily',
  summary:
    'Packs the operands of the target so that its innermost loops are a matrix product of the given sizes.',
  operands: {
    target: consumes('structured ops'),
    matmulPackedSizes: readsSizes('sizes held by parameters'),
  },
  attributes: {
    staticMatmulPackedSizes: withDefault(ofProduct, []),
    matmulPaddedSizesNextMultipleOf: withDefault(
      constrained(i64ArrayAttribute, 'with 0 or 3 elements', ({ length }) => length === 0 || length === 3),
      [],
    ),
    matmulInnerDimsOrder: withDefault(ofProduct, []),
  },
  results: { packedOp: produces('the ops on packed operands') },
  failures: {
    ...packFailures,
    'interchange/order': {
      mode: 'silenceable',
      when: 'iterations of a reduction would run in another order, which may change the result',
    },
  },
  apply: ({ rewriter, location }, { target, matmulPackedSizes }, attributes) => {
    const { staticMatmulPackedSizes, matmulPaddedSizesNextMultipleOf: multiples } = attributes;
    const { matmulInnerDimsOrder: order } = attributes;
    const operations = target.filter((operation) => structured(rewriter.registry, operation) !== undefined);
    const packed = andThen(payloadSizes(staticMatmulPackedSizes, matmulPackedSizes, location), (sizes) =>
      collect(operations, (operation) => packGreedilyOp(rewriter, operation, { sizes, multiples, order })),
    );
    return mapSuccess(packed, (packedOp) => ({ packedOp }));
  },
  assembly: {
    format:
      '$target oilist(`matmul_packed_sizes` `=` custom<DynamicIndexList>($matmulPackedSizes, ' +
      '$static_matmul_packed_sizes) (`matmul_padded_sizes_next_multiple_of` `=` ' +
      '$matmul_padded_sizes_next_multiple_of^)? `matmul_inner_dims_order` `=` ' +
      '$matmul_inner_dims_order) attr-dict `:` functional-type(operands, results)',
    directives,
  },
  *verify({ attributes }) {
    const { matmulInnerDimsOrder, staticMatmulPackedSizes, matmulPaddedSizesNextMultipleOf } = attributes;
    const isBoth = matmulPaddedSizesNextMultipleOf.some(
      (multiple, i) => multiple !== 0 && staticMatmulPackedSizes[i] !== 0,
    );
    if (matmulInnerDimsOrder.toSorted((a, b) => a - b).some((position, i) => position !== i))
      yield '"matmul_inner_dims_order" is not a valid permutation';
    else if (isBoth)
      yield (
        'at most one of the packed_size and the padded_sizes_next_multiple_of can be nonzero for the ' +
        'matmul strategy'
      );
  },
});
