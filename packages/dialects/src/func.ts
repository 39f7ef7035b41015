/** The func dialect: functions, calls and returns. */
import type {
  Attribute,
  Attributes,
  Dialect,
  FunctionType,
  OpAsmParser,
  OpAsmPrinter,
  Operation,
  ParsedArgument,
  Type,
} from '@sconv/ir';
import {
  anyAttribute,
  anyType,
  arrayAttribute,
  attributeKind,
  defineOp,
  dictionaryAttribute,
  functionType,
  functionTypeOf,
  noAttributes,
  one,
  optionalAttribute,
  stringAttribute,
  stringAttributeKind,
  symbolRefAttributeKind,
  typeAttribute,
  typeEquals,
  variadic,
} from '@sconv/ir';
import { symbolName } from './attribute-kinds.ts';
import { functionValue } from './constraints.ts';
import { typeText } from './type-text.ts';

const functionTypeAttribute = attributeKind<FunctionType>(
  'type attribute of function type',
  functionTypeOf,
  typeAttribute,
);

/** A type of a signature with its attributes. */
interface SignatureType {
  readonly type: Type;
  readonly attributes: Attributes;
}

const isEmpty = (attributes: Attributes): boolean => Object.keys(attributes).length === 0;

/** `arg_attrs` or `res_attrs`: absent if none has attributes. */
const attributeList = (types: readonly SignatureType[]): Attribute | undefined =>
  types.every((entry) => isEmpty(entry.attributes))
    ? undefined
    : arrayAttribute(types.map((entry) => dictionaryAttribute(entry.attributes)));

/** The dictionary at position `i` of `arg_attrs` or `res_attrs`. */
const attributesAt = (list: Attribute | undefined, i: number): Attributes => {
  const entry = list?.kind === 'array' ? list.elements[i] : undefined;
  return entry?.kind === 'dictionary' ? entry.entries : noAttributes;
};

const parseTypeWithAttributes = (parser: OpAsmParser): SignatureType => {
  const type = parser.type();
  return { type, attributes: parser.optionalAttrDict() };
};

interface ParsedSignature {
  readonly inputs: readonly SignatureType[];
  /** Empty if the arguments have no names, as in a declaration. */
  readonly arguments: readonly ParsedArgument[];
  readonly results: readonly SignatureType[];
}

const parseSignature = (parser: OpAsmParser): ParsedSignature => {
  const named: ParsedArgument[] = [];
  let inputsSeen = 0;
  const inputs = parser.list('paren', (): SignatureType => {
    const location = parser.here();
    const argument = parser.optionalArgument();
    if (argument !== undefined) {
      if (named.length === 0 && inputsSeen > 0)
        parser.fail('expected type instead of SSA identifier', location);
      inputsSeen++;
      named.push(argument);
      return { type: argument.type, attributes: argument.attributes ?? noAttributes };
    }
    if (named.length > 0) parser.fail('expected SSA identifier', location);
    inputsSeen++;
    const entry = parseTypeWithAttributes(parser);
    parser.optionalLocation();
    return entry;
  });
  if (!parser.accept('->')) return { inputs, arguments: named, results: [] };
  const results = parser.peek('(')
    ? parser.list('paren', () => parseTypeWithAttributes(parser))
    : [{ type: parser.type(), attributes: noAttributes }];
  return { inputs, arguments: named, results };
};

const visibilities = ['public', 'private', 'nested'];

const parseFunction = (parser: OpAsmParser) => {
  const visibility = visibilities.find((word) => parser.accept(word));
  const name = parser.symbolName();
  const signature = parseSignature(parser);
  const extra = parser.optionalAttrDictWithKeyword();
  for (const reserved of ['sym_name', 'sym_visibility', 'function_type']) {
    if (reserved in extra) {
      parser.fail(
        `'${reserved}' is an inferred attribute and should not be specified in the explicit attribute dictionary`,
      );
    }
  }
  const argAttrs = attributeList(signature.inputs);
  const resAttrs = attributeList(signature.results);
  const attributes: Attributes = {
    ...extra,
    sym_name: stringAttribute(name),
    function_type: typeAttribute(
      functionType(
        signature.inputs.map((entry) => entry.type),
        signature.results.map((entry) => entry.type),
      ),
    ),
    ...(visibility === undefined ? {} : { sym_visibility: stringAttribute(visibility) }),
    ...(argAttrs === undefined ? {} : { arg_attrs: argAttrs }),
    ...(resAttrs === undefined ? {} : { res_attrs: resAttrs }),
  };
  const location = parser.here();
  const region = parser.optionalRegion(signature.arguments);
  if (region?.blocks.length === 0) parser.fail('expected non-empty function body', location);
  return { attributes, regions: [region ?? { blocks: [] }] };
};

