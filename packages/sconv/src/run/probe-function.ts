/**
 * `--check` for functions too large to interpret: convolutions of any layout, pads and fills, with each output window
 * probed.
 */
import type { RunValue } from '@sconv/backend';
import { elementArrays } from '@sconv/backend';
import { elementTypeOf } from '@sconv/dialects';
import { conv2dNchwFchw, isConvertedMultiplyAdd, structured } from '@sconv/dialects/linalg';
import { mixedPadding } from '@sconv/dialects/tensor';
import type { ReferenceShape } from '@sconv/interpreter';
import { checkByProbe, convolutionSizes, deviation, referenceConvolution } from '@sconv/interpreter';
import type { Id, Operation, Type, Value } from '@sconv/ir';
import { bodyOf, i1, printType, typeEquals } from '@sconv/ir';
import { convolutionForms, convolutionGeometry, formedConvolution } from '@sconv/normalization';
import { convolutionName } from '@sconv/slicing';
import { defaultRegistry } from '../default-registry.ts';
import type { Comparison, Execution } from './check-result.ts';
import type { FormedOperands } from './probe-form.ts';
import { probeForm } from './probe-form.ts';
import { largest, roundingTolerance } from './tolerance.ts';

/** A convolution whose elements have not been needed yet. */
interface Pending {
  readonly shape: ReferenceShape;
  readonly input: Float32Array;
  readonly filters: Float32Array;
  readonly initial: Float32Array;
}

/** The elements of f32, and of integers up to 32 bits. */
type KnownElements = Float32Array | Int32Array | Int16Array | Int8Array;

/** The result of an operation: a number, elements, or a pending convolution. */
type Known = number | KnownElements | Pending | FormedOperands;

/**
 * Compares the results of a function that convolves, pads and fills tensors, with sums of f32, or of i32, which are
 * exact modulo 2^32. A returned convolution is probed at the cost of one filter; one of f32 in NCHW that another
 * operation uses is computed. Undefined for any other function.
 */
export const probeFunction = (definition: Operation, execution: Execution): Comparison | undefined => {
  const { given, outputs, isExact } = execution;
  const { arguments: parameters, operations } = bodyOf(definition);
  const values = new Map<Id, Known>();
  parameters.forEach(({ id }, i) => {
    const value = given[i];
    if (isKnown(value) || typeof value === 'number') values.set(id, value);
  });
  for (const operation of operations.slice(0, -1)) {
    const evaluate = evaluators[operation.name];
    if (evaluate === undefined) return undefined;
    const value = evaluate(operation, (each) => values.get(each.id));
    if (value === undefined) return undefined;
    for (const { id } of operation.results) values.set(id, value);
  }
  const returned = operations.at(-1)!.operands;
  if (returned.length !== outputs.length || returned.length === 0) return undefined;
  const deviations = returned.map(({ id }, i) => deviationOf(values.get(id), outputs[i]!.value, execution));
  if (!deviations.every((each) => each !== undefined)) return undefined;
  return {
    oracle: 'linear probe',
    isExact,
    mismatches: deviations.reduce((sum, { mismatches }) => sum + mismatches, 0),
    maxAbsError: deviations.reduce((most, { maxError }) => Math.max(most, maxError), 0),
  };
};

/** How much more a probe is off than an element: it adds up those of all filters, times its factors. */
const probeFactor = 100;

/** Whether these are elements that a probe can compute with; of bytes that are no numbers there are others. */
const isKnown = (value: RunValue | Known | undefined): value is KnownElements =>
  value instanceof Float32Array ||
  value instanceof Int32Array ||
  value instanceof Int16Array ||
  value instanceof Int8Array;

const deviationOf = (
  expected: Known | undefined,
  actual: RunValue,
  { isExact, tolerance: share = roundingTolerance }: Execution,
) => {
  const wraps = actual instanceof Int32Array;
  if (!wraps && !(actual instanceof Float32Array)) return undefined;
  if (isKnown(expected)) {
    if (expected.constructor !== actual.constructor) return undefined;
    return deviation(actual, expected, isExact || wraps ? 0 : share * largest(expected));
  }
  if (typeof expected !== 'object') return undefined;
  if ('form' in expected) {
    if (expected.initial.constructor !== actual.constructor) return undefined;
    const { filters } = expected.geometry;
    return probeForm(expected, actual, {
      wraps,
      tolerance: isExact || wraps ? 0 : probeFactor * share * Math.sqrt(filters) * largest(actual),
    });
  }
  if (wraps) return undefined;
  const tolerance = isExact ? 0 : probeFactor * share * Math.sqrt(expected.shape.filters) * largest(actual);
  return checkByProbe(expected.shape, { ...expected, result: actual }, { tolerance });
};

type Evaluate = (operation: Operation, known: (value: Value) => Known | undefined) => Known | undefined;

const convolve: Evaluate = (operation, known) => {
  const geometry = convolutionGeometry(conv2dNchwFchw.view(operation));
  const [input, filters, initial] = operation.operands.map((operand) => floats(known(operand)));
  if (geometry === undefined || input === undefined || filters === undefined || initial === undefined) {
    return undefined;
  }
  const { outputHeight, outputWidth } = convolutionSizes(geometry);
  // MLIR lets an output be smaller than its input allows.
  if (outputHeight !== geometry.outputHeight || outputWidth !== geometry.outputWidth) return undefined;
  return { shape: geometry, input, filters, initial };
};

