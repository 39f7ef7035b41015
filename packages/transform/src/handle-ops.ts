/** Ops that derive handles and parameters from others, and leave the payload unchanged. */
import type { Diagnosed } from '@sconv/diagnostics';
import { andThen, collect, definite, error, silenceable, success } from '@sconv/diagnostics';
import { elementTypeOf } from '@sconv/dialects';
import type { DraftOperation, Operation, Registry, Value } from '@sconv/ir';
import {
  closestParent,
  hasTrait,
  i64,
  i64ArrayAttribute,
  i64Attribute,
  integerAttribute,
  optionalAttribute,
  positive,
  stringAttributeKind,
  typeAttribute,
  unitAttributeKind,
  withDefault,
} from '@sconv/ir';
import { defineTransformOp } from './define-transform-op.ts';
import {
  produces,
  producesAny,
  producesParam,
  producesValues,
  reads,
  readsAny,
  readsEither,
  readsValues,
} from './handle-specs.ts';
import { directives } from './directives.ts';
import { functional } from './forms.ts';
import { inspect, inspectValues, noteAt } from './inspect.ts';
import type { DimsFlags } from './match-dims.ts';
import { dimsErrors, expandDims, positionFailures } from './match-dims.ts';
import { joinPayloads, operationsPayload, paramsPayload, sizeOf, valuesPayload } from './payload.ts';
import type { ScheduleRun } from './schedule-run.ts';

/** Binds the only result to these payload operations. */
const bindOperations = (
  run: ScheduleRun,
  operation: Operation,
  found: Diagnosed<readonly Operation[]>,
): Diagnosed<undefined> =>
  andThen(found, (operations) =>
    run.bindResults(operation, [operationsPayload(operations.map(({ id }) => id))]),
  );

/** `transform.get_parent_op`: gets the closest ancestors of the target that match the attributes. */
export const getParentOp = defineTransformOp({
  name: 'transform.get_parent_op',
  summary: 'Gets the closest ancestors of the target that match the attributes.',
  isMatcher: true,
  operands: { target: reads('any operations') },
  attributes: {
    isolatedFromAbove: unitAttributeKind,
    allowEmptyResults: unitAttributeKind,
    opName: optionalAttribute(stringAttributeKind),
    deduplicate: unitAttributeKind,
    nthParent: withDefault(positive(i64Attribute), 1),
  },
  results: { parent: produces('the ancestors') },
  failures: {
    'transform/no-parent': {
      mode: 'silenceable',
      when: 'a target has no such ancestor, and `allow_empty_results` is not set',
    },
  },
  assembly: functional(),
  interpret: (run, operation, wanted) => {
    const { nthParent, allowEmptyResults, deduplicate } = wanted;
    const parents: DraftOperation[] = [];
    const found = inspect(run, operation.operands[0]!, (targets, { registry }): Diagnosed<undefined> => {
      for (const target of targets) {
        let parent: DraftOperation | undefined = target;
        for (let i = 0; i < nthParent; i++) parent = ancestorOf(parent, wanted, registry);
        if (parent !== undefined) {
          if (!deduplicate || !parents.includes(parent)) parents.push(parent);
        } else if (allowEmptyResults) return success(undefined);
        else {
          const message = 'could not find a parent op that matches all requirements';
          return silenceable(
            error('transform/no-parent', message, operation.location, [noteAt('target op', target)]),
          );
        }
      }
      return success(undefined);
    });
    return andThen(found, () => bindOperations(run, operation, success(parents)));
  },
});

/** The closest matching ancestor of an operation. */
const ancestorOf = (
  operation: DraftOperation | undefined,
  { isolatedFromAbove, opName }: { readonly isolatedFromAbove: boolean; readonly opName: string | undefined },
  registry: Registry,
): DraftOperation | undefined =>
  operation &&
  closestParent(
    operation,
    (parent) =>
      (!isolatedFromAbove || hasTrait(registry, parent, 'isolated-from-above')) &&
      (opName === undefined || parent.name === opName),
  );

