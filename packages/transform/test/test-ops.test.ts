/** The ops of upstream's interpreter tests: what is read, printed and verified. */
import { printModule } from '@sconv/ir';
import { describe, expect, it } from 'vitest';
import { testOps } from '../src/test-ops.ts';
import type { Form } from './declared-forms.ts';
import { any, param, problemsOf, testForms } from './declared-forms.ts';
import { messages, parse, registry, runText } from './support.ts';

const values = '!transform.any_value';

const forms: readonly Form[] = [
  [`transform.test_check_if_test_extension_present %arg0 : ${any}`],
  [`transform.test_report_number_of_tracked_handles_nested_under %arg0 : ${any}`],
  [`transform.test_consume_operand_each %arg0 : ${any}`, 0],
  [`transform.test_mixed_success_and_silenceable %arg0 : ${any}`, 0],
  [`transform.test_produce_invalid_ir %arg0 : ${any}`],
  [`transform.test_tracked_rewrite %arg0 : (${any}) -> ()`],
  [`%0 = transform.test_copy_payload %arg0 : (${any}) -> ${any}`],
  [`%0 = transform.test_reverse_payload_ops %arg0 : (${any}) -> ${any}`, 0],
  [`%0 = transform.test_produce_value_handle_to_self_operand %arg0 : (${any}) -> ${values}`],
  [
    `%0 = transform.test_required_memory_effects %arg0 {has_operand_effect, has_result_effect, modifies_payload} ` +
      `: (${any}) -> ${any}`,
  ],
  [`%0 = transform.test_remap_operand_to_self %arg0 : (${any}) -> ${any}`],
  [`transform.test_remap_operand_to_self %arg0 : (${any}) -> ()`],
  [`%a, %b, %c = transform.test_wrong_number_of_results %arg0 : (${any}) -> (${any}, ${any}, ${any})`, 0],
  [`%0 = transform.test_wrong_number_of_multi_results %arg0 : (${any}) -> ${any}`, 0],
  [
    `%result1, %result2 = transform.test_correct_number_of_multi_results %arg0 : (${any}) -> (${any}, ${any})`,
    0,
  ],
  [
    `%null, %non_null = transform.test_mixed_null_and_non_null_results %arg0 : (${any}) -> (${any}, ${any})`,
    0,
  ],
  [
    `%out, %param = transform.test_produce_transform_param_or_forward_operand %arg0 {first_result_is_param} : ` +
      `(${any}) -> (${param}, ${param})`,
  ],
  [`%0 = transform.test_produce_value_handle_to_result %arg0, 3 : (${any}) -> ${values}`],
  [`%0 = transform.test_produce_value_handle_to_argument_of_parent_block %arg0, 3 : (${any}) -> ${values}`],
  [`%0 = transform.test_produce_empty_payload : ${any}`],
  [`%0 = transform.test_produce_null_payload : ${any}`],
  [`%0 = transform.test_produce_null_param : ${param}`],
  [`%0 = transform.test_produce_null_value : ${values}`],
  [`transform.test_consume_operand_of_op_kind_or_fail %arg0, "test.a" : ${any}`, 0],
  [`transform.test_succeed_if_operand_of_op_kind %arg0, "test.a" : ${any}`],
  [`%0 = transform.test_produce_self_handle_or_forward_operand %arg0 : (${any}) -> ${any}`],
  [`%0 = transform.test_produce_self_handle_or_forward_operand : () -> ${any}`],
  [`transform.test_consume_operand %arg0 : ${any}`, 0],
  [`transform.test_consume_operand %arg1, %arg0 {allow_repeated_handles} : ${any}, ${any}`, 0, 1],
  [`transform.test_emit_remark_and_erase_operand %arg0, "gone" {fail_after_erase} : ${any}`, 0],
  [`transform.test_notify_payload_op_replaced %arg0, %arg1 : (${any}, ${any}) -> ()`],
  [`%0 = transform.test_produce_param(7 : i64) : ${param}`],
  [`%0 = transform.test_produce_param_with_number_of_test_ops %arg0 : ${any}`],
  ['%0 = transform.test_add_to_param 7'],
  ['%0 = transform.test_add_to_param %arg2, 7'],
  ['transform.test_add_test_extension "here"'],
  ['transform.test_remove_test_extension'],
  ['transform.test_transform_op'],
  ['transform.test_transform_op "said"'],
  [
    `%transfomed, %loops = transform.test.fuse_and_yield %arg0 [4, 8] interchange [1, 0] use_forall true : ` +
      `(${any}) -> (${any}, ${any})`,
    0,
  ],
  [`%transfomed = transform.test.fuse_and_yield %arg0 : (${any}) -> ${any}`, 0],
  [`%consumer, %fused_consumer = transform.test.fuse_consumer %arg0 : (${any}) -> (${any}, ${any})`, 0],
  [
    `%tiled_op, %loops = transform.test.tile_using_forall %arg0 [4, 8] interchange = [1, 0] : (${any}) -> ` +
      `(${any}, ${any})`,
    0,
  ],
  [`%tiled_op = transform.test.tile_using_forall %arg0 : (${any}) -> ${any}`, 0],
  [
    `%tiled_ops, %loops = transform.test.fuse_using_forall %arg0 [4, 8] interchange [1, 0] : (${any}) -> ` +
      `(${any}, ${any})`,
    0,
  ],
  [`%tiled_ops = transform.test.fuse_using_forall %arg0 : (${any}) -> ${any}`, 0],
];

