import { describe, expect, it } from 'vitest';
import type { Diagnostic } from '@sconv/diagnostics';
import { edit, i64, verify, walk } from '../src/index.ts';
import { errorOf, errorsOf, parse, registry } from './test-dialect.ts';

const mistakes = [
  [
    'counts operands',
    '%a = "a.b"() : () -> i8 "test.add"(%a) : (i8) -> i8',
    "1:25 'test.add' op expected 2 operands, but found 1",
  ],
  [
    'counts results',
    '"test.constant"() <{value = 1 : i8}> : () -> ()',
    "1:1 'test.constant' op requires one result",
  ],
  ['counts regions', '"test.loop"() : () -> ()', "1:1 'test.loop' op requires one region"],
  [
    'counts successors',
    '"a.b"() ({ "test.br"() : () -> () }) : () -> ()',
    "1:12 'test.br' op requires 1 successor but found 0",
  ],
  [
    'asks for attributes',
    '"test.constant"() : () -> i8',
    "1:1 'test.constant' op requires attribute 'value'",
  ],
  [
    'checks attributes',
    '"test.call"() {callee = 1 : i8} : () -> ()',
    "1:1 'test.call' op attribute 'callee' failed to satisfy constraint: flat symbol reference attribute",
  ],
  [
    'checks operand types',
    '%a = "a.b"() : () -> f32 "test.add"(%a, %a) : (f32, f32) -> f32',
    "1:26 'test.add' op operand #0 must be signless integer, but got 'f32'",
  ],
  [
    'checks variadic operands',
    '%a = "a.b"() : () -> f32 "test.slice"(%a, %a) <{operandSegmentSizes = array<i32: 1, 1, 0>, static_offsets = array<i64>, static_sizes = array<i64>}> : (f32, f32) -> f32',
    "1:26 'test.slice' op operand #1 must be variadic of index, but got 'f32'",
  ],
  [
    'checks segments',
    '%a = "a.b"() : () -> f32 "test.slice"(%a) <{operandSegmentSizes = array<i32: 1, 1, 0>, static_offsets = array<i64>, static_sizes = array<i64>}> : (f32) -> f32',
    "1:26 'test.slice' op operand count (1) does not match with the total size (2) specified in attribute 'operandSegmentSizes'",
  ],
  [
    'checks result types',
    '"test.pair"() : () -> (i8, index)',
    "1:1 'test.pair' op result #0 must be index, but got 'i8'",
  ],
  [
    'checks traits on types',
    '%a = "a.b"() : () -> i8 "test.add"(%a, %a) : (i8, i8) -> i16',
    "1:25 'test.add' op requires the same type for all operands and results",
  ],
  [
    'checks relations of types',
    '%c = "a.b"() : () -> i1 "test.select"(%c, %c, %c) : (i1, i1, i1) -> i8',
    "1:25 'test.select' op failed to verify that all of {whenTrue, whenFalse, result} have same type",
  ],
  [
    'asks the declaration',
    'test.call @f() : () -> ()',
    "1:1 'test.call' op 'f' does not reference a valid function",
  ],
  [
    'wants terminators',
    'test.func @f() { "test.add"() : () -> () }',
    "1:18 'test.add' op expected 2 operands, but found 0",
  ],
  [
    'wants a terminator at the end',
    'test.func @f() { test.constant 1 : i8 }',
    '1:18 block with no terminator, has %0 = "test.constant"() <{value = 1 : i8}> : () -> i8',
  ],
  [
    'wants blocks not to be empty',
    'test.func @f() { ^bb0: }',
    '1:1 empty block: expect at least a terminator',
  ],
  [
    'wants terminators last',
    'test.func @f() { return return }',
    "1:18 'test.return' op must be the last operation in the parent block",
  ],
  [
    'wants the implied terminator',
    '"test.loop"() ({ "test.return"() : () -> () }) : () -> ()',
    "1:1 'test.loop' op expects regions to end with 'test.yield', found 'test.return'",
  ],
  [
    'wants single blocks',
    '"test.loop"() ({ "test.br"()[^a] : () -> () ^a: "test.yield"() : () -> () }) : () -> ()',
    "1:1 'test.loop' op expects region #0 to have 0 or 1 blocks",
  ],
  [
    'wants jumps at the end',
    '"a.b"() ({ "a.br"()[^a] : () -> () "a.c"() : () -> () ^a: }) : () -> ()',
    '1:12 operation with block successors must terminate its parent block',
  ],
  [
    'wants entries without predecessors',
    '"a.b"() ({ ^a: "a.br"()[^a] : () -> () }) : () -> ()',
    '1:1 entry block of region may not have predecessors',
  ],
  [
    'wants symbols to be unique',
    'test.func @f() { return }\ntest.func @f() { return }',
    "2:1 redefinition of symbol named 'f'",
  ],
  [
    'wants symbols in tables',
    'test.region { test.func @f() { return } "a.b"() : () -> () }',
    "1:15 'test.func' op symbol's parent must have the SymbolTable trait",
  ],
  [
    'wants definitions before uses',
    'test.func @f() { "a.c"(%a) : (i8) -> () %a = "a.b"() : () -> i8 return }',
    '1:18 operand #0 does not dominate this use',
  ],
  [
    'wants operands from around',
    '"test.loop"() ({ %a = "a.b"() : () -> i8 "test.yield"() : () -> () }) : () -> ()\n"a.c"(%a) : (i8) -> ()',
    '2:7 use of undeclared SSA value name',
  ],
  [
    'keeps isolated regions apart',
    '%a = "a.b"() : () -> i8 "test.func"() <{sym_name = "f"}> ({ "test.return"(%a) : (i8) -> () }) : () -> ()',
    "1:61 'test.return' op using value defined outside the region",
  ],
] as const;

