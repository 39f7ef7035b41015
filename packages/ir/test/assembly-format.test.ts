import { describe, expect, it } from 'vitest';
import { unwrap } from '@sconv/diagnostics';
import {
  anyType,
  createRegistry,
  defineOp,
  i64,
  i64ArrayAttribute,
  i64Attribute,
  index,
  one,
  optional,
  optionalAttribute,
  parseModule,
  printModule,
  stringAttributeKind,
  symbolRefAttributeKind,
  unitAttributeKind,
  variadic,
} from '../src/index.ts';
import type { AssemblyDirective, OpDefinition } from '../src/index.ts';
import { errorOf, reprint } from './test-dialect.ts';

/** The printed body of a region that starts with three values, `%0`, `%1` and `%2`. */
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
    // The text uses the printed names of the values.
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

/** `[%a, %b]`, with the types of the test's values, or nothing. */
const list: AssemblyDirective = {
  parse: (parser, parsed, [group = '']) => {
    const operands = parser.peek('[') ? [...parser.list('square', () => parser.operand())] : [];
    parsed.operands.set(group, operands);
  },
  print: (printer, operation, [group = ''], definition) => {
    const operands = definition.operandGroup(operation, group);
    if (operands.length === 0) return;
    printer.text('[');
    printer.operands(operands);
    printer.text(']');
  },
};

/** `<3>` or nothing. */
const bracketed: AssemblyDirective = {
  parse: (parser, parsed, [name = '']) => {
    if (!parser.accept('<')) return;
    parsed.attributes.set(name, parser.attribute(i64));
    parser.expect('>');
  },
  print: (printer, { attributes }, [name = '']) => {
    const attribute = attributes[name];
    if (attribute === undefined) return;
    printer.text('<');
    printer.attributeWithoutType(attribute);
    printer.text('>');
  },
};

