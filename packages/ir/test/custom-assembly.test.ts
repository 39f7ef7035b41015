import { makeMap } from '@sconv/affine';
import { describe, expect, it } from 'vitest';
import type { Attribute, OpAsmParser, OpAsmPrinter, Operation, ParsedOperation } from '../src/index.ts';
import {
  affineMapAttribute,
  anyType,
  arrayAttribute,
  defineOp,
  dictionaryAttribute,
  extendRegistry,
  i32,
  i64,
  indexType,
  integerAttribute,
  parseModule,
  printModule,
  stringAttribute,
  typeAttribute,
  unitAttribute,
  variadic,
} from '../src/index.ts';
import { registry } from './test-dialect.ts';

/** A hand-written assembly. */
interface Form {
  readonly parse: (parser: OpAsmParser) => ParsedOperation;
  readonly print: (printer: OpAsmPrinter, operation: Operation) => void;
}

/** Parses and prints `test.form` and the rest of the text, after one i32 value and one f32 value. */
const outcome = (form: Form, rest: string, isIsolated = false): string => {
  const known = extendRegistry(registry, [
    {
      name: 'test',
      operations: [
        defineOp({
          name: 'test.form',
          summary: 'Of any form.',
          operands: { values: variadic(anyType) },
          results: { results: variadic(anyType) },
          regions: ['regions...'],
          successors: ['next...'],
          traits: isIsolated ? ['isolated-from-above', 'no-terminator'] : ['no-terminator'],
          defaultDialect: 'test',
          assembly: form,
        }),
      ],
    },
  ]);
  const text = `%x = "a.i"() : () -> i32\n%y:2 = "a.f"() : () -> (f32, f32)\ntest.form${rest}`;
  const parsed = parseModule(text, { registry: known, allowUnregisteredDialects: true });
  if (parsed.status !== 'success') {
    const [{ location, message, code } = { location: undefined, message: '', code: '' }] = parsed.diagnostics;
    const at = location?.kind === 'file' ? `${location.line}:${location.column}` : '?';
    return `${at} ${message} [${code}]`;
  }
  const lines = printModule(parsed.value, { registry: known }).split('\n').slice(3, -2);
  return lines.map((line) => line.slice(2)).join('\n');
};

/** What was parsed, kept as attributes and printed by value. */
const said = (read: (parser: OpAsmParser) => Readonly<Record<string, Attribute>>): Form => ({
  parse: (parser) => ({ attributes: read(parser), resultTypes: [] }),
  print: (printer, operation) => {
    printer.optionalAttrDict(operation);
  },
});

const text = (value: string | undefined): Attribute => stringAttribute(value ?? '<none>');
const number = (value: bigint | number | undefined): Attribute =>
  value === undefined ? unitAttribute : integerAttribute(value, i64);
const types = (of: readonly Parameters<typeof typeAttribute>[0][]): Attribute =>
  arrayAttribute(of.map((type) => typeAttribute(type)));

