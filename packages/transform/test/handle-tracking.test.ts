import { describe, expect, it } from 'vitest';
import { success } from '@sconv/diagnostics';
import { payloadDialects } from '@sconv/dialects';
import { anyType, createRegistry, defineOp, extendRegistry, one, parseModule } from '@sconv/ir';
import { unwrap } from '@sconv/diagnostics';
import { defineTransformOp, reads, runSchedule, transformDialect, transformDialectOf } from '../src/index.ts';
import { a, attributesOf, b, main, messages, rename, runText, yieldedBy } from './support.ts';

const handle = '!transform.any_op';

/** Replaces the target by a copy, and that by the results of other ops, without updating handles. */
const replaceBy = defineTransformOp({
  name: 'transform.test.replace_by',
  summary: 'Replaces.',
  operands: { target: reads('ops'), by: reads('as many ops as there are results') },
  assembly: { format: '$target `,` $by attr-dict `:` type($target) `,` type($by)' },
  apply: ({ rewriter }, { target, by }) => {
    for (const op of target) {
      const values = by.flatMap(({ results }) => results);
      const block = op.parent!.regions[0]!.blocks[0]!;
      // One after the other, as patterns do.
      rewriter.setInsertionPointBefore(op);
      const copy = rewriter.clone(op);
      rewriter.replaceOperation(op, copy.results);
      rewriter.replaceOperation(copy, values.length === 0 ? block.arguments : values);
    }
    return success({});
  },
});

const cast = defineOp({
  name: 'test.cast',
  summary: 'A cast.',
  operands: { input: one(anyType) },
  results: { result: one(anyType) },
  traits: ['cast'],
});

const registry = extendRegistry(
  createRegistry([...payloadDialects, { name: 'test', operations: [a, b, cast] }, transformDialect]),
  [transformDialectOf([replaceBy, rename])],
);

/** Replaces `test.a` by the definition of the last op's value with `by`; what a handle to it then refers to. */
const replaced = (body: string, use = true) => {
  const payload = unwrap(
    parseModule(
      `func.func @f(%arg: tensor<4xf32>) {
  %old = "test.a"() {old} : () -> tensor<4xf32>
  ${body}
  %u = "test.b"(%old) ({}) {user} : (tensor<4xf32>) -> tensor<4xf32>
  return
}`,
      { registry, fileName: 'payload.mlir' },
    ),
  );
  const script = main(`
    %old = transform.structured.match ops{["test.a"]} attributes {old} in %root : (${handle}) -> ${handle}
    %same = transform.structured.match ops{["test.a"]} attributes {old} in %root : (${handle}) -> ${handle}
    %by = transform.structured.match attributes {by} in %root : (${handle}) -> ${handle}
    transform.test.replace_by %old, %by : ${handle}, ${handle}
    `).replace(/transform\.yield\n/, use ? `transform.yield %same : ${handle}\n` : 'transform.yield\n');
  return runSchedule(unwrap(parseModule(script, { registry, fileName: 'script.mlir' })), payload, {
    registry,
  });
};

