/** Ops of matchers: they succeed or fail, and change no payload. */
import { enumAttribute } from '@sconv/dialects';
import type { Operation, Type, Value, VerifyContext, VerifyProblem } from '@sconv/ir';
import {
  arrayOf,
  bare,
  defineOp,
  i64,
  i64ArrayAttribute,
  i64Attribute,
  optionalAttribute,
  stringAttributeKind,
  unitAttributeKind,
  variadic,
} from '@sconv/ir';
import { sameKind } from './body-problem.ts';
import { argumentStatuses } from './consumed-arguments.ts';
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
import { handleType, scriptType, valueHandleType } from './handle-type.ts';
import { dimsErrors } from './match-dims.ts';
import { matcher } from './matcher.ts';
import { sequenceType } from './sequence-type.ts';
import { symbolList, symbolPath } from './symbol-attributes.ts';

const strings = arrayOf(stringAttributeKind, 'string array attribute');

export const matchOperationEmpty = defineTransformOp({
  name: 'transform.match.operation_empty',
  summary: 'Succeeds where a handle stands for nothing.',
  isMatcher: true,
  operands: { operandHandle: reads('none or one operation') },
  assembly: typed('operandHandle'),
});

export const matchOperationName = defineTransformOp({
  name: 'transform.match.operation_name',
  summary: 'Succeeds where an operation has one of the names.',
  isMatcher: true,
  operands: { operandHandle: reads('one operation') },
  attributes: { opNames: strings },
  assembly: { format: '$operandHandle $op_names attr-dict `:` type($operandHandle)' },
});

export const matchParamCmpi = defineTransformOp({
  name: 'transform.match.param.cmpi',
  summary: 'Succeeds where each value of a parameter compares so with that of another.',
  isMatcher: true,
  operands: { param: readsParam('what to compare'), reference: readsParam('what with') },
  attributes: { predicate: enumAttribute(['eq', 'ne', 'lt', 'le', 'gt', 'ge'], 32) },
  traits: ['same-operands-type'],
  assembly: { format: '$predicate $param `,` $reference attr-dict `:` type($param)' },
});

/** The type of a named sequence, and what is said of its arguments. */
const signatureOf = (symbol: Operation | undefined) => {
  const type = symbol && sequenceType(symbol);
  return type && { type, statuses: argumentStatuses(symbol) };
};

function* collectErrors(
  symbol: Operation | undefined,
  name: string,
  results: readonly Value[],
): Generator<string> {
  const matching = signatureOf(symbol);
  const yielded = matching?.type.results ?? [];
  const other = results.findIndex(({ type }, i) => yielded[i] !== undefined && !sameKind(type, yielded[i]));
  if (matching === undefined) yield `unresolved matcher symbol @${name}`;
  else if (matching.type.inputs.length !== 1 || !handleType.test(matching.type.inputs[0]!))
    yield 'expected the matcher to take one operation handle argument';
  else if (matching.statuses[0]?.isReadOnly !== true)
    yield 'expected the matcher argument to be marked readonly';
  else if (yielded.length !== results.length)
    yield `expected the matcher to yield as many values as op has results (${results.length}), got ${yielded.length}`;
  else if (other >= 0) yield `mismatching type interfaces for matcher result and op result #${other}`;
}

/** The first position at which types stand for payload of different kinds; -1 if there is none. */
const otherKind = (types: readonly Type[], wanted: readonly Type[]): number =>
  types.findIndex((type, i) => !sameKind(type, wanted[i]!));

/** What is wrong with a matcher and its action. */
function* pairErrors(
  { operands, results }: Operation,
  matcherName: string,
  actionName: string,
  context: VerifyContext,
): Generator<VerifyProblem> {
  const matching = signatureOf(context.lookupSymbol(matcherName));
  const acting = signatureOf(context.lookupSymbol(actionName));
  const fail = (message: string): VerifyProblem => ({ message, bare: true });
  if (matching === undefined) {
    yield fail(`unresolved matcher symbol @${matcherName}`);
    return;
  }
  if (acting === undefined) {
    yield fail(`unresolved action symbol @${actionName}`);
    return;
  }
  const { inputs } = matching.type;
  if (inputs.length !== operands.length) {
    yield fail(
      `the number of operands (${operands.length}) doesn't match the number of matcher arguments (${inputs.length}) for @${matcherName}`,
    );
    return;
  }
  const consumed = matching.statuses.findIndex(({ isConsumed }) => isConsumed);
  if (consumed >= 0) yield `does not expect matcher symbol to consume its operand #${consumed}`;
  const operand = otherKind(typesOf(operands), inputs);
  if (operand >= 0)
    yield fail(
      `mismatching type interfaces for operand and matcher argument #${operand} of matcher @${matcherName}`,
    );
  const [given, taken] = [matching.type.results, acting.type.inputs];
  if (given.length !== taken.length) {
    yield fail(
      `mismatching number of matcher results and action arguments between @${matcherName} (${given.length}) and @${actionName} (${taken.length})`,
    );
    return;
  }
  const argument = otherKind(given, taken);
  if (argument >= 0)
    yield fail(
      `mismatching type interfaces for matcher result and action argument #${argument}of matcher @${matcherName} and action @${actionName}`,
    );
  const [forwarded, yielded] = [typesOf(results).slice(1), acting.type.results];
  if (yielded.length !== forwarded.length) {
    yield fail(
      `the number of action results (${yielded.length}) for @${actionName} doesn't match the number of extra op results (${forwarded.length})`,
    );
    return;
  }
  const result = otherKind(yielded, forwarded);
  if (result >= 0)
    yield fail(
      `mismatching type interfaces for action result #${result} of action @${actionName} and op result`,
    );
}

