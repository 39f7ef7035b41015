/** Upstream's `FunctionOpInterface`: a symbol with a signature and an optional body. */
import type {
  Assembly,
  Attribute,
  Attributes,
  DeclaredOperation,
  FunctionType,
  NoSpecs,
  OpAsmParser,
  OpAsmPrinter,
  Operation,
  ParsedArgument,
  ParsedOperation,
  Type,
} from '@sconv/ir';
import {
  arrayAttribute,
  arrayOf,
  attributeKind,
  dictionaryAttribute,
  functionType,
  functionTypeOf,
  noAttributes,
  optionalAttribute,
  stringAttribute,
  stringAttributeKind,
  typeAttribute,
  typeEquals,
  symbolNameOf,
} from '@sconv/ir';
import { symbolName } from './attribute-kinds.ts';
import { typeText } from './type-text.ts';

const functionTypeAttribute = attributeKind<FunctionType>(
  'type attribute of function type',
  functionTypeOf,
  typeAttribute,
);

const dictionary = attributeKind<Attributes>(
  'dictionary attribute',
  (attribute) => (attribute.kind === 'dictionary' ? attribute.entries : undefined),
  dictionaryAttribute,
);
const dictionaries = optionalAttribute(arrayOf(dictionary, 'Array of dictionary attributes'));

/** The attributes of a function-like op. */
export const functionAttributes = {
  symName: symbolName,
  functionType: functionTypeAttribute,
  symVisibility: optionalAttribute(stringAttributeKind),
  argAttrs: dictionaries,
  resAttrs: dictionaries,
};

/** A type in a signature, with its attributes. */
interface SignatureType {
  readonly type: Type;
  readonly attributes: Attributes;
}

const isEmpty = (attributes: Attributes): boolean => Object.keys(attributes).length === 0;

/** `arg_attrs` or `res_attrs`: absent if all are empty. */
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
  /** Empty if the arguments are unnamed, as in a declaration. */
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

const parseFunction = (parser: OpAsmParser, terminator: string | undefined): ParsedOperation => {
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
  if (region === undefined) return { attributes, regions: [{ blocks: [] }] };
  return {
    attributes,
    regions: [terminator === undefined ? region : parser.ensureTerminator(region, terminator)],
  };
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
  const body = operation.regions[0];
  const entry = body?.blocks[0];
  printer.text(visibility?.kind === 'string' ? ` ${visibility.value} ` : ' ');
  printer.symbolName(symbolNameOf(operation) ?? '');
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

/** Errors of argument or result attributes: one dictionary each, with dialect attributes only. */
function* attributeListErrors(
  list: readonly Attributes[] | undefined,
  what: 'argument' | 'result',
  count: number,
): Generator<string> {
  if (list === undefined) return;
  if (list.length !== count) {
    yield (
      `expects ${what} attribute array to have the same number of elements as the number of function ` +
      `${what}s, got ${list.length}, but expected ${count}`
    );
  } else if (list.flatMap(Object.keys).some((key) => !key.includes('.'))) {
    yield `${what}s may only have dialect attributes`;
  }
}

/**
 * `private @name(%a: f32) -> f32 attributes {…} { … }`; a declaration without a body. Adds an implicit `terminator`
 * to a body without one.
 */
export const functionAssembly = (terminator?: string): Assembly => ({
  parse: (parser) => parseFunction(parser, terminator),
  print: printFunction,
});

/** Errors of a signature, and of the body's arguments against it. */
export function* verifyFunction({
  operation,
  attributes: { functionType: type, argAttrs, resAttrs },
}: DeclaredOperation<NoSpecs, NoSpecs, typeof functionAttributes>): Generator<string> {
  const entry = operation.regions[0]!.blocks[0];
  yield* attributeListErrors(argAttrs, 'argument', type.inputs.length);
  yield* attributeListErrors(resAttrs, 'result', type.results.length);
  if (entry === undefined) return;
  if (entry.arguments.length !== type.inputs.length) {
    yield `entry block must have ${type.inputs.length} arguments to match function signature`;
    return;
  }
  for (const [i, argument] of entry.arguments.entries()) {
    const wanted = type.inputs[i]!;
    if (!typeEquals(argument.type, wanted)) {
      yield (
        `type of entry block argument #${i}('${typeText(argument.type)}') must match the type of the ` +
        `corresponding argument in function signature('${typeText(wanted)}')`
      );
    }
  }
}
