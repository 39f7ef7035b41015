/** A small dialect for the tests of this package, with helpers for parsing and printing. */
import { unwrap } from '@sconv/diagnostics';
import type { Diagnostic } from '@sconv/diagnostics';
import type { AssemblyDirective, Module, OpAsmParser, PrintOptions } from '../src/index.ts';
import {
  allTypesMatch,
  anyAttribute,
  anyType,
  boolAttribute,
  boolean,
  constantLike,
  createRegistry,
  defineOp,
  denseArrayAttribute,
  i64ArrayAttribute,
  i64Attribute,
  implement,
  index,
  indexType,
  one,
  optional,
  optionalAttribute,
  parseModule,
  printModule,
  stringAttribute,
  stringAttributeKind,
  symbolRefAttributeKind,
  typeConstraint,
  typeEquals,
  unitAttributeKind,
  variadic,
  withDefault,
} from '../src/index.ts';

const moduleOp = defineOp({
  name: 'builtin.module',
  summary: 'a module',
  attributes: { symName: optionalAttribute(stringAttributeKind) },
  regions: ['body'],
  traits: ['isolated-from-above', 'symbol-table', 'no-terminator', 'single-block', 'graph-region'],
  assembly: { format: 'attr-dict-with-keyword $body' },
  defaultDialect: 'builtin',
});

/** `test.func @name(%a: i32) -> (i32) { … }`. */
const func = defineOp({
  name: 'test.func',
  summary: 'a function',
  attributes: { symName: stringAttributeKind },
  regions: ['body'],
  traits: ['isolated-from-above', 'symbol'],
  defaultDialect: 'test',
  assembly: {
    parse: (parser) => {
      const name = parser.symbolName();
      const args = parser.list('paren', () => parser.argument());
      return { attributes: { sym_name: stringAttribute(name) }, regions: [parser.region(args)] };
    },
    print: (printer, operation) => {
      const name = operation.attributes['sym_name'];
      const [body] = operation.regions;
      printer.text(' ');
      printer.symbolName(name?.kind === 'string' ? name.value : '');
      printer.text('(');
      body?.blocks[0]?.arguments.forEach((argument, i) => {
        if (i > 0) printer.text(', ');
        printer.argument(argument);
      });
      printer.text(') ');
      if (body !== undefined) printer.region(body, { printEntryArguments: false });
    },
  },
});

const returnOp = defineOp({
  name: 'test.return',
  summary: 'the end of a function',
  operands: { operands: variadic(anyType) },
  traits: ['terminator'],
  assembly: { format: 'attr-dict ($operands^ `:` type($operands))?' },
});

const constant = defineOp({
  name: 'test.constant',
  summary: 'a constant',
  attributes: { value: anyAttribute },
  results: { result: one(anyType) },
  traits: ['pure'],
  interfaces: [
    implement(constantLike, {
      value: ({ attributes: { value } }) => value,
      attributesFor: (value, type) =>
        value.kind === 'integer' && typeEquals(value.type, type) ? { value } : undefined,
    }),
  ],
  assembly: { format: 'attr-dict $value' },
  inferResultTypes: (_, { value }) => (value?.kind === 'integer' ? [value.type] : undefined),
  resultName: ({ attributes: { value } }) => (value?.kind === 'integer' ? `c${value.value}` : 'cst'),
});

const signlessInteger = typeConstraint('signless integer', (type) => type.kind === 'integer');

const add = defineOp({
  name: 'test.add',
  summary: 'a sum',
  operands: { lhs: one(signlessInteger), rhs: one(signlessInteger) },
  results: { result: one(signlessInteger) },
  attributes: { wraps: withDefault(boolAttribute, true) },
  traits: ['same-operands-and-result-type', 'pure'],
  assembly: { format: '$lhs `,` $rhs (`wraps` `=` $wraps^)? attr-dict `:` type($result)' },
});

const select = defineOp({
  name: 'test.select',
  summary: 'one of two values',
  operands: { condition: one(boolean), whenTrue: one(anyType), whenFalse: one(anyType) },
  results: { result: one(anyType) },
  typeRelations: [allTypesMatch('whenTrue', 'whenFalse', 'result')],
  assembly: { format: '$condition `,` $whenTrue `,` $whenFalse attr-dict `:` type($result)' },
});

const indices: AssemblyDirective = {
  parse: (parser: OpAsmParser, parsed, [group = '', name = '']) => {
    const operands: ReturnType<OpAsmParser['operand']>[] = [];
    const values = parser.list('square', () => {
      const operand = parser.optionalOperand();
      if (operand === undefined) return Number(parser.integer());
      operands.push(operand);
      return -1;
    });
    parsed.operands.set(group, operands);
    parsed.operandTypes.set(
      group,
      operands.map(() => indexType),
    );
    parsed.attributes.set(name, denseArrayAttribute(values));
  },
  print: (printer, operation, [group = '', name = ''], definition) => {
    const dynamic = [...definition.operandGroup(operation, group)];
    const fixed = operation.attributes[name];
    printer.text('[');
    (fixed?.kind === 'dense-array' ? fixed.values : []).forEach((value, i) => {
      if (i > 0) printer.text(', ');
      const operand = value === -1 ? dynamic.shift() : undefined;
      if (operand === undefined) printer.text(String(value));
      else printer.operand(operand);
    });
    printer.text(']');
  },
};