describe('the verifier', () => {
  it.each(mistakes)('%s', (_, text, message) => {
    expect(errorOf(text)).toBe(message);
  });

  it('gives each a code, and notes where there is more to see', () => {
    const said = mistakes.map(([what, text]) => {
      const [first] = errorsOf(text);
      return [what, first?.code, ...(first?.notes ?? []).map(({ message }) => message)].join(' | ');
    });
    expect(said).toMatchInlineSnapshot(`
      [
        "counts operands | verify/operand-count",
        "counts results | verify/result-count",
        "counts regions | verify/regions",
        "counts successors | verify/successors",
        "asks for attributes | verify/attribute",
        "checks attributes | verify/attribute",
        "checks operand types | verify/operand-type",
        "checks variadic operands | verify/operand-type",
        "checks segments | verify/segments",
        "checks result types | verify/result-type",
        "checks traits on types | verify/types",
        "checks relations of types | verify/types",
        "asks the declaration | verify/operation",
        "wants terminators | verify/operand-count",
        "wants a terminator at the end | verify/terminator",
        "wants blocks not to be empty | verify/terminator",
        "wants terminators last | verify/terminator",
        "wants the implied terminator | verify/terminator",
        "wants single blocks | verify/regions",
        "wants jumps at the end | verify/successors",
        "wants entries without predecessors | verify/region",
        "wants symbols to be unique | verify/symbol | see existing symbol definition here",
        "wants symbols in tables | verify/symbol",
        "wants definitions before uses | verify/dominance | operand defined here",
        "wants operands from around | parse/undefined-value",
        "keeps isolated regions apart | verify/isolation",
      ]
    `);
  });

  it.each([
    ['uses before definitions in a graph', '"a.c"(%a) : (i8) -> () %a = "a.b"() : () -> i8'],
    ['blocks without terminator where none is needed', 'module { "a.b"() : () -> () }'],
    [
      'private declarations',
      '"test.func"() <{sym_name = "f"}> ({ }) {sym_visibility = "private"} : () -> ()',
    ],
    ['calls of what is defined later', 'test.call @f() : () -> () test.func @f() { return }'],
    ['terminators that nobody knows', 'test.func @f() { "a.b"() : () -> () }'],
    ['values of the regions around', 'test.func @f(%a: i8) { test.loop { test.yield %a : i8 } return }'],
  ])('accepts %s', (_, text) => {
    expect(errorsOf(text)).toEqual([]);
  });

  const diamond = (use: string): string => `test.func @f(%c: i1) {
  test.switch %c : i1, ^a, ^b
^a:
  %x = "a.x"() : () -> i8
  test.br ^end
^b:
  test.br ^end
^end:
  ${use}
  return
^dead:
  "a.use"(%x) : (i8) -> ()
  test.br ^end
}`;

  it('an entry has no predecessor among several blocks', () => {
    const text = '"a.b"() ({ ^a: "a.br"()[^b] : () -> () ^b: "a.br"()[^a] : () -> () }) : () -> ()';
    expect(errorOf(text)).toBe('1:1 entry block of region may not have predecessors');
  });

  it('follows the dominance of blocks', () => {
    expect(errorsOf(diamond(''))).toEqual([]);
    expect(errorOf(diamond('"a.use"(%x) : (i8) -> ()'))).toBe('9:3 operand #0 does not dominate this use');
    expect(
      errorsOf(diamond('').replace('%c : i1, ^a, ^b', '%c : i1, ^a').replace('^b:\n  test.br ^end\n', '')),
    ).toEqual([]);
  });

  it('knows values of another module by their types, or as undefined', () => {
    const module = parse('%a = "a.b"() : () -> i8 "a.use"(%a) : (i8) -> ()');
    const errorsFor = (id: number): readonly Diagnostic[] => {
      const { module: edited } = edit(module, { registry }, (r) => {
        const user = r.walk(r.root).find(({ name }) => name === 'a.use')!;
        const { id: own } = user.operands[0]!;
        r.setOperands(user, [{ id: id < 0 ? own : id, type: i64 }]);
      });
      return verify(edited, registry, { allowUnregisteredDialects: true });
    };
    expect(errorsFor(-1)).toMatchObject([
      { code: 'verify/types', message: "'a.use' op operand #0 is i64 here and i8 where it is defined" },
    ]);
    expect(errorsFor(77)).toMatchObject([
      { code: 'verify/dominance', notes: [{ message: 'no operation of this module defines it' }] },
    ]);
  });

  it('reports one mistake for each function', () => {
    const wrong = '"test.constant"() : () -> i8 "test.constant"() : () -> i8';
    const text = `test.func @f() { ${wrong} return }\ntest.func @g() { ${wrong} return }`;
    expect(errorsOf(text).map(({ location }) => (location.kind === 'file' ? location.line : 0))).toEqual([
      1, 2,
    ]);
  });

  it('accepts operations that nobody knows only if it is told so', () => {
    const module = parse('"a.b"() : () -> ()');
    expect(verify(module, registry)).toMatchObject([{ code: 'verify/unregistered-operation' }]);
    expect(verify(module, registry, { allowUnregisteredDialects: true })).toEqual([]);
  });

  it('keeps branches in their region', () => {
    const module = parse(`test.func @f() {
      "a.outer"() ({
        "a.br"()[^inner] : () -> ()
      ^inner:
        "a.end"() : () -> ()
      }) : () -> ()
      test.br ^end
    ^end:
      return
    }`);
    const branch = [...walk(module.root)].find(({ name }) => name === 'test.br')!;
    const misled = edit(module, { registry }, (r) => {
      r.replaceWith(r.find([...walk(module.root)].find(({ name }) => name === 'a.br')!), {
        ...{ name: 'a.br', operands: [], resultTypes: [], attributes: {}, bodies: [], location: undefined },
        successors: branch.successors,
      });
    }).module;
    const options = { allowUnregisteredDialects: true };
    expect(verify(module, registry, options)).toEqual([]);
    expect(verify(misled, registry, options)).toMatchObject([
      { code: 'verify/successors', message: "'a.br' op branching to block of a different region" },
    ]);
  });

  it.each([
    ['"bogus"', 'got "bogus"'],
    ['1 : i8', 'got 1 : i8'],
  ])('knows three visibilities, and not %s', (visibility, got) => {
    const text = `"test.func"() <{sym_name = "f"}> ({ "test.return"() : () -> () }) {sym_visibility = ${visibility}} : () -> ()`;
    expect(errorOf(text)).toBe(
      `1:1 'test.func' op visibility expected to be one of ["public", "private", "nested"], but ${got}`,
    );
    for (const word of ['public', 'private', 'nested'])
      expect(errorsOf(text.replace(visibility, `"${word}"`))).toEqual([]);
  });
});
