/** The ops of upstream's interpreter tests: parsed and printed, so that those tests can be read; running them fails. */
import type { OpDefinition, Type } from '@sconv/ir';
import {
  anyAttribute,
  anyType,
  boolAttribute,
  defineOp,
  dialectType,
  i32Attribute,
  i64Attribute,
  one,
  optional,
  optionalAttribute,
  stringAttribute,
  stringAttributeKind,
  typeConstraint,
  typeEquals,
  unitAttributeKind,
  variadic,
  withDefault,
  withImplicitDefault,
} from '@sconv/ir';
import { integersAttribute, mappingAttribute } from './attribute-kinds.ts';
import { defineTransformOp } from './define-transform-op.ts';
import {
  consumes,
  consumesOptional,
  produces,
  producesAll,
  producesEither,
  producesOptional,
  producesParam,
  producesValues,
  reads,
  readsEither,
  readsOptional,
} from './handle-specs.ts';
import { functional, typed } from './forms.ts';
import { scriptType } from './handle-type.ts';

const summary = 'A test of the interpreter.';

/** The type of test parameters that the assembly omits. */
const testParamType: Type = dialectType('transform', 'test_dialect_param');
const testParam = typeConstraint(
  'test_dialect_param',
  (type) => typeEquals(type, testParamType),
  testParamType,
);

/** Ops with one handle operand and no results. */
const takers = (
  [
    ['check_if_test_extension_present', reads(''), typed()],
    ['report_number_of_tracked_handles_nested_under', reads(''), typed()],
    ['consume_operand_each', consumes(''), typed()],
    ['mixed_success_and_silenceable', consumes(''), typed()],
    ['produce_invalid_ir', reads(''), typed()],
    ['tracked_rewrite', reads(''), functional()],
  ] as const
).map(([name, target, assembly]) =>
  defineTransformOp({ name: `transform.test_${name}`, summary, operands: { target }, assembly }),
);

/** Ops with one handle operand and these results. */
const makers = (
  [
    ['copy_payload', reads(''), { copy: produces('') }],
    ['reverse_payload_ops', consumes(''), { result: produces('') }],
    ['produce_value_handle_to_self_operand', reads(''), { out: producesValues('') }],
    ['required_memory_effects', reads(''), { out: produces('') }],
    ['remap_operand_to_self', reads(''), { out: producesOptional('') }],
    ['wrong_number_of_results', consumes(''), { a: produces(''), b: produces(''), c: produces('') }],
    ['wrong_number_of_multi_results', consumes(''), { result: produces('') }],
    ['correct_number_of_multi_results', consumes(''), { result1: produces(''), result2: produces('') }],
    ['mixed_null_and_non_null_results', consumes(''), { null: produces(''), nonNull: produces('') }],
    [
      'produce_transform_param_or_forward_operand',
      reads(''),
      { out: producesEither(''), param: producesParam('', testParamType) },
    ],
  ] as const
).map(([name, target, results]) =>
  defineTransformOp({
    name: `transform.test_${name}`,
    summary,
    operands: { target },
    attributes: {
      firstResultIsParam: unitAttributeKind,
      firstResultIsNull: unitAttributeKind,
      secondResultIsHandle: unitAttributeKind,
      hasOperandEffect: unitAttributeKind,
      hasResultEffect: unitAttributeKind,
      modifiesPayload: unitAttributeKind,
    },
    results,
    assembly: functional(),
  }),
);

/** Ops that return a value of the operation by its number. */
const valueMakers = (['result', 'argument_of_parent_block'] as const).map((of) =>
  defineTransformOp({
    name: `transform.test_produce_value_handle_to_${of}`,
    summary,
    operands: { in: reads('') },
    attributes: { number: i64Attribute },
    results: { out: producesValues('') },
    assembly: { format: '$in `,` $number attr-dict `:` functional-type(operands, results)' },
  }),
);

/** Ops that return null payload. */
const nullMakers = (
  [
    ['empty_payload', produces('')],
    ['null_payload', produces('')],
    ['null_param', producesParam('', testParamType)],
    ['null_value', producesValues('')],
  ] as const
).map(([name, out]) =>
  defineTransformOp({
    name: `transform.test_produce_${name}`,
    summary,
    results: { out },
    assembly: { format: 'attr-dict `:` type($out)' },
  }),
);

const kindOps = (
  [
    ['consume_operand_of_op_kind_or_fail', consumes('')],
    ['succeed_if_operand_of_op_kind', reads('')],
  ] as const
).map(([name, operandHandle]) =>
  defineTransformOp({
    name: `transform.test_${name}`,
    summary,
    operands: { operandHandle },
    attributes: { opKind: stringAttributeKind },
    assembly: { format: '$operandHandle `,` $op_kind attr-dict `:` type($operandHandle)' },
  }),
);

