import { describe, expect, it } from 'vitest';
import { foldingRanges, formatted, outline, semanticTokens, semanticTokenTypes } from '../src/index.ts';
import { open } from './support.ts';

describe('formatting', () => {
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

  it('leaves parts with errors alone, and separators', () => {
    const text = 'func.func @f() {\n    retrn\n}\n// -----\n  func.func private @g()\n';
    expect(formatted(open(text))).toBe('func.func @f() {\n    retrn\n}\n// -----\nfunc.func private @g()\n');
  });

  it('keeps line breaks of other systems', () => {
    expect(formatted(open('func.func @f() {\r\nreturn  \r\n}\r\n'))).toBe(
      'func.func @f() {\r\n  return\r\n}\r\n',
    );
  });
});

describe('the outline', () => {
  const document = open('module @m {\n  func.func @f() {\n    return\n  }\n}');

  it('has modules and functions', () => {
    expect(outline(document)).toMatchObject([
      { name: '@m', detail: 'builtin.module', kind: 'module', children: [{ name: '@f', kind: 'function' }] },
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
