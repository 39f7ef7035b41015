import { describe, expect, it } from 'vitest';
import {
  createRegistry,
  defineOp,
  i64Attribute,
  index,
  one,
  parseModule,
  unitAttributeKind,
  variadic,
} from '../src/index.ts';
import { errorOf, reprint } from './test-dialect.ts';

/** The body of a region that begins with three values, `%0`, `%1` and `%2`, as it is printed. */
const body = (text: string): string => {
  const before = '%i = "a.i"() : () -> index %t = "a.t"() : () -> tensor<4xf32> %c = "a.c"() : () -> i1';
  const lines = reprint(`test.region { ${before} ${text} }`).split('\n');
  return lines
    .slice(5, -3)
    .map((line) => line.slice(4))
    .join('\n');
};

describe('declarative formats', () => {
  it.each([
    [
      'a buildable type and related ones',
      '%4 = test.select %2, %0, %0 : index',
      '%3 = test.select %2, %0, %0 : index',
    ],
    [
      'literals next to punctuation',
      '%4 = test.slice %1[0, %0] [%0] : (tensor<4xf32>) -> f32',
      '%slice = test.slice %1[0, %0] [%0] : (tensor<4xf32>) -> f32',
    ],
    ['nothing of the optional groups', 'test.flags flat', 'test.flags flat'],
    ['a unit attribute by its group', 'test.flags fast flat', 'test.flags fast flat'],
    ['an optional attribute', 'test.flags depth(3)', 'test.flags depth(3)'],
    [
      'optional operands and results',
      '%5 = test.flags flat %0, %0, %0 -> index',
      '%3 = test.flags flat %0, %0, %0 -> index',
    ],
    [
      'an optional region',
      'test.flags flat with { "a.b"() : () -> () }',
      'test.flags flat with {\n  "a.b"() : () -> ()\n}',
    ],
    [
      'an attribute dictionary without what stands elsewhere',
      'test.flags depth(3) {b, a = 1 : i8}',
      'test.flags depth(3) {a = 1 : i8, b}',
    ],
    ['an implied terminator', 'test.loop { }', 'test.loop {\n}'],
    [
      'a terminator that says something',
      'test.loop { test.yield %0 : index }',
      'test.loop {\n  test.yield %0 : index\n}',
    ],
  ])('reads and prints %s', (_, text, printed) => {
    // The names of the text are those under which the values are printed.
    const named = text.replace(/%0/g, '%i').replace(/%1/g, '%t').replace(/%2/g, '%c');
    expect(body(named)).toBe(printed);
  });

  it('elides an attribute with its default and prints another', () => {
    expect(
      body(
        '%a = test.constant 1 : i8 %b = test.add %a, %a wraps = true : i8 %d = test.add %a, %a wraps = false : i8',
      ),
    ).toBe(
      '%c1 = test.constant 1 : i8\n%3 = test.add %c1, %c1 : i8\n%4 = test.add %c1, %c1 wraps = false : i8',
    );
  });

  it('reads and prints successors', () => {
    const text = `"a.b"() ({
^bb0(%arg0: i1):
  test.br ^bb1(%arg0 : i1)
^bb1(%0: i1):  // 2 preds: ^bb0, ^bb1
  test.switch %0 : i1, ^bb1, ^bb2
^bb2:  // pred: ^bb1
  test.br ^bb3
^bb3:  // pred: ^bb2
  test.yield
}) : () -> ()`;
    const printed = reprint(text).split('\n').slice(1, -2);
    expect(printed.map((line) => line.slice(2)).join('\n')).toBe(text);
  });

  it.each([
    ['test.add %a', "2:12 expected ','"],
    ['test.add %a, %a', "2:16 expected ':'"],
    ['test.add %a, %a : ', '2:18 expected non-function type'],
    ['test.add %a, %a wraps true : i8', "2:22 expected '='"],
    ['test.add %a, %a wraps = : i8', "2:25 custom op 'test.add' expected attribute value"],
    ['test.slice %a[0] [0] : () -> f32', "2:12 custom op 'test.slice' 1 operands present, but expected 0"],
    ['test.flags', "2:10 custom op 'test.flags' expected 'flat'"],
    ['test.br', '2:8 expected branch destination'],
  ])('says what is missing in %s', (text, message) => {
    expect(errorOf(`%a = test.constant 1 : i8\n${text}`)).toBe(message);
  });

  const opWith = (format: string) =>
    defineOp({
      name: 'x.op',
      summary: '',
      operands: { a: one(index), b: variadic(index) },
      attributes: { n: i64Attribute, u: unitAttributeKind },
      assembly: { format },
    });

  it.each([
    ['$a $z', "nothing is named 'z'"],
    ['$a type($z)', "no operand or result is named 'z'"],
    ['$a foo', "unknown directive 'foo'"],
    ['($a `x`)?', 'a group needs one anchor'],
    ['$a^', "misplaced '^'"],
    ['$a custom<X>($b)', "no directive 'X'"],
    ['$a `x', "unexpected text at ' `x'"],
    ['type($a', "expected ')', found 'its end'"],
  ])('the format %s is a mistake of its author', (format, message) => {
    const registry = createRegistry([{ name: 'x', operations: [opWith(format)] }]);
    expect(() => parseModule('x.op', { registry })).toThrow(message);
  });
});
