/** Ops that match structured operations: `match.structured`, and the ops in its body. */
import type { Diagnosed } from '@sconv/diagnostics';
import { andThen, collect, definite, error, mapSuccess, success } from '@sconv/diagnostics';
import type { AffineMap } from '@sconv/affine';
import { isPermutation, isProjectedPermutation } from '@sconv/affine';
import type { StructuredOp } from '@sconv/dialects/linalg';
import { contractionDimensions, convolutionDimensions, structured } from '@sconv/dialects/linalg';
import type { Block, DraftOperation, Id, Operation, Value, VerifyContext } from '@sconv/ir';
import {
  affineMapAttribute,
  arrayOf,
  bodyOf,
  defineOp,
  floatWidth,
  i64,
  i64ArrayAttribute,
  i64Attribute,
  integerAttribute,
  optionalAttribute,
  printType,
  stringAttributeKind,
  terminatorOf,
  unitAttributeKind,
  variadic,
} from '@sconv/ir';
import { defineTransformOp } from './define-transform-op.ts';
import {
  producesAny,
  producesEither,
  producesOptional,
  producesParam,
  reads,
  readsValues,
} from './handle-specs.ts';
import { directives } from './directives.ts';
import type { FailureMode } from './failure-mode.ts';
import { failureModeAttribute } from './failure-mode.ts';
import { functional, semiFunctional, typed } from './forms.ts';
import { handleType, scriptType, valueHandleType } from './handle-type.ts';
import type { Inspector } from './inspect.ts';
import { inspect } from './inspect.ts';
import { dimsErrors, expandDims, positionFailures } from './match-dims.ts';
import { matcher } from './matcher.ts';
import type { Payload } from './payload.ts';
import { emptyPayload, operationsPayload, paramsPayload, payloadKindOf, valuesPayload } from './payload.ts';
import type { ScheduleRun } from './schedule-run.ts';
import { noMatch, singleOperation, singleOperationFailures } from './single-payload.ts';
import { bodyProblem } from './structured-body.ts';

const strings = arrayOf(stringAttributeKind, 'string array attribute');

export const matchStructured = defineTransformOp({
  name: 'transform.match.structured',
  summary: 'Succeeds if an operation is structured and matches the body; returns what the body yields.',
  isMatcher: true,
  operands: { current: reads('one operation') },
  attributes: { failurePropagationMode: optionalAttribute(failureModeAttribute) },
  results: { outputs: producesAny('what the body yields') },
  regions: ['bodyRegion'],
  traits: ['single-block'],
  implicitTerminator: 'transform.match.structured.yield',
  failures: singleOperationFailures,
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
  interpret: (run, operation, { failurePropagationMode: mode = 'propagate' }) =>
    andThen(singleOperation(run, operation), (target) => {
      const bindEmpty = () =>
        run.bindResults(
          operation,
          operation.results.map(({ type }) => emptyPayload(type)),
        );
      if (structured(run.context.registry, target) === undefined)
        return mode === 'propagate' ? noMatch(operation, 'expected a Linalg op') : bindEmpty();
      const body = bodyOf(operation);
      return run.nested(operation, () =>
        andThen(run.bindAll(operation, body.arguments, [operationsPayload([target.id])]), () =>
          bindYielded(run, operation, body, mode),
        ),
      );
    }),
});

/** Runs the body; if a failure in it is suppressed, binds what was yielded before, or nothing. */
const bindYielded = (
  run: ScheduleRun,
  operation: Operation,
  body: Block,
  mode: FailureMode,
): Diagnosed<undefined> => {
  const unknown = new Set<Id>();
  const nested = body.operations.slice(0, -1);
  for (const [i, each] of nested.entries()) {
    const result = run.runOperations([each]);
    if (result.status === 'success') continue;
    if (result.status === 'definite' || mode === 'propagate') return result;
    for (const later of nested.slice(i)) for (const { id } of later.results) unknown.add(id);
    break;
  }
  return run.bindResults(
    operation,
    terminatorOf(body).operands.map((value) =>
      unknown.has(value.id) ? emptyPayload(value.type) : run.payloadOf(value),
    ),
  );
};