const readers: Readonly<Record<string, Form>> = {
  keyword: said((parser) => ({ is: text(parser.keyword()) })),
  optionalKeyword: said((parser) => ({ is: text(parser.optionalKeyword()) })),
  integer: said((parser) => ({ is: number(parser.integer()) })),
  optionalInteger: said((parser) => ({ is: number(parser.optionalInteger()) })),
  exactInteger: said((parser) => ({ is: number(parser.exactInteger()) })),
  optionalExactInteger: said((parser) => ({ is: number(parser.optionalExactInteger()) })),
  string: said((parser) => ({ is: text(parser.string()) })),
  optionalString: said((parser) => ({ is: text(parser.optionalString()) })),
  symbolName: said((parser) => ({ is: text(parser.symbolName()) })),
  optionalSymbolName: said((parser) => ({ is: text(parser.optionalSymbolName()) })),
  expect: said((parser) => {
    parser.expect('as');
    parser.expect('->');
    return {};
  }),
  accept: said((parser) => ({
    is: arrayAttribute(['as', '->', 'as'].map((each) => (parser.accept(each) ? unitAttribute : text(each)))),
  })),
  peek: said((parser) => ({
    is: arrayAttribute(['as', '->'].map((each) => text(String(parser.peek(each))))),
    rest: arrayAttribute([text(String(parser.accept('as') || parser.accept('->')))]),
  })),
  list: said((parser) => ({
    is: arrayAttribute(
      (['paren', 'square', 'angle', 'brace'] as const).map((delimiter) =>
        arrayAttribute(parser.list(delimiter, () => number(parser.integer()))),
      ),
    ),
  })),
  commaSeparated: said((parser) => ({
    is: arrayAttribute(parser.commaSeparated(() => number(parser.integer()))),
  })),
  fail: said((parser) => {
    const before = parser.here();
    parser.keyword();
    if (parser.accept(',')) parser.fail('is not liked', before);
    return parser.accept(':')
      ? parser.fail('is not liked here')
      : parser.fail('stands there', parser.location);
  }),
  type: said((parser) => ({ is: types([parser.type()]) })),
  optionalType: said((parser) => ({ is: types([parser.optionalType() ?? []].flat()) })),
  colonType: said((parser) => ({ is: types([parser.colonType()]) })),
  colonTypeList: said((parser) => ({ is: types(parser.colonTypeList()) })),
  optionalArrowTypeList: said((parser) => ({ is: types(parser.optionalArrowTypeList()) })),
  functionalType: said((parser) => {
    const { inputs, results } = parser.functionalType();
    return { is: types(inputs), to: types(results) };
  }),
  attribute: said((parser) => ({ is: parser.attribute() })),
  'attribute of i32': said((parser) => ({ is: parser.attribute(i32) })),
  optionalAttribute: said((parser) => ({ is: parser.optionalAttribute(i32) ?? text('none') })),
  optionalAttrDict: said((parser) => parser.optionalAttrDict()),
  optionalAttrDictWithKeyword: said((parser) => parser.optionalAttrDictWithKeyword()),
  optionalLocation: said((parser) => {
    const location = parser.optionalLocation();
    return { is: text(location?.kind === 'file' ? `${location.file}:${location.line}` : location?.kind) };
  }),
  resultCount: said((parser) => ({ is: number(parser.resultCount) })),
  location: said((parser) => {
    const [before, name] = [parser.here(), parser.location];
    const column = ({ kind, ...rest }: typeof name) =>
      number('column' in rest && kind === 'file' ? rest.column : -1);
    return { is: column(name), next: column(before) };
  }),
};

