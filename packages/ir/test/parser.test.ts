import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseModule, walk } from '../src/index.ts';
import { errorOf, errorsOf, parse, registry, reprint } from './test-dialect.ts';

/** The single operation in `text`, in generic form and without the module. */
const generic = (text: string): string =>
  reprint(text, { generic: true })
    .split('\n')
    .slice(1, -2)
    .map((line) => line.replace(/^ {2}/, ''))
    .join('\n');

describe('the generic form', () => {
  it.each([
    '"a.b"() : () -> ()',
    '%0 = "a.b"() : () -> i32',
    '%0:2 = "a.b"() : () -> (i32, f32)',
    '%0 = "a.b"() : () -> (() -> ())',
    '"a.b"() <{p = 1 : i64}> {q = "x"} : () -> ()',
    '"a.b"() {a, b = [1, unit], "c d" = 2 : i8} : () -> ()',
    '"a.b"() ({\n}) : () -> ()',
    '"a.b"() ({\n^bb0:\n}) : () -> ()',
    '"a.b"() ({\n  "a.c"() : () -> ()\n}, {\n^bb0(%arg0: i32):\n  "a.d"(%arg0) : (i32) -> ()\n}) {x} : () -> ()',
  ])('prints %s again', (text) => {
    expect(generic(text)).toBe(text);
  });

  it.each([
    [
      'packs of results',
      '%a:2, %b = "a.b"() : () -> (i32, i32, f32)\n"c.d"(%a#1, %b) : (i32, f32) -> ()',
      '%0:3 = "a.b"() : () -> (i32, i32, f32)\n"c.d"(%0#1, %0#2) : (i32, f32) -> ()',
    ],
    [
      'forward references',
      '"c.d"(%x) : (i32) -> ()\n%x = "a.b"() : () -> i32',
      '"c.d"(%0) : (i32) -> ()\n%0 = "a.b"() : () -> i32',
    ],
    ['comments and locations', '// c\n"a.b"() : () -> () loc("f":1:2) // d', '"a.b"() : () -> ()'],
    [
      'aliases',
      '#m = 3 : i8\n!t = tensor<4xi32>\n"a.b"() {m = #m} : () -> !t',
      '%0 = "a.b"() {m = 3 : i8} : () -> tensor<4xi32>',
    ],
    [
      'resources',
      '"a.b"() : () -> ()\n{-# dialect_resources: { builtin: { x: "0x0400000001" } } #-}',
      '"a.b"() : () -> ()',
    ],
  ])('reads %s', (_, text, printed) => {
    // An operation without result names still prints its results.
    expect(generic(text)).toBe(printed);
  });

  it('reads blocks, their arguments and successors in any order', () => {
    const text = `"a.b"() ({
  "a.br"()[^last] : () -> ()
^first(%x: i32):  // no predecessors
  "a.br"(%x)[^last, ^first] : (i32) -> ()
^last:
  "a.end"() : () -> ()
}) : () -> ()`;
    expect(generic(text)).toBe(`"a.b"() ({
  "a.br"()[^bb2] : () -> ()
^bb1(%0: i32):  // pred: ^bb1
  "a.br"(%0)[^bb2, ^bb1] : (i32) -> ()
^bb2:  // 2 preds: ^bb0, ^bb1
  "a.end"() : () -> ()
}) : () -> ()`);
  });

  it('keeps the attributes that a declaration names apart from the others, with stored defaults', () => {
    expect(
      generic(
        '%0 = "test.constant"() {value = 1 : i8, x} : () -> i8\n%1 = "test.add"(%0, %0) : (i8, i8) -> i8',
      ),
    ).toBe(
      '%0 = "test.constant"() <{value = 1 : i8}> {x} : () -> i8\n' +
        '%1 = "test.add"(%0, %0) <{wraps = true}> : (i8, i8) -> i8',
    );
  });

  it('holds attributes whose names mean something to JavaScript', () => {
    const text = '"a.b"() {__proto__ = 1 : i8, constructor = 2 : i8} : () -> ()';
    expect(generic(text)).toBe(text);
  });
});

