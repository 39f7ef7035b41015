/** What `sconv-opt` shares with `mlir-opt`: remarks, prints, dumps, and the ops of upstream's tests. */
import { describe, expect, it } from 'vitest';
import { main } from '../src/sconv-opt.ts';
import type { Captured } from './support/capture.ts';
import { capture, fileWith } from './support/capture.ts';

const opt = (...words: readonly string[]): Promise<Captured> => capture(main, ...words);

const one = '!transform.any_op';

/** A function with two sums, the second of the first. */
const payload = `func.func @f(%x: i32) -> i32 {
  %0 = arith.addi %x, %x : i32
  %1 = arith.addi %0, %x : i32
  return %1 : i32
}
`;

const schedule = (body: string): string => `${payload}module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: ${one}) {
    %sums = transform.structured.match ops{["arith.addi"]} in %root : (${one}) -> ${one}
    ${body}
    transform.yield
  }
}
`;

const run = (body: string, ...words: readonly string[]): Promise<Captured> =>
  opt('--transform-interpreter', ...words, fileWith(schedule(body)));

/** The diagnostics of a schedule by input line; without notes. */
const said = async (body: string): Promise<readonly string[]> => {
  const { err } = await run(body);
  return [...err.matchAll(/:(\d+):\d+: ((?:error|warning|remark): .*?)(?: \[\S*\])?$/gm)].map(
    ([, line, message]) => `${line!} ${message!}`,
  );
};

