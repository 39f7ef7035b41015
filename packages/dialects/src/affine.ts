/** The affine dialect: index arithmetic with affine maps; affine loops, conditions and accesses. */
import type { AffineExpr, AffineMap } from '@sconv/affine';
import { constant as constantExpr, makeMap, usedDims, usedSymbols } from '@sconv/affine';
import type { Attribute, Dialect, Folder, OpAsmParser, OpAsmPrinter, Operation, Value } from '@sconv/ir';
import {
  affineMapAttribute,
  affineMapAttributeKind,
  defineOp,
  index,
  indexType,
  integerAttribute,
  integerOf,
  one,
  variadic,
} from '@sconv/ir';
import { affineDmaStart, affineDmaWait } from './affine-dma.ts';
import { affineForOp, affineIfOp, affineYield } from './affine-loops.ts';
import {
  affineLoad,
  affinePrefetch,
  affineStore,
  affineVectorLoad,
  affineVectorStore,
} from './affine-memory.ts';
import { evaluateMap } from './evaluate-map.ts';
import { affineParallel } from './affine-parallel.ts';
import { parseDimsAndSymbols, printDimsAndSymbols } from './affine-text.ts';
import { ofMaps, withSteps } from './speculatable-models.ts';

/** The map of an op that applies one. */
const mapOf = (operation: Operation): AffineMap | undefined => {
  const attribute = operation.attributes['map'];
  return attribute?.kind === 'affine-map' ? attribute.map : undefined;
};

/** The verifier checks the number of operands against the map, except for `affine.apply`, whose parser does. */
const parseApplication = (parser: OpAsmParser, isChecked: boolean) => {
  const location = parser.here();
  const map = parser.attribute();
  const { operands, dims } = parseDimsAndSymbols(parser);
  const attributes = parser.optionalAttrDict();
  if (map.kind !== 'affine-map') parser.fail('invalid kind of attribute specified', location);
  const { numDims, numSymbols } = map.map;
  if (isChecked && (numDims !== dims || numDims + numSymbols !== operands.length)) {
    parser.fail('dimension or symbol index mismatch');
  }
  return {
    operands: operands.map((operand) => parser.resolve(operand, indexType)),
    attributes: { ...attributes, map },
    resultTypes: [indexType],
  };
};

const printApplication = (printer: OpAsmPrinter, operation: Operation): void => {
  const map = operation.attributes['map'];
  if (map?.kind !== 'affine-map') return;
  printer.text(' ');
  printer.attribute(map);
  printDimsAndSymbols(printer, operation.operands, map.map.numDims);
  printer.optionalAttrDict(operation, ['map']);
};

function* operandCountErrors(map: AffineMap, operands: readonly Value[]): Generator<string> {
  if (operands.length !== map.numDims + map.numSymbols) {
    yield 'operand count and affine map dimension and symbol count must match';
  }
}

/** The values of all results of the map; undefined unless every operand is constant. */
const constantResults = (
  map: AffineMap,
  operands: readonly (number | undefined)[],
): readonly number[] | undefined => {
  const values = operands.filter((value) => value !== undefined);
  return values.length < operands.length
    ? undefined
    : evaluateMap(map, values.slice(0, map.numDims), values.slice(map.numDims));
};

const foldApply: Folder = (operation, constants) => {
  const map = mapOf(operation);
  const result = map?.results[0];
  if (map === undefined || result === undefined) return undefined;
  const operand = operandOf(map, operation.operands);
  if (operand !== undefined) return [operand];
  const [value] =
    constantResults(
      map,
      constants.map((constant) => integerOf(constant)),
    ) ?? [];
  return value === undefined ? undefined : [integerAttribute(value, indexType)];
};

/** The operand that a single-result map returns unchanged. */
const operandOf = (map: AffineMap, operands: readonly Value[]): Value | undefined => {
  const result = map.results[0];
  if (map.results.length !== 1) return undefined;
  if (result?.kind === 'dim') return operands[result.position];
  return result?.kind === 'symbol' ? operands[map.numDims + result.position] : undefined;
};

const foldExtremum =
  (pick: (...values: number[]) => number): Folder =>
  (operation, constants) => {
    const map = mapOf(operation);
    if (map === undefined) return undefined;
    const operand = operandOf(map, operation.operands);
    if (operand !== undefined) return [operand];
    const values = map.results.map((result) => constantResult(map, result, constants));
    const known = values.filter((value) => value !== undefined);
    if (known.length === values.length) {
      return known.length === 0 ? undefined : [integerAttribute(pick(...known), indexType)];
    }
    const results = map.results.map((result, i) => {
      const value = values[i];
      return value === undefined ? result : constantExpr(value);
    });
    const less = affineMapAttribute(makeMap(map.numDims, map.numSymbols, results));
    return { kind: 'in-place', attributes: { ...operation.attributes, map: less } };
  };