/** The terminator of `match.structured`. */
const matchStructuredYield = defineOp({
  name: 'transform.match.structured.yield',
  summary: 'the terminator of a matcher of structured operations',
  operands: { handles: variadic(scriptType) },
  traits: ['terminator', 'return-like'],
  assembly: { format: '$handles attr-dict (`:` type($handles)^)?' },
});

/** Queries of the matchers in the body of `match.structured`. */
const ofStructured = {
  operands: { operandHandle: reads('one structured operation') },
  isMatcher: true,
  failures: singleOperationFailures,
} as const;

/** Runs a matcher of the body on its structured operation. */
const onStructured = <T>(
  run: ScheduleRun,
  operation: Operation,
  look: (target: DraftOperation, view: StructuredOp, inspector: Inspector) => Diagnosed<T>,
): Diagnosed<T> =>
  andThen(singleOperation(run, operation), () =>
    inspect(run, operation.operands[0]!, ([target], inspector) =>
      // `match.structured` guarantees one.
      look(target!, structured(inspector.registry, target!)!, inspector),
    ),
  );

/** Binds an op's result to these integers; no-op without results. */
const bindIntegers = (
  run: ScheduleRun,
  operation: Operation,
  lists: readonly (readonly number[])[],
): Diagnosed<undefined> =>
  run.bindResults(
    operation,
    lists.map((list) => paramsPayload(list.map((value) => integerAttribute(value, i64)))),
  );

/** Errors of an op's position and operand. */
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
  summary: 'Succeeds if the body of a structured operation is of the given kind.',
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
  failures: {
    ...singleOperationFailures,
    'transform/body-condition': { mode: 'definite', when: 'no attribute specifies the kind' },
  },
  interpret: (run, operation, question) =>
    onStructured(run, operation, (target, view, inspector) => {
      const { reductionPosition, passthrough, elementwise, contraction } = question;
      if (reductionPosition === undefined && !passthrough && !elementwise && contraction === undefined)
        return definite(error('transform/body-condition', 'unknown body condition', operation.location));
      const problem = bodyProblem({ operation: target, view, body: view.body!, inspector }, question);
      return problem === undefined ? success(undefined) : noMatch(operation, problem);
    }),
});

/** Result parameters with these names, in order. */
const dimensionParams = <N extends string>(...names: readonly N[]) =>
  Object.fromEntries(
    names.map((name) => {
      const isFactor = name === 'strides' || name === 'dilations';
      const doc = isFactor
        ? 'the factors, one per dimension of the image'
        : 'the positions of these dimensions';
      return [name, producesParam<number>(doc, i64)];
    }),
  ) as Record<N, ReturnType<typeof producesParam<number>>>;

export const classifyContractionDims = defineTransformOp({
  name: 'transform.match.structured.classify_contraction_dims',
  summary: 'Succeeds if a structured operation is a contraction; returns its dimensions by role.',
  ...ofStructured,
  results: dimensionParams('batch', 'm', 'n', 'k'),
  verify: ({ operation }, context) => placeErrors(operation, context),
  assembly: functional('operandHandle'),
  interpret: (run, operation) =>
    onStructured(run, operation, (_, view) => {
      const dimensions = contractionDimensions(view);
      if (dimensions === undefined) return noMatch(operation, 'could not infer contraction dimensions');
      const { batch, m, n, k } = dimensions;
      return bindIntegers(run, operation, [batch, m, n, k]);
    }),
});

export const classifyConvolutionDims = defineTransformOp({
  name: 'transform.match.structured.classify_convolution_dims',
  summary: 'Succeeds if a structured operation is a convolution; returns its dimensions by role.',
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
  interpret: (run, operation) =>
    onStructured(run, operation, (_, view) => {
      const dimensions = convolutionDimensions(view);
      if (dimensions === undefined) return noMatch(operation, 'could not infer convolution dimensions');
      const { batch, outputImage, outputChannel, filterLoop, inputChannel, depth, strides, dilations } =
        dimensions;
      return bindIntegers(run, operation, [
        batch,
        outputImage,
        outputChannel,
        filterLoop,
        inputChannel,
        depth,
        strides,
        dilations,
      ]);
    }),
});

