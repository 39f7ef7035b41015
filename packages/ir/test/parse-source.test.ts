import { describe, expect, it } from 'vitest';
import type { ParsedSource, SourceOperation, TextRange } from '../src/index.ts';
import { parseModule, parseSource } from '../src/index.ts';
import { registry } from './test-dialect.ts';

const options = { registry, allowUnregisteredDialects: true };

const read = (text: string): ParsedSource => parseSource(text, options);

/** Operations as an outline; with an error: `!`. */
const outline = (operations: readonly SourceOperation[]): string =>
  operations
    .map(({ name, operation, children }) => {
      const inner = children.length === 0 ? '' : `{${outline(children)}}`;
      return `${operation === undefined ? '!' : ''}${name}${inner}`;
    })
    .join(' ');

/** `line:column message` of each diagnostic. */
const errorsOf = ({ diagnostics }: ParsedSource): readonly string[] =>
  diagnostics.map(({ location, message }) =>
    location.kind === 'file' ? `${location.line}:${location.column} ${message}` : message,
  );

/** The names with their definition and uses, as texts with lines. */
const namesOf = (text: string, { names }: ParsedSource): readonly string[] => {
  const at = ({ start, end }: TextRange): string =>
    `${text.slice(start, end)}@${text.slice(0, start).split('\n').length}`;
  return names.map(
    ({ definition, uses }) =>
      `${definition === undefined ? '?' : at(definition)} <- ${uses.map(at).join(' ')}`,
  );
};

