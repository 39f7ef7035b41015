import { describe, expect, it } from 'vitest';
import { definition, diagnostics, highlights, references, renamable, rename } from '../src/index.ts';
import { applied, open, show, withCursor } from './support.ts';

const text = `#map = affine_map<(d0) -> (d0 + 1)>
func.func @f(%x: index, %flag: i1) -> index {
  %a = affine.apply #map(%x)
  cf.cond_br %flag, ^done(%a : index), ^other
^other:
  %b:2 = "my.op"(%a) {callee = @g} : (index) -> (index, index)
  cf.br ^done(%b#1 : index)
^done(%r: index):
  %c = call @g(%r) : (index) -> index
  return %c : index
}
func.func private @g(index) -> index`;

/** The text with the cursor at the nth occurrence of a name. */
const cursorAt = (name: string, occurrence: number) => {
  let offset = -1;
  for (let i = 0; i < occurrence; i += 1) offset = text.indexOf(name, offset + 1);
  return withCursor(`${text.slice(0, offset + 1)}|${text.slice(offset + 1)}`);
};

describe('a name', () => {
  it.each([
    ['#map', 2, '0:0 #map', ['0:0 #map', '2:20 #map']],
    ['%x', 2, '1:13 %x', ['1:13 %x', '2:25 %x']],
    ['%b', 2, '5:2 %b', ['5:2 %b', '6:14 %b']],
    ['%r', 2, '7:6 %r', ['7:6 %r', '8:15 %r']],
    ['^done', 1, '7:0 ^done', ['3:20 ^done', '6:8 ^done', '7:0 ^done']],
    ['@g', 2, '11:18 @g', ['5:31 @g', '8:12 @g', '11:18 @g']],
    ['@f', 1, '1:10 @f', ['1:10 @f']],
  ])('%s has a definition and uses', (name, occurrence, defined, places) => {
    const { document, at } = cursorAt(name, occurrence);
    expect(show(document, definition(document, at)!)).toBe(defined);
    expect(references(document, at).map((range) => show(document, range))).toEqual(places);
    const uses = references(document, at, { includeDeclaration: false });
    expect(uses.map((range) => show(document, range))).toEqual(places.filter((place) => place !== defined));
    const marked = highlights(document, at);
    expect(marked.filter(({ kind }) => kind === 'write').map(({ range }) => show(document, range))).toEqual([
      defined,
    ]);
    expect(marked).toHaveLength(places.length);
  });

  it('of an operation stands for its results and its symbol', () => {
    const { document, at } = cursorAt('"my.op"', 1);
    expect(references(document, at).map((range) => show(document, range))).toEqual(['5:2 %b', '6:14 %b']);
  });

  it('is found from the number of a result, and right behind it', () => {
    const { document, at } = cursorAt('#1', 1);
    expect(show(document, definition(document, at)!)).toBe('5:2 %b');
    const behind = withCursor('%value| = arith.constant 1 : i32');
    expect(show(behind.document, definition(behind.document, behind.at)!)).toBe('0:0 %value');
  });

  it.each([
    ['@ker|nels::@run', '0:11 @kernels'],
    ['@kernels::@r|un', '1:11 @run'],
  ])('of a symbol that an unknown operation with regions defines is found: %s', (cursor, defined) => {
    const lines = `gpu.module @kernels {
  gpu.func @run(%a: f32) kernel { gpu.return }
}
func.func @f() {
  gpu.launch_func @kernels::@run
  return
}`;
    const { document, at } = withCursor(lines.replace(cursor.replace('|', ''), cursor));
    expect(show(document, definition(document, at)!)).toBe(defined);
  });

  it('of a symbol that nothing else defines is found at an unknown operation', () => {
    const { document, at } = withCursor(`dialect.global private @size : i32
func.func @f() {
  dialect.use @si|ze
  return
}`);
    expect(show(document, definition(document, at)!)).toBe('0:23 @size');
  });

  it('means nothing in another part of the file', () => {
    const { document, at } = withCursor(`func.func private @f()
// -----
func.func @g() {
  call @f|() : () -> ()
  return
}`);
    expect(definition(document, at)).toBeUndefined();
    expect(references(document, at).map((range) => show(document, range))).toEqual(['3:7 @f']);
  });

  it('of a nested symbol is found in its table', () => {
    const { document, at } = withCursor(`module @inner {
  func.func private @f()
}
func.func private @f()
"my.call"() {callee = @inner::@f|} : () -> ()`);
    expect(show(document, definition(document, at)!)).toBe('1:20 @f');
  });
});