/** The value of one result of a map, if everything that it depends on is constant. */
const constantResult = (
  map: AffineMap,
  result: AffineExpr,
  constants: readonly (Attribute | undefined)[],
): number | undefined => {
  const used = new Set([
    ...usedDims(result),
    ...usedSymbols(result).map((position) => map.numDims + position),
  ]);
  // The value of an unused input is irrelevant.
  const values = constants.map((constant, i) => (used.has(i) ? integerOf(constant) : 0));
  const alone = makeMap(map.numDims, map.numSymbols, [result]);
  return constantResults(alone, values)?.[0];
};

const application = {
  operands: { mapOperands: variadic(index, 'dimensions of the map, then its symbols') },
  results: { result: one(index) },
  attributes: { map: affineMapAttributeKind },
  traits: ['pure'],
  assembly: { parse: (parser: OpAsmParser) => parseApplication(parser, false), print: printApplication },
} as const;

/** `affine.apply affine_map<(d0) -> (d0 * 2)>(%i)`. */
export const apply = defineOp({
  ...application,
  name: 'affine.apply',
  interfaces: [ofMaps],
  summary: 'the value of an affine map of one result',
  assembly: { parse: (parser: OpAsmParser) => parseApplication(parser, true), print: printApplication },
  *verify({ operands: { mapOperands }, attributes: { map } }) {
    yield* operandCountErrors(map, mapOperands);
    if (map.results.length !== 1) yield 'mapping must produce one value';
  },
  fold: foldApply,
});

/** `affine.min affine_map<(d0) -> (16, 75 - d0)>(%i)`. */
export const min = defineOp({
  ...application,
  name: 'affine.min',
  interfaces: [ofMaps],
  summary: 'the smallest of the results of an affine map',
  *verify({ operands: { mapOperands }, attributes: { map } }) {
    yield* operandCountErrors(map, mapOperands);
    if (map.results.length === 0) yield 'affine map expect at least one result';
  },
  fold: foldExtremum(Math.min),
});

/** `affine.max affine_map<(d0) -> (0, d0 - 3)>(%i)`. */
export const max = defineOp({
  ...application,
  name: 'affine.max',
  interfaces: [ofMaps],
  summary: 'the largest of the results of an affine map',
  *verify({ operands: { mapOperands }, attributes: { map } }) {
    yield* operandCountErrors(map, mapOperands);
    if (map.results.length === 0) yield 'affine map expect at least one result';
  },
  fold: foldExtremum(Math.max),
});

/** `affine.delinearize_index %i into (%h, %w) : index, index`: the digits of `%i` in a mixed base. */
export const delinearizeIndex = defineOp({
  name: 'affine.delinearize_index',
  interfaces: [withSteps(({ operands }) => operands.slice(1))],
  summary: 'a linear index taken apart by a basis',
  operands: { linearIndex: one(index), basis: variadic(index) },
  results: { multiIndex: variadic(index) },
  traits: ['pure'],
  assembly: {
    format: '$linearIndex `into` ` ` `(` $basis `)` attr-dict `:` type($multiIndex)',
  },
  inferResultTypes: (operands) => operands.slice(1).map(() => indexType),
  *verify({ operands: { basis }, results: { multiIndex } }) {
    if (basis.length === 0) yield 'basis should not be empty';
    else if (basis.length !== multiIndex.length) yield 'should return an index for each basis element';
  },
});

export { affineForOp as forOp, affineIfOp as ifOp, affineYield as yieldOp } from './affine-loops.ts';
export { affineDmaStart as dmaStart, affineDmaWait as dmaWait } from './affine-dma.ts';
export { affineParallel as parallel } from './affine-parallel.ts';
export {
  affineLoad as load,
  affinePrefetch as prefetch,
  affineStore as store,
  affineVectorLoad as vectorLoad,
  affineVectorStore as vectorStore,
} from './affine-memory.ts';

/** The dialect, for a registry. */
export const affineDialect: Dialect = {
  name: 'affine',
  operations: [
    apply,
    min,
    max,
    delinearizeIndex,
    affineForOp,
    affineIfOp,
    affineParallel,
    affineYield,
    affineLoad,
    affineStore,
    affinePrefetch,
    affineVectorLoad,
    affineVectorStore,
    affineDmaStart,
    affineDmaWait,
  ],
};
