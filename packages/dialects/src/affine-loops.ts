/** Loops and conditions of the affine dialect: bounds and conditions are affine in loop variables and symbols. */
import type { AffineMap } from '@sconv/affine';
import { constantMap, makeMap, symbol } from '@sconv/affine';
import type {
  Attribute,
  Block,
  OpAsmParser,
  OpAsmPrinter,
  Operation,
  ParsedArgument,
  Region,
  UnresolvedOperand,
  Value,
} from '@sconv/ir';
import {
  affineMapAttribute,
  affineMapAttributeKind,
  anyType,
  defineOp,
  denseArrayAttribute,
  i32,
  index,
  indexAttribute,
  indexType,
  integerAttribute,
  named,
  typeEquals,
  variadic,
} from '@sconv/ir';
import { mapOperandErrors } from './affine-scope.ts';
import { parseDimsAndSymbols, printDimsAndSymbols } from './affine-text.ts';
import { carriesLastOperands, sequentialLoop, yieldsResults } from './interfaces.ts';
import { parseInitializers, printInitializers } from './loop-text.ts';
import { firstBlockOf, conditionalEdgeErrors, edgeErrors } from './region-edges.ts';
import { segments } from './segments.ts';
import { ofMaps } from './speculatable-models.ts';

/** `affine.yield %x : f32`. */
export const affineYield = defineOp({
  name: 'affine.yield',
  summary: 'the end of the body of an affine loop or condition',
  operands: { operands: variadic(anyType) },
  traits: ['pure', 'terminator', 'return-like'],
  assembly: { format: 'attr-dict ($operands^ `:` type($operands))?' },
  *verify({ operands: { operands: values } }, context) {
    const parent = context.ancestors[0];
    if (parent === undefined || !['affine.for', 'affine.if', 'affine.parallel'].includes(parent.name)) {
      yield 'only terminates affine.if/for/parallel regions';
    } else if (parent.results.length !== values.length) {
      yield 'parent of yield must have same number of results as the yield operands';
    } else if (values.some((value, i) => !typeEquals(value.type, parent.results[i]!.type))) {
      yield 'types mismatch between yield op and its parent';
    }
  },
});

interface ParsedBound {
  readonly map: AffineMap;
  readonly operands: readonly UnresolvedOperand[];
}

/** A bound: a constant, a value, or a map with its operands; `prefix` is needed for several results. */
const parseBound = (parser: OpAsmParser, prefix: 'min' | 'max'): ParsedBound => {
  const prefixed = parser.accept(prefix);
  const operand = parser.optionalOperand();
  if (operand !== undefined) return { map: makeMap(0, 1, [symbol(0)]), operands: [operand] };
  const location = parser.here();
  const constant = parser.optionalExactInteger();
  if (constant !== undefined) return { map: constantMap(constant), operands: [] };
  const attribute = parser.attribute();
  if (attribute.kind !== 'affine-map')
    return parser.fail('expected valid affine map representation for loop bounds', location);
  const { operands, dims } = parseDimsAndSymbols(parser);
  const { map } = attribute;
  if (map.numDims !== dims) {
    parser.fail('dim operand count and affine map dim count must match', location);
  }
  if (map.numDims + map.numSymbols !== operands.length) {
    parser.fail('symbol operand count and affine map symbol count must match', location);
  }
  if (map.results.length > 1 && !prefixed) {
    const bound = prefix === 'max' ? 'lower' : 'upper';
    parser.fail(`${bound} loop bound affine map with multiple results requires '${prefix}' prefix`, location);
  }
  return { map, operands };
};

const printBound = (
  printer: OpAsmPrinter,
  attribute: Attribute | undefined,
  operands: readonly Value[],
  prefix: 'min' | 'max',
): void => {
  if (attribute?.kind !== 'affine-map') return;
  const { map } = attribute;
  const [result, ...others] = map.results;
  if (result !== undefined && others.length === 0 && map.numDims === 0) {
    if (map.numSymbols === 0 && result.kind === 'constant') {
      printer.text(String(result.value));
      return;
    }
    if (map.numSymbols === 1 && result.kind === 'symbol') {
      printer.operands(operands);
      return;
    }
  }
  if (map.results.length !== 1) printer.text(`${prefix} `);
  printer.attribute(attribute);
  printDimsAndSymbols(printer, operands, map.numDims);
};