describe('modules', () => {
  it.each(['', ' \n', '// nothing'])('an empty text %j is an empty module', (text) => {
    expect(reprint(text)).toBe('module {\n}\n');
  });

  it('takes the module that is there, and wraps whatever else', () => {
    expect(reprint('module attributes {t.x} { module { } }')).toBe(
      'module attributes {t.x} {\n  module {\n  }\n}\n',
    );
    expect(reprint('module {} module {}')).toBe('module {\n  module {\n  }\n  module {\n  }\n}\n');
  });

  it('without an implicit module there must be one operation', () => {
    const options = { registry, implicitModule: false };
    const result = parseModule('module {} module {}', options);
    expect(result.status === 'success' ? [] : result.diagnostics.map(({ message }) => message)).toEqual([
      'source must contain a single top-level operation, found: 2',
    ]);
  });

  it('gives everything an id of its own below nextId, and freezes it', () => {
    const module = parse(
      '%0 = "a.b"() ({ ^bb0(%x: i32): "a.c"(%y) : (i8) -> () }) : () -> i32 %y = "a.d"() : () -> i8',
    );
    const operations = [...walk(module.root)];
    const ids = operations.flatMap((operation) => [
      operation.id,
      ...operation.results.map((value) => value.id),
      ...operation.regions.flatMap(({ blocks }) =>
        blocks.flatMap((block) => [block.id, ...block.arguments.map((value) => value.id)]),
      ),
    ]);
    expect(new Set(ids).size).toBe(ids.length);
    expect(Math.max(...ids)).toBeLessThan(module.nextId);
    expect(
      operations.every((operation) => Object.isFrozen(operation) && Object.isFrozen(operation.operands)),
    ).toBe(true);
  });
});

describe('locations', () => {
  it('are those of the names of operations, or what loc(…) says', () => {
    const module = parse(
      '%0 =\n "a.b"() : () -> i32\n"a.c"() : () -> () loc("x"("f":3:4))\n"a.d"() : () -> () loc(#l)\n#l = loc(fused["g":1:1, unknown, "h"])',
    );
    expect([...walk(module.root)].slice(1).map(({ location }) => location)).toMatchObject([
      { kind: 'file', file: 'in.mlir', line: 2, column: 2 },
      { kind: 'name', name: 'x', child: { file: 'f', line: 3, column: 4 } },
      { kind: 'fused', locations: [{ file: 'g' }, { name: 'h' }] },
    ]);
  });
});