describe('a symbol in generic form', () => {
  const generic = `"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    "func.call"() <{callee = @f}> : () -> ()
    "my.call"() {callee = @g} : () -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  "my.table"() ({
  }) {note = {sym_name = "f"}, sym_name = "g"} : () -> ()
}) : () -> ()`;

  it.each([
    ['@f|}', '1:55 "f"', ['1:55 "f"', '2:29 @f']],
    ['@g|}', '7:42 "g"', ['3:26 @g', '7:42 "g"']],
  ])('is defined by the name of its operation: %s', (cursor, defined, places) => {
    const { document, at } = withCursor(generic.replace(cursor.replace('|', ''), cursor));
    expect(diagnostics(document)).toEqual([]);
    expect(show(document, definition(document, at)!)).toBe(defined);
    expect(references(document, at).map((range) => show(document, range))).toEqual(places);
  });

  it('is renamed within its quotes', () => {
    const { document, at } = withCursor(generic.replace('"f"', '"f|"'));
    expect(show(document, renamable(document, at)!.range)).toBe('1:56 f');
    const renamed = rename(document, at, 'h');
    if ('problem' in renamed) throw new Error(renamed.problem);
    expect(applied(document, renamed.edits)).toMatch(/sym_name = "h"[^]*callee = @h}/);
  });
});

describe('renaming', () => {
  it.each([
    ['%b', 2, 'pair', /%pair:2 = [^]*%pair#1/],
    ['%b', 2, '%pair', /%pair:2 = [^]*%pair#1/],
    ['@g', 1, 'callee', /@callee} [^]*call @callee[^]*private @callee/],
    ['@g', 1, 'of two words', /call @"of two words"/],
    ['^done', 1, 'end', /\^end\(%a[^]*\^end\(%b[^]*\^end\(%r/],
    ['#map', 1, 'next', /^#next = [^]*#next\(%x\)/],
  ])('%s changes all of its places', (name, occurrence, newName, expected) => {
    const { document, at } = cursorAt(name, occurrence);
    const renamed = rename(document, at, newName);
    if ('problem' in renamed) throw new Error(renamed.problem);
    expect(applied(document, renamed.edits)).toMatch(expected);
  });

  it.each([
    ['%x', 2, 'a', "there is a '%a' already"],
    ['%x', 2, 'a b', "'a b' is no name of a value"],
    ['#map', 1, 'a.b', "'a.b' is no name of an alias"],
    ['func.func', 1, 'a', 'there is no name to change here'],
  ])('%s to what it cannot be named is refused', (name, occurrence, newName, problem) => {
    const { document, at } = cursorAt(name, occurrence);
    expect(rename(document, at, newName)).toEqual({ problem });
  });

  it('begins with the name without its sigil', () => {
    const { document, at } = cursorAt('%x', 2);
    const { range, placeholder } = renamable(document, at)!;
    expect([show(document, range), placeholder]).toEqual(['2:26 x', 'x']);
  });

  it.each([
    ['defined earlier in the region', '%x = arith.constant 1 : i32\n%b| = arith.addi %x, %x : i32', 'x'],
    ['defined later in the region', '%b| = arith.constant 1 : i32\n%x = arith.constant 1 : i32', 'x'],
    [
      'defined inside',
      '%b| = arith.constant true\nscf.if %b {\n  %x = arith.constant 1 : i32\n}\n"my.use"(%b) : (i1) -> ()',
      'x',
    ],
    [
      'defined around',
      '%x = arith.constant true\nscf.if %x {\n  %b| = arith.constant 1 : i32\n}\n"my.use"(%x) : (i1) -> ()',
      'x',
    ],
    ['an argument of the function', '%b| = arith.constant 1 : i32', 'p'],
    ['of a block', 'cf.br ^a|\n^a:\ncf.br ^b\n^b:', 'b'],
  ])('to a name that is %s is refused, as it would not parse', (_what, body, newName) => {
    const { document, at } = withCursor(`func.func @f(%p: i1) {\n${body}\nreturn\n}`);
    expect(diagnostics(document)).toEqual([]);
    const sigil = body[body.indexOf('|') - 2]!;
    expect(rename(document, at, newName)).toEqual({ problem: `there is a '${sigil}${newName}' already` });
    const old = document.text.slice(document.lines.offsetAt(at) - 2, document.lines.offsetAt(at));
    expect(diagnostics(open(document.text.replaceAll(old, sigil + newName)))).not.toEqual([]);
  });

  it.each([
    [
      'in another region of the operation',
      `func.func @f(%p: i1) {
  scf.if %p {
    %b| = arith.constant 1 : i32
    "my.use"(%b) : (i32) -> ()
  } else {
    %x = arith.constant 1 : i32
    "my.use"(%x) : (i32) -> ()
  }
  return
}`,
    ],
    ['in another function', 'func.func @f(%b|: i32) {\n  return\n}\nfunc.func @g(%x: i32) {\n  return\n}'],
    [
      'around an operation that is isolated from above',
      '%x = arith.constant 1 : i32\nfunc.func @f(%b|: i32) {\n  return\n}',
    ],
  ])('to a name %s leaves a text that parses', (_what, text) => {
    const { document, at } = withCursor(text);
    const renamed = rename(document, at, 'x');
    if ('problem' in renamed) throw new Error(renamed.problem);
    const after = applied(document, renamed.edits);
    expect(after).toContain('%x');
    expect(after).not.toContain('%b');
    expect(diagnostics(open(after))).toEqual([]);
  });
});
