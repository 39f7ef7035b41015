/** `affine.parallel`: a parallel loop nest; each bound is the min or max of several affine expressions. */
import type { AffineExpr } from '@sconv/affine';
import { makeMap } from '@sconv/affine';
import type { Attribute, Attributes, OpAsmParser, OpAsmPrinter, Operation, Type, Value } from '@sconv/ir';
import {
  affineMapAttribute,
  affineMapAttributeKind,
  anyAttribute,
  anyType,
  arrayAttribute,
  defineOp,
  denseElementsAttribute,
  i32,
  i64,
  index,
  indexType,
  integerAttribute,
  named,
  tensorType,
  variadic,
} from '@sconv/ir';
import { mapOperandErrors } from './affine-scope.ts';
import { firstBlockOf } from './region-edges.ts';
import { atomicCombiner, atomicKinds } from './combining-kinds.ts';
import { parallelLoop } from './interfaces.ts';
import { ofMaps } from './speculatable-models.ts';

/** `dense<[1, 2]> : tensor<2xi32>`: the number of expressions per bound. */
const groupSizesAttribute = (sizes: readonly number[]): Attribute => {
  const isSplat = sizes.every((size) => size === sizes[0]);
  return denseElementsAttribute(
    (isSplat ? sizes.slice(0, 1) : sizes).map(BigInt),
    tensorType([sizes.length], i32),
  );
};

const readGroupSizes = (attribute: Attribute | undefined): readonly number[] => {
  if (attribute?.kind !== 'dense-elements' || attribute.type.kind !== 'tensor') return [];
  const [count = 0] = attribute.type.shape;
  const values = attribute.values.map(Number);
  return values.length === 1 ? Array.from({ length: count }, () => values[0] ?? 0) : values;
};

interface ParsedBounds {
  readonly map: Attribute;
  readonly groups: Attribute;
  readonly operands: readonly Value[];
}

/** `(0, max(%a, %b + 1))`; `word` is `max` for lower bounds and `min` for upper ones. */
const parseBounds = (parser: OpAsmParser, word: 'min' | 'max'): ParsedBounds => {
  const reader = parser.affineExprsOfSsaIds();
  const sizes: number[] = [];
  const expressions = parser
    .list('paren', (): readonly AffineExpr[] => {
      const group = parser.accept(word)
        ? parser.list('paren', () => reader.expression())
        : [reader.expression()];
      sizes.push(group.length);
      return group;
    })
    .flat();
  return {
    map: affineMapAttribute(makeMap(reader.dims.length, reader.symbols.length, expressions)),
    groups: groupSizesAttribute(sizes),
    operands: [...reader.dims, ...reader.symbols].map((operand) => parser.resolve(operand, indexType)),
  };
};

const parseSteps = (parser: OpAsmParser, rank: number): Attribute => {
  const steps = parser.accept('step')
    ? parser.list('paren', () => parser.integer())
    : Array.from({ length: rank }, () => 1n);
  return arrayAttribute(steps.map((step) => integerAttribute(step, i64)));
};

const parseReductions = (parser: OpAsmParser): Attribute => {
  if (!parser.accept('reduce')) return arrayAttribute([]);
  const kinds = parser.list('paren', () => {
    const location = parser.here();
    const word = parser.string();
    const kind = atomicKinds.findIndex((name) => name === word);
    return kind < 0
      ? parser.fail(`invalid reduction value: "${word}"`, location)
      : integerAttribute(kind, i64);
  });
  return arrayAttribute(kinds);
};

const parseParallel = (parser: OpAsmParser) => {
  const variables = parser.list('paren', () => parser.operand());
  parser.expect('=');
  const lower = parseBounds(parser, 'max');
  parser.expect('to');
  const upper = parseBounds(parser, 'min');
  const steps = parseSteps(parser, variables.length);
  const reductions = parseReductions(parser);
  const resultTypes = parser.optionalArrowTypeList();
  const body = parser.region(variables.map((operand) => ({ operand, type: indexType })));
  const attributes: Attributes = {
    ...parser.optionalAttrDict(),
    lowerBoundsMap: lower.map,
    lowerBoundsGroups: lower.groups,
    upperBoundsMap: upper.map,
    upperBoundsGroups: upper.groups,
    steps,
    reductions,
  };
  return {
    operands: [...lower.operands, ...upper.operands],
    attributes,
    resultTypes,
    regions: [parser.ensureTerminator(body, 'affine.yield')],
  };
};

const printBounds = (
  printer: OpAsmPrinter,
  map: Attribute | undefined,
  groups: Attribute | undefined,
  operands: readonly Value[],
  word: 'min' | 'max',
): void => {
  if (map?.kind !== 'affine-map') return;
  const { results, numDims } = map.map;
  const [dims, symbols] = [operands.slice(0, numDims), operands.slice(numDims)];
  let next = 0;
  printer.text('(');
  for (const size of readGroupSizes(groups)) {
    if (next > 0) printer.text(', ');
    if (size !== 1) printer.text(`${word}(`);
    printer.affineMapOfSsaIds(results.slice(next, next + size), dims, symbols);
    if (size !== 1) printer.text(')');
    next += size;
  }
  printer.text(')');
};