describe('mistakes', () => {
  it.each([
    ['\ufeffx', '1:1 unexpected byte order mark: save the file without it'],
    ['\udcff\udcfex', '1:1 unexpected byte order mark of UTF-16: save the file as UTF-8'],
    ['x', "1:1 custom op 'x' is unknown (tried 'builtin.x' as well)"],
    ['test.x', "1:1 custom op 'test.x' is unknown"],
    ['test.selekt', "1:1 custom op 'test.selekt' is unknown; did you mean 'test.select'?"],
    ['foo.x', "1:1 Dialect `foo' not found for custom op 'foo.x'"],
    ['"a.b"(', '1:7 expected SSA operand'],
    ['"a.b"()\n', "1:8 expected ':' followed by operation type"],
    ['"a.b"() : i32', '1:11 expected function type'],
    ['"a.b"(%0) : () -> ()', '1:11 expected 1 operand type but had 0'],
    ['"a.b"() ({ ) : () -> ()', '1:11 expected operation name in quotes'],
    ['%0 = "a.b"() : () -> ()', '1:1 cannot name an operation with no results'],
    ['%0:2 = "a.b"() : () -> i32', '1:1 operation defines 1 results but was provided 2 to bind'],
    ['%0 = "a.b"() : () -> i32\n%0 = "a.b"() : () -> i32', "2:1 redefinition of SSA value '%0'"],
    ['"a.b"(%0) : (i32) -> ()', '1:7 use of undeclared SSA value name'],
    ['%0 = "a.b"() : () -> i32 "a.b"(%0#1) : (i32) -> ()', '1:32 reference to invalid result number'],
    [
      '%0 = "a.b"() : () -> i32 "a.b"(%0) : (i8) -> ()',
      "1:32 use of value '%0' expects different type than prior uses: 'i8' vs 'i32'",
    ],
    ['"a.b"(%0) : (i8) -> () %0 = "a.b"() : () -> i32', "1:24 definition of SSA value '%0#0' has type 'i32'"],
    ['"a.b"() ({ "a.br"()[^x] : () -> () }) : () -> ()', '1:21 reference to an undefined block'],
    ['"a.b"() ({ ^x: ^x: }) : () -> ()', "1:16 redefinition of block '^x'"],
    ['"test.add"()[^x] : () -> ()', '1:13 successors in non-terminator'],
    ['"a.b"() {a, a} : () -> ()', "1:13 duplicate key 'a' in dictionary attribute"],
    ['"a.b"() {x = #y} : () -> ()', "1:16 undefined symbol alias id 'y'"],
    ['"a.b"() : () -> () loc(#x)', '1:1 operation location alias was never defined'],
    ['test.func @f(%x: i32) { %x = test.constant 1 : i32 }', "1:25 redefinition of SSA value '%x'"],
    [
      '%x = "a.b"() : () -> i32 test.func @f() { "a.b"(%x) : (i32) -> () return }',
      '1:49 use of undeclared SSA value name',
    ],
    [
      'test.func @f(%arg0: i32, %out: i32) { "a.b"(%ar0) : (i32) -> () return }',
      "1:45 use of undeclared SSA value name; did you mean '%arg0'?",
    ],
    [
      // What is defined in another region is not meant; what is defined later in its own may be.
      'test.func @f() { %sum0 = "a.b"() : () -> i32 return } test.func @g() { "a.b"(%sum) : (i32) -> () %sun = "a.b"() : () -> i32 return }',
      "1:78 use of undeclared SSA value name; did you mean '%sun'?",
    ],
    ['%1 = "a.b"() : () -> i32 "a.b"(%0) : (i32) -> ()', '1:32 use of undeclared SSA value name'],
    [
      '%sums:2 = "a.b"() : () -> (i32, i32) "a.b"(%sum#1) : (i32) -> ()',
      "1:44 use of undeclared SSA value name; did you mean '%sums'?",
    ],
    ['test.func f', "1:11 custom op 'test.func' expected valid '@'-identifier for symbol name"],
  ])('%s', (text, message) => {
    expect(errorOf(text)).toBe(message);
  });

  it('carry a code, and a note at the other place', () => {
    expect(errorsOf('%0 = "a.b"() : () -> i32\n%0 = "a.b"() : () -> i32')).toMatchObject([
      {
        severity: 'error',
        code: 'parse/redefinition',
        notes: [{ message: 'previously defined here', location: { line: 1, column: 1 } }],
      },
    ]);
  });

  it('are dialects that nobody knows, unless those are allowed', () => {
    expect(errorOf('"a.b"() : () -> ()', false)).toMatch(
      /^1:\d+ operation being parsed with an unregistered dialect/,
    );
    expect(errorOf('"test.x"() : () -> !a.t', false)).toMatch(/type created with unregistered dialect/);
    expect(errorOf('"test.x"() {a = #a.t} : () -> ()', false)).toMatch(
      /attribute created with unregistered dialect/,
    );
    // That is the default.
    expect(parseModule('"a.b"() : () -> ()', { registry }).status).toBe('definite');
    expect(parseModule('"test.x"() : () -> ()', { registry }).status).toBe('definite');
    expect(errorOf('"test.x"() : () -> ()', false)).toBe(
      "1:1 unregistered operation 'test.x' found in dialect ('test') that does not allow unknown operations",
    );
  });
});

