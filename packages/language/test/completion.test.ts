import { describe, expect, it } from 'vitest';
import { completions, documentCompletion, hover, readLastRun } from '../src/index.ts';
import { show, withCursor } from './support.ts';

const labelsAt = (text: string): readonly string[] => {
  const { document, at } = withCursor(text);
  return completions(document, at)
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ label }) => label);
};

const inFunction = (line: string): string => `func.func private @callee()
func.func @f(%x: i32) {
  %y:2 = "my.op"() : () -> (i32, i32)
  ${line}
  return
}`;

it.each([
  ['values, the nearest first', inFunction('"my.use"(%|'), ['%y#0', '%y#1', '%x']],
  ['values with the letters', inFunction('"my.use"(%x|'), ['%x']],
  ['symbols', inFunction('func.call @c|'), ['@callee']],
  ['operations', inFunction('arith.adduie|'), ['arith.addui_extended']],
  ['operations of the default dialect', inFunction('call_ind|'), ['call_indirect', 'func.call_indirect']],
  ['operations after names of results', inFunction('%z = arith.adduie|'), ['arith.addui_extended']],
  ['words of an attribute', inFunction('%z = arith.cmpi sl| %x, %x : i32'), ['slt', 'sle']],
  ['aliases', '#map = affine_map<() -> (1)>\n"my.op"() {m = #m|} : () -> ()', ['#map']],
  ['blocks', 'func.func @f() {\n  cf.br ^b|\n^bb1:\n  return\n}', ['^bb1']],
  ['types of handles', '"my.op"() : () -> !transform.any_v|', ['!transform.any_value']],
  [
    'types of all handles, of parameters',
    '"my.op"() : () -> !transform.|',
    ['!transform.any_op', '!transform.any_value', '!transform.any_param', '!transform.param<i64>'],
  ],
  [
    'names of operations in strings without end',
    '"my.op"() {x = "linalg.conv_2d_nchw_f|',
    ['linalg.conv_2d_nchw_fchw'],
  ],
  [
    'names of operations in strings',
    '%0 = transform.structured.match ops{["linalg.conv_2d_nchw_f|',
    ['linalg.conv_2d_nchw_fchw'],
  ],
])('%s are offered', (_what, text, expected) => {
  expect(labelsAt(text)).toEqual(expect.arrayContaining([...expected]));
  expect(labelsAt(text).slice(0, expected.length).toSorted()).toEqual([...expected].toSorted());
});

it('values of regions that are not around are not offered', () => {
  expect(labelsAt(`func.func @g(%a: i32) {\n  return\n}\n${inFunction('"my.use"(%|')}`)).not.toContain('%a');
});

it.each([
  ['of the function', 'cf.br ^|', ['^a', '^next']],
  ['of the function, in a list of operands', '"cf.br"(%x) [^|] : (i32) -> ()', ['^a', '^next']],
  ['of a region inside', '"my.op"() ({\n  cf.br ^|\n^in:\n  "my.end"() : () -> ()\n}) : () -> ()', ['^in']],
  ['of a region without any', '"my.op"() ({\n  cf.br ^|\n}) : () -> ()', []],
])('blocks %s are offered, each once, and none of other regions', (_what, line, expected) => {
  const text = `func.func @other() {\n  cf.br ^next\n^next:\n  return\n}
func.func @f(%x: i32) {
  ${line}
^a:
  "my.op"() ({\n  cf.br ^inner\n^inner:\n  "my.end"() : () -> ()\n}) : () -> ()
  cf.br ^next
^next:
  return
}`;
  expect(labelsAt(text)).toEqual(expected);
});

it('a completion of an operation has its full name', () => {
  const { document, at } = withCursor(inFunction('call_ind|'));
  const named = completions(document, at).map(({ label, data }) => [label, data]);
  expect(named).toEqual([
    ['call_indirect', 'func.call_indirect'],
    ['func.call_indirect', 'func.call_indirect'],
  ]);
});

it('a completion replaces the word before the cursor', () => {
  const { document, at } = withCursor(inFunction('"my.use"(%x|'));
  expect(show(document, completions(document, at)[0]!.range)).toBe('3:11 %x');
  expect(documentCompletion(document, 'arith.addi')).toContain('`lhs`');
  expect(documentCompletion(document, '%x')).toBeUndefined();
});