/** The number of operands of the lower bounds. */
const lowerOperands = (operation: Operation): number => {
  const map = operation.attributes['lowerBoundsMap'];
  return map?.kind === 'affine-map' ? map.map.numDims + map.map.numSymbols : 0;
};

const integers = (attribute: Attribute | undefined): readonly bigint[] =>
  attribute?.kind === 'array'
    ? attribute.elements.map((element) => (element.kind === 'integer' ? element.value : 0n))
    : [];

const printParallel = (printer: OpAsmPrinter, operation: Operation): void => {
  const { attributes, operands, results } = operation;
  const region = operation.regions[0]!;
  const split = lowerOperands(operation);
  printer.text(' (');
  printer.operands(firstBlockOf(operation).arguments);
  printer.text(') = ');
  printBounds(
    printer,
    attributes['lowerBoundsMap'],
    attributes['lowerBoundsGroups'],
    operands.slice(0, split),
    'max',
  );
  printer.text(' to ');
  printBounds(
    printer,
    attributes['upperBoundsMap'],
    attributes['upperBoundsGroups'],
    operands.slice(split),
    'min',
  );
  const steps = integers(attributes['steps']);
  if (steps.some((step) => step !== 1n)) printer.text(` step (${steps.join(', ')})`);
  if (results.length > 0) {
    const kinds = integers(attributes['reductions']).map((kind) => `"${atomicKinds[Number(kind)] ?? ''}"`);
    printer.text(` reduce (${kinds.join(', ')}) -> (`);
    printer.types(results.map((result) => result.type));
    printer.text(')');
  }
  printer.text(' ');
  printer.region(region, { printEntryArguments: false, printTerminator: results.length > 0 });
  printer.optionalAttrDict(operation, [
    'reductions',
    'lowerBoundsMap',
    'lowerBoundsGroups',
    'upperBoundsMap',
    'upperBoundsGroups',
    'steps',
  ]);
};

/** Whether a reduction of this kind applies to this type. */
const mayReduce = (kind: number, type: Type): boolean => {
  const combiner = atomicCombiner(atomicKinds[kind]!);
  return combiner === undefined || type.kind === combiner.on;
};

/** `affine.parallel (%i, %j) = (0, 0) to (10, min(%n, 20)) step (1, 2) { … }`. */
export const affineParallel = defineOp({
  name: 'affine.parallel',
  interfaces: [parallelLoop((operation) => operation.regions[0]!.blocks[0]!.arguments.length), ofMaps],
  summary: 'a nest of parallel loops with affine bounds',
  operands: { mapOperands: variadic(index) },
  results: { results: variadic(anyType) },
  attributes: {
    reductions: anyAttribute,
    lowerBoundsMap: named(affineMapAttributeKind, 'lowerBoundsMap'),
    lowerBoundsGroups: named(anyAttribute, 'lowerBoundsGroups'),
    upperBoundsMap: named(affineMapAttributeKind, 'upperBoundsMap'),
    upperBoundsGroups: named(anyAttribute, 'upperBoundsGroups'),
    steps: anyAttribute,
  },
  regions: ['region'],
  bodies: ['region'],
  traits: ['automatic-allocation-scope', 'recursive-effects', 'single-block'],
  assembly: { parse: parseParallel, print: printParallel },
  *verify({ operation, operands: { mapOperands }, results: outputs, attributes }, context) {
    const { lowerBoundsMap: lower, upperBoundsMap: upper } = attributes;
    const split = lower.numDims + lower.numSymbols;
    if (mapOperands.length !== split + upper.numDims + upper.numSymbols) {
      yield 'operand count and dimension and symbol count of the bound maps must match';
      return;
    }
    yield* mapOperandErrors(lower, mapOperands.slice(0, split), context);
    yield* mapOperandErrors(upper, mapOperands.slice(split), context);
    const rank = firstBlockOf(operation).arguments.length;
    const groups = [attributes.lowerBoundsGroups, attributes.upperBoundsGroups].map(readGroupSizes);
    const counts = [...groups, integers(attributes.steps)].map(({ length }) => length);
    if (counts.some((count) => count !== rank)) {
      yield (
        `the number of region arguments (${rank}) and the number of map groups for lower ` +
        `(${counts[0]}) and upper bound (${counts[1]}), and the number of steps (${counts[2]}) must ` +
        'all match'
      );
    }
    for (const [i, { results }] of [lower, upper].entries()) {
      const wanted = groups[i]!.reduce((sum, size) => sum + size, 0);
      const name = i === 0 ? 'lower' : 'upper';
      if (results.length !== wanted) yield `expected ${name} bounds map to have ${wanted} results`;
    }
    const reductions = integers(attributes.reductions);
    if (reductions.length !== outputs.results.length) {
      yield 'a reduction must be specified for each output';
    } else if (reductions.some((kind) => atomicKinds[Number(kind)] === undefined)) {
      yield "attribute 'reductions' failed to satisfy constraint: Reduction ops";
    } else if (reductions.some((kind, i) => !mayReduce(Number(kind), outputs.results[i]!.type))) {
      yield 'result type cannot match reduction attribute';
    }
  },
});
