/**
 * Declares named linalg ops by iterators, indexing maps and body. The structured view, the region that the custom
 * form elides, and the assembly derive from these.
 */
import type { AffineExpr, AffineMap } from '@sconv/affine';
import { dim, identityMap, makeMap } from '@sconv/affine';
import type {
  AnyAttributeSpec,
  Attributes,
  BodyBuilder,
  OpAsmParser,
  OpAsmPrinter,
  Operation,
  Rewriter,
  Type,
  TypedOpDefinition,
  Value,
} from '@sconv/ir';
import {
  affineMapAttribute,
  anyType,
  arrayAttribute,
  attributeKind,
  defineOp,
  denseElementsAttribute,
  exactNumber,
  i64,
  tensorType,
  variadic,
  withImplicitDefault,
} from '@sconv/ir';
import { anyShaped, elementTypeOf, rankedTensor, shapeOf } from './constraints.ts';
import type { CreateScalar, ScalarBody } from './linalg-body.ts';
import { BodyContext } from './linalg-body.ts';
import type { IteratorType } from './linalg-iterators.ts';
import { parseStructuredParts, printStructuredParts } from './linalg-text.ts';
import { verifyStructured } from './linalg-verify.ts';
import type { StructuredOp, StructuredView } from './linalg-view.ts';
import { memoizedMaps, structuredInterfaces, structuredViewOf } from './linalg-view.ts';

/** The structure of a named op. */
export interface NamedStructure {
  readonly name: string;
  /** By the rank of the first output, for rank-polymorphic ops. */
  iteratorTypes(outputRank: number): readonly IteratorType[];
  /** One map per operand. */
  indexingMaps(operandTypes: readonly Type[], attributes: Attributes): readonly AffineMap[];
  readonly body: ScalarBody;
  /** Whether upstream memoizes the maps in an attribute once they are queried; the generic form then shows them. */
  readonly memoizesMaps: boolean;
  /** The number of inputs. */
  readonly inputs: number;
}

const iterators: Readonly<Record<string, IteratorType>> = { p: 'parallel', r: 'reduction' };

const iteratorList = (letters: string): readonly IteratorType[] =>
  letters.split('').map((letter) => iterators[letter] ?? 'parallel');

/** `dense<[1, 1]> : tensor<2xi64>` as numbers. */
const windowNumbers = (rank: number) =>
  withImplicitDefault(
    attributeKind<readonly number[]>(
      `64-bit signless int elements attribute of shape [${rank}]`,
      (attribute) => {
        if (attribute.kind !== 'dense-elements' || attribute.text !== undefined) return undefined;
        const shape = shapeOf(attribute.type);
        const element = elementTypeOf(attribute.type);
        if (shape?.length !== 1 || shape[0] !== rank) return undefined;
        if (element.kind !== 'integer' || element.width !== 64) return undefined;
        const values = attribute.values.map((value) => exactNumber(BigInt(value)));
        if (!values.every((value) => value !== undefined)) return undefined;
        return values.length === rank ? values : Array.from({ length: rank }, () => values[0] ?? 1);
      },
      (values) =>
        denseElementsAttribute(
          (values.every((value) => value === values[0]) ? values.slice(0, 1) : values).map(BigInt),
          tensorType([rank], i64),
        ),
    ),
    Array.from({ length: rank }, () => 1),
  );

/** The strides or dilations of an op. */
const windowOf = (
  attributes: Attributes,
  name: string,
  spec: ReturnType<typeof windowNumbers>,
): readonly number[] => {
  const attribute = attributes[name];
  return (attribute === undefined ? undefined : spec.decode(attribute)) ?? spec.default ?? [];
};

/** A result of a written map: a dimension, or the sum of two, which is a window. */
interface MapTerm {
  readonly output: number;
  readonly kernel: number | undefined;
}

/** A map written as positions of dimensions: `0 4 2+5 3+6`. */
const termsOf = (text: string): readonly MapTerm[] =>
  text
    .split(' ')
    .filter((term) => term !== '')
    .map((term): MapTerm => {
      const [output = 0, kernel] = term.split('+').map(Number);
      return { output, kernel };
    });

/**
 * The map of these terms: a window is `stride * output + dilation * kernel`, with stride and dilation by its position
 * among the windows.
 */