const printResults = (printer: OpAsmPrinter, types: readonly Type[], list: Attribute | undefined): void => {
  const [first] = types;
  if (first === undefined) return;
  printer.text(' -> ');
  const bare = types.length === 1 && first.kind !== 'function' && isEmpty(attributesAt(list, 0));
  if (bare) {
    printer.type(first);
    return;
  }
  printer.text('(');
  types.forEach((type, i) => {
    if (i > 0) printer.text(', ');
    printer.type(type);
    printer.attributes(attributesAt(list, i));
  });
  printer.text(')');
};

const printFunction = (printer: OpAsmPrinter, operation: Operation): void => {
  const { attributes } = operation;
  const type = functionTypeOf(attributes['function_type']);
  const visibility = attributes['sym_visibility'];
  const name = attributes['sym_name'];
  const body = operation.regions[0];
  const entry = body?.blocks[0];
  printer.text(visibility?.kind === 'string' ? ` ${visibility.value} ` : ' ');
  printer.symbolName(name?.kind === 'string' ? name.value : '');
  printer.text('(');
  (type?.inputs ?? []).forEach((input, i) => {
    if (i > 0) printer.text(', ');
    const argument = entry?.arguments[i];
    const inputAttributes = attributesAt(attributes['arg_attrs'], i);
    if (argument !== undefined) printer.argument(argument, inputAttributes);
    else {
      printer.type(input);
      printer.attributes(inputAttributes);
    }
  });
  printer.text(')');
  printResults(printer, type?.results ?? [], attributes['res_attrs']);
  printer.optionalAttrDictWithKeyword(operation, [
    'sym_name',
    'sym_visibility',
    'function_type',
    'arg_attrs',
    'res_attrs',
  ]);
  if (body === undefined || entry === undefined) return;
  printer.text(' ');
  printer.region(body, { printEntryArguments: false });
};

/** The attributes of arguments or results: one dictionary each, of dialect attributes only. */
function* attributeListErrors(
  operation: Operation,
  name: string,
  what: 'argument' | 'result',
  count: number,
): Generator<string> {
  const list = operation.attributes[name];
  if (list?.kind !== 'array') return;
  if (list.elements.length !== count) {
    yield `expects ${what} attribute array to have the same number of elements as the number of function ${what}s, got ${list.elements.length}, but expected ${count}`;
    return;
  }
  for (const entry of list.elements) {
    if (entry.kind !== 'dictionary') {
      yield `expects ${what} attribute dictionary to be a DictionaryAttr, but got another kind`;
    } else if (Object.keys(entry.entries).some((key) => !key.includes('.'))) {
      yield `${what}s may only have dialect attributes`;
    }
  }
}

/** `func.func @name(%a: f32) -> f32 { … }`; without a body, a declaration. */
export const funcOp = defineOp({
  name: 'func.func',
  summary: 'a function',
  attributes: {
    symName: symbolName,
    functionType: functionTypeAttribute,
    symVisibility: optionalAttribute(stringAttributeKind),
    argAttrs: optionalAttribute(anyAttribute),
    resAttrs: optionalAttribute(anyAttribute),
  },
  regions: ['body'],
  traits: ['isolated-from-above', 'symbol', 'automatic-allocation-scope'],
  defaultDialect: 'func',
  assembly: { parse: parseFunction, print: printFunction },
  *verify(operation) {
    const type = functionTypeOf(operation.attributes['function_type']);
    const entry = operation.regions[0]?.blocks[0];
    if (type === undefined) return;
    yield* attributeListErrors(operation, 'arg_attrs', 'argument', type.inputs.length);
    yield* attributeListErrors(operation, 'res_attrs', 'result', type.results.length);
    if (entry === undefined) {
      const visibility = operation.attributes['sym_visibility'];
      if (visibility === undefined || (visibility.kind === 'string' && visibility.value === 'public')) {
        yield 'symbol declaration cannot have public visibility';
      }
      return;
    }
    if (entry.arguments.length !== type.inputs.length) {
      yield `entry block must have ${type.inputs.length} arguments to match function signature`;
      return;
    }
    for (const [i, argument] of entry.arguments.entries()) {
      const wanted = type.inputs[i];
      if (wanted !== undefined && !typeEquals(argument.type, wanted)) {
        yield `type of entry block argument #${i}('${typeText(argument.type)}') must match the type of the corresponding argument in function signature('${typeText(wanted)}')`;
      }
    }
  },
});

