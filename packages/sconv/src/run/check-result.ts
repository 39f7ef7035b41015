/**
 * `--check`: compares every element of the result with a plain convolution, a linear probe of it, the interpreter, or
 * the payload compiled as it is written.
 */
import type { RunValue } from '@sconv/backend';
import { halfValues } from '@sconv/backend';
import type { Diagnosed } from '@sconv/diagnostics';
import { mapSuccess, success, warning } from '@sconv/diagnostics';
import { conv2dNchwFchw } from '@sconv/dialects/linalg';
import type { ReferenceShape, RuntimeValue } from '@sconv/interpreter';
import {
  convolutionSizes,
  elementsOf,
  interpret,
  memref,
  referenceConvolution,
  tensor,
} from '@sconv/interpreter';
import type { Module, Operation, Type } from '@sconv/ir';
import { bodyOf, functionTypeOf, isShaped, symbolNameOf } from '@sconv/ir';
import { convolutionGeometry } from '@sconv/normalization';
import { convolutionName } from '@sconv/slicing';
import { defaultRegistry } from '../default-registry.ts';
import { countMultiplyAdds } from '../multiply-adds.ts';
import { indicesIn } from './index-values.ts';
import { callPlainly } from './plain-code.ts';
import { probeFunction } from './probe-function.ts';
import type { Numbers } from './tolerance.ts';
import { largest, roundingTolerance } from './tolerance.ts';

export interface Comparison {
  /** What the results were compared with. */
  readonly oracle: 'reference convolution' | 'interpreter' | 'linear probe' | 'plain code';
  /** Elements, or windows of a probe, that differ by more than rounding explains; for integers, that differ at all. */
  readonly mismatches: number;
  readonly maxAbsError: number;
  /** Whether exact equality was required. */
  readonly isExact: boolean;
}

/** What the interpreter can do in a few seconds. */
const interpretedMultiplyAdds = 100_000_000;

/** What the reference convolution does in a fifth of a second; probing a larger one takes a small part of its work. */
const referenceMultiplyAdds = 200_000_000;

/** An output of a function. */
export interface Output {
  readonly value: RunValue;
  /** Position of the argument that is the written buffer; undefined for a result. */
  readonly argument: number | undefined;
}

export interface Execution {
  /** The arguments before the call. */
  readonly given: readonly RunValue[];
  readonly outputs: readonly Output[];
  /** Whether outputs have to be equal, as they are where all data are small integers. */
  readonly isExact: boolean;
  /** Allowed difference of floats, relative to the output's largest element; undefined: what rounding explains. */
  readonly tolerance?: number | undefined;
}

/**
 * Compares a function's outputs with an oracle on the same arguments. A large convolution of integers is probed, which
 * is as exact at the cost of one filter; what is too large for the interpreter, and more than convolutions, pads and
 * fills, is compared with the payload compiled without a schedule. Undefined, with the warning `run/cannot-check`,
 * without an oracle: such a payload does not compile for WebAssembly, or the interpreter cannot be given its arguments.
 */
export const checkResult = (
  payload: Module,
  definition: Operation,
  execution: Execution,
): Diagnosed<Comparison | undefined> => {
  const read = withNumbers(definition, execution);
  const only = onlyConvolution(definition);
  const result = read.outputs[0]?.value;
  const isOfFloats = read.given.every((value) => typeof value !== 'object' || value instanceof Float32Array);
  if (only !== undefined && result instanceof Float32Array && isOfFloats) {
    // For non-integer data the reference is stricter: its tolerance is per element.
    const work = countMultiplyAdds(defaultRegistry, definition)?.total ?? 0;
    const isProbed = read.isExact && work > referenceMultiplyAdds;
    const probed = isProbed ? probeFunction(definition, read) : undefined;
    if (probed !== undefined) return success(probed);
    return success(compareWithReference(only, result, read));
  }
  const total = countMultiplyAdds(defaultRegistry, definition)?.total;
  if (total !== undefined && total <= interpretedMultiplyAdds)
    return compareWithInterpreter(payload, definition, read);
  const probed = probeFunction(definition, read);
  return probed === undefined ? compareWithPlainCode(payload, definition, execution) : success(probed);
};