const windowMap = (
  terms: readonly MapTerm[],
  rank: number,
  strides: readonly number[],
  dilations: readonly number[],
): AffineMap => {
  let window = 0;
  const results = terms.map(({ output, kernel }): AffineExpr => {
    if (kernel === undefined) return dim(output);
    const [stride, dilation] = [strides[window] ?? 1, dilations[window] ?? 1];
    window++;
    return dim(output).mul(stride).add(dim(kernel).mul(dilation));
  });
  return makeMap(rank, 0, results);
};

/** The number of windows in the first map of an op. */
const windowRank = (maps: readonly string[]): number => (maps[0] ?? '').split('+').length - 1;

type AttributeSpecs = Readonly<Record<string, AnyAttributeSpec>>;

interface NamedOptions {
  readonly attributes?: AttributeSpecs;
  readonly summary?: string;
}

const inputSpecs = { inputs: variadic(anyType), outputs: variadic(anyShaped) };
const resultSpecs = { results: variadic(rankedTensor) };

/** The definition of a named op, with its structure. */
export type NamedOpDefinition<A extends AttributeSpecs = AttributeSpecs> = TypedOpDefinition<
  typeof inputSpecs,
  typeof resultSpecs,
  A
> & { readonly structure: NamedStructure; readonly view: StructuredView };

/** Declares a named op from its structure. */
const defineNamedOp = <const A extends AttributeSpecs>(
  structure: NamedStructure,
  summary: string,
  attributes: A,
): NamedOpDefinition<A> => {
  const view: StructuredView = (operation) => namedView(structure, operation);
  const definition = defineOp({
    name: structure.name,
    summary,
    operands: inputSpecs,
    results: resultSpecs,
    attributes,
    regions: ['region'],
    traits: ['single-block'],
    interfaces: structuredInterfaces(view),
    destinations: 'outputs',
    inferResultTypes: (operands) =>
      operands
        .slice(structure.inputs)
        .map((operand) => operand.type)
        .filter((type) => type.kind === 'tensor'),
    assembly: {
      parse: (parser) => parseNamedOp(parser, structure),
      print: printNamedOp,
    },
    verify: ({ operation }) => verifyStructured(view(operation), operation),
    defaults: (operandList, given) => ({
      attributes: memoizedAttributes(
        structure,
        operandList.map(({ type }) => type),
        given,
      ),
      bodies: [namedOpBody({ structure }, operandList, given)],
    }),
  });
  return { ...definition, structure, view };
};

/** The view of a named op, with maps derived from its name, operand types and attributes. */
const namedView = (structure: NamedStructure, operation: Operation): StructuredOp => {
  const types = operation.operands.map((operand) => operand.type);
  const rank = shapeOf(types.at(-1) ?? i64)?.length ?? 0;
  return structuredViewOf(
    operation,
    structure.iteratorTypes(rank),
    structure.indexingMaps(types, operation.attributes),
  );
};

/** The scalar types of the body arguments of a structured op. */
export const bodyArgumentTypes = (operandTypes: readonly Type[]): readonly Type[] =>
  operandTypes.map(elementTypeOf);

/** Creates the body of a named op: elided by the custom form, explicit after generalization. */
export const buildNamedBody = (
  structure: NamedStructure,
  create: CreateScalar,
  blockArguments: readonly Value[],
  attributes: Attributes,
): void => {
  const value = structure.body(new BodyContext(create), blockArguments, attributes);
  create({ name: 'linalg.yield', operands: [value], resultTypes: [], attributes: {} });
};

/** A body for the operands of a structured op, which yields the single value that `body` computes. */
export const scalarBody = (operands: readonly Value[], body: ScalarBody): BodyBuilder<Rewriter> => ({
  argumentTypes: bodyArgumentTypes(operands.map((operand) => operand.type)),
  build: (rewriter, ...blockArguments) => {
    const create: CreateScalar = (operation) => rewriter.create(operation).results;
    const value = body(new BodyContext(create), blockArguments, {});
    create({ name: 'linalg.yield', operands: [value], resultTypes: [], attributes: {} });
  },
});

/** The body of a named op, for its `state`: `bodies: [namedOpBody(matmul, operands)]`. */
export const namedOpBody = (
  definition: { readonly structure: NamedStructure },
  operands: readonly Value[],
  attributes: Attributes = {},
): BodyBuilder<Rewriter> => ({
  argumentTypes: bodyArgumentTypes(operands.map((operand) => operand.type)),
  build: (rewriter, ...blockArguments) => {
    const { name, inputs } = definition.structure;
    if (operands.length !== inputs + 1)
      throw new TypeError(`'${name}' takes ${inputs} inputs and one output, not ${operands.length} operands`);
    const create: CreateScalar = (operation) => rewriter.create(operation).results;
    buildNamedBody(definition.structure, create, blockArguments, attributes);
  },
});

