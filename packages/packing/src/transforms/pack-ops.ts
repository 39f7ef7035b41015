/** Upstream's ops that pack and pad, which have no behaviour yet. */
import {
  anyAttribute,
  arrayOf,
  constrained,
  i64ArrayAttribute,
  i64Attribute,
  stringAttributeKind,
  withDefault,
  withImplicitDefault,
} from '@sconv/ir';
import {
  consumes,
  consumesExactly,
  defineTransformOp,
  directives,
  functional,
  integersAttribute,
  permutationErrors,
  permutationsAttribute,
  produces,
  producesExactly,
  reads,
  readsSizes,
} from '@sconv/transform';

export const pack = defineTransformOp({
  name: 'transform.structured.pack',
  summary: 'Packs the operands of the target so that inner loops have these sizes.',
  operands: { target: consumes('structured ops'), packedSizes: readsSizes('sizes that parameters hold') },
  attributes: { staticPackedSizes: withDefault(i64ArrayAttribute, []) },
  results: { packedOp: produces('the ops on packed operands') },
  assembly: {
    format:
      '$target `packed_sizes` `=` custom<DynamicIndexList>($packedSizes, $static_packed_sizes) attr-dict `:` functional-type(operands, results)',
    directives,
  },
});

/** What upstream asks of these permutations: it finds out whether they are any when it applies them. */
const areUnique = (positions: readonly number[]): boolean => new Set(positions).size === positions.length;

/** Three numbers, for m, n and k of a product of matrices. */
const ofProduct = constrained(i64ArrayAttribute, 'with exactly 3 elements', ({ length }) => length === 3);

