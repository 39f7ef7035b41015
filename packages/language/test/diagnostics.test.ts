import { createRegistry, defineOp } from '@sconv/ir';
import { describe, expect, it } from 'vitest';
import { codeLenses, diagnostics, inlayHints, openDocument, quickFixes } from '../src/index.ts';
import { applied, open, registry, show } from './support.ts';

const script = (body: string): string => `module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    ${body}
    transform.yield
  }
}`;

const shown = (text: string): readonly string[] => {
  const document = open(text);
  return diagnostics(document).map(({ range, message }) => `${show(document, range)}: ${message}`);
};

describe('diagnostics', () => {
  it('are at the token that they are about, in each part of the file', () => {
    const text = `func.func @f() {
  arith.addi %a : i32
  return
}
// -----
func.func @g() {
  %0 = arith.constant 1 : f32
  return
}`;
    expect(shown(text)).toEqual([
      "1:14 a : expected ','",
      '6:22 1: unexpected decimal integer literal for a floating point value',
    ]);
  });

  it('of an operation with a location of its own are at its name', () => {
    const text = 'func.func @f() {\n  "arith.addi"() : () -> () loc("model.py":9:1)\n  return\n}';
    expect(shown(text)).toEqual([expect.stringMatching(/^1:2 "arith.addi": /)]);
  });

  it('warn of handles that are used after they are consumed', () => {
    const text = script(`%a, %loop = transform.structured.tile_using_for %root tile_sizes [4]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.debug.emit_remark_at %root, "again" : !transform.any_op`);
    const document = open(text);
    const [found] = diagnostics(document);
    expect(found).toMatchObject({ severity: 'warning', code: 'language/consumed-handle' });
    expect(show(document, found!.range)).toBe('4:35 %root');
    expect(show(document, found!.related[0]!.range)).toBe('2:52 %root');
    expect(inlayHints(document)).toEqual([
      expect.objectContaining({ label: 'consumed', position: { line: 2, character: 57 } }),
    ]);
  });

  it('of parts that have not changed are not computed again', () => {
    const before = open('func.func private @f()\n// -----\nfunc.func private @g()');
    const after = openDocument(
      'func.func private @f()\n// -----\nfunc.func private @h()',
      { registry },
      before,
    );
    expect(after.parts[0]!.source).toBe(before.parts[0]!.source);
    expect(after.parts[1]!.source).not.toBe(before.parts[1]!.source);
  });
});

describe('quick fixes', () => {
  it.each([
    ['func.func @f() {\n  retrn\n}', 'func.func @f() {\n  return\n}'],
    ['%0 = arith.constnt 1 : i32', '%0 = arith.constant 1 : i32'],
    [
      'func.func @f(%arg0: i32) -> i32 {\n  return %ar0 : i32\n}',
      'func.func @f(%arg0: i32) -> i32 {\n  return %arg0 : i32\n}',
    ],
    [
      'func.func @f() {\n  %pair:2 = "my.op"() : () -> (i32, i32)\n  "my.use"(%par#1) : (i32) -> ()\n  return\n}',
      'func.func @f() {\n  %pair:2 = "my.op"() : () -> (i32, i32)\n  "my.use"(%pair#1) : (i32) -> ()\n  return\n}',
    ],
  ])('of %j change to what is probably meant', (text, mended) => {
    const document = open(text);
    const [found] = diagnostics(document);
    const [fix] = quickFixes(document, found!.range);
    expect(applied(document, fix!.edits)).toBe(mended);
    expect(
      quickFixes(document, { start: { line: 90, character: 0 }, end: { line: 90, character: 0 } }),
    ).toEqual([]);
  });

  const tuned = defineOp({
    name: 'tuned.run',
    summary: '',
    assembly: { format: 'attr-dict' },
    *verify({ operation: { attributes } }) {
      if (attributes['target'] === undefined) yield "no target 'avx22'; did you mean 'avx2'?";
      else if (attributes['target'].kind === 'string' && attributes['target'].value !== 'avx2')
        yield `no target '${attributes['target'].value}'; did you mean 'avx2'?`;
    },
  });

  it.each([
    ['the operation itself', 'tuned.run {target = "avx22"}', ['tuned.run {target = "avx2"}']],
    ['another operation', 'tuned.run\n"my.op"() {target = "avx22"} : () -> ()', []],
    ['another part', 'tuned.run\n// -----\n"my.op"() {target = "avx22"} : () -> ()', []],
    [
      'a later part',
      '// -----\n\n"my.op"() : () -> ()\ntuned.run {target = "avx22"}',
      ['// -----\n\n"my.op"() : () -> ()\ntuned.run {target = "avx2"}'],
    ],
  ])('of a quoted name change it in the operation that is wrong: it is in %s', (_where, text, mended) => {
    const document = openDocument(text, {
      registry: createRegistry([{ name: 'tuned', operations: [tuned] }]),
    });
    const [found] = diagnostics(document);
    expect(found!.message).toContain("did you mean 'avx2'?");
    const fixes = quickFixes(document, found!.range);
    expect(fixes.map(({ edits }) => applied(document, edits))).toEqual(mended);
  });
});

describe('schedules', () => {
  it('can be run and stepped through', () => {
    const document = open(script('transform.print %root : !transform.any_op'));
    expect(codeLenses(document).map(({ command, symbol }) => [command, symbol])).toEqual([
      ['sconv.run', '@__transform_main'],
      ['sconv.step', '@__transform_main'],
    ]);
  });

  it('are run from their entry point only', () => {
    const sequence = (name: string): string =>
      `  transform.named_sequence ${name}(%root: !transform.any_op) {\n    transform.yield\n  }\n`;
    const document = open(
      `module {\n${['@__transform_main', '@__transform_main_2', '@tile'].map(sequence).join('')}}
func.func private @__transform_main()`,
    );
    expect(codeLenses(document).map(({ range, symbol }) => [range.start.line, symbol])).toEqual([
      [1, '@__transform_main'],
      [1, '@__transform_main'],
    ]);
  });

  it('say what handles match', () => {
    const document = open(
      script(
        '%a = transform.structured.match ops{["linalg.fill", "linalg.copy"]} in %root : (!transform.any_op) -> !transform.any_op',
      ),
    );
    expect(inlayHints(document).map(({ label }) => label)).toEqual([': linalg.fill | linalg.copy']);
  });
});