const others = [
  defineTransformOp({
    name: 'transform.test_produce_self_handle_or_forward_operand',
    summary,
    operands: { operand: readsOptional('') },
    results: { res: produces('') },
    assembly: { format: '($operand^)? attr-dict `:` functional-type($operand, $res)' },
  }),
  defineTransformOp({
    name: 'transform.test_consume_operand',
    summary,
    operands: { operand: { ...readsEither(''), effect: 'consumes' }, secondOperand: consumesOptional('') },
    attributes: { allowRepeatedHandles: unitAttributeKind },
    assembly: {
      format: '$operand (`,` $secondOperand^)? attr-dict `:` type($operand) (`,` type($secondOperand)^)?',
    },
  }),
  defineTransformOp({
    name: 'transform.test_emit_remark_and_erase_operand',
    summary,
    operands: { target: consumes('') },
    attributes: { remark: stringAttributeKind, failAfterErase: unitAttributeKind },
    assembly: { format: '$target `,` $remark attr-dict `:` type($target)' },
  }),
  defineTransformOp({
    name: 'transform.test_notify_payload_op_replaced',
    summary,
    operands: { original: reads(''), replacement: reads('') },
    assembly: {
      format: '$original `,` $replacement attr-dict `:` functional-type(operands, results)',
    },
  }),
  defineTransformOp({
    name: 'transform.test_produce_param',
    summary,
    attributes: { attr: anyAttribute },
    results: { result: producesParam('', testParamType) },
    assembly: { format: '`(` $attr `)` attr-dict `:` type($result)' },
  }),
  defineTransformOp({
    name: 'transform.test_produce_param_with_number_of_test_ops',
    summary,
    operands: { handle: reads('') },
    results: { result: { ...one(testParam), handle: testParamType } },
    assembly: { format: '$handle attr-dict `:` type($handle)' },
  }),
  defineTransformOp({
    name: 'transform.test_add_to_param',
    summary,
    operands: { param: { ...optional(testParam), effect: 'reads', accepts: [] } },
    attributes: { addendum: i32Attribute },
    results: { result: { ...one(testParam), handle: testParamType } },
    assembly: { format: '($param^ `,`)? $addendum attr-dict' },
  }),
  defineTransformOp({
    name: 'transform.test_add_test_extension',
    summary,
    attributes: { message: stringAttributeKind },
    assembly: { format: '$message attr-dict' },
  }),
  defineTransformOp({
    name: 'transform.test_remove_test_extension',
    summary,
    assembly: { format: 'attr-dict' },
  }),
  defineTransformOp({
    name: 'transform.test_transform_op',
    summary,
    // The message is not a separate attribute.
    assembly: {
      parse: (parser) => {
        const message = parser.optionalString();
        return message === undefined ? {} : { attributes: { message: stringAttribute(message) } };
      },
      print: (printer, { attributes }) => {
        if (attributes['message'] === undefined) return;
        printer.text(' ');
        printer.attribute(attributes['message']);
      },
    },
  }),
  defineTransformOp({
    name: 'transform.test_transform_op_with_regions',
    summary,
    regions: ['first', 'second'],
    assembly: { format: 'attr-dict-with-keyword regions' },
  }),
  defineTransformOp({
    name: 'transform.test.fuse_and_yield',
    summary,
    operands: { target: consumes('') },
    attributes: {
      tileSizes: withDefault(integersAttribute, []),
      tileInterchange: withDefault(integersAttribute, []),
      useForall: withDefault(boolAttribute, false),
    },
    results: { transfomed: produces(''), loops: producesAll('') },
    assembly: {
      format:
        '$target ($tile_sizes^)? (`interchange` $tile_interchange^)? (`use_forall` $use_forall^)? ' +
        'attr-dict `:` functional-type(operands, results)',
    },
  }),
  defineTransformOp({
    name: 'transform.test.fuse_consumer',
    summary,
    operands: { target: consumes('') },
    results: { consumer: produces(''), fusedConsumer: produces('') },
    assembly: functional(),
  }),
  defineTransformOp({
    name: 'transform.test.tile_using_forall',
    summary,
    operands: { target: consumes('') },
    attributes: {
      tileSizes: withDefault(integersAttribute, []),
      interchange: withImplicitDefault(integersAttribute, []),
      mapping: optionalAttribute(mappingAttribute),
    },
    results: { tiledOp: produces(''), loops: producesAll('') },
    assembly: {
      format:
        '$target ($tile_sizes^)? (`interchange` `=` $interchange^)? (`mapping` `=` $mapping^)? ' +
        'attr-dict `:` functional-type(operands, results)',
    },
  }),
  defineTransformOp({
    name: 'transform.test.fuse_using_forall',
    summary,
    operands: { rootOp: consumes('') },
    attributes: {
      tileSizes: withDefault(integersAttribute, []),
      interchange: withImplicitDefault(integersAttribute, []),
      mapping: optionalAttribute(mappingAttribute),
    },
    results: { tiledOps: produces(''), loops: producesAll('') },
    assembly: {
      format:
        '$rootOp ($tile_sizes^)? (`interchange` $interchange^)? (`mapping` `=` $mapping^)? attr-dict ' +
        '`:` functional-type(operands, results)',
    },
  }),
];

/** Ops that are no transforms. */
const foreign: readonly OpDefinition[] = [
  defineOp({
    name: 'transform.test_dummy_payload_op',
    summary,
    operands: { args: variadic(anyType) },
    results: { results: variadic(anyType) },
    attributes: { failToVerify: unitAttributeKind },
    assembly: { format: '$args attr-dict `:` functional-type(operands, results)' },
  }),
  defineOp({
    name: 'transform.test_branching_transform_op_terminator',
    summary,
    successors: ['succ...'],
    traits: ['terminator'],
  }),
  defineOp({
    name: 'transform.test_re_enter_region',
    summary,
    operands: { args: variadic(scriptType) },
    regions: ['body'],
    bodies: ['body'],
    traits: ['single-block'],
    assembly: { format: '($args^ `:` type($args))? attr-dict-with-keyword regions' },
    *verify({ operation, operands: { args } }) {
      if (operation.regions[0]?.blocks[0]?.arguments.length !== args.length)
        yield 'expects as many operands as block arguments';
    },
  }),
];

export const testOps = {
  transforms: [...takers, ...makers, ...valueMakers, ...nullMakers, ...kindOps, ...others],
  foreign,
};
