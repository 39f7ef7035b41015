/** Draws named linalg ops from the dialect's declarations: iterators, maps and body. */
import type { AffineMap } from '@sconv/affine';
import { contractions, convolutions, poolings, namedStructure } from '@sconv/dialects/linalg';
import * as linalg from '@sconv/dialects/linalg';
import type { Attributes, Type } from '@sconv/ir';
import { denseElementsAttribute, f32, f64, i1, i32, i64, indexType, tensorType } from '@sconv/ir';
import { dataMagnitude, exactMagnitude } from './draw-body.ts';
import type { Surroundings } from './draw-generic.ts';
import { drawArgument } from './draw-generic.ts';
import type { Element, OpSpec, OperandSpec } from './payload-spec.ts';
import { shapeOf } from './payload-spec.ts';
import type { Random } from './random.ts';

/** The convolution that slicing starts from. */
export const slicedConvolution = 'linalg.conv_2d_nchw_fchw';

const names = (definitions: readonly { readonly name: string }[]): readonly string[] =>
  definitions.map(({ name }) => name);

/** Elementwise ops by element type: their results stay exact, or do not. */
export const elementwise = {
  any: [
    linalg.fill,
    linalg.copy,
    linalg.add,
    linalg.sub,
    linalg.mul,
    linalg.max,
    linalg.min,
    linalg.elemwiseBinary,
  ],
  float: [linalg.abs, linalg.ceil, linalg.floor, linalg.negf, linalg.square],
  inexact: [
    linalg.elemwiseUnary,
    linalg.exp,
    linalg.log,
    linalg.reciprocal,
    linalg.sqrt,
    linalg.rsqrt,
    linalg.tanh,
    linalg.div,
    linalg.powf,
    linalg.fillRng2d,
  ],
} as const;

/** All named ops that are drawn: all but `erf` and `round`, which the interpreter does not support. */
export const namedOps: readonly string[] = [
  ...names(contractions),
  ...names(convolutions),
  ...names(poolings),
  ...Object.values(elementwise).flatMap(names),
  linalg.select.name,
  linalg.divUnsigned.name,
];

const isFloat = (element: Element): boolean => element === 'f32' || element === 'f64';

const drawName = (random: Random, element: Element): string =>
  random.pick(
    random.weighted<readonly string[]>([
      [3, names(contractions)],
      [3, names(convolutions)],
      [1.5, names(poolings)],
      // The targets of most transforms.
      [7, names([linalg.matmul, linalg.batchMatmul, linalg.conv2dNhwcFhwc, linalg.conv2dNhwcHwcf])],
      [2, names(elementwise.any)],
      [isFloat(element) ? 1 : 0, names(elementwise.float)],
      [isFloat(element) ? 0.5 : 0, names(elementwise.inexact)],
      [0.3, [linalg.select.name]],
      // Invalid on floats.
      [element === 'i32' || element === 'i64' ? 0.5 : 0, [linalg.divUnsigned.name]],
    ])!,
  );

const types: Readonly<Record<Element, Type>> = { f32, f64, i32, i64, i1, index: indexType };

/** The number of windows, i.e. sums of two dimensions, in the first map. */
export const windowRank = (map: AffineMap): number => map.results.filter(({ kind }) => kind === 'add').length;

export const windowAttributes: ReadonlySet<string> = new Set(
  [...convolutions, ...poolings]
    .filter(({ attributeSpecs }) => attributeSpecs.some(({ name }) => name === 'strides'))
    .map(({ name }) => name),
);

export const pairText = (values: readonly number[]): string =>
  `dense<${values.every((value) => value === values[0]) ? values[0]! : `[${values.join(', ')}]`}> : tensor<${values.length}xi64>`;

export const pairAttribute = (values: readonly number[]) =>
  denseElementsAttribute(values.map(BigInt), tensorType([values.length], i64));

/** The element types of a named op's operands, mostly the payload's. */
const elementsOf = (random: Random, name: string, count: number, element: Element): readonly Element[] => {
  if (name === linalg.fillRng2d.name) return ['f64', 'f64', 'i32', element];
  if (name === linalg.select.name) return ['i1', element, element, element];
  const same = Array.from({ length: count }, () => element);
  const wider: Partial<Record<Element, Element>> = { f32: 'f64', i32: 'i64' };
  const casts = [...contractions, ...convolutions].some((definition) => definition.name === name);
  // The casts of batch_reduce_matmul differ from the others'.
  const result =
    casts && name !== linalg.batchReduceMatmul.name && random.chance(0.05) ? wider[element] : undefined;
  return result === undefined ? same : [...same.slice(0, -1), result];
};

const magnitudeOf = (
  name: string,
  operands: readonly OperandSpec[],
  extents: readonly number[],
  reductions: readonly boolean[],
): number => {
  if (names(elementwise.inexact).includes(name)) return Infinity;
  if (names(elementwise.float).includes(name) || names(elementwise.any).includes(name))
    return dataMagnitude ** 2;
  const terms = extents.reduce(
    (product, extent, i) => (reductions[i] === true ? product * extent : product),
    1,
  );
  // Zero points are subtracted from both factors.
  const factor = operands.length > 3 ? 2 * dataMagnitude : dataMagnitude;
  return dataMagnitude + terms * factor ** 2;
};