export const matchStructuredDim = defineTransformOp({
  name: 'transform.match.structured.dim',
  summary: 'Succeeds if dimensions of a structured operation satisfy the constraints; returns their sizes.',
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
  failures: { ...singleOperationFailures, ...positionFailures },
  interpret: (run, operation, { rawDimList, parallel, reduction, ...flags }) =>
    onStructured(run, operation, (target, { iteratorTypes, loopRanges }) => {
      const place = { operation, target, count: iteratorTypes.length, what: 'dimensions' };
      return andThen(expandDims(rawDimList, flags, place), (dims) => {
        const wanted = parallel ? 'parallel' : reduction ? 'reduction' : undefined;
        const other = dims.find((dim) => wanted !== undefined && iteratorTypes[dim] !== wanted);
        if (other !== undefined) return noMatch(operation, `expects dimension #${other} to be ${wanted!}`);
        const sizes = dims.map((dim) => loopRanges[dim]!);
        return bindIntegers(run, operation, operation.results.length === 0 ? [] : [sizes]);
      });
    }),
});

export const matchStructuredElementalBitwidth = defineTransformOp({
  name: 'transform.match.structured.elemental_bitwidth',
  isMatcher: true,
  summary: 'Returns the bit width of the elements of a value.',
  operands: { operandHandle: readsValues('one value') },
  results: { result: producesParam<number>('the bits', i64) },
  failures: singleOperationFailures,
  assembly: functional('operandHandle'),
  interpret: (run, operation) => {
    const payload = run.resolve(run.payloadOf(operation.operands[0]!));
    const [value, ...others] = payload.kind === 'values' ? payload.values : [];
    if (value === undefined || others.length > 0) {
      const message = 'SingleValueMatchOpTrait requires the value handle to point to a single payload value';
      return definite(error('transform/match-single', message, operation.location));
    }
    const { type } = value;
    const element = 'elementType' in type && type.kind !== 'complex' ? type.elementType : type;
    if (element.kind === 'integer') return bindIntegers(run, operation, [[element.width]]);
    if (element.kind === 'float') return bindIntegers(run, operation, [[floatWidth(element.name)]]);
    return noMatch(operation, `unsupported type: ${printType(type)}`);
  },
});

/** An op that selects operands of a structured operation by position; `one` and `all` name them in diagnostics. */
const matchOperand = (what: 'input' | 'init', one: string, all: string) =>
  defineTransformOp({
    name: `transform.match.structured.${what}`,
    summary: `Returns ${what} operands of a structured operation, their defining operations, or their indexing maps.`,
    ...ofStructured,
    attributes: {
      rawPositionList: i64ArrayAttribute,
      isInverted: unitAttributeKind,
      isAll: unitAttributeKind,
      permutation: unitAttributeKind,
      projectedPermutation: unitAttributeKind,
    },
    results: { result: producesOptional('values, operations or maps, depending on its type') },
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
    failures: { ...singleOperationFailures, ...positionFailures },
    interpret: (run, operation, { rawPositionList, permutation, projectedPermutation, ...flags }) =>
      onStructured(run, operation, (target, { inputs, outputs, indexingMaps }, inspector) => {
        const [operands, first] = what === 'input' ? [inputs, 0] : [outputs, inputs.length];
        const place = { operation, target, count: operands.length, what: all };
        return andThen(expandDims(rawPositionList, flags, place), (positions) => {
          for (const position of positions) {
            const map = indexingMaps[first + position]!;
            const form = permutation ? 'permutation' : 'projected permutation';
            if (
              (permutation && !isPermutation(map)) ||
              (projectedPermutation && !isProjectedPermutation(map))
            )
              return noMatch(operation, `the indexing map for ${one} #${position} is not a ${form}`);
          }
          const [result] = operation.results;
          if (result === undefined) return success(undefined);
          const payload = operandPayload(
            operation,
            payloadKindOf(result.type),
            positions.map((position) => ({
              name: `${one} #${position}`,
              value: operands[position]!,
              map: indexingMaps[first + position]!,
            })),
            inspector,
          );
          return andThen(payload, (found) => run.bindResults(operation, [found]));
        });
      }),
  });