/** `return %x : f32`. */
export const returnOp = defineOp({
  name: 'func.return',
  summary: 'the end of a function',
  operands: { operands: variadic(anyType) },
  traits: ['pure', 'terminator', 'return-like'],
  parents: ['func.func'],
  assembly: { format: 'attr-dict ($operands^ `:` type($operands))?' },
  *verify(operation, context) {
    const attributes = context.ancestors[0]?.attributes ?? {};
    const results = functionTypeOf(attributes['function_type'])?.results ?? [];
    const name = attributes['sym_name'];
    const operands = operation.operands;
    if (operands.length !== results.length) {
      yield `has ${operands.length} operands, but enclosing function (@${name?.kind === 'string' ? name.value : ''}) returns ${results.length}`;
      return;
    }
    for (const [i, operand] of operands.entries()) {
      const wanted = results[i];
      if (wanted !== undefined && !typeEquals(operand.type, wanted)) {
        yield `type of return operand ${i} ('${typeText(operand.type)}') doesn't match function result type ('${typeText(wanted)}') in function @${name?.kind === 'string' ? name.value : ''}`;
        return;
      }
    }
  },
});

/** `call @f(%x) : (f32) -> f32`. */
export const call = defineOp({
  name: 'func.call',
  summary: 'a call of a function by its name',
  operands: { operands: variadic(anyType) },
  results: { results: variadic(anyType) },
  attributes: { callee: symbolRefAttributeKind },
  assembly: { format: '$callee `(` $operands `)` attr-dict `:` functional-type($operands, results)' },
  *verify(operation, context) {
    const callee = operation.attributes['callee'];
    if (callee?.kind !== 'symbol-ref') {
      yield "requires a 'callee' symbol reference attribute";
      return;
    }
    const target = context.lookupSymbol(callee.root);
    const type =
      target?.name === 'func.func' ? functionTypeOf(target.attributes['function_type']) : undefined;
    if (type === undefined) {
      yield `'${callee.root}' does not reference a valid function`;
      return;
    }
    yield* callErrors(operation, type);
  },
});

function* callErrors(operation: Operation, type: FunctionType): Generator<string> {
  const { operands, results } = operation;
  if (operands.length !== type.inputs.length) {
    yield 'incorrect number of operands for callee';
    return;
  }
  for (const [i, input] of type.inputs.entries()) {
    const given = operands[i]?.type;
    if (given !== undefined && !typeEquals(given, input)) {
      yield `operand type mismatch: expected operand type ${quoted(input)}, but provided ${quoted(given)} for operand number ${i}`;
      return;
    }
  }
  if (results.length !== type.results.length) {
    yield 'incorrect number of results for callee';
    return;
  }
  const differing = results.findIndex((result, i) => !typeEquals(result.type, type.results[i]!));
  if (differing >= 0) yield `result type mismatch at index ${differing}`;
}

const quoted = (type: Type): string => `'${typeText(type)}'`;

/** `call_indirect %f(%x) : (f32) -> f32`. */
export const callIndirect = defineOp({
  name: 'func.call_indirect',
  summary: 'a call of a function value',
  operands: { callee: one(functionValue), calleeOperands: variadic(anyType) },
  results: { results: variadic(anyType) },
  assembly: {
    parse: (parser) => {
      const callee = parser.operand();
      const operands = parser.list('paren', () => parser.operand());
      const attributes = parser.optionalAttrDict();
      parser.expect(':');
      const location = parser.here();
      const { inputs, results } = parser.functionalType();
      return {
        operands: [
          parser.resolve(callee, functionType(inputs, results)),
          ...parser.resolveAll(operands, inputs, location),
        ],
        attributes,
        resultTypes: results,
      };
    },
    print: (printer, operation) => {
      const [callee, ...operands] = operation.operands;
      if (callee === undefined) return;
      printer.text(' ');
      printer.operand(callee);
      printer.text('(');
      printer.operands(operands);
      printer.text(')');
      printer.optionalAttrDict(operation);
      printer.text(' : ');
      printer.type(callee.type);
    },
  },
});

/** `constant @f : (f32) -> f32`, a function as a value. */
export const constant = defineOp({
  name: 'func.constant',
  summary: 'a function as a value',
  results: { result: one(functionValue) },
  attributes: { value: symbolRefAttributeKind },
  traits: ['pure', 'constant-like'],
  assembly: { format: 'attr-dict $value `:` type($result)' },
  *verify(operation, context) {
    const { value } = operation.attributes;
    if (value?.kind !== 'symbol-ref') return;
    const target = context.lookupSymbol(value.root);
    const type =
      target?.name === 'func.func' ? functionTypeOf(target.attributes['function_type']) : undefined;
    const result = operation.results[0]?.type;
    if (type === undefined) yield `reference to undefined function '${value.root}'`;
    else if (result !== undefined && !typeEquals(type, result)) {
      yield 'reference to function with mismatched type';
    }
  },
  resultName: () => 'f',
});

/** The dialect, for a registry. */
export const funcDialect: Dialect = {
  name: 'func',
  operations: [funcOp, returnOp, call, callIndirect, constant],
};