describe('ops of the interpreter tests', () => {
  testForms(forms);

  it('all have a form here', () => {
    const covered = new Set(forms.map(([line]) => /transform\.[\w.]+/.exec(line)?.[0]));
    const names = testOps.transforms.map(({ definition }) => definition.name);
    expect(names.filter((name) => !covered.has(name))).toEqual(['transform.test_transform_op_with_regions']);
  });

  it('have two regions', () => {
    const script = parse('transform.test_transform_op_with_regions {\n}, {\n}');
    expect(printModule(script, { registry })).toContain('test_transform_op_with_regions {');
    expect(() => parse('transform.test_transform_op_with_regions {\n}')).toThrow();
  });

  it.each([
    'first_result_is_param',
    'first_result_is_null',
    'second_result_is_handle',
    'has_operand_effect',
    'has_result_effect',
    'modifies_payload',
  ])('know %s as a flag', (flag) => {
    const line = `%0 = transform.test_copy_payload %arg0 {${flag} = 7 : i64} : (${any}) -> ${any}`;
    expect(problemsOf(line)).toContain(flag);
  });

  it.each([
    [
      `transform.test_consume_operand %arg0 {allow_repeated_handles = 7 : i64} : ${any}`,
      'allow_repeated_handles',
    ],
    [
      `transform.test_emit_remark_and_erase_operand %arg0, "gone" {fail_after_erase = 7 : i64} : ${any}`,
      'fail_after_erase',
    ],
    [`"transform.test_dummy_payload_op"() {fail_to_verify = 7 : i64} : () -> ()`, 'fail_to_verify'],
    [
      `"transform.test_produce_param_with_number_of_test_ops"(%arg0) : (${any}) -> ${any}`,
      'test_dialect_param',
    ],
    [
      `"transform.test_add_to_param"(%arg0) {addendum = 7 : i32} : (${any}) -> ${param}`,
      'test_dialect_param',
    ],
    [
      `transform.test_re_enter_region %arg0 : ${any} {\n    ^bb0(%x: ${any}, %y: ${any}):\n      ` +
        `transform.yield\n    }`,
      'expects as many operands as block arguments',
    ],
  ])('refuse %s', (line, problem) => {
    expect(problemsOf(line)).toContain(problem);
  });

  it('take as many arguments again as operands', () => {
    expect(
      problemsOf(
        `transform.test_re_enter_region %arg0 : ${any} {\n    ^bb0(%inner: ${any}):\n      transform.yield\n    }`,
      ),
    ).toBe('');
  });

  it('are not run', () => {
    const script = `module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: ${any}) {
    %0 = transform.test_copy_payload %root : (${any}) -> ${any}
    transform.yield
  }
}`;
    expect(messages(runText(script))).toContain('[transform/not-implemented]');
  });
});
