/** `--check`: every element of the result against a plain convolution, or against the interpreter. */
import type { Diagnosed } from '@sconv/diagnostics';
import { andThen, definite, error, success } from '@sconv/diagnostics';
import type { ConvolutionShape, RuntimeValue } from '@sconv/interpreter';
import { elementsOf, interpret, referenceConvolution, tensor } from '@sconv/interpreter';
import type { Module, Operation } from '@sconv/ir';
import { bodyOf, functionTypeOf } from '@sconv/ir';
import { convolutionGeometry } from '@sconv/normalization';
import type { RunValue } from '@sconv/wasm';
import { countMultiplyAdds } from '../multiply-adds.ts';
import { convolutionName } from '../target-schedule.ts';

export interface Comparison {
  /** What the results were compared with. */
  readonly oracle: 'reference convolution' | 'interpreter';
  /** Elements that differ by more than rounding explains; for integers, at all. */
  readonly mismatches: number;
  readonly maxAbsError: number;
  /** Whether elements had to be equal. */
  readonly isExact: boolean;
}

/** What the interpreter can do in some seconds. */
const interpretedMultiplyAdds = 100_000_000;

/**
 * Compares the results of a function with those of an oracle, for the same arguments. `isExact`: all data are small
 * integers, so that results have to be equal. Fails where there is no oracle: the function is more than one convolution
 * and too large for the interpreter, or takes what the interpreter is not given.
 */
export const checkResult = (
  payload: Module,
  definition: Operation,
  values: readonly RunValue[],
  results: readonly RunValue[],
  isExact: boolean,
): Diagnosed<Comparison> => {
  const only = onlyConvolution(definition);
  const [result] = results;
  if (only !== undefined && result instanceof Float32Array) {
    return success(compareWithReference(only, values, result, isExact));
  }
  return compareWithInterpreter(payload, definition, values, results, isExact);
};

/** A function that convolves its arguments and returns that. */
interface OnlyConvolution {
  readonly shape: ConvolutionShape;
  /** Positions of input, filters and initial output among the arguments. */
  readonly positions: readonly [number, number, number];
}

const onlyConvolution = (definition: Operation): OnlyConvolution | undefined => {
  const { arguments: parameters, operations } = bodyOf(definition);
  const [convolution, end, more] = operations;
  if (convolution?.name !== convolutionName || end === undefined || more !== undefined) return undefined;
  const shape = convolutionGeometry(convolution);
  const positions = convolution.operands.map(({ id }) => parameters.findIndex((each) => each.id === id));
  const [input = -1, filters = -1, output = -1] = positions;
  if (shape === undefined || Math.min(input, filters, output) < 0) return undefined;
  if (end.operands.length !== 1 || end.operands[0]?.id !== convolution.results[0]?.id) return undefined;
  return { shape, positions: [input, filters, output] };
};

/** Unit roundoff of f32. */
const roundoff = 2 ** -24;

const compareWithReference = (
  { shape, positions }: OnlyConvolution,
  values: readonly RunValue[],
  result: Float32Array,
  isExact: boolean,
): Comparison => {
  const [input, filters, initial] = positions.map((position) => values[position] as Float32Array);
  const expected = referenceConvolution(shape, input!, filters!, initial!);
  const oracle = 'reference convolution';
  if (isExact) return { oracle, isExact, ...compare(result, expected, () => 0) };
  // A sum of n products is off by at most n roundoffs of the sum of their magnitudes, in whatever order it is made.
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

type Numbers = ArrayLike<number> | ArrayLike<bigint>;

/** Two values that are both no number agree. */
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

const cannotCheck = (definition: Operation, why: string): Diagnosed<never> =>
  definite(error('run/cannot-check', `cannot check the result: ${why}`, definition.location));

const compareWithInterpreter = (
  payload: Module,
  definition: Operation,
  values: readonly RunValue[],
  results: readonly RunValue[],
  isExact: boolean,
): Diagnosed<Comparison> => {
  const work = countMultiplyAdds(definition)?.total;
  if (work === undefined || work > interpretedMultiplyAdds) {
    const much = work === undefined ? 'of unknown size' : `of ${work} multiply-adds`;
    return cannotCheck(
      definition,
      `a function ${much} that is more than one convolution is too large to interpret`,
    );
  }
  const { inputs = [] } = functionTypeOf(definition.attributes['function_type']) ?? {};
  const given = values.map((value, i): RuntimeValue | undefined => {
    const type = inputs[i];
    if (typeof value !== 'object') return value;
    return type?.kind === 'tensor' ? tensor(type.shape, value, type.elementType) : undefined;
  });
  if (!given.every((value) => value !== undefined)) {
    return cannotCheck(definition, 'it takes other arguments than tensors and numbers');
  }
  const symbol = definition.attributes['sym_name'];
  const name = symbol?.kind === 'string' ? symbol.value : '';
  return andThen(interpret(payload, name, given), (expected) =>
    success(
      results.reduce<Comparison>(
        (all, result, i) => {
          const [ours, theirs] = [numbersOf(result), numbersOf(expected[i]!)];
          const scale = isExact ? 0 : 1e-5 * largest(theirs);
          const { mismatches, maxAbsError } = compare(ours, theirs, () => scale);
          return {
            ...all,
            mismatches: all.mismatches + mismatches,
            maxAbsError: Math.max(all.maxAbsError, maxAbsError),
          };
        },
        { oracle: 'interpreter', mismatches: 0, maxAbsError: 0, isExact },
      ),
    ),
  );
};

const numbersOf = (value: RunValue | RuntimeValue): Numbers => {
  if (typeof value === 'number') return [value];
  if (typeof value === 'bigint') return [value];
  if (!('kind' in value)) return value;
  return value.kind === 'tensor' ? elementsOf(value) : value.allocation.data;
};

const largest = (values: Numbers): number =>
  Array.from<number | bigint>(values).reduce<number>(
    (most, value) => Math.max(most, Math.abs(Number(value))),
    0,
  );