const notPositive = 'expected step to be representable as a positive signed integer';

const parseFor = (parser: OpAsmParser) => {
  const induction: ParsedArgument = parser.argument(indexType);
  parser.expect('=');
  const lower = parseBound(parser, 'max');
  parser.expect('to');
  const upper = parseBound(parser, 'min');
  const stepLocation = parser.here();
  const step = parser.accept('step') ? parser.integer() : 1n;
  if (step <= 0n) parser.fail(notPositive, stepLocation);
  const carried = parser.accept('iter_args')
    ? parseInitializers(parser, () => {
        parser.expect('->');
        return parser.peek('(') ? parser.list('paren', () => parser.type()) : [parser.type()];
      })
    : { arguments: [], values: [], types: [] };
  const bounds = [...lower.operands, ...upper.operands].map((operand) => parser.resolve(operand, indexType));
  const body = parser.ensureTerminator(parser.region([induction, ...carried.arguments]), 'affine.yield');
  const attributes = parser.optionalAttrDict();
  return {
    operands: [...bounds, ...carried.values],
    attributes: {
      ...attributes,
      lowerBoundMap: affineMapAttribute(lower.map),
      upperBoundMap: affineMapAttribute(upper.map),
      step: integerAttribute(step, indexType),
      operandSegmentSizes: denseArrayAttribute(
        [lower.operands.length, upper.operands.length, carried.values.length],
        i32,
      ),
    },
    regions: [body],
    resultTypes: carried.types,
  };
};

const printFor = (printer: OpAsmPrinter, operation: Operation): void => {
  const [lower = [], upper = [], inits = []] = segments(operation);
  const region = operation.regions[0]!;
  const [induction, ...carried] = firstBlockOf(operation).arguments;
  if (induction === undefined) return;
  printer.text(' ');
  printer.argument(induction, {}, { printType: false });
  printer.text(' = ');
  printBound(printer, operation.attributes['lowerBoundMap'], lower, 'max');
  printer.text(' to ');
  printBound(printer, operation.attributes['upperBoundMap'], upper, 'min');
  const step = operation.attributes['step'];
  if (step?.kind === 'integer' && step.value !== 1n) printer.text(` step ${step.value}`);
  if (inits.length > 0) {
    printInitializers(printer, ' iter_args', carried, inits);
    printer.text(' -> (');
    printer.types(inits.map((value) => value.type));
    printer.text(')');
  }
  printer.text(' ');
  printer.region(region, { printEntryArguments: false, printTerminator: inits.length > 0 });
  printer.optionalAttrDict(operation, ['lowerBoundMap', 'upperBoundMap', 'step', 'operandSegmentSizes']);
};

/** Errors of iter args: initial values, region arguments and results must agree; `affine.yield` checks the rest. */
function* carriedErrors(body: Block, inits: readonly Value[], results: readonly Value[]): Generator<string> {
  const [induction, ...carried] = body.arguments;
  if (induction?.type.kind !== 'index') {
    yield 'expected body to have a single index argument for the induction variable';
  } else if (inits.length !== results.length) {
    yield 'mismatch between the number of loop-carried values and results';
  } else if (inits.length !== carried.length) {
    yield `different number of inits and region iter_args: ${inits.length} != ${carried.length}`;
  } else {
    yield* edgeErrors('parent operands', 'Region #0', inits, carried);
  }
}