const memoizedAttributes = (
  structure: NamedStructure,
  operandTypes: readonly Type[],
  attributes: Attributes,
): Attributes =>
  structure.memoizesMaps
    ? {
        [memoizedMaps]: arrayAttribute(
          structure.indexingMaps(operandTypes, attributes).map(affineMapAttribute),
        ),
      }
    : {};

const parseNamedOp = (parser: OpAsmParser, structure: NamedStructure) => {
  const location = parser.here();
  const parts = parseStructuredParts(parser);
  const resultTypes = parser.optionalArrowTypeList();
  const types = parts.operands.map((operand) => operand.type);
  if (types.length !== structure.inputs + 1) {
    parser.fail(
      `[parseNamedStructuredOpRegion] ods-gen generated region expects ${structure.inputs + 1} args, ` +
        `got ${types.length}`,
      location,
    );
  }
  const region = parser.buildRegion(bodyArgumentTypes(types), (builder, block) => {
    buildNamedBody(structure, (operation) => builder.create(operation), block.arguments, parts.attributes);
  });
  const maps = memoizedAttributes(structure, types, parts.attributes);
  return {
    operands: parts.operands,
    attributes: { ...parts.attributes, ...maps },
    resultTypes,
    regions: [region],
  };
};

const printNamedOp = (printer: OpAsmPrinter, operation: Operation): void => {
  printer.optionalAttrDict(operation, ['operandSegmentSizes', memoizedMaps]);
  printStructuredParts(printer, operation);
  printer.optionalArrowTypeList(operation.results.map((result) => result.type));
};

/** A contraction: fixed iterator types and maps, written as for `termsOf`. */
export const contraction = (
  mnemonic: string,
  letters: string,
  maps: readonly string[],
  body: ScalarBody,
  options: NamedOptions = {},
) => {
  const iteratorTypes = iteratorList(letters);
  const indexingMaps = maps.map((text) => windowMap(termsOf(text), letters.length, [], []));
  return defineNamedOp(
    {
      name: `linalg.${mnemonic}`,
      iteratorTypes: () => iteratorTypes,
      indexingMaps: () => indexingMaps,
      body,
      memoizesMaps: true,
      inputs: maps.length - 1,
    },
    options.summary ?? mnemonic.replaceAll('_', ' '),
    options.attributes ?? {},
  );
};

/** A convolution or pooling: its windows have strides and dilations. */
export const windowed = (mnemonic: string, letters: string, maps: readonly string[], body: ScalarBody) => {
  const rank = windowRank(maps);
  const [iteratorTypes, terms, window] = [iteratorList(letters), maps.map(termsOf), windowNumbers(rank)];
  return defineNamedOp(
    {
      name: `linalg.${mnemonic}`,
      iteratorTypes: () => iteratorTypes,
      indexingMaps: (_, attributes) => {
        const strides = windowOf(attributes, 'strides', window);
        const dilations = windowOf(attributes, 'dilations', window);
        return terms.map((each) => windowMap(each, letters.length, strides, dilations));
      },
      body,
      memoizesMaps: true,
      inputs: maps.length - 1,
    },
    mnemonic.replaceAll('_', ' '),
    { strides: window, dilations: window },
  );
};

/** An elementwise op on operands of any rank; scalars are broadcast. */
export const elementwise = (mnemonic: string, inputs: number, body: ScalarBody, options: NamedOptions = {}) =>
  defineNamedOp(
    {
      name: `linalg.${mnemonic}`,
      iteratorTypes: (rank) => Array.from({ length: rank }, (): IteratorType => 'parallel'),
      indexingMaps: (types) => {
        const rank = shapeOf(types.at(-1) ?? i64)?.length ?? 0;
        return types.map((type) =>
          (shapeOf(type) ?? []).length > 0 ? identityMap(rank) : makeMap(rank, 0, []),
        );
      },
      body,
      memoizesMaps: false,
      inputs,
    },
    options.summary ?? `elementwise ${mnemonic.replaceAll('_', ' ')}`,
    options.attributes ?? {},
  );
