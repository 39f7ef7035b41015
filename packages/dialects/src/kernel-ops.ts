/** The operations of the kernel dialect. */
import type { Type } from '@sconv/ir';
import {
  affineMapAttributeKind,
  anyType,
  arrayOf,
  attributeKind,
  boolean,
  defineOp,
  DYNAMIC,
  i64ArrayAttribute,
  i64Attribute,
  index,
  one,
  optional,
  optionalAttribute,
  stringAttribute,
  typeAttributeKind,
  typeEquals,
  variadic,
} from '@sconv/ir';
import { compatibleShapes, memref } from './constraints.ts';
import { accessesOperands } from './interfaces.ts';
import { contractProblems } from './kernel-contract.ts';
import { coversOnce } from './kernel-tiles.ts';
import { typeText } from './type-text.ts';

/** Whether a type is an integer of this width. */
const isInteger = (type: Type, width: number): boolean => type.kind === 'integer' && type.width === width;

/** The dimension of a microkernel's lanes: a matrix unit takes both. */
export const kernelLanes = ['windows', 'filters', 'both'] as const;

/** Their name. */
export type KernelLanes = (typeof kernelLanes)[number];

const lanesName = attributeKind<KernelLanes>(
  `one of ${kernelLanes.join(', ')}`,
  (attribute) =>
    attribute.kind === 'string' ? kernelLanes.find((name) => name === attribute.value) : undefined,
  stringAttribute,
);

/**
 * `"kernel.microkernel"(%windows, %filters, %output, %start, %condition)`: the tile of a convolution on packed panels
 * (ST §2.2, Listing 8, line 43).
 *
 *     output[n, f, w] = (start or output[n, f, w]) + Σ_k windows[n, k, w] · filters[k, f]
 *
 * With another dimension of 2, of i16, panels hold pairs, and each step adds two products to sums of i32. The sums
 * begin with `start` where there is one and the condition, if any, holds, and else with the output's elements.
 *
 * Each of `tiles` is a pass over the panels: first window, windows, first filter and filters of a part of the output
 * whose sums stay in registers, and perhaps the same of another part beside it, with lanes along the filters. Together
 * they cover the output once; a last vector may lie over its predecessor in the same part. By default the output is one
 * part, with lanes along the windows.
 */
export const microkernel = defineOp({
  name: 'kernel.microkernel',
  summary: 'adds the products of a panel of windows and one of filters to a tile of the output',
  operands: {
    windows: one(memref, 'images x steps x windows, or images x steps x windows x 2'),
    filters: one(memref, 'steps x filters, or steps x filters x 2'),
    output: one(memref, 'images x filters x windows; shares no memory with a panel'),
    start: optional(anyType, 'the value that the sums begin with'),
    condition: optional(boolean, 'whether they do; always by default'),
  },
  attributes: {
    lanes: optionalAttribute(lanesName),
    tiles: optionalAttribute(arrayOf(i64ArrayAttribute, 'array of arrays of i64')),
  },
  traits: ['irdl'],
  interfaces: [accessesOperands([0, 1, 2], [2])],
  *verify({ operands: { windows, filters, output, start, condition }, attributes: { tiles } }) {
    const [left, right, sums] = [windows.type, filters.type, output.type];
    const pair = left.shape.length === 4 ? [2] : [];
    const [images = DYNAMIC, steps = DYNAMIC] = left.shape;
    const [, rows = DYNAMIC, columns = DYNAMIC] = sums.shape;
    const isShaped =
      compatibleShapes(sums.shape, [images, rows, columns]) &&
      compatibleShapes(left.shape, [images, steps, columns, ...pair]) &&
      compatibleShapes(right.shape, [steps, rows, ...pair]);
    if (!isShaped)
      yield (
        'expects panels of images x steps x windows and steps x filters, both with pairs or both without, and ' +
        'an output of images x filters x windows'
      );
    const elements = [left.elementType, right.elementType, sums.elementType] as const;
    const areFit =
      pair.length === 0
        ? elements.every((type) => typeEquals(type, elements[2]))
        : isInteger(elements[0], 16) && isInteger(elements[1], 16) && isInteger(elements[2], 32);
    if (!areFit) yield 'expects elements of one type, or pairs of i16 and sums of i32';
    if (start !== undefined && !typeEquals(start.type, sums.elementType))
      yield `expects to start with '${typeText(sums.elementType)}', not '${typeText(start.type)}'`;
    if (condition !== undefined && start === undefined) yield 'expects a value to start with on a condition';
    if (tiles !== undefined && !coversOnce(tiles, { windows: columns, filters: rows }))
      yield `expects tiles that cover the ${sizeText(columns)} windows of ${sizeText(rows)} filters once`;
  },
});

const sizeText = (size: number): string => (size === DYNAMIC ? '?' : String(size));

/**
 * `"kernel.contract"(%input, %filters, %output, %start, %condition)`: a tile of a contraction whose operands lie where
 * they are (TT §4), at fixed distances for each dimension.
 *
 *     output[o(i)] = (start or output[o(i)]) + Σ input[l(i)] · filters[r(i)]
 *
 * `maps` are l, r and o. A dimension that o lacks is summed over, in the order of the dimensions, the last one fastest.
 * `lanes` is the dimension along which the output is computed in vectors. `unroll` has a factor for each dimension.
 * `tiles` has, by fours, the first window and the windows, the first filter and the filters of parts that are summed
 * one after another in registers: windows are the points of the dimensions that l and o have, filters those of the ones
 * that r and o have, counted row by row. Without `unroll` and `tiles` the target decides.
 */