describe('what a parser by hand is given', () => {
  it.each([
    ['keyword', ' word', 'test.form {is = "word"}'],
    ['keyword', ' 3', "3:11 custom op 'test.form' expected valid keyword [parse/operation]"],
    ['optionalKeyword', ' word', 'test.form {is = "word"}'],
    ['optionalKeyword', '', 'test.form {is = "<none>"}'],
    ['integer', ' -5', 'test.form {is = -5 : i64}'],
    ['integer', ' 7', 'test.form {is = 7 : i64}'],
    ['integer', ' x', "3:11 custom op 'test.form' expected integer value [parse/operation]"],
    ['integer', ' -x', '3:12 expected integer value [parse/expected-token]'],
    ['optionalInteger', ' 4', 'test.form {is = 4 : i64}'],
    ['optionalInteger', '', 'test.form {is}'],
    ['exactInteger', ' -9007199254740991', 'test.form {is = -9007199254740991 : i64}'],
    [
      'exactInteger',
      ' -9007199254740992',
      '3:12 9007199254740992 is outside the integers that a number holds exactly (2^53) [parse/number]',
    ],
    ['exactInteger', ' -0', 'test.form {is = 0 : i64}'],
    ['exactInteger', ' x', "3:11 custom op 'test.form' expected integer value [parse/operation]"],
    ['exactInteger', ' -x', '3:12 expected integer value [parse/expected-token]'],
    ['optionalExactInteger', '', 'test.form {is}'],
    ['optionalExactInteger', ' 12', 'test.form {is = 12 : i64}'],
    ['string', ' "a\\22"', 'test.form {is = "a\\22"}'],
    ['string', ' a', "3:11 custom op 'test.form' expected string [parse/operation]"],
    ['optionalString', '', 'test.form {is = "<none>"}'],
    ['symbolName', ' @a', 'test.form {is = "a"}'],
    ['symbolName', ' @"a b"', 'test.form {is = "a b"}'],
    [
      'symbolName',
      ' a',
      "3:11 custom op 'test.form' expected valid '@'-identifier for symbol name [parse/operation]",
    ],
    ['optionalSymbolName', '', 'test.form {is = "<none>"}'],
    ['expect', ' as ->', 'test.form'],
    ['expect', ' is ->', "3:11 custom op 'test.form' expected 'as' [parse/operation]"],
    ['expect', ' as', "3:13 expected '->' [parse/expected-token]"],
    ['accept', ' as -> as', 'test.form {is = [unit, unit, unit]}'],
    ['accept', ' ->', 'test.form {is = ["as", unit, "as"]}'],
    ['accept', ' as', 'test.form {is = [unit, "->", "as"]}'],
    ['peek', ' as', 'test.form {is = ["true", "false"], rest = ["true"]}'],
    ['peek', ' ->', 'test.form {is = ["false", "true"], rest = ["true"]}'],
    ['list', ' (1, 2) [3] <> {4, 5, 6}', 'test.form {is = [[1, 2], [3], [], [4, 5, 6]]}'],
    ['list', ' (1, 2) (3)', "3:17 expected '[' [parse/expected-token]"],
    ['list', ' (1 2)', "3:13 expected ')' [parse/expected-token]"],
    ['commaSeparated', ' 1, 2', 'test.form {is = [1, 2]}'],
    ['commaSeparated', '', "3:9 custom op 'test.form' expected integer value [parse/operation]"],
    ['commaSeparated', ' 1,', "3:12 custom op 'test.form' expected integer value [parse/operation]"],
    ['fail', ' word,', "3:11 custom op 'test.form' is not liked [parse/operation]"],
    ['fail', ' word: x', "3:17 custom op 'test.form' is not liked here [parse/operation]"],
    ['fail', ' word', "3:1 custom op 'test.form' stands there [parse/operation]"],
    ['type', ' tensor<2xf32>', 'test.form {is = [tensor<2xf32>]}'],
    ['type', ' x', '3:10 expected non-function type [parse/expected-token]'],
    ['optionalType', ' (i32) -> f32', 'test.form {is = [(i32) -> f32]}'],
    ['optionalType', ' si8', 'test.form {is = [si8]}'],
    ['optionalType', ' !a.b', 'test.form {is = [!a.b]}'],
    ['optionalType', '', 'test.form {is = []}'],
    ['colonType', ' : i32', 'test.form {is = [i32]}'],
    ['colonType', ' i32', "3:10 expected ':' [parse/expected-token]"],
    ['colonTypeList', ' : i32, f32', 'test.form {is = [i32, f32]}'],
    ['colonTypeList', ' i32', "3:10 expected ':' [parse/expected-token]"],
    ['optionalArrowTypeList', '', 'test.form {is = []}'],
    ['optionalArrowTypeList', ' -> i32', 'test.form {is = [i32]}'],
    ['optionalArrowTypeList', ' -> (i32, f32)', 'test.form {is = [i32, f32]}'],
    ['functionalType', ' (i32) -> (f32, i1)', 'test.form {is = [i32], to = [f32, i1]}'],
    ['functionalType', ' i32 -> f32', "3:10 expected '(' [parse/expected-token]"],
    ['attribute', ' 3', 'test.form {is = 3 : i64}'],
    ['attribute of i32', ' 3', 'test.form {is = 3 : i32}'],
    ['optionalAttribute', ' 3', 'test.form {is = 3 : i32}'],
    ['optionalAttribute', ' [@a]', 'test.form {is = [@a]}'],
    ['optionalAttribute', '', 'test.form {is = "none"}'],
    ['optionalAttrDict', ' {b, a = 1 : i8}', 'test.form {a = 1 : i8, b}'],
    ['optionalAttrDict', '', 'test.form'],
    ['optionalAttrDictWithKeyword', ' attributes {b}', 'test.form {b}'],
    ['optionalAttrDictWithKeyword', '', 'test.form'],
    [
      'optionalAttrDictWithKeyword',
      ' attributes b',
      "3:21 expected '{' in attribute dictionary [parse/expected-token]",
    ],
    ['optionalLocation', ' loc("f":3:4)', 'test.form {is = "f:3"}'],
    ['optionalLocation', ' loc(unknown)', 'test.form {is = "unknown"}'],
    [
      'optionalLocation',
      ' loc(#later)\n#later = loc("f":1:2)',
      "4:1 custom op 'test.form' undefined symbol alias id 'later' [parse/operation]",
    ],
    ['optionalLocation', '', 'test.form {is = "<none>"}'],
    ['resultCount', '', 'test.form {is = 0 : i64}'],
    ['location', '  "a.b"() : () -> ()', 'test.form {is = 1 : i64, next = 12 : i64}\n"a.b"() : () -> ()'],
  ])('%s reads%s', (name, rest, expected) => {
    const result = outcome(readers[name]!, rest);
    expect(result).toBe(expected);
  });
});