describe('an operation of this format', () => {
  const parsed = (definition: OpDefinition, line: string): string => {
    const registry = createRegistry([{ name: 'x', operations: [definition] }]);
    const options = { registry, allowUnregisteredDialects: true };
    const head = '%i = "t.i"() : () -> index %f = "t.f"() : () -> f32';
    const end = definition.traits.has('terminator') ? '' : '"t.end"() : () -> ()';
    const text = `"t.in"() ({ ${head} ${line} ${end} ^1: "t.end"() : () -> () }) : () -> ()`;
    const module = unwrap(parseModule(text, options));
    const custom = printModule(module, { registry });
    for (const generic of [false, true]) {
      const again = unwrap(parseModule(printModule(module, { registry, generic }), options));
      expect(printModule(again, { registry })).toBe(custom);
    }
    // Between the two preceding operations and the block's end.
    const lines = custom.split('\n').map((each) => each.trim());
    const next = lines.findIndex((each) => each.startsWith('^bb1'));
    return lines.slice(4, end === '' ? next : next - 1).join(' ');
  };
  const base = { name: 'x.op', summary: '' };
  const groups = { a: one(anyType), b: variadic(anyType), c: optional(anyType) };

  it.each<[string, OpDefinition, string]>([
    [
      'all operands',
      defineOp({
        ...base,
        operands: { a: one(index), b: variadic(anyType) },
        assembly: { format: 'operands attr-dict `:` type(operands)' },
      }),
      'x.op %0, %1, %0 {k} : index, f32, index',
    ],
    [
      'groups of operands',
      defineOp({
        ...base,
        operands: groups,
        assembly: { format: '$a (`[` $b^ `]`)? (`or` $c^)? attr-dict `:` type(operands)' },
      }),
      'x.op %0[%1, %0] or %1 : index, f32, index, f32',
    ],
    [
      'groups of operands, some empty',
      defineOp({
        ...base,
        operands: groups,
        assembly: { format: '$a (`[` $b^ `]`)? (`or` $c^)? attr-dict `:` type(operands)' },
      }),
      'x.op %0 or %1 : index, f32',
    ],
    [
      'all results',
      defineOp({
        ...base,
        results: { r: one(anyType), s: variadic(anyType) },
        assembly: { format: 'attr-dict `:` type(results)' },
      }),
      '%r, %s:2 = x.op : index, f32, f32',
    ],
    [
      'groups of results',
      defineOp({
        ...base,
        results: { r: variadic(anyType), s: variadic(anyType) },
        assembly: { format: '`(` type($r) `)` `(` type($s) `)` attr-dict' },
      }),
      '%r, %s:2 = x.op(index) (f32, f32)',
    ],
    [
      'a function type of all',
      defineOp({
        ...base,
        operands: { a: variadic(anyType) },
        results: { r: variadic(anyType) },
        assembly: { format: '`(` $a `)` attr-dict `:` functional-type(operands, results)' },
      }),
      '%2:2 = x.op(%0, %1) : (index, f32) -> (f32, index)',
    ],
    [
      'a dictionary behind a keyword',
      defineOp({
        ...base,
        attributes: { n: i64Attribute },
        assembly: { format: '$n attr-dict-with-keyword' },
      }),
      'x.op 3 attributes {k = 1 : i8}',
    ],
    [
      'an attribute of its own text',
      defineOp({
        ...base,
        attributes: { list: i64ArrayAttribute, name: stringAttributeKind, sym: symbolRefAttributeKind },
        assembly: { format: '$list `,` $name `,` $sym attr-dict' },
      }),
      'x.op [1, -2], "a b", @f',
    ],
    [
      'a choice',
      defineOp({
        ...base,
        attributes: { n: optionalAttribute(i64Attribute) },
        assembly: { format: '(`some` $n^):(`none`)? attr-dict' },
      }),
      'x.op none',
    ],
    [
      'the other choice',
      defineOp({
        ...base,
        attributes: { n: optionalAttribute(i64Attribute) },
        assembly: { format: '(`some` $n^):(`none`)? attr-dict' },
      }),
      'x.op some 4',
    ],
    [
      'flags',
      defineOp({
        ...base,
        attributes: { u: unitAttributeKind, v: unitAttributeKind },
        assembly: { format: '(`u` $u^)? (`v` $v^)? attr-dict' },
      }),
      'x.op v',
    ],
    [
      'successors',
      defineOp({
        ...base,
        successors: ['to'],
        traits: ['terminator'],
        assembly: { format: '$to attr-dict' },
      }),
      'x.op ^bb1',
    ],
    [
      'all successors',
      defineOp({
        ...base,
        successors: ['to...'],
        traits: ['terminator'],
        assembly: { format: 'successors attr-dict' },
      }),
      'x.op ^bb1, ^bb1',
    ],
    [
      'all regions',
      defineOp({
        ...base,
        regions: ['first', 'rest...'],
        traits: ['no-terminator'],
        assembly: { format: 'regions attr-dict' },
      }),
      'x.op { }, { }',
    ],
    [
      'named regions',
      defineOp({
        ...base,
        regions: ['first', 'second'],
        traits: ['no-terminator'],
        assembly: { format: '$first `else` $second attr-dict' },
      }),
      'x.op { "t.a"() : () -> () } else { "t.b"() : () -> () }',
    ],
    ...(['', '[%0]', '[%0, %1]'] as const).map((given): [string, OpDefinition, string] => [
      `a group that a directive begins, ${given === '' ? 'absent' : given}`,
      defineOp({
        ...base,
        operands: groups,
        assembly: {
          format: '$a (custom<List>($b)^ `then`)? attr-dict `:` type(operands)',
          directives: { List: list },
        },
      }),
      given === ''
        ? 'x.op %1 : f32'
        : `x.op %1 ${given} then : f32, ${given.length > 4 ? 'index, f32' : 'index'}`,
    ]),
    ...(['', '<3>'] as const).map((given): [string, OpDefinition, string] => [
      `a group that a directive of an attribute begins, ${given === '' ? 'absent' : given}`,
      defineOp({
        ...base,
        attributes: { n: optionalAttribute(i64Attribute) },
        assembly: {
          format: '(custom<Number>($n)^ `then`):(`nothing`)? attr-dict',
          directives: { Number: bracketed },
        },
      }),
      given === '' ? 'x.op nothing' : `x.op ${given} then`,
    ]),
    [
      'a group of types',
      defineOp({
        ...base,
        results: { r: variadic(anyType) },
        assembly: { format: 'attr-dict (`:` type($r)^)?' },
      }),
      '%2:2 = x.op : index, f32',
    ],
    [
      'an absent group of types',
      defineOp({
        ...base,
        results: { r: variadic(anyType) },
        assembly: { format: 'attr-dict (`:` type($r)^)?' },
      }),
      'x.op',
    ],
    [
      'a group of regions',
      defineOp({
        ...base,
        regions: ['first', 'rest...'],
        traits: ['no-terminator'],
        assembly: { format: '$first (`and` $rest^)? attr-dict' },
      }),
      'x.op { "t.a"() : () -> () } and { "t.b"() : () -> () }, { "t.c"() : () -> () }',
    ],
    [
      'an absent group of regions',
      defineOp({
        ...base,
        regions: ['first', 'rest...'],
        traits: ['no-terminator'],
        assembly: { format: '$first (`and` $rest^)? attr-dict' },
      }),
      'x.op { "t.a"() : () -> () }',
    ],
    [
      'a group of successors',
      defineOp({
        ...base,
        successors: ['to...'],
        traits: ['terminator'],
        assembly: { format: '`go` (`to` $to^)? attr-dict' },
      }),
      'x.op go to ^bb1, ^bb1',
    ],
    [
      'what is qualified, and referred to',
      defineOp({
        ...base,
        operands: { a: one(index) },
        attributes: { n: i64Attribute },
        assembly: { format: '$a `,` qualified($n) attr-dict `:` qualified(type($a))' },
      }),
      'x.op %0, 3 : index',
    ],
    [
      'a new line where the format says so',
      defineOp({
        ...base,
        operands: { a: one(index) },
        assembly: { format: '$a `\\n` `x` attr-dict' },
      }),
      'x.op %0 x',
    ],
    [
      'no blank where the format says so',
      defineOp({
        ...base,
        operands: { a: one(index) },
        assembly: { format: '`<` $a `>` `` `x` ` ` `y` attr-dict' },
      }),
      'x.op<%0>x y',
    ],
  ])('has %s', (_, definition, line) => {
    const named = line
      .replaceAll('%0', '%i')
      .replaceAll('%1', '%f')
      .replace('%2', '%r')
      .replaceAll('^bb1', '^1');
    expect(parsed(definition, named)).toBe(line);
  });

  it.each<[OpDefinition, string, string]>([
    [
      defineOp({
        ...base,
        operands: { a: one(index) },
        assembly: { format: 'operands attr-dict `:` type(operands)' },
      }),
      'x.op %i, %i : index',
      'wrong number of values',
    ],
    [
      defineOp({
        ...base,
        operands: { a: variadic(index) },
        assembly: { format: 'operands attr-dict `:` type(operands)' },
      }),
      'x.op %i, %i : index',
      '2 operands present, but expected 1',
    ],
    [
      defineOp({
        ...base,
        operands: { a: variadic(index) },
        assembly: { format: 'operands attr-dict `:` type(operands)' },
      }),
      'x.op %i : index, index',
      '1 operands present, but expected 2',
    ],
    [
      defineOp({
        ...base,
        operands: { a: one(index), b: optional(index) },
        assembly: { format: '$a (`,` $b^)? attr-dict `:` type(operands)' },
      }),
      'x.op %i : index, index',
      '1 operands present, but expected 2',
    ],
  ])('%# refuses %s', (definition, line, message) => {
    expect(() => parsed(definition, line)).toThrow(message);
  });
});