describe('a schedule', () => {
  it('prints before what it makes of the payload', async () => {
    const { code, out, err } = await run(`transform.print %sums {name = "sums"} : ${one}`);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(
      /^\[\[\[ IR printer: sums \]\]\]\n%0 = arith.addi %arg0, %arg0 : i32\n%1 = arith.addi %0, %arg0 : i32\nmodule \{\n/,
    );
  });

  it('makes remarks', async () => {
    expect(await said(`transform.debug.emit_remark_at %sums, "a sum" : ${one}`)).toEqual([
      '2 remark: a sum',
      '3 remark: a sum',
    ]);
  });

  it('has remarks as expected diagnostics', async () => {
    const expected = payload.replace('  %1', '  // expected-remark @below {{a sum}}\n  %1');
    const text = schedule(`%s, %t = transform.split_handle %sums : (${one}) -> (${one}, ${one})
    transform.debug.emit_remark_at %t, "a sum" : ${one}`);
    const checked = (input: string) =>
      opt('--transform-interpreter', '--verify-diagnostics', fileWith(text.replace(payload, input)));
    expect((await checked(expected)).code).toBe(0);
    expect((await checked(payload)).code).toBe(1);
  });

  it('may match nothing', async () => {
    expect(
      await said(`%x = transform.structured.match ops{["scf.for"]} in %root : (${one}) -> ${one}`),
    ).toEqual([]);
  });

  it('runs before and after other passes, in their order', async () => {
    const annotated =
      schedule(`%f = transform.structured.match ops{["func.func"]} in %root : (${one}) -> ${one}
    transform.apply_licm to %sums : ${one}`);
    expect((await opt('--cse', '--transform-interpreter', fileWith(annotated))).code).toBe(1);
    const counted = fileWith(
      schedule(`%n = transform.num_associations %sums : (${one}) -> !transform.param<i64>
    transform.debug.emit_param_as_remark %n : !transform.param<i64>`).replace('%0, %x', '%x, %x'),
    );
    const count = async (...words: readonly string[]) =>
      /remark: (\d+)/.exec((await opt(...words, counted)).err)?.[1];
    expect(await count('--transform-interpreter', '--cse')).toBe('2');
    expect(await count('--cse', '--transform-interpreter=disable-expensive-checks=1')).toBe('1');
  });
});

describe('dumps', () => {
  it('come before each pass', async () => {
    const { err } = await opt('--cse', '--canonicalize', '--mlir-print-ir-before-all', fileWith(payload));
    expect(err.match(/IR Dump .*?(?= \/)/g)).toEqual(
      ['IR Dump Before CSE (cse) ', 'IR Dump Before Canonicalizer (canonicalize) '].map((line) =>
        line.trimEnd(),
      ),
    );
  });

  it('have no regions on demand', async () => {
    expect((await opt('--mlir-print-skip-regions', fileWith(payload))).out).toBe('module {...}\n');
    const { out } = await opt('--mlir-print-skip-regions', '--no-implicit-module', fileWith(payload));
    expect(out).toBe('func.func @f(%arg0: i32) -> i32 {...}\n');
  });
});

describe("an op of upstream's tests", () => {
  it.each([
    ['transform.test_transform_op', ['9 remark: applying transformation']],
    ['transform.test_transform_op "here"', ['9 remark: applying transformation "here"']],
    [
      `%s, %t = transform.split_handle %sums : (${one}) -> (${one}, ${one})
transform.test_emit_remark_and_erase_operand %t, "gone" : ${one}`,
      ['10 remark: gone', '10 error: null operand found'],
    ],
    [
      `transform.test_succeed_if_operand_of_op_kind %sums, "arith.addi" : ${one}`,
      ['9 error: SingleOpMatchOpTrait requires the operand handle to point to a single payload op'],
    ],
    [
      `%s, %t = transform.split_handle %sums : (${one}) -> (${one}, ${one})
transform.test_succeed_if_operand_of_op_kind %t, "arith.muli" : ${one}`,
      [
        '10 error: op expected the operand to be associated with a payload op of kind arith.muli got arith.addi',
      ],
    ],
    [
      `transform.test_consume_operand_of_op_kind_or_fail %sums, "arith.addi" : ${one}`,
      ['9 remark: succeeded'],
    ],
    [
      `transform.test_consume_operand %sums : ${one}
transform.test_consume_operand %sums : ${one}`,
      ['10 error: op uses a handle invalidated by a previously executed transform op'],
    ],
    [
      `%r = transform.test_reverse_payload_ops %sums : (${one}) -> ${one}
transform.debug.emit_remark_at %r, "here" : ${one}`,
      ['3 remark: here', '2 remark: here'],
    ],
    [
      `%p = transform.test_add_to_param 3
%q = transform.test_add_to_param %p, 4
transform.debug.emit_param_as_remark %q : !transform.test_dialect_param`,
      ['11 remark: 7 : i32'],
    ],
    [
      `%v = transform.test_produce_value_handle_to_result %sums, 0 : (${one}) -> !transform.any_value
transform.debug.emit_remark_at %v, "here" : !transform.any_value`,
      ['2 remark: here', '3 remark: here'],
    ],
    [
      `%s = transform.test_produce_self_handle_or_forward_operand : () -> ${one}
transform.debug.emit_remark_at %s, "self" : ${one}`,
      ['9 remark: self'],
    ],
  ])('%s', async (body, expected) => {
    expect(await said(body)).toEqual(expected);
  });

  const used = 'op uses a handle invalidated by a previously executed transform op';
  const value = '!transform.any_value';
  const consume = (handle: string, type: string) => `transform.test_consume_operand ${handle} : ${type}`;
  it.each([
    [
      'a value takes the operation that gives it',
      `%v = transform.test_produce_value_handle_to_result %sums, 0 : (${one}) -> ${value}
${consume('%v', value)}
${consume('%sums', one)}`,
      used,
      ['ancestor payload op', 'consumed handle points to this payload value'],
    ],
    [
      'an argument takes the operations of its block',
      `%first, %second = transform.split_handle %sums : (${one}) -> (${one}, ${one})
%x = transform.get_operand %first[0] : (${one}) -> ${value}
${consume('%x', value)}
${consume('%sums', one)}`,
      used,
      ['nested payload op', 'consumed handle points to this payload value'],
    ],
    [
      'a value takes other handles to it',
      `%v = transform.test_produce_value_handle_to_result %sums, 0 : (${one}) -> ${value}
%w = transform.test_produce_value_handle_to_result %sums, 0 : (${one}) -> ${value}
${consume('%v', value)}
${consume('%w', value)}`,
      used,
      ['invalidates handles to the same values as associated with it', 'payload value'],
    ],
    [
      'an operation takes its values',
      `%v = transform.test_produce_value_handle_to_result %sums, 0 : (${one}) -> ${value}
${consume('%sums', one)}
${consume('%v', value)}`,
      used,
      ['ancestor op associated with the consumed handle', 'op defining the value as result #0'],
    ],
    [
      'nothing is consumed as well',
      `%none = transform.test_produce_empty_payload : ${one}
${consume('%none', one)}
${consume('%none', one)}`,
      'op uses a handle associated with empty payload and invalidated by a previously executed transform op',
      ['invalidated by this transform op that consumes its operand #0'],
    ],
  ])('consumes: %s', async (_, body, message, notes) => {
    const { err } = await run(body);
    for (const text of [message, ...notes]) expect(err).toContain(text);
  });

  it('is a pipeline, too', async () => {
    const { code } = await run(
      `%f = transform.structured.match ops{["func.func"]} in %root : (${one}) -> ${one}
    transform.apply_registered_pass "test-options-pass-pipeline" to %f : (${one}) -> ${one}`,
    );
    expect(code).toBe(0);
  });
});