/** Operands, regions and successors, with their printers. */
const forms: Readonly<Record<string, Form>> = {
  operandList: {
    parse: (parser) => {
      const location = parser.here();
      const operands = parser.operandList();
      const types = parser.accept(':') ? parser.commaSeparated(() => parser.type()) : [];
      return { operands: parser.resolveAll(operands, types, location), resultTypes: [] };
    },
    print: (printer, { operands }) => {
      printer.text(' ');
      printer.operands(operands);
      printer.text(' : ');
      printer.types(operands.map(({ type }) => type));
    },
  },
  optionalOperand: {
    parse: (parser) => {
      const operand = parser.optionalOperand();
      return {
        operands: operand === undefined ? [] : [parser.resolve(operand, parser.colonType())],
        resultTypes: [],
      };
    },
    print: (printer, { operands: [operand] }) => {
      if (operand === undefined) return;
      printer.text(' ');
      printer.operand(operand);
      printer.text(' : ');
      printer.type(operand.type);
    },
  },
  affineMapOfSsaIds: {
    parse: (parser) => {
      const { results, dims, symbols } = parser.affineMapOfSsaIds('square');
      const map = affineMapAttribute(makeMap(dims.length, symbols.length, results));
      const operands = [...dims, ...symbols].map((operand) => parser.resolve(operand, indexType));
      return { operands, resultTypes: [], attributes: { map } };
    },
    print: (printer, { operands, attributes: { map } }) => {
      if (map?.kind !== 'affine-map') return;
      printer.text('[');
      const { numDims } = map.map;
      printer.affineMapOfSsaIds(map.map.results, operands.slice(0, numDims), operands.slice(numDims));
      printer.text(']');
    },
  },
  argument: {
    parse: (parser) => {
      const list = parser.list('paren', () => parser.argument());
      return {
        regions: [parser.region(list)],
        resultTypes: [],
        attributes: {
          of: arrayAttribute(list.map(({ attributes = {} }) => dictionaryAttribute(attributes))),
        },
      };
    },
    print: (printer, { regions: [region], attributes: { of } }) => {
      printer.text('(');
      region?.blocks[0]?.arguments.forEach((argument, i) => {
        if (i > 0) printer.text(', ');
        const attributes = of?.kind === 'array' ? of.elements[i] : undefined;
        printer.argument(argument, attributes?.kind === 'dictionary' ? attributes.entries : {});
      });
      printer.text(') ');
      if (region !== undefined) printer.region(region, { printEntryArguments: false });
    },
  },
  optionalArgument: {
    parse: (parser) => {
      const argument = parser.optionalArgument(i32);
      parser.accept(',');
      const region = parser.optionalRegion(argument === undefined ? [] : [argument]);
      return { regions: region === undefined ? [] : [region], resultTypes: [] };
    },
    print: (printer, { regions: [region] }) => {
      printer.text(region === undefined ? ' none' : ' ');
      if (region !== undefined) printer.region(region);
    },
  },
  ensureTerminator: {
    parse: (parser) => ({
      regions: [parser.ensureTerminator(parser.region(), 'test.yield')],
      resultTypes: [],
    }),
    print: (printer, { regions: [region] }) => {
      if (region === undefined) return;
      printer.text(' ');
      printer.region(region, { printTerminator: false });
      printer.text(' ');
      printer.region(region);
    },
  },
  emptyBlockRegion: {
    parse: (parser) => ({ regions: [parser.emptyBlockRegion([i32, i64])], resultTypes: [] }),
    print: (printer, { regions: [region] }) => {
      if (region !== undefined) printer.region(region, { printEmptyBlock: true });
    },
  },
  buildRegion: {
    parse: (parser) => ({
      regions: [
        parser.buildRegion([i32], (builder, { arguments: [argument] }) => {
          const [sum] = builder.create({
            name: 'test.add',
            operands: [argument!, argument!],
            resultTypes: [i32],
            attributes: {},
          });
          builder.create({ name: 'test.yield', operands: [sum!], resultTypes: [], attributes: {} });
        }),
      ],
      resultTypes: [],
    }),
    print: (printer, { regions: [region] }) => {
      if (region !== undefined) printer.region(region);
    },
  },
  lines: {
    parse: () => ({ resultTypes: [] }),
    print: (printer) => {
      printer.indented(() => {
        printer.newline();
        printer.text('further');
        printer.indented(() => printer.newline());
        printer.string('a"b');
        printer.newline();
      });
      printer.newline();
      printer.symbolName('a');
      printer.symbolName('a b');
      printer.functionalType([i32], [i64]);
      printer.functionalType([], [i32, i64]);
      printer.optionalArrowTypeList([]);
      printer.optionalArrowTypeList([i32]);
      printer.optionalArrowTypeList([() => i32, () => i64].map((each) => each()));
      printer.attributeWithoutType(integerAttribute(3, i32));
      printer.attribute(integerAttribute(3, i32));
      printer.attributes({});
      printer.attributes({ b: unitAttribute });
    },
  },
  'optionalAttrDict of some': {
    parse: (parser) => ({ attributes: parser.optionalAttrDict(), resultTypes: [] }),
    print: (printer, operation) => {
      printer.optionalAttrDict(operation, ['b']);
      printer.optionalAttrDictWithKeyword(operation, ['a']);
    },
  },
};

