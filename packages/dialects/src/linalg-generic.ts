/** `linalg.generic`, and the ops in the bodies of structured ops. */
import type { Attribute, Attributes, OpAsmParser, OpAsmPrinter, Operation } from '@sconv/ir';
import {
  affineMapAttributeKind,
  anyType,
  arrayAttribute,
  arrayOf,
  atLeast,
  defineOp,
  dictionaryAttribute,
  i64Attribute,
  index,
  one,
  optionalAttribute,
  printAttribute,
  stringAttribute,
  stringAttributeKind,
  typeEquals,
  variadic,
} from '@sconv/ir';
import { anyShaped, elementTypeOf, rankedTensor } from './constraints.ts';
import {
  iteratorAttribute,
  iteratorTypeNamed,
  iteratorTypesAttribute,
  readIteratorType,
} from './linalg-iterators.ts';
import { inputsAndOutputs, parseStructuredParts, printStructuredParts } from './linalg-text.ts';
import { verifyStructured } from './linalg-verify.ts';
import type { StructuredOp } from './linalg-view.ts';
import { structuredInterfaces, structuredOp, structuredViewOf } from './linalg-view.ts';
import { typeText } from './type-text.ts';

/** The attributes that the custom form prints before the operands. */
const traitNames = ['doc', 'indexing_maps', 'iterator_types', 'library_call'];

const indexingMapsAttribute = arrayOf(affineMapAttributeKind, 'AffineMap array attribute');

/** The iterator types as strings, as in the custom form. */
const iteratorStrings = (attribute: Attribute | undefined): Attribute | undefined =>
  attribute?.kind === 'array'
    ? arrayAttribute(attribute.elements.map((item) => stringAttribute(readIteratorType(item) ?? '')))
    : attribute;

const parseTrait = (parser: OpAsmParser): Attributes => {
  const location = parser.here();
  const trait = parser.attribute();
  if (trait.kind !== 'dictionary') return parser.fail('expected dictionary attribute', location);
  const iterators = trait.entries['iterator_types'];
  if (iterators?.kind !== 'array') return parser.fail('expected "iterator_types" array attribute', location);
  const types = iterators.elements.map((item) => {
    const type = item.kind === 'string' ? iteratorTypeNamed(item.value) : undefined;
    const word = item.kind === 'string' ? item.value : printAttribute(item);
    return type === undefined ? parser.fail(`unexpected iterator_type (${word})`) : iteratorAttribute(type);
  });
  return { ...trait.entries, iterator_types: arrayAttribute(types) };
};

const parseGeneric = (parser: OpAsmParser) => {
  const trait = parseTrait(parser);
  const parts = parseStructuredParts(parser);
  let extra: Attributes = {};
  if (parser.accept('attrs')) {
    parser.expect('=');
    extra = parser.optionalAttrDict();
  }
  const region = parser.region();
  const resultTypes = parser.optionalArrowTypeList();
  return {
    operands: parts.operands,
    attributes: { ...trait, ...extra, ...parts.attributes },
    regions: [region],
    resultTypes,
  };
};

const printGeneric = (printer: OpAsmPrinter, operation: Operation): void => {
  const trait: Record<string, Attribute> = {};
  for (const name of traitNames) {
    const attribute =
      name === 'iterator_types' ? iteratorStrings(operation.attributes[name]) : operation.attributes[name];
    if (attribute !== undefined) trait[name] = attribute;
  }
  printer.text(' ');
  printer.attribute(dictionaryAttribute(trait));
  printStructuredParts(printer, operation);
  const elided = [...traitNames, 'operandSegmentSizes'];
  if (Object.keys(operation.attributes).some((name) => !elided.includes(name))) {
    printer.text(' attrs = ');
    printer.optionalAttrDict(operation, elided);
  }
  const [region] = operation.regions;
  if (region !== undefined && region.blocks.length > 0) {
    printer.text(' ');
    printer.region(region);
  }
  printer.optionalArrowTypeList(operation.results.map((result) => result.type));
};

/** The view of a `linalg.generic`; throws if its maps or iterator types are invalid. */
export const genericView = (operation: Operation): StructuredOp => {
  const { iteratorTypes, indexingMaps } = generic.attributes(operation);
  return structuredViewOf(operation, iteratorTypes, indexingMaps);
};

