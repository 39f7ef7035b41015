/** Ops that make handles and parameters of others, and change no payload. */
import {
  i64,
  i64ArrayAttribute,
  i64Attribute,
  optionalAttribute,
  positive,
  stringAttributeKind,
  unitAttributeKind,
  withDefault,
} from '@sconv/ir';
import {
  defineTransformOp,
  produces,
  producesAny,
  producesParam,
  producesValues,
  reads,
  readsAny,
  readsEither,
  readsValues,
} from './define-transform-op.ts';
import { directives } from './directives.ts';
import { functional } from './forms.ts';
import { dimsErrors } from './match-dims.ts';

export const getParentOp = defineTransformOp({
  name: 'transform.get_parent_op',
  summary: 'Gets the closest ancestors of the target that fit the attributes.',
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
  assembly: functional(),
});

export const getConsumersOfResult = defineTransformOp({
  name: 'transform.get_consumers_of_result',
  summary: 'Gets the operations that use a result of the target.',
  operands: { target: reads('one operation') },
  attributes: { resultNumber: i64Attribute },
  results: { consumers: produces('its users') },
  assembly: { format: '$target `[` $result_number `]` attr-dict `:` functional-type(operands, results)' },
});

export const getProducerOfOperand = defineTransformOp({
  name: 'transform.get_producer_of_operand',
  summary: 'Gets the operation that defines an operand of the target.',
  isMatcher: true,
  operands: { target: reads('any operations') },
  attributes: { operandNumber: i64Attribute },
  results: { producer: produces('what defines it') },
  assembly: { format: '$target `[` $operand_number `]` attr-dict `:` functional-type(operands, results)' },
});

export const getDefiningOp = defineTransformOp({
  name: 'transform.get_defining_op',
  summary: 'Gets the operations that define values.',
  isMatcher: true,
  operands: { target: readsValues('any values') },
  results: { result: produces('what defines them') },
  assembly: functional(),
});

/** `[0, -1]`, `[all]` or `[except(0)]` of the target's values. */
const positions = {
  attributes: {
    rawPositionList: i64ArrayAttribute,
    isInverted: unitAttributeKind,
    isAll: unitAttributeKind,
  },
  assembly: {
    format:
      '$target `[` custom<TransformMatchDims>($raw_position_list, $is_inverted, $is_all) `]` attr-dict `:` functional-type(operands, results)',
    directives,
  },
} as const;

export const getOperand = defineTransformOp({
  name: 'transform.get_operand',
  summary: 'Gets operands of the target.',
  isMatcher: true,
  operands: { target: reads('any operations') },
  results: { result: producesValues('the operands') },
  ...positions,
  verify: ({ attributes: { rawPositionList, ...dims } }) => dimsErrors(rawPositionList, dims),
});

export const getResult = defineTransformOp({
  name: 'transform.get_result',
  summary: 'Gets results of the target.',
  operands: { target: reads('any operations') },
  results: { result: producesValues('the results') },
  ...positions,
  verify: ({ attributes: { rawPositionList, ...dims } }) => dimsErrors(rawPositionList, dims),
});

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
});

export const numAssociations = defineTransformOp({
  name: 'transform.num_associations',
  summary: 'Counts what a handle or a parameter stands for.',
  isMatcher: true,
  operands: { handle: readsEither('any handle or parameter') },
  results: { num: producesParam<number>('how many', i64) },
  assembly: functional('handle'),
});

export const replicate = defineTransformOp({
  name: 'transform.replicate',
  summary: 'Repeats what each handle stands for, once for each operation of the pattern.',
  operands: { pattern: reads('as many operations as repetitions'), handles: readsAny('what to repeat') },
  results: { replicated: producesAny('the handles, each so many times') },
  inferResultTypes: (operands) => operands.slice(1).map(({ type }) => type),
  assembly: {
    format: '`num` `(` $pattern `)` $handles attr-dict `:` type($pattern) `,` type($handles)',
  },
});

export const select = defineTransformOp({
  name: 'transform.select',
  summary: 'Gets the operations of one name among those of the target.',
  operands: { target: reads('any operations') },
  attributes: { opName: stringAttributeKind },
  results: { result: produces('those of this name') },
  assembly: { format: '$op_name `in` $target attr-dict `:` functional-type(operands, results)' },
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
