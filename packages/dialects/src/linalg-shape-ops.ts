/** Structured ops with attributes of their own: map, reduce, transpose, broadcast. */
import { dim, identityMap, makeMap } from '@sconv/affine';
import type {
  Attribute,
  Attributes,
  Block,
  OpAsmParser,
  OpAsmPrinter,
  Operation,
  ParsedArgument,
  Region,
  Type,
  Value,
} from '@sconv/ir';
import {
  constrained,
  defineOp,
  denseArrayAttribute,
  i64ArrayAttribute,
  one,
  variadic,
  variadicOfEqualSize,
} from '@sconv/ir';
import { elementTypeOf, shapeOf, tensor, tensorOrMemref } from './constraints.ts';
import type { IteratorType } from './linalg-iterators.ts';
import { numbersOf } from './mixed-indices.ts';
import { broadcastErrors, mapErrors, reduceErrors, transposeErrors } from './linalg-shape-verify.ts';
import { inputsAndOutputs, parseStructuredParts, printStructuredParts } from './linalg-text.ts';
import { verifyStructured } from './linalg-verify.ts';
import { firstBlockOf } from './region-edges.ts';
import type { StructuredOp, StructuredView } from './linalg-view.ts';
import { structuredInterfaces, structuredViewOf } from './linalg-view.ts';

const parallel = (rank: number): readonly IteratorType[] =>
  Array.from({ length: rank }, (): IteratorType => 'parallel');

const rankOf = (value: Value | undefined): number =>
  (value === undefined ? undefined : shapeOf(value.type))?.length ?? 0;

const mapView = (operation: Operation): StructuredOp => {
  const rank = rankOf(operation.operands.at(-1));
  return structuredViewOf(
    operation,
    parallel(rank),
    operation.operands.map(() => identityMap(rank)),
  );
};

const reduceView = (operation: Operation): StructuredOp => {
  const { inputs, outputs } = inputsAndOutputs(operation);
  const rank = rankOf(inputs[0]);
  const reduced = new Set(numbersOf(operation.attributes['dimensions']));
  const kept = identityMap(rank).results.filter((_, i) => !reduced.has(i));
  const types = parallel(rank).map((type, i): IteratorType => (reduced.has(i) ? 'reduction' : type));
  return structuredViewOf(operation, types, [
    ...inputs.map(() => identityMap(rank)),
    ...outputs.map(() => makeMap(rank, 0, kept)),
  ]);
};

const transposeView = (operation: Operation): StructuredOp => {
  const permutation = numbersOf(operation.attributes['permutation']);
  const rank = permutation.length;
  const inverse = permutation.map((_, i) => dim(permutation.indexOf(i)));
  return structuredViewOf(operation, parallel(rank), [makeMap(rank, 0, inverse), identityMap(rank)]);
};

const broadcastView = (operation: Operation): StructuredOp => {
  const rank = rankOf(operation.operands.at(-1));
  const added = new Set(numbersOf(operation.attributes['dimensions']));
  const kept = identityMap(rank).results.filter((_, i) => !added.has(i));
  return structuredViewOf(operation, parallel(rank), [makeMap(rank, 0, kept), identityMap(rank)]);
};

/** The first of the op's own errors, or else those of all structured ops. */
function* verifyShapeOp(
  view: StructuredView,
  operation: Operation,
  ownErrors: Iterable<string>,
): Generator<string> {
  for (const error of ownErrors) {
    yield error;
    return;
  }
  yield* verifyStructured(view(operation), operation);
}

const tensorTypes = (values: readonly Value[]): readonly Type[] =>
  values.map((value) => value.type).filter((type) => type.kind === 'tensor');

/** ` name = [1, 2]`, with upstream's trailing space. */
const printList = (printer: OpAsmPrinter, name: string, attribute: Attribute | undefined): void => {
  printer.text(` ${name} = [${numbersOf(attribute).join(', ')}] `);
};

const parseList = (parser: OpAsmParser, name: string): Attribute => {
  parser.expect(name);
  parser.expect('=');
  return denseArrayAttribute(parser.list('square', () => parser.exactInteger()));
};

/** The payload of the short form `{ arith.addf }`. */
interface Payload {
  readonly name: string;
  readonly attributes: Attributes;
}

const parsePayload = (parser: OpAsmParser): Payload | undefined => {
  if (!parser.accept('{')) return undefined;
  const name = parser.keyword();
  const attributes = parser.optionalAttrDict();
  parser.expect('}');
  return { name, attributes };
};