describe('bad input', () => {
  const deep = 10_000;
  it.each([
    ['parentheses', '('.repeat(5_000_000)],
    ['parentheses in a type', `"a.b"() : ${'('.repeat(5_000_000)}`],
    ['nested types', `"a.b"() : () -> ${'tuple<'.repeat(deep)}`],
    ['nested attributes', `"a.b"() {x = ${'['.repeat(deep)}`],
    ['nested dictionaries', `"a.b"() {x = ${'{a = '.repeat(deep)}`],
    ['nested regions', '"a.b"() ({'.repeat(deep)],
    ['nested custom regions', `test.func @f() { ${'test.loop {'.repeat(deep)}`],
    ['nested literals', `"a.b"() {x = dense<${'['.repeat(deep)}`],
    ['nested dialect types', `"a.b"() : () -> !a.b${'<'.repeat(deep)}`],
    ['nested affine expressions', `"a.b"() {x = affine_map<(d0) -> (${'('.repeat(deep)}`],
    ['nested locations', `"a.b"() : () -> () loc(${'callsite('.repeat(deep)}`],
    ['a NUL', '"a.b"\0'],
    ['an open string', '"a.b"() {x = "y'],
    ['an open resource section', '{-# x'],
    ['a huge integer', `"a.b"() {x = ${'9'.repeat(1_000_000)}}`],
    ['a huge size', '"a.b"() : () -> tensor<99999999999999999999xf32>'],
    ['a huge width', '"a.b"() : () -> i99999999999'],
    ['a huge pack', '%0:99999999999 = "a.b"() : () -> ()'],
    ['a huge result number', '"a.b"(%0#99999999999999999999) : () -> ()'],
    ['a division by zero', '"a.b"() {x = affine_map<(d0) -> (d0 floordiv 0)>} : () -> ()'],
  ])('%s: one located error', (_, text) => {
    const errors = errorsOf(text);
    expect(errors).toHaveLength(1);
    expect(errors[0]?.location.kind).toBe('file');
  });

  it('any text gives a module or an error, never an exception', () => {
    const pieces = fc.constantFrom(
      '"a.b"',
      '(',
      ')',
      '{',
      '}',
      '[',
      ']',
      '<',
      '>',
      ':',
      ',',
      '=',
      '->',
      '%0',
      '^b',
      '@s',
      '#a',
      '!t',
      '1',
      '-',
      '0x1F',
      '1.5',
      'i32',
      'tensor<',
      '4x',
      'xf32',
      'dense<',
      'array<i8: ',
      'affine_map<(d0)',
      'test.add',
      'test.func @f',
      'test.loop',
      'test.flags',
      'test.constant',
      'test.slice',
      'test.switch',
      'test.pair',
      'loc(',
      '"x"',
      '\n',
      ' ',
      'é',
      '\0',
      'test.br',
      'attributes',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 30 }), (parts) => {
        const text = parts.join(' ');
        const result = parseModule(text, { registry, allowUnregisteredDialects: true });
        expect(['success', 'definite']).toContain(result.status);
      }),
      { numRuns: 2000 },
    );
  });
});

it.each([
  ['#a.b = 3 : i8', "1:1 attribute names with a '.' are reserved for dialect-defined names"],
  ['!a.b = i8', "1:1 type names with a '.' are reserved for dialect-defined names"],
  ['#a = 3 : i8\n#a = 4 : i8', "2:1 redefinition of attribute alias id 'a'"],
  ['!a = i8\n!a = i16', "2:1 redefinition of type alias id 'a'"],
  ['#a : 3', "1:3 expected '=' in attribute alias definition"],
  ['!a : i8', "1:3 expected '=' in type alias definition"],
])('the alias %j is refused', (text, message) => {
  expect(errorOf(text)).toBe(message);
});