describe('what a printer by hand is given', () => {
  it.each([
    ['operandList', ' %x, %y#1 : i32, f32', 'test.form %0, %1#1 : i32, f32'],
    [
      'operandList',
      ' %x, %y#1 : i32',
      "3:11 custom op 'test.form' number of operands and types do not match: got 2 operands and 1 types [parse/operation]",
    ],
    [
      'operandList',
      ' %x : f32',
      "3:11 use of value '%x' expects different type than prior uses: 'f32' vs 'i32' [parse/type-mismatch]",
    ],
    ['operandList', '', 'test.form  : '],
    ['optionalOperand', ' %x : i32', 'test.form %0 : i32'],
    ['optionalOperand', '', 'test.form'],
    [
      'affineMapOfSsaIds',
      '[%i + symbol(%j#1) * 2, %i, symbol(%j#1), %k]\n%i, %k = "a.d"() : () -> (index, index)\n%j:2 = "a.d"() : () -> (index, index)',
      'test.form[%2#0 + symbol(%3#1) * 2, %2#0, symbol(%3#1), %2#1]\n%2:2 = "a.d"() : () -> (index, index)\n%3:2 = "a.d"() : () -> (index, index)',
    ],
    ['affineMapOfSsaIds', '[]', 'test.form[]'],
    ['affineMapOfSsaIds', '[%i * ]', '3:16 missing right operand of binary operator [affine/syntax]'],
    [
      'argument',
      '(%a: i32 {n = 1 : i8}, %b: f32 loc("f":1:2)) { "a.b"(%b) : (f32) -> () }',
      'test.form(%arg0: i32 {n = 1 : i8}, %arg1: f32) {\n  "a.b"(%arg1) : (f32) -> ()\n}',
    ],
    ['argument', '(%a) { }', "3:13 expected ':' [parse/expected-token]"],
    ['argument', '(%x: i32) { }', "3:11 region entry argument '%x' is already in use [parse/redefinition]"],
    ['argument', '(%a#1: i32) { }', '3:13 result number not allowed in argument list [parse/syntax]'],
    [
      'optionalArgument',
      ' %a, { "a.b"(%a) : (i32) -> () }',
      'test.form {\n^bb0(%arg0: i32):\n  "a.b"(%arg0) : (i32) -> ()\n}',
    ],
    ['optionalArgument', ' { }', 'test.form {\n}'],
    ['optionalArgument', '', 'test.form none'],
    ['ensureTerminator', ' { }', 'test.form {\n} {\n  yield\n}'],
    [
      'ensureTerminator',
      ' { "a.b"() : () -> () }',
      'test.form {\n  "a.b"() : () -> ()\n} {\n  "a.b"() : () -> ()\n  yield\n}',
    ],
    ['ensureTerminator', ' { test.return }', 'test.form {\n} {\n  return\n}'],
    [
      'ensureTerminator',
      ' { test.br ^a ^a: "a.b"() : () -> () }',
      'test.form {\n^bb1:  // pred: ^bb0\n  "a.b"() : () -> ()\n  yield\n} {\n  br ^bb1\n^bb1:  // pred: ^bb0\n  "a.b"() : () -> ()\n  yield\n}',
    ],
    ['emptyBlockRegion', '', 'test.form{\n^bb0(%arg0: i32, %arg1: i64):\n}'],
    ['buildRegion', '', 'test.form{\n^bb0(%arg0: i32):\n  %2 = add %arg0, %arg0 : i32\n  yield %2 : i32\n}'],
    [
      'lines',
      '',
      'test.form\n  further\n    "a\\22b"\n  \n@a@"a b"(i32) -> i64() -> (i32, i64) -> i32 -> (i32, i64)33 : i32 {b}',
    ],
    ['optionalAttrDict of some', ' {a, b, c}', 'test.form {a, c} attributes {b, c}'],
  ])('%s of%s', (name, rest, expected) => {
    const result = outcome(forms[name]!, rest);
    expect(result).toBe(expected);
  });
});
