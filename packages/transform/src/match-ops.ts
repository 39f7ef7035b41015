/** Ops of matchers: they succeed or fail, and change no payload. */
import { enumAttribute } from '@sconv/dialects';
import {
  arrayOf,
  defineOp,
  i64,
  i64ArrayAttribute,
  i64Attribute,
  optionalAttribute,
  stringAttributeKind,
  unitAttributeKind,
  variadic,
} from '@sconv/ir';
import {
  defineTransformOp,
  produces,
  producesAny,
  producesEither,
  producesOptional,
  producesParam,
  reads,
  readsAny,
  readsParam,
  readsValues,
} from './define-transform-op.ts';
import { directives } from './directives.ts';
import { failureModeAttribute } from './failure-mode.ts';
import { functional, semiFunctional, typed } from './forms.ts';
import { scriptType } from './handle-type.ts';
import { dimsErrors } from './match-dims.ts';
import { symbolList, symbolPath } from './symbol-attributes.ts';

const strings = arrayOf(stringAttributeKind, 'string array attribute');

export const matchOperationEmpty = defineTransformOp({
  name: 'transform.match.operation_empty',
  summary: 'Succeeds where a handle stands for nothing.',
  operands: { operandHandle: reads('none or one operation') },
  assembly: typed('operandHandle'),
});

export const matchOperationName = defineTransformOp({
  name: 'transform.match.operation_name',
  summary: 'Succeeds where an operation has one of the names.',
  operands: { operandHandle: reads('one operation') },
  attributes: { opNames: strings },
  assembly: { format: '$operandHandle $op_names attr-dict `:` type($operandHandle)' },
});

export const matchParamCmpi = defineTransformOp({
  name: 'transform.match.param.cmpi',
  summary: 'Succeeds where each value of a parameter compares so with that of another.',
  operands: { param: readsParam('what to compare'), reference: readsParam('what with') },
  attributes: { predicate: enumAttribute(['eq', 'ne', 'lt', 'le', 'gt', 'ge'], 32) },
  traits: ['same-operands-type'],
  assembly: { format: '$predicate $param `,` $reference attr-dict `:` type($param)' },
});

export const collectMatching = defineTransformOp({
  name: 'transform.collect_matching',
  summary: 'Gathers what a named matcher yields for each operation under the root.',
  operands: { root: reads('where to look') },
  attributes: { matcher: symbolPath },
  results: { results: producesAny('what the matcher yields') },
  assembly: { format: '$matcher `in` $root attr-dict `:` functional-type($root, $results)' },
});

export const foreachMatch = defineTransformOp({
  name: 'transform.foreach_match',
  summary: 'Applies to each operation under the root the action of the first matcher that succeeds.',
  operands: { root: reads('where to look'), forwardedInputs: readsAny('what the matchers take besides') },
  attributes: {
    restrictRoot: unitAttributeKind,
    flattenResults: unitAttributeKind,
    matchers: symbolList,
    actions: symbolList,
  },
  results: { updated: produces('the root'), forwardedOutputs: producesAny('what the actions yield') },
  assembly: {
    format:
      'oilist(`restrict_root` $restrict_root | `flatten_results` $flatten_results) `in` $root (`,` $forwardedInputs^)? custom<ForeachMatchSymbols>($matchers, $actions) attr-dict `:` functional-type(operands, results)',
    directives,
  },
  resultName: ({ results }) => results.map((_, i) => (i === 0 ? 'updated_root' : 'yielded')),
  *verify({ attributes: { matchers, actions } }) {
    if (matchers.length !== actions.length) yield 'expected the same number of matchers and actions';
    else if (matchers.length === 0) yield 'expected at least one match/action pair';
    else if (new Set(matchers).size !== matchers.length) yield 'matchers are expected to be unique';
  },
});