export const contract = defineOp({
  name: 'kernel.contract',
  summary: 'adds the products of two operands to a tile of a third, all of them where they lie',
  operands: {
    input: one(memref),
    filters: one(memref),
    output: one(memref, 'shares no memory with the others'),
    start: optional(anyType, 'the value that the sums begin with'),
    condition: optional(boolean, 'whether they do; always by default'),
  },
  attributes: {
    maps: arrayOf(affineMapAttributeKind, 'array of three affine maps'),
    lanes: i64Attribute,
    unroll: optionalAttribute(i64ArrayAttribute),
    tiles: optionalAttribute(i64ArrayAttribute),
  },
  traits: ['irdl'],
  interfaces: [accessesOperands([0, 1, 2], [2])],
  *verify({ operands: { input, filters, output, start, condition }, attributes }) {
    yield* contractProblems([input.type, filters.type, output.type], attributes);
    const { elementType } = output.type;
    if (![input, filters].every(({ type }) => typeEquals(type.elementType, elementType)))
      yield 'expects elements of one type';
    if (start !== undefined && !typeEquals(start.type, elementType))
      yield `expects to start with '${typeText(elementType)}', not '${typeText(start.type)}'`;
    if (condition !== undefined && start === undefined) yield 'expects a value to start with on a condition';
  },
});

/** What a packing may apply to an element: casts, and the subtraction of a zero point. */
export const conversionSteps = [
  'arith.extf',
  'arith.extsi',
  'arith.extui',
  'arith.trunci',
  'arith.sitofp',
  'arith.uitofp',
  'arith.subi',
] as const;

/** The name of a step. */
export type ConversionName = (typeof conversionSteps)[number];

const conversionName = attributeKind<ConversionName>(
  `one of ${conversionSteps.join(', ')}`,
  (attribute) =>
    attribute.kind === 'string' ? conversionSteps.find((name) => name === attribute.value) : undefined,
  stringAttribute,
);

/**
 * `"kernel.pack"(%source, %target, %outer…, %zero_points…, %padding)`: stores at each index of a buffer an element of
 * another, converted (ST Listing 8, lines 10-20 and 25-36).
 *
 *     target[d] = convert(source[map(d, outer)])
 *
 * `conversion` names a step after another, and `types` what each results in; a subtraction takes the next zero point.
 * With `tests` there is padding around the source: `convert(padding)` where a test, a function of the dimensions of
 * `map`, is not in `[0, bound)`. Where all are, the source is read within its bounds.
 */
export const pack = defineOp({
  name: 'kernel.pack',
  summary: 'copies elements of a buffer into panels of another, and converts them',
  operands: {
    source: one(memref),
    target: one(memref, 'shares no memory with the source'),
    outer: variadic(index, 'indices from around it'),
    zeroPoints: variadic(anyType, 'one for each subtraction'),
    padding: optional(anyType, 'an element of the type of those of the source, if there are tests'),
  },
  attributes: {
    map: affineMapAttributeKind,
    conversion: optionalAttribute(arrayOf(conversionName, 'array of steps of a conversion')),
    types: optionalAttribute(arrayOf(typeAttributeKind, 'type array attribute')),
    tests: optionalAttribute(affineMapAttributeKind),
    bounds: optionalAttribute(i64ArrayAttribute),
  },
  traits: ['irdl'],
  interfaces: [accessesOperands([0], [1])],
  *verify({ operands: { source, target, outer, zeroPoints, padding }, attributes }) {
    const { map, conversion = [], types = [], tests, bounds = [] } = attributes;
    const numDims = target.type.shape.length + outer.length;
    const isMapped = map.numSymbols === 0 && map.results.length === source.type.shape.length;
    if (map.numDims !== numDims || !isMapped)
      yield 'expects a map from the dimensions of the target and the outer indices to those of the source';
    if (tests !== undefined && (tests.numDims !== numDims || tests.numSymbols !== 0))
      yield 'expects tests of the dimensions of the map';
    if ((tests?.results.length ?? 0) !== bounds.length) yield 'expects a bound for each test';
    const { elementType } = source.type;
    const isPadded = padding !== undefined && typeEquals(padding.type, elementType);
    if (isPadded !== (tests !== undefined))
      yield `expects tests and padding of '${typeText(elementType)}', or neither`;
    if (conversion.length !== types.length) yield 'expects a type for each step of the conversion';
    const subtractions = types.filter((_, i) => conversion[i] === 'arith.subi');
    const isSubtracted = subtractions.every(
      (type, i) => zeroPoints[i] && typeEquals(zeroPoints[i].type, type),
    );
    if (zeroPoints.length !== subtractions.length || !isSubtracted)
      yield 'expects a zero point for each subtraction, of its type';
    const packed = types.at(-1) ?? elementType;
    if (!typeEquals(packed, target.type.elementType))
      yield `stores '${typeText(packed)}' in '${typeText(target.type)}'`;
  },
});
