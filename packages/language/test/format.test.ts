import { unwrap } from '@sconv/diagnostics';
import { parseModule, printModule } from '@sconv/ir';
import { describe, expect, it } from 'vitest';
import {
  foldingRanges,
  format,
  formatted,
  outline,
  semanticTokens,
  semanticTokenTypes,
} from '../src/index.ts';
import { open, registry } from './support.ts';

describe('formatting', () => {
  it('keeps line breaks of two characters', () => {
    const text = '  "a.b"() : () -> ()  \n\n\n"a.c"() ({\n"a.d"() : () -> ()\n}) : () -> ()\n';
    const withReturns = (lines: string): string => lines.replaceAll('\n', '\r\n');
    expect(formatted(open(withReturns(text)))).toBe(withReturns(formatted(open(text))));
  });

  it('indents by regions, and keeps comments, names and line breaks', () => {
    const text = `

// A function.
  func.func @f(%flag: i1,
               %x: tensor<4xf32>) {   
      // In it.
    scf.if %flag {
  "my.op"() {a = 1,
             b = 2} : () -> ()


    // At the end.
    }
      cf.br ^next
  ^next: // a label
    return
    // Last.
        }   

`;
    const expected = `// A function.
func.func @f(%flag: i1,
             %x: tensor<4xf32>) {
  // In it.
  scf.if %flag {
    "my.op"() {a = 1,
               b = 2} : () -> ()

    // At the end.
  }
  cf.br ^next
^next: // a label
  return
  // Last.
}
`;
    expect(formatted(open(text))).toBe(expected);
    expect(formatted(open(expected))).toBe(expected);
  });

  it('leaves what is indented as the printer does', () => {
    const text = `module {
  func.func @f() {
    %c = arith.constant 1 : index
    scf.for %i = %c to %c step %c {
      "my.op"() ({
      ^bb0(%a: i32):
        "my.use"(%a) : (i32) -> ()
      }) : () -> ()
    }
    return
  }
}
`;
    expect(formatted(open(text))).toBe(text);
  });

  it('leaves bodies of attributes and types as they are, which blanks are a part of', () => {
    const text = `
      #a = #foo.bar<{ x = 1,   
     y = "}",  

           z -> 3 }>   
      !t = !foo.t<a,
            b>
    "my.op"() {a = #foo<[
             1]>,
          b = #a} : () -> !t
    `;
    const result = formatted(open(text));
    expect(result).toBe(`#a = #foo.bar<{ x = 1,   
     y = "}",  

           z -> 3 }>
!t = !foo.t<a,
            b>
"my.op"() {a = #foo<[
             1]>,
      b = #a} : () -> !t
`);
    const options = { registry, allowUnregisteredDialects: true };
    const [before, after] = [text, result].map((each) => unwrap(parseModule(each, options)));
    expect(printModule(after!, options)).toBe(printModule(before!, options));
  });

  it('leaves parts with errors alone, and separators', () => {
    const text = 'func.func @f() {\n    retrn\n}\n// -----\n  func.func private @g()\n';
    expect(formatted(open(text))).toBe('func.func @f() {\n    retrn\n}\n// -----\nfunc.func private @g()\n');
  });

  it('keeps line breaks of other systems', () => {
    expect(formatted(open('func.func @f() {\r\nreturn  \r\n}\r\n'))).toBe(
      'func.func @f() {\r\n  return\r\n}\r\n',
    );
    // There is nothing to change.
    expect(format(open('func.func @f() {\r\n  return\r\n}\r\n'))).toEqual([]);
  });
});

describe('the outline', () => {
  const document = open('module @m {\n  func.func @f() {\n    return\n  }\n}');

  it('has modules and functions', () => {
    expect(outline(document)).toMatchObject([
      { name: '@m', detail: 'builtin.module', kind: 'module', children: [{ name: '@f', kind: 'function' }] },
    ]);
  });

  it('has operations with regions, without names', () => {
    const text = 'func.func @f() {\n  "a.region"() ({\n    "a.b"() : () -> ()\n  }) : () -> ()\n  return\n}';
    expect(outline(open(text))).toMatchObject([
      { name: '@f', children: [{ name: 'a.region', detail: '', kind: 'operation', children: [] }] },
    ]);
  });

  it('folds operations of several lines', () => {
    expect(foldingRanges(document)).toEqual([
      { startLine: 0, endLine: 3 },
      { startLine: 1, endLine: 2 },
    ]);
  });
});

it('tokens have types', () => {
  const data = semanticTokens(open('// c\nfunc.func @f(%x: i32) {\n  return\n}'));
  const rows = Array.from({ length: data.length / 5 }, (_, i) => {
    const [line, character, length, type, modifiers] = data.slice(5 * i, 5 * i + 5);
    return [line, character, length, semanticTokenTypes[type!], modifiers];
  });
  expect(rows).toEqual([
    [0, 0, 4, 'comment', 0],
    [1, 0, 9, 'keyword', 0],
    [0, 10, 2, 'function', 1],
    [0, 3, 2, 'parameter', 1],
    [0, 4, 3, 'type', 0],
    [1, 2, 6, 'keyword', 0],
  ]);
});

it('shapes have numbers and a type', () => {
  const text = '"a.b"() : () -> (tensor<2xi4>, memref<?x0x8xvector<[4]x2xf32>>, tensor<4x!my.type>)';
  const data = semanticTokens(open(text));
  const words: string[] = [];
  let start = 0;
  for (let i = 0; i < data.length; i += 5) {
    start += data[i + 1]!;
    words.push(`${semanticTokenTypes[data[i + 3]!]!} ${text.slice(start, start + data[i + 2]!)}`);
  }
  expect(words.slice(1)).toEqual([
    ...['type tensor', 'number 2', 'type i4'],
    ...['type memref', 'number 0', 'number 8', 'type vector', 'number 4', 'number 2', 'type f32'],
    ...['type tensor', 'number 4', 'type !my.type'],
  ]);
});

it('identifiers are types, names of attributes, or keywords', () => {
  const text =
    '"a.b"() {n = i8, note = dense<1> : tensor<i4>, k = index, m = affine_map<(d0) -> (d0)>} : () -> none';
  const data = semanticTokens(open(text));
  const found = new Map<string, string>();
  let start = 0;
  for (let i = 0; i < data.length; i += 5) {
    start += data[i + 1]!;
    found.set(text.slice(start, start + data[i + 2]!), semanticTokenTypes[data[i + 3]!]!);
  }
  const named = (type: string): readonly string[] =>
    [...found].flatMap(([word, of]) => (of === type ? [word] : []));
  expect(named('type')).toEqual(['i8', 'tensor', 'i4', 'index', 'none']);
  expect(named('property')).toEqual(['n', 'note', 'k', 'm']);
  expect(named('keyword')).toEqual(['"a.b"', 'dense', 'affine_map', 'd0']);
});