/** `transform.get_consumers_of_result`: gets the operations that use a result of the target. */
export const getConsumersOfResult = defineTransformOp({
  name: 'transform.get_consumers_of_result',
  summary: 'Gets the operations that use a result of the target.',
  operands: { target: reads('one operation') },
  attributes: { resultNumber: i64Attribute },
  results: { consumers: produces('its users, last first, once per use') },
  failures: {
    'transform/consumers': {
      mode: 'definite',
      when: 'the handle refers to several operations, or the operation has no such result',
    },
  },
  assembly: { format: '$target `[` $result_number `]` attr-dict `:` functional-type(operands, results)' },
  interpret: (run, operation, { resultNumber }) =>
    bindOperations(
      run,
      operation,
      inspect(run, operation.operands[0]!, ([target, ...others], inspector) => {
        if (target === undefined) return success([]);
        const result = target.results[resultNumber];
        if (others.length === 0 && result !== undefined) {
          // In the order of upstream's use lists after parsing.
          const users = inspector.users(result).toReversed();
          return success(
            users.flatMap((user) => user.operands.filter(({ id }) => id === result.id).map(() => user)),
          );
        }
        const message =
          others.length > 0 ? 'handle must be mapped to exactly one payload op' : 'result number overflow';
        return definite(error('transform/consumers', message, operation.location));
      }),
    ),
});

/** `transform.get_producer_of_operand`: gets the operation that defines an operand of the target. */
export const getProducerOfOperand = defineTransformOp({
  name: 'transform.get_producer_of_operand',
  summary: 'Gets the operation that defines an operand of the target.',
  isMatcher: true,
  operands: { target: reads('any operations') },
  attributes: { operandNumber: i64Attribute },
  results: { producer: produces('the defining operations') },
  failures: {
    'transform/no-producer': {
      mode: 'silenceable',
      when: 'a target has no such operand, or the operand is a block argument',
    },
  },
  assembly: { format: '$target `[` $operand_number `]` attr-dict `:` functional-type(operands, results)' },
  interpret: (run, operation, { operandNumber }) =>
    bindOperations(
      run,
      operation,
      inspect(run, operation.operands[0]!, (targets, inspector) =>
        collect(targets, (target): Diagnosed<Operation> => {
          const operand = target.operands[operandNumber];
          const producer = operand && inspector.definingOperation(operand);
          if (producer !== undefined) return success(producer);
          const message = `could not find a producer for operand number: ${operandNumber} of ${target.name}`;
          return silenceable(
            error('transform/no-producer', message, operation.location, [noteAt('target op', target)]),
          );
        }),
      ),
    ),
});

/** `transform.get_defining_op`: gets the operations that define values. */
export const getDefiningOp = defineTransformOp({
  name: 'transform.get_defining_op',
  summary: 'Gets the operations that define values.',
  isMatcher: true,
  operands: { target: readsValues('any values') },
  results: { result: produces('the defining operations') },
  failures: {
    'transform/block-argument': { mode: 'silenceable', when: 'a value is a block argument' },
  },
  assembly: functional(),
  interpret: (run, operation) =>
    bindOperations(
      run,
      operation,
      inspectValues(run, operation.operands[0]!, (values, inspector) =>
        collect(values, (located): Diagnosed<Operation> => {
          const definition = inspector.definingOperation(located.value);
          if (definition !== undefined) return success(definition);
          const message = 'cannot get defining op of block argument';
          return silenceable(
            error('transform/block-argument', message, operation.location, [
              noteAt('target value', located.operation),
            ]),
          );
        }),
      ),
    ),
});

/** `[0, -1]`, `[all]` or `[except(0)]`: positions among the target's values. */
const positions = {
  attributes: {
    rawPositionList: i64ArrayAttribute,
    isInverted: unitAttributeKind,
    isAll: unitAttributeKind,
  },
  assembly: {
    format:
      '$target `[` custom<TransformMatchDims>($raw_position_list, $is_inverted, $is_all) `]` ' +
      'attr-dict `:` functional-type(operands, results)',
    directives,
  },
  failures: positionFailures,
} as const;

/** Binds the values at the given positions among those that `valuesOf` returns for a target. */
const bindPositions = (
  run: ScheduleRun,
  operation: Operation,
  { rawPositionList, ...flags }: DimsFlags & { readonly rawPositionList: readonly number[] },
  valuesOf: (target: Operation) => readonly Value[],
): Diagnosed<undefined> => {
  const found = collect(run.operations(run.idsOf(operation.operands[0]!)), (target) => {
    const values = valuesOf(target);
    const place = { operation, target, count: values.length, what: 'positions' };
    return andThen(expandDims(rawPositionList, flags, place), (at) => success(at.map((i) => values[i]!.id)));
  });
  return andThen(found, (ids) => run.bindResults(operation, [valuesPayload(ids.flat())]));
};