/** `affine.for %i = 0 to 16 step 4 iter_args(%s = %x) -> (f32) { … }`. */
export const affineForOp = defineOp({
  name: 'affine.for',
  interfaces: [sequentialLoop(() => 1), carriesLastOperands, ofMaps],
  summary: 'a loop with affine bounds and a constant step',
  operands: {
    lowerBoundOperands: variadic(index),
    upperBoundOperands: variadic(index),
    inits: variadic(anyType),
  },
  results: { results: variadic(anyType) },
  attributes: {
    lowerBoundMap: named(affineMapAttributeKind, 'lowerBoundMap'),
    upperBoundMap: named(affineMapAttributeKind, 'upperBoundMap'),
    step: indexAttribute,
  },
  regions: ['region'],
  bodies: ['region'],
  traits: ['automatic-allocation-scope', 'recursive-effects', 'single-block'],
  assembly: { parse: parseFor, print: printFor },
  *verify({ operation, operands, results: { results }, attributes }, context) {
    for (const [name, bound, values] of [
      ['lower', attributes.lowerBoundMap, operands.lowerBoundOperands],
      ['upper', attributes.upperBoundMap, operands.upperBoundOperands],
    ] as const) {
      if (bound.numDims + bound.numSymbols !== values.length)
        yield `operand count and dimension and symbol count of the ${name} bound map must match`;
      else yield* mapOperandErrors(bound, values, context);
    }
    if (attributes.step < 1) yield notPositive;
    yield* carriedErrors(firstBlockOf(operation), operands.inits, results);
  },
});

/**
 * `affine.if affine_set<(d0) : (d0 >= 0)>(%i) { … } else { … }`. The set is the attribute `condition`, which upstream
 * does not treat as inherent.
 */
export const affineIfOp = defineOp({
  name: 'affine.if',
  interfaces: [yieldsResults],
  summary: 'a condition on an integer set',
  operands: { operands: variadic(index) },
  results: { results: variadic(anyType) },
  regions: ['thenRegion', 'elseRegion'],
  bodies: ['thenRegion'],
  traits: ['recursive-effects', 'single-block'],
  assembly: {
    parse: (parser) => {
      const location = parser.here();
      const condition = parser.attribute();
      const { operands, dims } = parseDimsAndSymbols(parser);
      if (condition.kind !== 'integer-set') return parser.fail('expected an integer set', location);
      if (condition.set.numDims !== dims) {
        parser.fail('dim operand count and integer set dim count must match');
      }
      if (condition.set.numDims + condition.set.numSymbols !== operands.length) {
        parser.fail('symbol operand count and integer set symbol count must match');
      }
      const resultTypes = parser.optionalArrowTypeList();
      const then = parser.ensureTerminator(parser.region(), 'affine.yield');
      const otherwise = parser.accept('else')
        ? parser.ensureTerminator(parser.region(), 'affine.yield')
        : { blocks: [] };
      return {
        operands: operands.map((operand) => parser.resolve(operand, indexType)),
        attributes: { ...parser.optionalAttrDict(), condition },
        resultTypes,
        regions: [then, otherwise],
      };
    },
    print: (printer, operation) => {
      const condition = operation.attributes['condition'];
      const [then, otherwise] = operation.regions as [Region, Region];
      if (condition?.kind !== 'integer-set') return;
      const options = { printEntryArguments: false, printTerminator: operation.results.length > 0 };
      printer.text(' ');
      printer.attribute(condition);
      printDimsAndSymbols(printer, operation.operands, condition.set.numDims);
      printer.optionalArrowTypeList(operation.results.map((result) => result.type));
      printer.text(' ');
      printer.region(then, options);
      if (otherwise.blocks.length > 0) {
        printer.text(' else ');
        printer.region(otherwise, options);
      }
      printer.optionalAttrDict(operation, ['condition']);
    },
  },
  *verify({ operation }, context) {
    const { condition } = operation.attributes;
    if (condition?.kind !== 'integer-set') {
      yield "requires an integer set attribute named 'condition'";
    } else if (condition.set.numDims + condition.set.numSymbols !== operation.operands.length) {
      yield 'operand count and condition integer set dimension and symbol count must match';
    } else {
      yield* mapOperandErrors(condition.set, operation.operands, context);
      yield* conditionalEdgeErrors(operation);
    }
  },
});