const typesOf = (values: readonly Value[]): readonly Type[] => values.map(({ type }) => type);

export const collectMatching = defineTransformOp({
  name: 'transform.collect_matching',
  summary: 'Gathers what a named matcher yields for each operation under the root.',
  operands: { root: reads('where to look') },
  attributes: { matcher: symbolPath },
  results: { results: producesAny('what the matcher yields') },
  assembly: { format: '$matcher `in` $root attr-dict `:` functional-type($root, $results)' },
  verify: ({ results, attributes }, context) =>
    bare(collectErrors(context.lookupSymbol(attributes.matcher), attributes.matcher, results.results)),
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
  *verify({ operation, attributes: { matchers, actions } }, context) {
    if (matchers.length !== actions.length) yield 'expected the same number of matchers and actions';
    else if (matchers.length === 0) yield 'expected at least one match/action pair';
    else if (new Set(matchers).size !== matchers.length) yield 'matchers are expected to be unique';
    else for (const [i, name] of matchers.entries()) yield* pairErrors(operation, name, actions[i]!, context);
  },
});

export const matchStructured = defineTransformOp({
  name: 'transform.match.structured',
  summary: 'Succeeds where an operation is a structured one that the body takes; yields what that yields.',
  isMatcher: true,
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
  *verify({ operation }, context) {
    const body = operation.regions[0]?.blocks[0];
    const [argument, ...others] = body?.arguments ?? [];
    const nested = body?.operations.slice(0, -1) ?? [];
    if (argument === undefined || others.length > 0) yield 'expected one body argument';
    else if (!handleType.test(argument.type))
      yield 'expected body argument to implement TransformHandleTypeInterface';
    else if (nested.some((each) => context.modelOf(each, matcher) === undefined))
      yield 'expects nested operations to implement MatchOpInterface';
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
  isMatcher: true,
} as const;

/** Where they may stand, and what they are to be applied to. */
function* placeErrors({ operands }: Operation, { ancestors }: VerifyContext): Generator<string> {
  const [parent] = ancestors;
  const body = parent?.regions[0]?.blocks[0];
  if (parent?.name !== 'transform.match.structured')
    yield "expects parent op to be 'transform.match.structured'";
  else if (body?.arguments[0]?.id !== operands[0]?.id)
    yield 'expected predicate to apply to the surrounding structured op';
}

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
  *verify({ operation, attributes: { reductionPosition, passthrough, elementwise, contraction } }, context) {
    yield* placeErrors(operation, context);
    const asked = [reductionPosition !== undefined, passthrough, elementwise, contraction !== undefined];
    if (asked.filter(Boolean).length > 1)
      yield 'only one of {"reduction_position", "passthrough", "elementwise", "contraction"} is allowed';
    else if (contraction !== undefined && contraction.length !== 2)
      yield 'expects "contraction" to contain two elements';
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
  verify: ({ operation }, context) => placeErrors(operation, context),
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
  verify: ({ operation }, context) => placeErrors(operation, context),
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
  *verify({ operation, attributes: { rawDimList, parallel, reduction, ...dims } }, context) {
    yield* placeErrors(operation, context);
    if (parallel && reduction) yield 'cannot request the same dimension to be both parallel and reduction';
    else yield* dimsErrors(rawDimList, dims);
  },
});

export const matchStructuredElementalBitwidth = defineTransformOp({
  name: 'transform.match.structured.elemental_bitwidth',
  isMatcher: true,
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
    *verify({ operation, attributes }, context) {
      const { rawPositionList, permutation, projectedPermutation, ...dims } = attributes;
      yield* placeErrors(operation, context);
      if (permutation && projectedPermutation)
        yield '"permutation" and "projected_permutation" are mutually exclusive';
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
    verify: ({ operation }, context) => placeErrors(operation, context),
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
  verify: ({ operation }, context) => placeErrors(operation, context),
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
  *verify({ operation, results: { result }, attributes: { any, single } }, context) {
    yield* placeErrors(operation, context);
    if ((any || single) === valueHandleType.test(result.type))
      yield 'expects either the any/single keyword or the type value handle result type';
    else if (any && single) yield "'any' and 'single' are mutually exclusive";
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