/** A named op. */
const drawNamedOp = (
  random: Random,
  surroundings: Surroundings,
  name: string,
  drawExtent: (position: number) => number,
): OpSpec => {
  const structure = namedStructure(name)!;
  const rank = random.integer(1, 3);
  const letters = structure.iteratorTypes(rank);
  const extents = letters.map((_, position) => drawExtent(position));
  const count = structure.inputs + 1;
  const elements = elementsOf(random, name, count, surroundings.element);
  // Maps of elementwise ops depend on which operands are scalars.
  const isElementwise =
    Object.values(elementwise).flatMap(names).includes(name) || name === linalg.select.name;
  const isNumber = elements.map((_, i) =>
    i === count - 1 || name === linalg.select.name
      ? false
      : name === linalg.fill.name || (isElementwise && random.chance(0.12)),
  );
  const operandTypes = elements.map((element, i) =>
    isNumber[i] === true
      ? types[element]
      : tensorType(
          Array.from({ length: rank }, () => 1),
          types[element],
        ),
  );
  const windows = windowAttributes.has(name) ? windowRank(structure.indexingMaps(operandTypes, {})[0]!) : 0;
  const draw = () =>
    Array.from({ length: windows }, () =>
      random.weighted([
        [3, 1],
        [1, 2],
      ])!,
    );
  const [strides, dilations] = [draw(), draw()];
  const attributes: Attributes =
    windows === 0 ? {} : { strides: pairAttribute(strides), dilations: pairAttribute(dilations) };
  const maps = structure.indexingMaps(operandTypes, attributes);
  const operands = maps.map((map, i): OperandSpec => {
    const element = elements[i]!;
    if (isNumber[i] === true || (map.results.length === 0 && i < count - 1)) {
      return { map, element, scalar: true, slack: [], dynamic: [], source: { kind: 'argument' } };
    }
    const slack = map.results.map((result) => (result.kind === 'add' && random.chance(0.3) ? 1 : 0));
    const fresh: OperandSpec = {
      map,
      element,
      slack,
      ...drawArgument(random, surroundings, map.results.length),
    };
    const isDivisor = name === linalg.divUnsigned.name && i === 1;
    if (isDivisor) return { ...fresh, dynamic: [], source: { kind: 'fill', value: random.integer(1, 3) } };
    return { ...fresh, source: drawSource(random, surroundings, fresh, extents) };
  });
  const text =
    windows === 0
      ? name === linalg.elemwiseBinary.name
        ? ` {fun = #linalg.binary_fn<${random.pick(['add', 'sub', 'mul', 'max_signed', 'min_signed'])}>}`
        : name === linalg.elemwiseUnary.name
          ? ` {fun = #linalg.unary_fn<${random.pick(['abs', 'negf', 'floor', 'ceil', 'exp'])}>}`
          : ''
      : ` {dilations = ${pairText(dilations)}, strides = ${pairText(strides)}}`;
  const reductions = letters.map((letter) => letter === 'reduction');
  return {
    form: { kind: 'named', name, attributes: text },
    extents,
    iterators: reductions.map((isReduction) => (isReduction ? 'reduction' : 'parallel')),
    inputs: operands.slice(0, -1),
    outputs: operands.slice(-1),
    magnitudes: [magnitudeOf(name, operands, extents, reductions)],
  };
};

/** An existing value with an operand's type, small enough for products; otherwise a new one. */
const drawSource = (
  random: Random,
  { known }: Surroundings,
  operand: OperandSpec,
  extents: readonly number[],
): OperandSpec['source'] => {
  const shape = shapeOf(operand, extents);
  const same = known.filter(
    (value) =>
      value.element === operand.element &&
      value.magnitude <= dataMagnitude &&
      value.magnitude <= exactMagnitude(operand.element) &&
      value.shape.length === shape.length &&
      value.shape.every(
        (size, d) => size === shape[d] && (value.dynamic[d] ?? false) === (operand.dynamic[d] ?? false),
      ),
  );
  if (same.length > 0 && random.chance(0.5)) return random.pick(same).source;
  if (operand.dynamic.includes(true) || random.chance(0.8)) return operand.source;
  return { kind: random.chance(0.5) ? 'fill' : 'constant', value: random.integer(0, 2) };
};

/** Any named op, with extents of the payload. */
export const drawNamed = (random: Random, surroundings: Surroundings): OpSpec => {
  const name = drawName(random, surroundings.element);
  const many = (namedStructure(name)?.iteratorTypes(2).length ?? 0) > 5;
  // Upstream refuses windows over empty dimensions.
  const hasWindows = [...convolutions, ...poolings].some((definition) => definition.name === name);
  const sizes = surroundings.extents.filter((size) => size > 0 || !hasWindows);
  // Many large dimensions would take the interpreter too long.
  const extent = (): number => {
    const drawn = random.chance(0.15) ? 1 : random.pick(sizes);
    return many ? Math.min(drawn, random.integer(1, 3)) : drawn;
  };
  return drawNamedOp(random, surroundings, name, extent);
};

/** A convolution to be sliced, large enough for several tiles. */
export const drawSlicedConvolution = (random: Random, surroundings: Surroundings): OpSpec => {
  const sizes: readonly (readonly [number, number])[] = [
    [1, 2], // batch
    [1, 6], // filters
    [1, 5], // rows
    [1, 6], // columns
    [1, 4], // channels
    [1, 3], // rows of the filter
    [1, 3], // columns of the filter
  ];
  return drawNamedOp(random, surroundings, slicedConvolution, (position) =>
    random.integer(...sizes[position]!),
  );
};