export const packGreedily = defineTransformOp({
  name: 'transform.structured.pack_greedily',
  summary: 'Packs the operands of the target so that it contains a product of matrices of these sizes.',
  operands: {
    target: consumes('structured ops'),
    matmulPackedSizes: readsSizes('sizes that parameters hold'),
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
  assembly: {
    format:
      '$target oilist(`matmul_packed_sizes` `=` custom<DynamicIndexList>($matmulPackedSizes, $static_matmul_packed_sizes) (`matmul_padded_sizes_next_multiple_of` `=` $matmul_padded_sizes_next_multiple_of^)? `matmul_inner_dims_order` `=` $matmul_inner_dims_order) attr-dict `:` functional-type(operands, results)',
    directives,
  },
  *verify({ attributes }) {
    const { matmulInnerDimsOrder, staticMatmulPackedSizes, matmulPaddedSizesNextMultipleOf } = attributes;
    const isBoth = matmulPaddedSizesNextMultipleOf.some(
      (multiple, i) => multiple !== 0 && staticMatmulPackedSizes[i] !== 0,
    );
    if (!areUnique(matmulInnerDimsOrder)) yield '"matmul_inner_dims_order" is not a valid permutation';
    else if (isBoth)
      yield 'at most one of the packed_size and the padded_sizes_next_multiple_of can be nonzero for the matmul strategy';
  },
});

export const packTranspose = defineTransformOp({
  name: 'transform.structured.pack_transpose',
  summary: 'Transposes an operand of a packed op, and the packing with it.',
  operands: {
    targetPackOrUnPackOp: consumes('one packing or unpacking'),
    targetLinalgOp: consumes('the op that it is for'),
  },
  attributes: {
    outerPerm: withImplicitDefault(i64ArrayAttribute, []),
    innerPerm: withImplicitDefault(i64ArrayAttribute, []),
  },
  results: {
    packedOp: produces('the op'),
    packOp: produces('the packing'),
    unPackOp: produces('the unpacking, if there is one'),
  },
  assembly: {
    format:
      '$targetPackOrUnPackOp `with_compute_op` `(` $targetLinalgOp `)` (`outer_perm` `=` $outer_perm^)? (`inner_perm` `=` $inner_perm^)? attr-dict `:` functional-type(operands, results)',
  },
  *verify({ attributes: { outerPerm, innerPerm } }) {
    if (!areUnique(innerPerm)) yield '"inner_perm" is not a valid permutation';
    else if (!areUnique(outerPerm)) yield '"outer_perm" is not a valid permutation';
    else if (innerPerm.length === 0 && outerPerm.length === 0)
      yield ' at least one of "inner_perm" or "outer_perm" must be specified';
  },
});

export const lowerPack = defineTransformOp({
  name: 'transform.structured.lower_pack',
  summary: 'Makes a packing a padding, a reshape and a transposition.',
  operands: { target: consumesExactly('packings', 'tensor.pack') },
  results: {
    padOp: producesExactly('the padding', 'tensor.pad'),
    expandShapeOp: producesExactly('the reshape', 'tensor.expand_shape'),
    transposeOp: producesExactly('the transposition', 'linalg.transpose'),
  },
  assembly: functional(),
});

export const lowerUnpack = defineTransformOp({
  name: 'transform.structured.lower_unpack',
  summary: 'Makes an unpacking a transposition, a reshape and a slice.',
  operands: { target: consumesExactly('unpackings', 'tensor.unpack') },
  results: {
    emptyOp: producesExactly('the empty tensor', 'tensor.empty'),
    transposeOp: producesExactly('the transposition', 'linalg.transpose'),
    collapseShapeOp: producesExactly('the reshape', 'tensor.collapse_shape'),
    extractSliceOp: producesExactly('the slice', 'tensor.extract_slice'),
  },
  assembly: functional(),
});

export const pad = defineTransformOp({
  name: 'transform.structured.pad',
  summary: 'Pads the operands of the target up to bounds of their sizes, or to multiples.',
  operands: {
    target: consumes('structured ops'),
    padToMultipleOf: readsSizes('multiples that parameters hold'),
  },
  attributes: {
    paddingValues: withDefault(arrayOf(anyAttribute, 'array attribute'), []),
    paddingDimensions: withDefault(integersAttribute, []),
    staticPadToMultipleOf: withImplicitDefault(i64ArrayAttribute, []),
    packPaddings: withDefault(integersAttribute, []),
    transposePaddings: withDefault(permutationsAttribute, []),
    copyBackOp: withDefault(stringAttributeKind, 'bufferization.materialize_in_destination'),
  },
  results: { padded: produces('the ops'), pad: produces('the paddings'), copy: produces('what copies back') },
  assembly: {
    format:
      '$target (`pad_to_multiple_of` custom<DynamicIndexList>($padToMultipleOf, $static_pad_to_multiple_of)^)? attr-dict `:` functional-type(operands, results)',
    directives,
  },
  *verify({ attributes }) {
    const { packPaddings, paddingDimensions, staticPadToMultipleOf, transposePaddings } = attributes;
    if (packPaddings.some((flag) => flag !== 0 && flag !== 1))
      yield `expects pack_paddings to contain booleans (0/1), found [${packPaddings.join(', ')}]`;
    else if (paddingDimensions.some((dimension) => dimension < 0))
      yield `expects padding_dimensions to contain positive integers, found [${paddingDimensions.join(', ')}]`;
    else if (staticPadToMultipleOf.length > 0 && staticPadToMultipleOf.length !== paddingDimensions.length)
      yield 'expects as many multiples as padding_dimensions';
    else
      for (const transposition of transposePaddings)
        yield* permutationErrors('transpose_paddings', transposition, (text) => `[${text}]`);
  },
});

export const hoistPad = defineTransformOp({
  name: 'transform.structured.hoist_pad',
  summary: 'Moves a padding out of loops, which pack its tiles before.',
  operands: { target: consumes('paddings') },
  attributes: { numLoops: i64Attribute, transpose: withDefault(i64ArrayAttribute, []) },
  results: { transformed: produces('what reads the packed tensor') },
  assembly: {
    format:
      '$target `by` $num_loops `loops` (`,` `transpose` `by` $transpose^)? attr-dict `:` functional-type(operands, results)',
  },
  verify: ({ attributes: { transpose } }) => permutationErrors('transpose', transpose),
});

export const hoistPadBuildPackingLoopNest = defineTransformOp({
  name: 'transform.structured.hoist_pad.build_packing_loop_nest',
  summary: 'Makes the loops that pack the tiles of a padding, and leaves the padding.',
  operands: { target: reads('paddings'), loop: reads('one loop around it') },
  attributes: { transpose: withDefault(i64ArrayAttribute, []) },
  results: { packingLoop: produces('the loops') },
  assembly: {
    format:
      '$target `above` $loop (`,` `transpose` `by` $transpose^)? attr-dict `:` functional-type(operands, results)',
  },
  verify: ({ attributes: { transpose } }) => permutationErrors('transpose', transpose),
});

export const packOps = [
  pack,
  packGreedily,
  packTranspose,
  lowerPack,
  lowerUnpack,
  pad,
  hoistPad,
  hoistPadBuildPackingLoopNest,
];