/** `transform.get_operand`: gets operands of the target. */
export const getOperand = defineTransformOp({
  name: 'transform.get_operand',
  summary: 'Gets operands of the target.',
  isMatcher: true,
  operands: { target: reads('any operations') },
  results: { result: producesValues('the operands') },
  ...positions,
  verify: ({ attributes: { rawPositionList, ...dims } }) => dimsErrors(rawPositionList, dims),
  interpret: (run, operation, attributes) =>
    bindPositions(run, operation, attributes, ({ operands }) => operands),
});

/** `transform.get_result`: gets results of the target. */
export const getResult = defineTransformOp({
  name: 'transform.get_result',
  summary: 'Gets results of the target.',
  operands: { target: reads('any operations') },
  results: { result: producesValues('the results') },
  ...positions,
  verify: ({ attributes: { rawPositionList, ...dims } }) => dimsErrors(rawPositionList, dims),
  interpret: (run, operation, attributes) =>
    bindPositions(run, operation, attributes, ({ results }) => results),
});

/** `transform.get_type`: gets the type of values, or of their elements, as a parameter. */
export const getType = defineTransformOp({
  name: 'transform.get_type',
  summary: 'Gets the type of values, or of their elements, as a parameter.',
  isMatcher: true,
  operands: { value: readsValues('any values') },
  attributes: { elemental: unitAttributeKind },
  results: { typeParam: producesParam('the types', i64) },
  assembly: {
    format: '(`elemental` $elemental^)? $value attr-dict `:` functional-type(operands, results)',
  },
  interpret: (run, operation, { elemental }) => {
    const resolved = run.resolve(run.payloadOf(operation.operands[0]!));
    const types = resolved.kind === 'values' ? resolved.values.map(({ type }) => type) : [];
    return run.bindResults(operation, [
      paramsPayload(types.map((type) => typeAttribute(elemental ? elementTypeOf(type) : type))),
    ]);
  },
});

/** `transform.num_associations`: counts the payload of a handle or parameter. */
export const numAssociations = defineTransformOp({
  name: 'transform.num_associations',
  summary: 'Counts the payload of a handle or parameter.',
  isMatcher: true,
  operands: { handle: readsEither('any handle or parameter') },
  results: { num: producesParam<number>('the number of payload items', i64) },
  assembly: functional('handle'),
  interpret: (run, operation) =>
    run.bindResults(operation, [
      paramsPayload([integerAttribute(sizeOf(run.payloadOf(operation.operands[0]!)), i64)]),
    ]),
});

/** `transform.replicate`: repeats the payload of each handle, once per operation of the pattern. */
export const replicate = defineTransformOp({
  name: 'transform.replicate',
  summary: 'Repeats the payload of each handle, once per operation of the pattern.',
  operands: { pattern: reads('one operation per repetition'), handles: readsAny('the handles to repeat') },
  results: { replicated: producesAny('the repeated handles') },
  inferResultTypes: (operands) => operands.slice(1).map(({ type }) => type),
  assembly: {
    format: '`num` `(` $pattern `)` $handles attr-dict `:` type($pattern) `,` type($handles)',
  },
  interpret: (run, operation) => {
    const [pattern, ...handles] = operation.operands;
    const times = sizeOf(run.payloadOf(pattern!));
    return run.bindResults(
      operation,
      handles.map((handle) => {
        const payload = run.payloadOf(handle);
        return joinPayloads(
          handle.type,
          Array.from({ length: times }, () => payload),
        );
      }),
    );
  },
});

/** `transform.select`: selects the operations of the target that have the given name. */
export const select = defineTransformOp({
  name: 'transform.select',
  summary: 'Selects the operations of the target that have the given name.',
  operands: { target: reads('any operations') },
  attributes: { opName: stringAttributeKind },
  results: { result: produces('the operations of that name') },
  assembly: { format: '$op_name `in` $target attr-dict `:` functional-type(operands, results)' },
  interpret: (run, operation, { opName }) =>
    bindOperations(
      run,
      operation,
      success(run.operations(run.idsOf(operation.operands[0]!)).filter(({ name }) => name === opName)),
    ),
});

export const handleOps = [
  getParentOp,
  getConsumersOfResult,
  getProducerOfOperand,
  getDefiningOp,
  getOperand,
  getResult,
  getType,
  numAssociations,
  replicate,
  select,
];
