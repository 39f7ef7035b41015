/** The matchers in the body of `match.structured`. */
import type { Diagnosed } from '@sconv/diagnostics';
import { andThen, collect, definite, error, mapSuccess, success } from '@sconv/diagnostics';
import type { AffineMap } from '@sconv/affine';
import { isPermutation, isProjectedPermutation } from '@sconv/affine';
import { elementTypeOf } from '@sconv/dialects';
import type { StructuredOp } from '@sconv/dialects/linalg';
import { contractionDimensions, convolutionDimensions, structured } from '@sconv/dialects/linalg';
import type { DraftOperation, Id, Operation, Value, VerifyContext } from '@sconv/ir';
import {
  affineMapAttribute,
  floatWidth,
  i64,
  i64ArrayAttribute,
  i64Attribute,
  integerAttribute,
  optionalAttribute,
  printType,
  unitAttributeKind,
} from '@sconv/ir';
import { stringsAttribute } from './attribute-kinds.ts';
import { defineTransformOp } from './define-transform-op.ts';
import { producesEither, producesOptional, producesParam, reads, readsValues } from './handle-specs.ts';
import { directives } from './directives.ts';
import { functional, semiFunctional, typed } from './forms.ts';
import { valueHandleType } from './handle-type.ts';
import type { Inspector } from './inspect.ts';
import { inspect } from './inspect.ts';
import { dimsErrors, expandDims, positionFailures } from './match-dims.ts';
import type { Payload } from './payload.ts';
import { operationsPayload, paramsPayload, payloadKindOf, valuesPayload } from './payload.ts';
import type { ScheduleRun } from './schedule-run.ts';
import { noMatch, singleOperation, singleOperationFailures } from './single-payload.ts';
import { bodyProblem } from './structured-body.ts';

/** Errors of an op that is not in the body of `match.structured`, or matches something else than that does. */
function* placeErrors(
  { operation: { operands } }: { readonly operation: Operation },
  { ancestors }: VerifyContext,
): Generator<string> {
  const [parent] = ancestors;
  const body = parent?.regions[0]?.blocks[0];
  if (parent?.name !== 'transform.match.structured')
    yield "expects parent op to be 'transform.match.structured'";
  else if (body?.arguments[0]?.id !== operands[0]?.id)
    yield 'expected predicate to apply to the surrounding structured op';
}

/** What the matchers in the body of `match.structured` share. */
const ofStructured = {
  operands: { operandHandle: reads('one structured operation') },
  isMatcher: true,
  failures: singleOperationFailures,
  verify: placeErrors,
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

export const matchStructuredBody = defineTransformOp({
  name: 'transform.match.structured.body',
  summary: 'Succeeds if the body of a structured operation is of the given kind.',
  ...ofStructured,
  attributes: {
    reductionPosition: optionalAttribute(i64Attribute),
    passthrough: unitAttributeKind,
    elementwise: unitAttributeKind,
    contraction: optionalAttribute(stringsAttribute),
  },
  assembly: typed('operandHandle'),
  *verify(declared, context) {
    yield* placeErrors(declared, context);
    const { reductionPosition, passthrough, elementwise, contraction } = declared.attributes;
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

/** A parameter for each role of dimensions. */
const roleParams = <N extends string>(roles: readonly N[]) => {
  const docOf = (role: N): string =>
    role === 'strides' || role === 'dilations'
      ? 'the factors, one per dimension of the image'
      : 'the positions of these dimensions';
  return Object.fromEntries(roles.map((role) => [role, producesParam<number>(docOf(role), i64)])) as Record<
    N,
    ReturnType<typeof producesParam<number>>
  >;
};

/** An op that classifies the dimensions of a structured operation; undefined if it is of another kind. */
const classifyDims = <const N extends string>(
  kind: 'contraction' | 'convolution',
  roles: readonly N[],
  classify: (view: StructuredOp) => Readonly<Record<N, readonly number[]>> | undefined,
) =>
  defineTransformOp({
    name: `transform.match.structured.classify_${kind}_dims`,
    summary: `Succeeds if a structured operation is a ${kind}; returns its dimensions by role.`,
    ...ofStructured,
    results: roleParams(roles),
    assembly: functional('operandHandle'),
    interpret: (run, operation) =>
      onStructured(run, operation, (_, view) => {
        const dimensions = classify(view);
        return dimensions === undefined
          ? noMatch(operation, `could not infer ${kind} dimensions`)
          : bindIntegers(
              run,
              operation,
              roles.map((role) => dimensions[role]),
            );
      }),
  });

export const classifyContractionDims = classifyDims(
  'contraction',
  ['batch', 'm', 'n', 'k'],
  contractionDimensions,
);

export const classifyConvolutionDims = classifyDims(
  'convolution',
  ['batch', 'outputImage', 'outputChannel', 'filterLoop', 'inputChannel', 'depth', 'strides', 'dilations'],
  convolutionDimensions,
);

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
      '$operandHandle `[` custom<TransformMatchDims>($raw_dim_list, $is_inverted, $is_all) `]` ' +
      'attr-dict `:` custom<SemiFunctionType>(type($operandHandle), type($result))',
    directives,
  },
  *verify(declared, context) {
    yield* placeErrors(declared, context);
    const { rawDimList, parallel, reduction, ...dims } = declared.attributes;
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
    const element = elementTypeOf(type);
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
        '$operandHandle `[` custom<TransformMatchDims>($raw_position_list, $is_inverted, $is_all) ' +
        '`]` attr-dict `:` custom<SemiFunctionType>(type($operandHandle), type($result))',
      directives,
    },
    *verify(declared, context) {
      yield* placeErrors(declared, context);
      const { rawPositionList, permutation, projectedPermutation, ...dims } = declared.attributes;
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
      '$operandHandle `[` $position `]` (`any` $any^)? (`single` $single^)? attr-dict `:` ' +
      'functional-type(operands, results)',
  },
  *verify(declared, context) {
    yield* placeErrors(declared, context);
    const { any, single } = declared.attributes;
    const { result } = declared.results;
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

/** For the dialect, in upstream's order. */
export const matchStructuredOps = [
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