/**
 * The body of the short form: the payload op on the block arguments; `lastFirst` moves the last argument to the
 * front.
 */
const payloadRegion = (
  parser: OpAsmParser,
  payload: Payload,
  argumentTypes: readonly Type[],
  resultType: Type,
  lastFirst: boolean,
): Region =>
  parser.buildRegion(argumentTypes, (builder, block) => {
    const values = block.arguments;
    const operands = lastFirst ? [...values.slice(-1), ...values.slice(0, -1)] : values;
    const results = builder.create({ ...payload, operands, resultTypes: [resultType] });
    builder.create({ name: 'linalg.yield', operands: results, resultTypes: [], attributes: {} });
  });

/** The payload op of the short form, if the body contains nothing else. */
const findPayload = (block: Block, lastFirst: boolean): Operation | undefined => {
  const [payload, terminator, ...more] = block.operations;
  if (payload === undefined || terminator === undefined || more.length > 0) return undefined;
  const [result] = payload.results;
  if (payload.results.length !== 1 || terminator.operands.length !== 1) return undefined;
  if (terminator.operands[0]?.id !== result?.id || payload.regions.length > 0) return undefined;
  const values = block.arguments;
  const wanted = lastFirst ? [...values.slice(-1), ...values.slice(0, -1)] : values;
  const same =
    payload.operands.length === wanted.length &&
    payload.operands.every((operand, i) => operand.id === wanted[i]?.id);
  return same && wanted.length > 0 ? payload : undefined;
};

const printPayload = (printer: OpAsmPrinter, payload: Operation): void => {
  const { fastmath } = payload.attributes;
  const isNone = fastmath?.kind === 'dialect' && fastmath.body === 'fastmath<none>';
  printer.text(` { ${payload.name}`);
  printer.optionalAttrDict(payload, isNone ? ['fastmath'] : []);
  printer.text(' }');
};

/** `(%in: f32, %init: f32) { … }`, on its own line. */
const printBody = (printer: OpAsmPrinter, operation: Operation): void => {
  printer.indented(() => {
    printer.newline();
    printer.text('(');
    firstBlockOf(operation).arguments.forEach((argument, i) => {
      if (i > 0) printer.text(', ');
      printer.argument(argument);
    });
    printer.text(') ');
    printer.region(operation.regions[0]!, { printEntryArguments: false });
  });
};

const parseBody = (parser: OpAsmParser): Region => {
  const entry: readonly ParsedArgument[] = parser.list('paren', () => parser.argument());
  return parser.region(entry);
};

/** `linalg.map { arith.addf } ins(%a, %b : …) outs(%c : …)`. */
export const map = defineOp({
  name: 'linalg.map',
  summary: 'a function of the elements of operands of one shape',
  operands: { inputs: variadic(tensorOrMemref), init: one(tensorOrMemref) },
  results: { result: variadic(tensor) },
  regions: ['mapper'],
  bodies: ['mapper'],
  traits: ['single-block'],
  interfaces: structuredInterfaces(mapView),
  destinations: 'init',
  assembly: {
    parse: (parser) => {
      const payload = parsePayload(parser);
      const parts = parseStructuredParts(parser, false);
      const attributes = { ...parts.attributes, ...parser.optionalAttrDict() };
      const elements = parts.inputs.map((input) => elementTypeOf(input.type));
      const [init] = parts.outputs;
      const region =
        payload === undefined || init === undefined
          ? parseBody(parser)
          : payloadRegion(parser, payload, elements, elementTypeOf(init.type), false);
      return {
        operands: parts.operands,
        attributes,
        regions: [region],
        resultTypes: tensorTypes(parts.outputs),
      };
    },
    print: (printer, operation) => {
      const payload = findPayload(firstBlockOf(operation), false);
      if (payload !== undefined) printPayload(printer, payload);
      printStructuredParts(printer, operation);
      printer.optionalAttrDict(operation);
      if (payload === undefined) printBody(printer, operation);
    },
  },
  verify: ({ operation, operands: { inputs, init } }) =>
    verifyShapeOp(mapView, operation, mapErrors(firstBlockOf(operation), inputs, init)),
  resultName: () => 'mapped',
  blockArgumentNames: (operation) => operation.operands.slice(0, -1).map(() => 'in'),
});