describe('a handle, after its payload was replaced', () => {
  it.each([
    ['the op of the same name', '%r = "test.a"() {by} : () -> tensor<4xf32>', 'test.a by'],
    [
      'an op of the same name behind a cast',
      `%x = "test.a"() {wide} : () -> tensor<?xf32>
  %r = tensor.cast %x {by} : tensor<?xf32> to tensor<4xf32>`,
      'test.a wide',
    ],
    [
      'an op of the same name behind a cast of another dialect',
      `%x = "test.a"() {wide} : () -> tensor<?xf32>
  %r = "test.cast"(%x) {by} : (tensor<?xf32>) -> tensor<4xf32>`,
      'test.a wide',
    ],
    [
      'an op of the same name behind several',
      `%x = "test.a"() {wide} : () -> tensor<2x2xf32>
  %y = tensor.collapse_shape %x [[0, 1]] : tensor<2x2xf32> into tensor<4xf32>
  %r = tensor.extract_slice %y[0] [4] [1] {by} : tensor<4xf32> to tensor<4xf32>`,
      'test.a wide',
    ],
    [
      'what is inserted, not what it is inserted into',
      `%x = "test.a"() {part} : () -> tensor<2xf32>
  %y = "test.a"() {whole} : () -> tensor<4xf32>
  %r = tensor.insert_slice %x into %y[0] [2] [1] {by} : tensor<2xf32> into tensor<4xf32>`,
      'test.a part',
    ],
    ['a constant', '%r = arith.constant {by} dense<0.0> : tensor<4xf32>', 'arith.constant by,value'],
  ])('stands for %s', (_, body, expected) => {
    const result = replaced(body);
    expect(messages(result)).toBe('');
    const [same] = yieldedBy(result);
    expect(same!.map(({ name, attributes }) => `${name} ${Object.keys(attributes).join()}`)).toEqual([
      expected,
    ]);
  });

  it.each([
    [
      'another name',
      '%r = "test.b"() ({}) {by} : () -> tensor<4xf32>',
      'ran out of suitable replacement values',
    ],
    [
      'another name behind a cast',
      `%x = "test.b"() ({}) : () -> tensor<?xf32>
  %r = tensor.cast %x {by} : tensor<?xf32> to tensor<4xf32>`,
      'ran out of suitable replacement values',
    ],
    ['a block argument', '', 'replacement values belong to different ops'],
  ])('must not be used where that is %s, and is dropped silently where it is not', (_, body, reason) => {
    const result = replaced(body);
    expect(result.status).toBe('definite');
    expect(messages(result)).toContain(
      'tracking listener failed to find replacement op during application of this transform op [transform/lost-payload]',
    );
    expect(messages(result)).toContain(`payload.mlir:2:10: note: ${reason}`);
    const unused = replaced(body, false);
    expect([unused.status, messages(unused).replace(/.*no-match\]/, '')]).toEqual(['success', '']);
  });

  it('must not be used where two ops stand for its results', () => {
    const payload = unwrap(
      parseModule(
        `%old:2 = "test.b"() ({}) {old} : () -> (i32, i32)
%x = "test.a"() {by} : () -> i32
%y = "test.a"() {by} : () -> i32`,
        { registry },
      ),
    );
    const script = main(`%old = transform.structured.match ops{["test.b"]} in %root : (${handle}) -> ${handle}
    %by = transform.structured.match attributes {by} in %root : (${handle}) -> ${handle}
    transform.test.replace_by %old, %by : ${handle}, ${handle}
    %x = transform.merge_handles %old : ${handle}`);
    const result = runSchedule(unwrap(parseModule(script, { registry })), payload, { registry });
    expect(messages(result)).toContain('note: replacement values belong to different ops');
  });

  it('stands for nothing where the replacement went in the same step', () => {
    const result = runText(
      main(`%same = transform.structured.match ops{["test.a"]} attributes {n = 1 : i64} in %root : (${handle}) -> ${handle}
    transform.test.replace_and_erase %same : ${handle}
    %m = transform.test.mark %same : (${handle}) -> ${handle}`),
    );
    expect(messages(result)).toBe('');
    expect(attributesOf(unwrap(result).module)).toEqual(['n']);
  });

  it('names the op that replaced it, its payload, and the use', () => {
    const result = runText(
      main(`%typed = transform.structured.match ops{["test.a"]} in %root : (${handle}) -> !transform.op<"test.a">
    transform.test.rename %all : ${handle}
    transform.test.fail %typed : !transform.op<"test.a">`),
    );
    expect(messages(result)).toMatchInlineSnapshot(`
      "script.mlir:5:5: error: tracking listener failed to find replacement op during application of this transform op [transform/lost-payload]
      payload.mlir:2:8: note: ran out of suitable replacement values
      payload.mlir:2:8: note: replaced op
      payload.mlir:2:8: note: replacement value 0
      script.mlir:6:5: note: the handle is used here"
    `);
  });

  it('stands twice for what two of its operations were replaced by', () => {
    const script =
      main(`%same = transform.structured.match ops{["test.a"]} in %root : (${handle}) -> ${handle}
    %by, %other = transform.split_handle %all : (${handle}) -> (${handle}, ${handle})
    transform.test.replace_by %other, %by : ${handle}, ${handle}`).replace(
        /transform\.yield\n/,
        `transform.yield %same : ${handle}\n`,
      );
    const text = `module {
  %0 = "test.a"() : () -> i32
  %1 = "test.a"() : () -> i32
}`;
    const result = runSchedule(
      unwrap(parseModule(script, { registry })),
      unwrap(parseModule(text, { registry })),
      { registry },
    );
    const [same] = yieldedBy(result);
    expect(same).toHaveLength(2);
    expect(same![0]).toBe(same![1]);
  });

  it('refuses a constant where its type promises another op', () => {
    const payload = unwrap(
      parseModule('%0 = "test.a"() : () -> i32\n%1 = arith.constant {by} 1 : i32', { registry }),
    );
    const script =
      main(`%typed = transform.structured.match ops{["test.a"]} in %root : (${handle}) -> !transform.op<"test.a">
    %by = transform.structured.match attributes {by} in %root : (${handle}) -> ${handle}
    transform.test.replace_by %all, %by : ${handle}, ${handle}
    %x = transform.merge_handles %typed : !transform.op<"test.a">`);
    const result = runSchedule(unwrap(parseModule(script, { registry })), payload, { registry });
    expect(messages(result)).toContain('[transform/lost-payload]');
    expect(messages(result)).toContain('note: replaced by arith.constant');
  });

  it('stands for nothing where that was erased, and may be used', () => {
    const result = runText(
      main(`%same = transform.structured.match ops{["test.a"]} in %root : (${handle}) -> ${handle}
    transform.test.erase %all : ${handle}
    %m = transform.test.mark %same : (${handle}) -> ${handle}`),
    );
    expect(messages(result)).toBe('');
  });
});
