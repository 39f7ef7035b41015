/** The shortest way to a convolution: arrays in, array out. */
import { describeValue, DiagnosticError } from '@sconv/diagnostics';
import { optionProblem } from './check-options.ts';
import { compileConvolution } from './compile-convolution.ts';
import type { ConvolutionElement, OperandArray, ResultArray, SumArray } from './convolution-elements.ts';
import type { ConvolutionSpec } from './convolution-spec.ts';

/** The elements in the order of their layout, and the four sizes. */
export interface Tensor4<A = Float32Array> {
  readonly shape: readonly [number, number, number, number];
  readonly data: A;
}

/** The options of `compileConvolution`, with the arrays of bias and residual. */
export interface ConvolveOptions<E extends ConvolutionElement = 'f32'> extends Omit<
  ConvolutionSpec<E>,
  'input' | 'filters' | 'accumulate' | 'bias' | 'residual'
> {
  /** A number per filter, added to the sums. */
  readonly bias?: SumArray<E>;
  /** An array of the output's shape, added after the bias. */
  readonly residual?: SumArray<E>;
}

/**
 * Convolves an input with filters once. Each call compiles anew, which takes longer than most convolutions, and keeps
 * nothing; in a loop, call `compileConvolution`, the first half of this function, outside it. Throws as that does.
 */
export const convolve = <E extends ConvolutionElement = 'f32'>(
  input: Tensor4<OperandArray<E>>,
  filters: Tensor4<OperandArray<E>>,
  given: ConvolveOptions<E> = {},
): Tensor4<ResultArray<E>> => {
  expectObjects({ input, filters, options: given });
  const { bias, residual, ...options } = given;
  const compiled = compileConvolution<E>({
    ...options,
    input: input.shape,
    filters: filters.shape,
    bias: bias !== undefined,
    residual: residual !== undefined,
    accumulate: false,
  });
  try {
    const others = {
      ...(bias === undefined ? {} : { bias }),
      ...(residual === undefined ? {} : { residual }),
    };
    return { shape: compiled.output, data: compiled.run(input.data, filters.data, others) };
  } finally {
    compiled.dispose();
  }
};

/** Untyped callers may pass anything. */
const expectObjects = (values: Readonly<Record<'input' | 'filters' | 'options', unknown>>): void => {
  for (const [name, value] of Object.entries(values)) {
    if (typeof value === 'object' && value !== null) continue;
    const wanted = name === 'options' ? 'an object of options' : `'${name}' as { shape, data }`;
    const message = `expected ${wanted}, not ${describeValue(value)}`;
    throw new DiagnosticError([optionProblem('convolve', 'sconv/option', message)]);
  }
};
