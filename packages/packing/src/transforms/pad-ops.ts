/** Upstream's ops that pad structured ops, and move paddings. */
import {
  anyAttribute,
  arrayOf,
  i64ArrayAttribute,
  i64Attribute,
  stringAttributeKind,
  withDefault,
  withImplicitDefault,
} from '@sconv/ir';
import {
  consumes,
  defineTransformOp,
  directives,
  integersAttribute,
  permutationErrors,
  permutationsAttribute,
  produces,
  reads,
  readsSizes,
} from '@sconv/transform';

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

export const padOps = [pad, hoistPad, hoistPadBuildPackingLoopNest];