/** The execution with 16-bit floats as numbers, as the oracles need them. */
const withNumbers = (definition: Operation, execution: Execution): Execution => {
  const { given, outputs } = execution;
  const { inputs = [], results = [] } = functionTypeOf(definition.attributes['function_type']) ?? {};
  return {
    ...execution,
    given: given.map((value, i) => numbersOfHalves(value, inputs[i])),
    outputs: outputs.map(({ value, argument }, i) => ({
      argument,
      value: numbersOfHalves(value, argument === undefined ? results[i] : inputs[argument]),
    })),
  };
};

const elementTypeOf = (type: Type | undefined): Type | undefined =>
  type !== undefined && isShaped(type) ? type.elementType : type;

const numbersOfHalves = (value: RunValue, type: Type | undefined): RunValue => {
  const element = elementTypeOf(type);
  if (!(value instanceof Uint16Array) || element?.kind !== 'float') return value;
  return element.name === 'f16' || element.name === 'bf16' ? halfValues(element.name, value) : value;
};

/** A function that just returns a convolution of its arguments. */
interface OnlyConvolution {
  readonly shape: ReferenceShape;
  /** Positions of input, filters and initial output among the arguments. */
  readonly positions: readonly [number, number, number];
}

const onlyConvolution = (definition: Operation): OnlyConvolution | undefined => {
  const { arguments: parameters, operations } = bodyOf(definition);
  const [convolution, end, more] = operations;
  if (convolution?.name !== convolutionName || end === undefined || more !== undefined) return undefined;
  const shape = convolutionGeometry(conv2dNchwFchw.view(convolution));
  const positions = convolution.operands.map(({ id }) => parameters.findIndex((each) => each.id === id));
  const [input = -1, filters = -1, output = -1] = positions;
  if (shape === undefined || Math.min(input, filters, output) < 0) return undefined;
  const natural = convolutionSizes(shape);
  // MLIR lets an output be smaller than its input allows.
  if (natural.outputHeight !== shape.outputHeight || natural.outputWidth !== shape.outputWidth)
    return undefined;
  if (end.operands.length !== 1 || end.operands[0]?.id !== convolution.results[0]?.id) return undefined;
  return { shape, positions: [input, filters, output] };
};

/** Unit roundoff of f32. */
const roundoff = 2 ** -24;

const compareWithReference = (
  { shape, positions }: OnlyConvolution,
  result: Float32Array,
  { given, isExact, tolerance }: Execution,
): Comparison => {
  const [input, filters, initial] = positions.map((position) => given[position] as Float32Array);
  const expected = referenceConvolution(shape, input!, filters!, initial!);
  const oracle = 'reference convolution';
  if (isExact) return { oracle, isExact, ...compare(result, expected, () => 0) };
  if (tolerance !== undefined) {
    const allowed = tolerance * largest(expected);
    return { oracle, isExact, ...compare(result, expected, () => allowed) };
  }
  // A sum of n products is off by at most n roundoffs of the sum of their magnitudes, in any order.
  const magnitudes = [input!, filters!, initial!].map((data) => data.map(Math.abs)) as [
    Float32Array,
    Float32Array,
    Float32Array,
  ];
  const magnitude = referenceConvolution(shape, ...magnitudes);
  const products = shape.inputChannels * shape.filterHeight * shape.filterWidth;
  const bound = (products + 2) * roundoff;
  return { oracle, isExact, ...compare(result, expected, (i) => bound * magnitude[i]!) };
};

/** Two NaN agree. */
const compare = (
  actual: Numbers,
  expected: Numbers,
  tolerance: (index: number) => number,
): Pick<Comparison, 'mismatches' | 'maxAbsError'> => {
  let mismatches = 0;
  let maxAbsError = 0;
  for (let i = 0; i < actual.length; i++) {
    if (Object.is(actual[i], expected[i])) continue;
    const difference = Math.abs(Number(actual[i]) - Number(expected[i]));
    if (difference <= tolerance(i)) maxAbsError = Math.max(maxAbsError, difference);
    else {
      mismatches += 1;
      maxAbsError = Math.max(maxAbsError, Number.isNaN(difference) ? Infinity : difference);
    }
  }
  return { mismatches, maxAbsError };
};

const cannotCheck = (definition: Operation, why: string): Diagnosed<undefined> =>
  success(undefined, [warning('run/cannot-check', `the result is not checked: ${why}`, definition.location)]);