const slice = defineOp({
  name: 'test.slice',
  summary: 'a slice',
  operands: { source: one(anyType), offsets: variadic(index), sizes: variadic(index) },
  results: { result: one(anyType) },
  attributes: { staticOffsets: i64ArrayAttribute, staticSizes: i64ArrayAttribute },
  assembly: {
    format:
      '$source `` custom<Indices>($offsets, $staticOffsets) custom<Indices>($sizes, $staticSizes) attr-dict `:` functional-type($source, $result)',
    directives: { Indices: indices },
  },
  resultName: () => 'slice',
});

const flags = defineOp({
  name: 'test.flags',
  summary: 'optional groups of every kind',
  operands: { first: optional(index), rest: variadic(index) },
  results: { out: optional(index) },
  attributes: { fast: unitAttributeKind, depth: optionalAttribute(i64Attribute) },
  regions: ['body'],
  traits: ['no-terminator'],
  assembly: {
    format:
      '(`fast` $fast^)? (`depth` `(` $depth^ `)`):(`flat`)? ($first^)? (`,` $rest^)? (`->` type($out)^)? attr-dict (`with` $body^)?',
  },
});

const pair = defineOp({
  name: 'test.pair',
  summary: 'results with names of their own',
  results: { low: one(index), high: one(index), rest: variadic(index) },
  assembly: { format: '`:` type($rest) attr-dict' },
  resultName: () => ['low', 'high', '', undefined],
});

const loop = defineOp({
  name: 'test.loop',
  summary: 'a body with a named argument and an implied terminator',
  regions: ['body'],
  implicitTerminator: 'test.yield',
  traits: ['single-block'],
  assembly: { format: '$body attr-dict' },
  blockArgumentNames: () => ['iv'],
});

const yieldOp = defineOp({
  name: 'test.yield',
  summary: 'the end of a loop',
  operands: { operands: variadic(anyType) },
  traits: ['terminator'],
  assembly: { format: 'attr-dict ($operands^ `:` type($operands))?' },
});

const branch = defineOp({
  name: 'test.br',
  summary: 'a jump',
  operands: { operands: variadic(anyType) },
  successors: ['dest'],
  traits: ['terminator'],
  assembly: { format: '$dest (`(` $operands^ `:` type($operands) `)`)? attr-dict' },
});

const switchOp = defineOp({
  name: 'test.switch',
  summary: 'a jump to one of several blocks',
  operands: { flag: one(anyType) },
  successors: ['dests...'],
  traits: ['terminator'],
  assembly: { format: '$flag `:` type($flag) `,` $dests attr-dict' },
});

const call = defineOp({
  name: 'test.call',
  summary: 'a call',
  operands: { operands: variadic(anyType) },
  results: { results: variadic(anyType) },
  attributes: { callee: symbolRefAttributeKind },
  assembly: { format: '$callee `(` $operands `)` attr-dict `:` functional-type($operands, $results)' },
  *verify({ attributes: { callee } }, context) {
    if (context.lookupSymbol(callee) === undefined) yield `'${callee}' does not reference a valid function`;
  },
});

const region = defineOp({
  name: 'test.region',
  summary: 'any regions',
  regions: ['regions...'],
  traits: ['no-terminator'],
  assembly: { format: '$regions attr-dict' },
});

export const registry = createRegistry([
  { name: 'builtin', operations: [moduleOp] },
  {
    name: 'test',
    operations: [
      func,
      returnOp,
      constant,
      add,
      select,
      slice,
      flags,
      pair,
      loop,
      yieldOp,
      branch,
      switchOp,
      call,
      region,
    ],
  },
]);

const options = { registry, fileName: 'in.mlir', allowUnregisteredDialects: true };

/** Parses a valid text. */
export const parse = (text: string, known = registry): Module =>
  unwrap(parseModule(text, { ...options, registry: known }));

/** The errors of a text. */
export const errorsOf = (text: string, allowUnregisteredDialects = true): readonly Diagnostic[] => {
  const result = parseModule(text, { ...options, allowUnregisteredDialects });
  return result.status === 'success' ? [] : result.diagnostics;
};

/** The first error of a text, as `line:column message`. */
export const errorOf = (text: string, allowUnregisteredDialects = true): string => {
  const [first] = errorsOf(text, allowUnregisteredDialects);
  if (first === undefined) return 'accepted';
  const position = first.location.kind === 'file' ? `${first.location.line}:${first.location.column}` : '?';
  return `${position} ${first.message}`;
};

/** Parses and prints the text. */
export const reprint = (text: string, print: Partial<PrintOptions> = {}): string =>
  printModule(parse(text), { registry, ...print });