export const matchStructured = defineTransformOp({
  name: 'transform.match.structured',
  summary: 'Succeeds where an operation is a structured one that the body takes; yields what that yields.',
  operands: { current: reads('one operation') },
  attributes: { failurePropagationMode: optionalAttribute(failureModeAttribute) },
  results: { outputs: producesAny('what the body yields') },
  regions: ['bodyRegion'],
  traits: ['single-block'],
  implicitTerminator: 'transform.match.structured.yield',
  assembly: {
    format:
      '(`failures` `(` $failure_propagation_mode^ `)`)? $current `:` custom<SemiFunctionType>(type($current), type($outputs)) attr-dict-with-keyword regions',
    directives,
  },
});

/** The end of the body of `match.structured`. */
const matchStructuredYield = defineOp({
  name: 'transform.match.structured.yield',
  summary: 'the end of a matcher of structured operations',
  operands: { handles: variadic(scriptType) },
  traits: ['terminator', 'return-like'],
  assembly: { format: '$handles attr-dict (`:` type($handles)^)?' },
});

/** What the matchers in the body of `match.structured` ask of its argument. */
const ofStructured = {
  operands: { operandHandle: reads('one structured operation') },
} as const;

export const matchStructuredBody = defineTransformOp({
  name: 'transform.match.structured.body',
  summary: 'Succeeds where the body of a structured operation is of the kind that an attribute names.',
  ...ofStructured,
  attributes: {
    reductionPosition: optionalAttribute(i64Attribute),
    passthrough: unitAttributeKind,
    elementwise: unitAttributeKind,
    contraction: optionalAttribute(strings),
  },
  assembly: typed('operandHandle'),
  *verify({ attributes: { reductionPosition, passthrough, elementwise, contraction } }) {
    const asked = [reductionPosition !== undefined, passthrough, elementwise, contraction !== undefined];
    if (asked.filter(Boolean).length > 1) {
      yield "only one of {'reduction_position', 'passthrough', 'elementwise', 'contraction'} is allowed";
    }
    if (contraction !== undefined && contraction.length !== 2)
      yield "expected 'contraction' to contain two op names";
  },
});

/** Parameters of these names, in their order. */
const dimensionParams = <N extends string>(...names: readonly N[]) =>
  Object.fromEntries(names.map((name) => [name, producesParam<number>('positions', i64)])) as Record<
    N,
    ReturnType<typeof producesParam<number>>
  >;

export const classifyContractionDims = defineTransformOp({
  name: 'transform.match.structured.classify_contraction_dims',
  summary: 'Succeeds where a structured operation contracts; gives its dimensions by their part in it.',
  ...ofStructured,
  results: dimensionParams('batch', 'm', 'n', 'k'),
  assembly: functional('operandHandle'),
});

export const classifyConvolutionDims = defineTransformOp({
  name: 'transform.match.structured.classify_convolution_dims',
  summary:
    'Succeeds where a structured operation is a convolution; gives its dimensions by their part in it.',
  ...ofStructured,
  results: dimensionParams(
    'batch',
    'outputImage',
    'outputChannel',
    'filterLoop',
    'inputChannel',
    'depth',
    'strides',
    'dilations',
  ),
  assembly: functional('operandHandle'),
});

export const matchStructuredDim = defineTransformOp({
  name: 'transform.match.structured.dim',
  summary: 'Succeeds where dimensions of a structured operation are as asked; gives their sizes.',
  ...ofStructured,
  attributes: {
    rawDimList: i64ArrayAttribute,
    isInverted: unitAttributeKind,
    isAll: unitAttributeKind,
    parallel: unitAttributeKind,
    reduction: unitAttributeKind,
  },
  results: { result: producesOptional('the sizes') },
  assembly: {
    format:
      '$operandHandle `[` custom<TransformMatchDims>($raw_dim_list, $is_inverted, $is_all) `]` attr-dict `:` custom<SemiFunctionType>(type($operandHandle), type($result))',
    directives,
  },
  *verify({ attributes: { rawDimList, parallel, reduction, ...dims } }) {
    if (parallel && reduction) yield 'cannot request the same dimension to be both parallel and reduction';
    else yield* dimsErrors(rawDimList, dims);
  },
});