it.each([
  ['a value', inFunction('"my.use"(%y#|1) : (i32) -> ()'), '%y:2 : i32, i32'],
  ['an operation', 'func.func @f(%x: i32) {\n  %a = arith.ad|di %x, %x : i32\n  return\n}', '**Operands**'],
  ['an unregistered operation', '"my.o|p"() : () -> ()', 'unregistered dialect'],
  ['a symbol', 'func.func private @f(i32)\n"my.op"() {f = @|f} : () -> ()', 'func.func private @f(i32)'],
  ['an alias', '#m|ap = affine_map<(d0) -> (d0 + d0)>', 'affine_map<(d0) -> (d0 * 2)>'],
  [
    'an affine map',
    '"my.op"() {m = affine_|map<(d0) -> ((d0 * 4) floordiv 4)>} : () -> ()',
    'affine_map<(d0) -> (d0)>',
  ],
  [
    'an affine set with `<=`',
    '"my.op"() {m = affine_|set<(d0) : (d0 <= 5)>} : () -> ()',
    'affine_set<(d0) : (d0 <= 5)>',
  ],
  [
    'an affine set with `>=`',
    '"my.op"() {m = affine_|set<(d0) : (d0 - 5 >= 0)>} : () -> ()',
    'affine_set<(d0) : (d0 - 5 >= 0)>',
  ],
  ['a block', 'func.func @f() {\n  cf.br ^n|ext\n^next:\n  return\n}', '^next'],
  [
    'a handle',
    'transform.named_sequence @f(%a|: !transform.op<"linalg.fill">) {\n  transform.yield\n}',
    'operations `linalg.fill`',
  ],
])('%s is explained', (_what, text, expected) => {
  const { document, at } = withCursor(text);
  expect(hover(document, at)!.markdown).toContain(expected);
});

it('nothing is said of blanks', () => {
  const { document, at } = withCursor('func.func private @f()\n\n|\n');
  expect(hover(document, at)).toBeUndefined();
});

it('a handle is explained with what consumes it, others without', () => {
  const script = (cursor: string): string =>
    `transform.named_sequence @f(%a: !transform.any_op, %b: !transform.any_op) {
  %t, %l = transform.structured.tile_using_for %b tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  %u, %m = transform.structured.tile_using_for %a tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}`.replace(cursor, (name) => `${name}|`);
  const said = (cursor: string): string => {
    const { document, at } = withCursor(script(cursor));
    return hover(document, at)!.markdown;
  };
  expect(said('%a')).toContain('Consumed by `transform.structured.tile_using_for` in line 3');
  expect(said('%b')).toContain('Consumed by `transform.structured.tile_using_for` in line 2');
  expect(said('%l')).not.toContain('Consumed');
});

describe('the last run of a schedule', () => {
  const script = `transform.named_sequence @f(%a: !transform.any_op) {
  %t, %l:2 = transform.structured.tile_using_for %a tile_sizes [4, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}`;
  const handle = (name: string, ids: readonly number[], more = {}) => ({
    key: name,
    name,
    kind: 'operations',
    ids,
    ...more,
  });
  const trace = (handles: readonly object[], text = script) =>
    JSON.stringify({
      version: 1,
      runs: [
        {
          schedule: { name: 's.mlir', text },
          operations: [
            { id: 1, name: 'linalg.matmul' },
            { id: 2, name: 'scf.for' },
          ],
          nodes: [{ location: { file: 's.mlir', line: 2, column: 14 }, leave: { handles } }, { leave: {} }],
        },
      ],
    });
  const said = (json: string, name: string): string => {
    const { document, at } = withCursor(script.replace(name, `${name}|`));
    return hover(document, at, readLastRun(json, script))!.markdown;
  };

  it('says what a handle stood for', () => {
    const json = trace([handle('%t', [1]), handle('%l#0', [2, 2]), handle('%l#1', [])]);
    expect(said(json, '%t')).toMatch(/In the last run:\n\n- `%t`: linalg\.matmul$/);
    expect(said(json, '%l')).toMatch(/- `%l#0`: 2 times scf\.for\n- `%l#1`: nothing$/);
    expect(said(json, '%a')).not.toContain('In the last run');
  });

  it('says when it ended', () => {
    const invalid = { message: 'used up', location: { file: 's.mlir', line: 7, column: 3 } };
    const json = trace([handle('%t', [1]), handle('%t', [], { invalid })]);
    expect(said(json, '%t')).toContain('- `%t`: linalg.matmul; not valid any more from line 7 on');
  });

  it.each([
    ['no trace', '{"version": 1'],
    ['another document', '[1, null]'],
    ['runs of another shape', '{"version": 1, "runs": [{"schedule": null}, 3]}'],
    ['another version', trace([handle('%t', [1])]).replace('1', '2')],
    ['the run of another text', trace([handle('%t', [1])], `${script} `)],
  ])('is not known from %s', (_, json) => {
    expect(readLastRun(json, script)).toBeUndefined();
  });
});

it('an operation is explained with its attributes, and which of them it may lack', () => {
  const { document, at } = withCursor('func.func @g() {\n  func.ca|ll @g() : () -> ()\n  return\n}');
  expect(hover(document, at)!.markdown).toContain('- `callee`: ');
  const other = withCursor('func.fu|nc @f() {\n  return\n}');
  expect(hover(other.document, other.at)!.markdown).toContain('- `sym_visibility`?: ');
});