/** `linalg.generic {indexing_maps = […], iterator_types = […]} ins(…) outs(…) { ^bb0(…): … } -> …`. */
export const generic = defineOp({
  name: 'linalg.generic',
  summary: 'a perfect loop nest over operands, as iterators, indexing maps and a scalar body',
  operands: { inputs: variadic(anyType), outputs: variadic(anyShaped) },
  results: { results: variadic(rankedTensor) },
  attributes: {
    indexingMaps: indexingMapsAttribute,
    iteratorTypes: iteratorTypesAttribute,
    doc: optionalAttribute(stringAttributeKind),
    libraryCall: optionalAttribute(stringAttributeKind),
  },
  regions: ['region'],
  traits: ['single-block'],
  interfaces: structuredInterfaces((operation) => genericView(operation)),
  destinations: 'outputs',
  inferResultTypes: (operands, attributes) => {
    const sizes = attributes['operandSegmentSizes'];
    const inputs = sizes?.kind === 'dense-array' ? Number(sizes.values[0]) : 0;
    return operands
      .slice(inputs)
      .map((operand) => operand.type)
      .filter((type) => type.kind === 'tensor');
  },
  assembly: { parse: parseGeneric, print: printGeneric },
  verify: ({ operation, attributes: { iteratorTypes, indexingMaps } }) =>
    verifyStructured(structuredViewOf(operation, iteratorTypes, indexingMaps), operation),
  blockArgumentNames: (operation) => {
    const { inputs, outputs } = inputsAndOutputs(operation);
    return [...inputs.map(() => 'in'), ...outputs.map(() => 'out')];
  },
});

/** `linalg.yield %x : f32`. */
export const yieldOp = defineOp({
  name: 'linalg.yield',
  summary: 'the elements that an iteration of a structured op writes',
  operands: { values: variadic(anyType) },
  traits: ['pure', 'terminator', 'return-like'],
  assembly: {
    parse: (parser) => {
      const location = parser.here();
      const operands = parser.operandList();
      const attributes = parser.optionalAttrDict();
      const types = operands.length > 0 ? parser.colonTypeList() : [];
      return { operands: parser.resolveAll(operands, types, location), attributes };
    },
    print: (printer, operation) => {
      const { operands } = operation;
      if (operands.length > 0) {
        printer.text(' ');
        printer.operands(operands);
      }
      printer.optionalAttrDict(operation);
      if (operands.length > 0) {
        printer.text(' : ');
        printer.types(operands.map((value) => value.type));
      }
    },
  },
  *verify({ operands: { values } }, context) {
    const parent = context.ancestors[0];
    if (parent === undefined || context.modelOf(parent, structuredOp) === undefined) {
      yield 'expected parent op with LinalgOp interface';
      return;
    }
    const { outputs } = inputsAndOutputs(parent);
    if (values.length !== outputs.length) {
      yield (
        `expected number of yield values (${values.length}) to match the number of inits / outs ` +
        `operands of the enclosing LinalgOp (${outputs.length})`
      );
      return;
    }
    for (const [i, value] of values.entries()) {
      const element = elementTypeOf(outputs[i]!.type);
      if (!typeEquals(value.type, element)) {
        yield (
          `type of yield operand ${i + 1} ('${typeText(value.type)}') doesn't match the element type ` +
          `of the enclosing linalg.generic op ('${typeText(element)}')`
        );
        return;
      }
    }
  },
});

/** `linalg.index 2 : index`: the iteration index of a dimension, in the body of a structured op. */
export const indexOp = defineOp({
  name: 'linalg.index',
  summary: 'the iteration index of a dimension',
  results: { result: one(index) },
  attributes: { dim: atLeast(i64Attribute, 0) },
  traits: ['pure'],
  assembly: { format: '$dim attr-dict `:` type($result)' },
  *verify({ attributes: { dim } }, context) {
    const parent = context.ancestors[0];
    const view = parent && context.modelOf(parent, structuredOp);
    if (parent === undefined || view === undefined) {
      yield 'expected parent op with LinalgOp interface';
      return;
    }
    const loops = view(parent).iteratorTypes.length;
    if (dim >= loops) {
      yield `expected dim (${dim}) to be lower than the number of loops (${loops}) of the enclosing LinalgOp`;
    }
  },
});
