/** Linalg ops that are not structured: they decompose into several that are. */
import type { Operation, TypeConstraint } from '@sconv/ir';
import { defineOp, i64Attribute, one, typeConstraint, variadic } from '@sconv/ir';
import { anyShaped, compatibleShapes, elementTypeErrors, rankedTensor, shapeOf } from './constraints.ts';

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
      'attr-dict `dimension` `(` $dimension `)` `ins` `(` $input `:` type($input) `)` `outs` `(` $output `:` type($output) `)` (`->` type($result)^)?',
  },
});

const tensorOfRank = (rank: number): TypeConstraint =>
  typeConstraint(
    `${rank}D tensor of any type values`,
    (type) => type.kind === 'tensor' && type.shape.length === rank,
  );

/** One of the three steps of a Winograd convolution of output tile `m` and filter `r`. */
const winograd = (mnemonic: string, operand: string, inputRank: number, outputRank: number) =>
  defineOp({
    name: `linalg.${mnemonic}`,
    summary: mnemonic.replaceAll('_', ' '),
    operands: { [operand]: one(tensorOfRank(inputRank)), output: one(tensorOfRank(outputRank)) },
    results: { result: one(tensorOfRank(outputRank)) },
    attributes: { m: i64Attribute, r: i64Attribute },
    verify: ({ operation }) => elementTypeErrors(`all of {${operand}, output}`, operandTypes(operation)),
    assembly: {
      format: `attr-dict \`m\` \`(\` $m \`)\` \`r\` \`(\` $r \`)\` \`ins\` \`(\` $${operand} \`:\` type($${operand}) \`)\` \`outs\` \`(\` $output \`:\` type($output) \`)\` \`->\` type($result)`,
    },
  });

export const winogradFilterTransform = winograd('winograd_filter_transform', 'filter', 4, 4);
export const winogradInputTransform = winograd('winograd_input_transform', 'input', 4, 6);
export const winogradOutputTransform = winograd('winograd_output_transform', 'value', 6, 4);

/** All of them. */
export const aggregates = [
  softmax,
  winogradFilterTransform,
  winogradInputTransform,
  winogradOutputTransform,
] as const;