export const matchStructuredElementalBitwidth = defineTransformOp({
  name: 'transform.match.structured.elemental_bitwidth',
  summary: 'Gives how many bits an element of a value has.',
  operands: { operandHandle: readsValues('one value') },
  results: { result: producesParam<number>('the bits', i64) },
  assembly: functional('operandHandle'),
});

/** An op that takes operands of a structured operation by their positions. */
const matchOperand = (what: 'input' | 'init') =>
  defineTransformOp({
    name: `transform.match.structured.${what}`,
    summary: `Gives ${what} operands of a structured operation, what defines them, or their maps.`,
    ...ofStructured,
    attributes: {
      rawPositionList: i64ArrayAttribute,
      isInverted: unitAttributeKind,
      isAll: unitAttributeKind,
      permutation: unitAttributeKind,
      projectedPermutation: unitAttributeKind,
    },
    results: { result: producesOptional('values, operations or maps, as its type says') },
    assembly: {
      format:
        '$operandHandle `[` custom<TransformMatchDims>($raw_position_list, $is_inverted, $is_all) `]` attr-dict `:` custom<SemiFunctionType>(type($operandHandle), type($result))',
      directives,
    },
    *verify({ attributes: { rawPositionList, permutation, projectedPermutation, ...dims } }) {
      if (permutation && projectedPermutation)
        yield "'permutation' and 'projected_permutation' are mutually exclusive";
      else yield* dimsErrors(rawPositionList, dims);
    },
  });

export const matchStructuredInput = matchOperand('input');
export const matchStructuredInit = matchOperand('init');

/** An op that counts something of a structured operation. */
const matchCount = (name: string, summary: string) =>
  defineTransformOp({
    name: `transform.match.structured.${name}`,
    summary,
    ...ofStructured,
    results: { result: producesParam<number>('the number', i64) },
    assembly: functional('operandHandle'),
  });

export const matchStructuredNumInputs = matchCount(
  'num_inputs',
  'Counts the inputs of a structured operation.',
);
export const matchStructuredNumInits = matchCount(
  'num_inits',
  'Counts the outputs of a structured operation.',
);

export const matchStructuredRank = defineTransformOp({
  name: 'transform.match.structured.rank',
  summary: 'Counts the loops of a structured operation.',
  ...ofStructured,
  results: { rank: producesParam<number>('the number', i64) },
  assembly: semiFunctional('operandHandle', 'rank'),
});

export const matchStructuredResult = defineTransformOp({
  name: 'transform.match.structured.result',
  summary: 'Gives a result of a structured operation, or an operation that uses it.',
  ...ofStructured,
  attributes: { position: i64Attribute, any: unitAttributeKind, single: unitAttributeKind },
  results: { result: producesEither('the value or a user, as its type says') },
  assembly: {
    format:
      '$operandHandle `[` $position `]` (`any` $any^)? (`single` $single^)? attr-dict `:` functional-type(operands, results)',
  },
  *verify({ results, attributes: { any, single } }) {
    const isOperation = (any || single) && results.result.type.kind === 'dialect';
    if ((any || single) && isOperation && results.result.type.body === 'any_value') {
      yield 'expects either the any/single keyword or the type value handle result type';
    }
    if (any && single) yield "'any' and 'single' are mutually exclusive";
  },
});

export const matchOps = [
  matchOperationEmpty,
  matchOperationName,
  matchParamCmpi,
  collectMatching,
  foreachMatch,
  matchStructured,
  matchStructuredBody,
  classifyContractionDims,
  classifyConvolutionDims,
  matchStructuredDim,
  matchStructuredElementalBitwidth,
  matchStructuredInput,
  matchStructuredInit,
  matchStructuredNumInputs,
  matchStructuredNumInits,
  matchStructuredRank,
  matchStructuredResult,
];
export const matchTerminators = [matchStructuredYield];