/** The elements of f32 of a value, computed if pending. */
const floats = (value: Known | undefined): Float32Array | undefined => {
  const found = elements(value);
  return found instanceof Float32Array ? found : undefined;
};

/** The elements of a value, computed if it is a pending convolution of f32 in NCHW. */
const elements = (value: Known | undefined): KnownElements | undefined => {
  if (value === undefined || typeof value === 'number') return undefined;
  if (isKnown(value)) return value;
  if ('form' in value) return undefined;
  return referenceConvolution(value.shape, value.input, value.filters, value.initial);
};

/** A convolution in any layout, with zero points or without. */
const convolveForm: Evaluate = (operation, known) => {
  const view = structured(defaultRegistry, operation);
  const formed = view && formedConvolution(view);
  if (view === undefined || formed === undefined || !isConvertedMultiplyAdd(bodyOf(operation)))
    return undefined;
  // A bit extended by its sign is no byte.
  if (view.inputs.some(({ type }) => typeEquals(elementTypeOf(type), i1))) return undefined;
  const [first, second, ...zeroPoints] = view.inputs.map((each) => known(each));
  const initial = elements(known(view.outputs[0]!));
  const [data, weights] = formed.form.operands.map((position) => elements([first, second][position]));
  const [zero = 0, filterZero = 0] = formed.form.operands.map((position) => zeroPoints[position]);
  if (data === undefined || weights === undefined || initial === undefined) return undefined;
  if (typeof zero !== 'number' || typeof filterZero !== 'number') return undefined;
  return { ...formed, input: data, filters: weights, initial, zeroPoints: [zero, filterZero] };
};

/** Zeroed elements for a result. */
const newElements = (type: Type | undefined, length: number): KnownElements | undefined => {
  const element = type?.kind === 'tensor' ? printType(type.elementType) : '';
  const create = knownArrays[element];
  return create && new create(length);
};

const { f32, i32, i16, i8 } = elementArrays;
const knownArrays: Readonly<Record<string, (new (length: number) => KnownElements) | undefined>> = {
  ...{ f32, i32, i16, i8 },
};

const shapeOf = (value: Value): readonly number[] | undefined =>
  value.type.kind === 'tensor' && value.type.shape.every((size) => size >= 0) ? value.type.shape : undefined;

/** A fill of a buffer has no result. */
const resultShape = ([result]: readonly Value[]): readonly number[] | undefined =>
  result === undefined ? undefined : shapeOf(result);

const count = (shape: readonly number[]): number => shape.reduce((product, size) => product * size, 1);

const constantOf: Evaluate = ({ attributes }) => {
  const value = attributes['value'];
  if (value?.kind === 'integer') return Number(value.value);
  return value?.kind === 'float' ? value.value : undefined;
};

const fill: Evaluate = ({ operands, results }, known) => {
  const [value, shape] = [known(operands[0]!), resultShape(results)];
  return typeof value !== 'number' || shape === undefined
    ? undefined
    : newElements(results[0]?.type, count(shape))?.fill(value);
};

/** Uninitialized elements, as zeros. */
const empty: Evaluate = ({ results }) => {
  const shape = resultShape(results);
  return shape === undefined ? undefined : newElements(results[0]?.type, count(shape));
};

const pad: Evaluate = (operation, known) => {
  const source = operation.operands[0]!;
  const [from, to] = [shapeOf(source), resultShape(operation.results)];
  const data = elements(known(source));
  const { low } = mixedPadding(operation);
  const margins = low.filter((size) => typeof size === 'number');
  const inside = bodyOf(operation).operations;
  const yielded = inside.at(-1)!.operands[0]!;
  const own = inside.find(({ results: [only] }) => only?.id === yielded.id);
  const value = own === undefined ? known(yielded) : evaluators[own.name]?.(own, known);
  if (from === undefined || to === undefined || data === undefined || typeof value !== 'number')
    return undefined;
  if (margins.length !== from.length || margins.some((size) => size < 0)) return undefined;
  const result = newElements(source.type, count(to))?.fill(value);
  return result && padded(data, from, to, margins, result);
};

/** Inserts `data` of shape `from` at the offsets `margins` into a tensor of shape `to`. */
const padded = (
  data: KnownElements,
  from: readonly number[],
  to: readonly number[],
  margins: readonly number[],
  result: KnownElements,
): KnownElements | undefined => {
  // A negative high padding crops.
  if (from.some((size, i) => margins[i]! + size > to[i]!)) return undefined;
  for (let i = 0; i < data.length; i++) {
    let [rest, position, stride] = [i, 0, 1];
    for (let dim = from.length - 1; dim >= 0; dim--) {
      position += ((rest % from[dim]!) + margins[dim]!) * stride;
      rest = Math.floor(rest / from[dim]!);
      stride *= to[dim]!;
    }
    result[position] = data[i]!;
  }
  return result;
};

const evaluators: Readonly<Record<string, Evaluate | undefined>> = {
  ...Object.fromEntries(
    convolutionForms.flatMap(({ definition, quantized }) =>
      [definition, quantized].flatMap((each) => (each === undefined ? [] : [[each.name, convolveForm]])),
    ),
  ),
  [convolutionName]: (operation, known) => convolve(operation, known) ?? convolveForm(operation, known),
  'arith.constant': constantOf,
  'linalg.fill': fill,
  'tensor.empty': empty,
  'tensor.pad': pad,
};
