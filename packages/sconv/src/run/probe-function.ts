/** `--check` for functions too large to interpret: convolutions, pads and fills, with each output window probed. */
import type { RunValue } from '@sconv/backend';
import { conv2dNchwFchw } from '@sconv/dialects/linalg';
import { mixedPadding } from '@sconv/dialects/tensor';
import type { ConvolutionShape } from '@sconv/interpreter';
import { checkByProbe, convolutionSizes, deviation, referenceConvolution } from '@sconv/interpreter';
import type { Id, Operation, Value } from '@sconv/ir';
import { bodyOf } from '@sconv/ir';
import { convolutionGeometry } from '@sconv/normalization';
import { convolutionName } from '@sconv/slicing';
import type { Comparison, Execution } from './check-result.ts';

/** A convolution whose elements have not been needed yet. */
interface Pending {
  readonly shape: ConvolutionShape;
  readonly input: Float32Array;
  readonly filters: Float32Array;
  readonly initial: Float32Array;
}

/** The result of an operation: a number, elements, or a pending convolution. */
type Known = number | Float32Array | Pending;

/**
 * Compares the results of a function of f32 tensors that convolves (NCHW/FCHW), pads and fills. A returned convolution
 * is probed at the cost of one filter; one used by another operation is computed. Undefined for any other function.
 */
export const probeFunction = (
  definition: Operation,
  { given, outputs, isExact }: Execution,
): Comparison | undefined => {
  const { arguments: parameters, operations } = bodyOf(definition);
  const values = new Map<Id, Known>();
  parameters.forEach(({ id }, i) => {
    const value = given[i];
    if (value instanceof Float32Array || typeof value === 'number') values.set(id, value);
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
  const deviations = returned.map(({ id }, i) => deviationOf(values.get(id), outputs[i]!.value, isExact));
  if (!deviations.every((each) => each !== undefined)) return undefined;
  return {
    oracle: 'linear probe',
    isExact,
    mismatches: deviations.reduce((sum, { mismatches }) => sum + mismatches, 0),
    maxAbsError: deviations.reduce((most, { maxError }) => Math.max(most, maxError), 0),
  };
};

/** The rounding error allowed per element, relative to the largest one. */
const relativeTolerance = 1e-5;

/** The same for a probe, which accumulates the errors of as many elements as there are filters, times its factors. */
const probeTolerance = 1e-3;

const deviationOf = (expected: Known | undefined, actual: RunValue, isExact: boolean) => {
  if (!(actual instanceof Float32Array)) return undefined;
  if (expected instanceof Float32Array) {
    return deviation(actual, expected, isExact ? 0 : relativeTolerance * largest(expected));
  }
  if (typeof expected !== 'object') return undefined;
  const tolerance = isExact ? 0 : probeTolerance * Math.sqrt(expected.shape.filters) * largest(actual);
  return checkByProbe(expected.shape, { ...expected, result: actual }, { tolerance });
};

const largest = (values: Float32Array): number =>
  values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);

type Evaluate = (operation: Operation, known: (value: Value) => Known | undefined) => Known | undefined;

const convolve: Evaluate = (operation, known) => {
  const geometry = convolutionGeometry(conv2dNchwFchw.view(operation));
  const [input, filters, initial] = operation.operands.map((operand) => elements(known(operand)));
  if (geometry === undefined || input === undefined || filters === undefined || initial === undefined) {
    return undefined;
  }
  const { outputHeight, outputWidth } = convolutionSizes(geometry);
  // MLIR lets an output be smaller than its input allows.
  if (outputHeight !== geometry.outputHeight || outputWidth !== geometry.outputWidth) return undefined;
  return { shape: geometry, input, filters, initial };
};

/** The elements of a value, computed if pending. */
const elements = (value: Known | undefined): Float32Array | undefined => {
  if (value === undefined || typeof value === 'number') return undefined;
  if (value instanceof Float32Array) return value;
  return referenceConvolution(value.shape, value.input, value.filters, value.initial);
};

const shapeOf = (value: Value): readonly number[] | undefined =>
  value.type.kind === 'tensor' && value.type.shape.every((size) => size >= 0) ? value.type.shape : undefined;

/** A fill of a buffer has no result. */
const resultShape = ([result]: readonly Value[]): readonly number[] | undefined =>
  result === undefined ? undefined : shapeOf(result);

const count = (shape: readonly number[]): number => shape.reduce((product, size) => product * size, 1);

const constantOf: Evaluate = ({ attributes }) => {
  const value = attributes['value'];
  return value?.kind === 'float' ? value.value : undefined;
};

const fill: Evaluate = ({ operands, results }, known) => {
  const [value, shape] = [known(operands[0]!), resultShape(results)];
  return typeof value !== 'number' || shape === undefined
    ? undefined
    : new Float32Array(count(shape)).fill(value);
};

/** Uninitialized elements, as zeros. */
const empty: Evaluate = ({ results }) => {
  const shape = resultShape(results);
  return shape === undefined ? undefined : new Float32Array(count(shape));
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
  return padded(data, from, to, margins, value);
};

/** Inserts `data` of shape `from` at the offsets `margins` into a zero tensor of shape `to`. */
const padded = (
  data: Float32Array,
  from: readonly number[],
  to: readonly number[],
  margins: readonly number[],
  value: number,
): Float32Array | undefined => {
  // A negative high padding crops.
  if (from.some((size, i) => margins[i]! + size > to[i]!)) return undefined;
  const result = new Float32Array(count(to)).fill(value);
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
  [convolutionName]: convolve,
  'arith.constant': constantOf,
  'linalg.fill': fill,
  'tensor.empty': empty,
  'tensor.pad': pad,
};