describe('a text without errors', () => {
  const text = `test.func @f(%x: i32) {
  %a:2, %b = "a.b"(%x) : (i32) -> (i32, i32, i32)
  "a.branch"(%a#1)[^next] : (i32) -> ()
^next:
  "a.region"(%b, %a#0) ({
  ^bb0(%y: i32):
    "a.use"(%y, %b) : (i32, i32) -> ()
  }) : (i32, i32) -> ()
  return
}`;
  const source = read(text);

  it('gives the module of parseModule', () => {
    const parsed = parseModule(text, options);
    expect(source.diagnostics).toEqual([]);
    expect(parsed).toMatchObject({ status: 'success', value: source.module });
  });

  it('gives the operations with their places', () => {
    expect(outline(source.operations)).toBe('test.func{a.b a.branch a.region{a.use} test.return}');
    const [ab, branch] = source.operations[0]!.children;
    expect(text.slice(ab!.start, ab!.end)).toBe('%a:2, %b = "a.b"(%x) : (i32) -> (i32, i32, i32)');
    expect(text.slice(branch!.nameRange.start, branch!.nameRange.end)).toBe('"a.branch"');
  });

  it('gives the places of names', () => {
    expect(namesOf(text, source)).toEqual([
      '%x@1 <- %x@2',
      '%a@2 <- %a@3 %a@5',
      '%b@2 <- %b@5 %b@7',
      '^next@4 <- ^next@3',
      '^bb0@6 <- ',
      '%y@6 <- %y@7',
    ]);
    expect(source.names[1]!.types).toHaveLength(2);
    expect(source.names.map(({ operation }) => operation?.name)).toEqual([
      undefined,
      'a.b',
      'a.b',
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('an error', () => {
  it.each([
    {
      what: 'in an operation leaves the others alone',
      text: `test.func @f() {
  %a = "a.b"( : () -> i32
  "a.use"(%a) : (i32) -> ()
  return
}
test.func @g() {
  return
}`,
      found: 'test.func{!a.b a.use test.return} test.func{test.return}',
      errors: ['2:14 expected SSA operand'],
    },
    {
      what: 'in the head of a function leaves its body alone',
      text: `test.func @f(%x i32) {
  "a.use"(%x) : (i32) -> ()
  return
}
test.func @g() {
  return
}`,
      found: '!test.func{a.use test.return} test.func{test.return}',
      errors: ["1:16 expected ':'"],
    },
    {
      what: 'in each of two functions is reported',
      text: `test.func @f() {
  "a.b"() : () -> (
  return
}
test.func @g() {
  test.nothing
  return
}`,
      found: 'test.func{!a.b test.return} test.func{!test.nothing test.return}',
      errors: ['2:20 expected non-function type', "6:3 custom op 'test.nothing' is unknown"],
    },
    {
      what: 'of a missing brace is found by the indentation',
      text: `test.func @f() {
  "a.region"() ({
    "a.b"() : () -> ()
  }) : () -> ()
  return
test.func @g() {
  return
}`,
      found: 'test.func{a.region{a.b} test.return} test.func{test.return}',
      errors: ["5:9 expected '}' to end a region"],
    },
    {
      what: 'of a brace too many is found by the indentation',
      text: `test.func @f() {
  "a.b"() : () -> ()
  }
  return
}
test.func @g() {
  return
}`,
      found: 'test.func{a.b test.return} test.func{test.return}',
      errors: ['3:3 expected operation name in quotes'],
    },
    {
      what: 'in a block label leaves its operations alone',
      text: `test.func @f() {
  "a.branch"()[^next] : () -> ()
^next(%x i32):
  "a.use"(%x) : (i32) -> ()
  return
}`,
      found: 'test.func{a.branch a.use test.return}',
      errors: ["3:9 expected ':' and type for SSA operand"],
    },
    {
      what: 'behind regions leaves what is in them alone',
      text: `test.func @f() {
  "a.region"() ({
    "a.b"() : () -> ()
    "a.use"(%none) : (i32) -> ()
  }, {
  }) : () -> (
  return
}`,
      found: 'test.func{!a.region{a.b a.use} test.return}',
      errors: ['4:13 use of undeclared SSA value name', '6:15 expected non-function type'],
    },
    {
      what: 'in an alias is reported once',
      text: `#map = affine_map<(d0) -> (d1)>
"a.b"() {m = #map} : () -> ()
"a.c"() : () -> ()`,
      found: '!a.b a.c',
      errors: ["1:28 use of undeclared identifier 'd1'"],
    },
    {
      what: 'of a token is an error of its operation only',
      text: `"a.b"() : () -> ()
"a.c"() {n = "unterminated} : () -> ()
"a.d"() : () -> ()`,
      found: 'a.b !a.c a.d',
      errors: [`2:38 expected '"' in string literal`],
    },
  ])('$what', ({ text, found, errors }) => {
    const source = read(text);
    expect(outline(source.operations)).toBe(found);
    expect(errorsOf(source)).toEqual(errors);
  });

  it('keeps the names of its operation', () => {
    const text = `test.func @f(%x: i32, %y: i3 2) {
  %a:2 = "a.b"(%x : () -> i32
  "a.use"(%a#1, %y) : (i32, i32) -> ()
  return
}`;
    expect(namesOf(text, read(text))).toEqual(['%x@1 <- %x@2', '%y@1 <- %y@3', '%a@2 <- %a@3']);
  });

  it('keeps the name that an unfinished line begins with', () => {
    const text = `test.func @f(%x: i32) {
  %a %x
  "a.use"(%a, %x) : (i32, i32) -> ()
  return
}`;
    expect(namesOf(text, read(text))).toEqual(['%x@1 <- %x@2 %x@3', '%a@2 <- %a@3']);
  });

  it('in the number behind a name leaves the name', () => {
    const text = `test.func @f(%x#y: i32) {
  "a.use"(%x) : (i32) -> ()
  return
}`;
    expect(namesOf(text, read(text))).toEqual(['%x@1 <- %x@2']);
  });

  it('is reported at its place in the text, also if it is found late', () => {
    const text = `test.func @f() {
  "a.use"(%none) : (i32) -> ()
  "a.b"( : () -> ()
  return
}`;
    expect(errorsOf(read(text)).map((error) => error.split(':')[0])).toEqual(['2', '3']);
  });

  it('that parseModule reports first is among those', () => {
    const text = '"a.b"(%x) : (i32) -> ()\n"a.c"( : () -> ()\ntest.func';
    const parsed = parseModule(text, options);
    const { diagnostics } = read(text);
    expect(diagnostics).toHaveLength(3);
    expect(diagnostics).toContainEqual(parsed.status === 'success' ? undefined : parsed.diagnostics[0]);
  });

  it('of the verifier is reported in functions without errors of syntax', () => {
    const text = `test.func @f() {
  "a.b"( : () -> ()
  "test.add"() : () -> ()
}
test.func @g() {
  "test.add"() : () -> ()
}`;
    expect(errorsOf(read(text))).toEqual([
      '2:9 expected SSA operand',
      "6:3 'test.add' op expected 2 operands, but found 0",
    ]);
  });
});

it('tokens include comments, where they stand', () => {
  const text = `// one // and more
"a.b"() // two\r
  : () -> () // three
"a.c"() {n = "// none"} : () -> ()
// four`;
  const { tokens } = read(text);
  const comments = tokens.filter(({ kind }) => kind === 'comment');
  expect(comments.map(({ start, end }) => text.slice(start, end))).toEqual([
    '// one // and more',
    '// two',
    '// three',
    '// four',
  ]);
  expect(tokens.map(({ start }) => start)).toEqual(
    tokens.map(({ start }) => start).toSorted((a, b) => a - b),
  );
});