/** `linalg.reduce { arith.addf } ins(%a : …) outs(%b : …) dimensions = [1]`. */
export const reduce = defineOp({
  name: 'linalg.reduce',
  summary: 'a combination of elements along dimensions',
  operands: { inputs: variadicOfEqualSize(tensorOrMemref), inits: variadicOfEqualSize(tensorOrMemref) },
  results: { results: variadic(tensor) },
  attributes: {
    dimensions: constrained(i64ArrayAttribute, 'should be in increasing order', (dimensions) =>
      dimensions.every((dimension, i) => i === 0 || dimension > dimensions[i - 1]!),
    ),
  },
  regions: ['combiner'],
  bodies: ['combiner'],
  traits: ['single-block'],
  interfaces: structuredInterfaces(reduceView),
  destinations: 'inits',
  assembly: {
    parse: (parser) => {
      const payload = parsePayload(parser);
      const parts = parseStructuredParts(parser, false);
      const dimensions = parseList(parser, 'dimensions');
      const attributes = { ...parts.attributes, ...parser.optionalAttrDict(), dimensions };
      const elements = parts.operands.map((operand) => elementTypeOf(operand.type));
      const result = elements.at(-1);
      const region =
        payload === undefined || result === undefined
          ? parseBody(parser)
          : payloadRegion(parser, payload, elements, result, true);
      return {
        operands: parts.operands,
        attributes,
        regions: [region],
        resultTypes: tensorTypes(parts.outputs),
      };
    },
    print: (printer, operation) => {
      const payload = findPayload(firstBlockOf(operation), true);
      if (payload !== undefined) printPayload(printer, payload);
      printStructuredParts(printer, operation);
      printList(printer, 'dimensions', operation.attributes['dimensions']);
      printer.optionalAttrDict(operation, ['dimensions']);
      if (payload === undefined) printBody(printer, operation);
    },
  },
  verify: ({ operation, operands: { inputs, inits }, attributes: { dimensions } }) =>
    verifyShapeOp(reduceView, operation, reduceErrors(firstBlockOf(operation), inputs, inits, dimensions)),
  resultName: () => 'reduced',
  blockArgumentNames: (operation) => {
    const half = operation.operands.length / 2;
    return operation.operands.map((_, i) => (i < half ? 'in' : 'init'));
  },
});

/** An op with one input and one init whose body yields the input, and with a list attribute. */
const moving = (
  mnemonic: string,
  summary: string,
  name: 'permutation' | 'dimensions',
  resultName: string,
  view: StructuredView,
) =>
  defineOp({
    name: `linalg.${mnemonic}`,
    summary,
    operands: { input: one(tensorOrMemref), init: one(tensorOrMemref) },
    results: { result: variadic(tensor) },
    attributes: { [name]: i64ArrayAttribute },
    regions: ['region'],
    bodies: ['region'],
    traits: ['single-block'],
    interfaces: structuredInterfaces(view),
    destinations: 'init',
    inferResultTypes: (operands) => tensorTypes(operands.slice(1)),
    assembly: {
      parse: (parser) => {
        const parts = parseStructuredParts(parser, false);
        const list = parseList(parser, name);
        const attributes = { ...parts.attributes, ...parser.optionalAttrDict(), [name]: list };
        const elements = parts.operands.map((operand) => elementTypeOf(operand.type));
        const region = parser.buildRegion(elements, (builder, block) => {
          const operands = block.arguments.slice(0, 1);
          builder.create({ name: 'linalg.yield', operands, resultTypes: [], attributes: {} });
        });
        return {
          operands: parts.operands,
          attributes,
          regions: [region],
          resultTypes: tensorTypes(parts.outputs),
        };
      },
      print: (printer, operation) => {
        printStructuredParts(printer, operation);
        printList(printer, name, operation.attributes[name]);
        printer.optionalAttrDict(operation, [name]);
      },
    },
    verify: ({ operation, operands: { input, init }, attributes }) => {
      const ownErrors = name === 'permutation' ? transposeErrors : broadcastErrors;
      const [from, to] = [shapeOf(input.type)!, shapeOf(init.type)!];
      return verifyShapeOp(view, operation, ownErrors(from, to, attributes[name]!));
    },
    resultName: () => resultName,
  });

/** `linalg.transpose ins(%a : …) outs(%b : …) permutation = [1, 0]`. */
export const transpose = moving(
  'transpose',
  'dimensions permuted',
  'permutation',
  'transposed',
  transposeView,
);
/** `linalg.broadcast ins(%a : …) outs(%b : …) dimensions = [0]`. */
export const broadcast = moving(
  'broadcast',
  'dimensions added, along which the input repeats',
  'dimensions',
  'broadcasted',
  broadcastView,
);