interface MatchedOperand {
  readonly name: string;
  readonly value: Value;
  readonly map: AffineMap;
}

/** Operands as values, as their definitions, or as their maps. */
const operandPayload = (
  operation: Operation,
  kind: Payload['kind'],
  operands: readonly MatchedOperand[],
  inspector: Inspector,
): Diagnosed<Payload> => {
  if (kind === 'params') return success(paramsPayload(operands.map(({ map }) => affineMapAttribute(map))));
  if (kind === 'values') return success(valuesPayload(operands.map(({ value }) => value.id)));
  return mapSuccess(
    collect(operands, ({ name, value }): Diagnosed<Id> => {
      const definition = inspector.definingOperation(value);
      return definition === undefined
        ? noMatch(operation, `${name} is not produced by an operation`)
        : success(definition.id);
    }),
    operationsPayload,
  );
};

export const matchStructuredInput = matchOperand('input', 'input', 'DPS inputs');
export const matchStructuredInit = matchOperand('init', 'output(init)', 'DPS inits (outputs)');

/** An op that queries a count of a structured operation. */
const matchCount = (name: string, summary: string, count: (view: StructuredOp) => number) =>
  defineTransformOp({
    name: `transform.match.structured.${name}`,
    summary,
    ...ofStructured,
    results: { result: producesParam<number>('the number', i64) },
    assembly: functional('operandHandle'),
    verify: ({ operation }, context) => placeErrors(operation, context),
    interpret: (run, operation) =>
      onStructured(run, operation, (_, view) => bindIntegers(run, operation, [[count(view)]])),
  });

export const matchStructuredNumInputs = matchCount(
  'num_inputs',
  'Counts the inputs of a structured operation.',
  ({ inputs }) => inputs.length,
);
export const matchStructuredNumInits = matchCount(
  'num_inits',
  'Counts the outputs of a structured operation.',
  ({ outputs }) => outputs.length,
);

export const matchStructuredRank = defineTransformOp({
  name: 'transform.match.structured.rank',
  summary: 'Counts the loops of a structured operation.',
  ...ofStructured,
  results: { rank: producesParam<number>('the number', i64) },
  assembly: semiFunctional('operandHandle', 'rank'),
  verify: ({ operation }, context) => placeErrors(operation, context),
  interpret: (run, operation) =>
    onStructured(run, operation, (_, { iteratorTypes }) =>
      bindIntegers(run, operation, [[iteratorTypes.length]]),
    ),
});

export const matchStructuredResult = defineTransformOp({
  name: 'transform.match.structured.result',
  summary: 'Returns a result of a structured operation, or one of its users.',
  ...ofStructured,
  attributes: { position: i64Attribute, any: unitAttributeKind, single: unitAttributeKind },
  results: { result: producesEither('the value or a user, depending on its type') },
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
  interpret: (run, operation, { position, single }) =>
    onStructured(run, operation, (target, { outputs }, inspector) => {
      const at = position < 0 ? outputs.length + position : position;
      if (at < 0 || at >= outputs.length) {
        const overflow = `position ${position} overflows the number of results(ints) of the payload operation`;
        return noMatch(operation, overflow);
      }
      const result = target.results[at];
      if (payloadKindOf(operation.results[0]!.type) === 'values')
        return run.bindResults(operation, [valuesPayload(result === undefined ? [] : [result.id])]);
      const found = result === undefined ? [] : inspector.users(result);
      const user = found.at(-1);
      if (user === undefined) return noMatch(operation, `no users of the result #${position}`);
      if (single && found.length > 1)
        return noMatch(operation, 'more than one result user with single user requested');
      return run.bindResults(operation, [operationsPayload([user.id])]);
    }),
});

export const matchStructuredOps = [
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