const compareWithInterpreter = (
  payload: Module,
  definition: Operation,
  execution: Execution,
): Diagnosed<Comparison | undefined> => {
  const { given, outputs } = execution;
  const { inputs = [] } = functionTypeOf(definition.attributes['function_type']) ?? {};
  const exact = given.map((value, i) =>
    elementTypeOf(inputs[i])?.kind === 'index' ? indicesIn(Float64Array, value) : value,
  );
  if (!exact.every((value) => value !== undefined)) return cannotCheck(definition, 'an index is beyond 2^53');
  const values = exact.map((value, i) => runtimeValue(value, inputs[i]));
  if (!values.every((value) => value !== undefined)) {
    return cannotCheck(definition, 'it takes buffers that are not contiguous');
  }
  const name = symbolNameOf(definition) ?? '';
  return mapSuccess(interpret(payload, name, values), (results) => {
    const expected = outputs.map(({ argument }, i) =>
      numbersOf(argument === undefined ? results[i]! : values[argument]!),
    );
    return compareOutputs('interpreter', definition, execution, expected);
  });
};

/** Compares with the payload as it is written, compiled for WebAssembly. */
const compareWithPlainCode = (
  payload: Module,
  definition: Operation,
  execution: Execution,
): Diagnosed<Comparison | undefined> => {
  const plain = callPlainly(payload, symbolNameOf(definition) ?? '', execution.given);
  if (plain.status !== 'success') {
    const why = plain.diagnostics.find(({ severity }) => severity === 'error')?.message ?? 'it failed';
    return cannotCheck(
      definition,
      `the function is too large to interpret, and as it is written it does not run on WebAssembly: ${why}`,
    );
  }
  const { results, values } = plain.value;
  const outputs = execution.outputs.map(({ argument }, i) => ({
    argument,
    value: argument === undefined ? results[i]! : values[argument]!,
  }));
  const expected = withNumbers(definition, { ...execution, outputs }).outputs;
  return success(
    compareOutputs(
      'plain code',
      definition,
      withNumbers(definition, execution),
      expected.map(({ value }) => numbersOf(value)),
    ),
  );
};

/** Compares all outputs of a function, exactly where they are sums of integers without rounding. */
const compareOutputs = (
  oracle: Comparison['oracle'],
  definition: Operation,
  { outputs, isExact, tolerance: share = roundingTolerance }: Execution,
  expected: readonly Numbers[],
): Comparison => {
  const { inputs = [], results = [] } = functionTypeOf(definition.attributes['function_type']) ?? {};
  const compared = outputs.map(({ value, argument }, i) => {
    const element = elementTypeOf(argument === undefined ? results[i] : inputs[argument]);
    const wanted = expected[i]!;
    const mustBeEqual = element?.kind !== 'float' || (isExact && areUnrounded(wanted, element.name));
    const allowed = mustBeEqual ? 0 : share * largest(wanted);
    return { mustBeEqual, ...compare(numbersOf(value), wanted, () => allowed) };
  });
  return {
    oracle,
    isExact: isExact && compared.every(({ mustBeEqual }) => mustBeEqual),
    mismatches: compared.reduce((sum, { mismatches }) => sum + mismatches, 0),
    maxAbsError: compared.reduce((most, { maxAbsError }) => Math.max(most, maxAbsError), 0),
  };
};

/** Up to which magnitude floats have all integers. */
const exactIntegers: Readonly<Record<string, number>> = {
  bf16: 2 ** 8,
  f16: 2 ** 11,
  f32: 2 ** 24,
  f64: 2 ** 53,
};

/** Whether these are integers that floats of this name hold exactly: sums of several layers may grow beyond. */
const areUnrounded = (values: Numbers, name: string): boolean => {
  const most = exactIntegers[name] ?? 0;
  return Array.from<number | bigint>(values).every((each) => {
    const value = Number(each);
    return !Number.isFinite(value) || (Number.isInteger(value) && Math.abs(value) <= most);
  });
};

/** An argument in the interpreter's form; buffers are copied. */
const runtimeValue = (value: RunValue, type: Type | undefined): RuntimeValue | undefined => {
  if (typeof value !== 'object') return value;
  switch (type?.kind) {
    case 'tensor':
      return tensor(type.shape, value, type.elementType);
    case 'memref':
      return type.layout === undefined
        ? memref(type.shape, value.slice(), { elementType: type.elementType })
        : undefined;
    default:
      return undefined;
  }
};

const numbersOf = (value: RunValue | RuntimeValue): Numbers => {
  if (typeof value === 'number') return [value];
  if (typeof value === 'bigint') return [value];
  if (!('kind' in value)) return value;
  return value.kind === 'tensor' ? elementsOf(value) : value.allocation.data;
};
