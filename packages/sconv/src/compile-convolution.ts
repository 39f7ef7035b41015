/** A convolution as a function on typed arrays: its IR is built, sliced, bufferized and compiled to WebAssembly. */
import { oneShotBufferize } from '@sconv/bufferization';
import type { Plan } from '@sconv/csa';
import { convolution } from '@sconv/csa';
import { andThen, unwrap } from '@sconv/diagnostics';
import type { Module } from '@sconv/ir';
import { parseModule } from '@sconv/ir';
import type { WasmInstance, WasmModule } from '@sconv/wasm';
import { emitModule, instantiate } from '@sconv/wasm';
import type { ConvolutionSpec } from './convolution-spec.ts';
import { checkedSpec } from './convolution-spec.ts';
import { defaultRegistry } from './default-registry.ts';
import { runObserved } from './observed-plans.ts';
import { targetSchedule } from './target-schedule.ts';

/** A convolution that is ready to run, any number of times. */
export interface CompiledConvolution {
  readonly plan: Plan;
  /** Batch, filters, height, width of the output. */
  readonly output: readonly [number, number, number, number];
  /** Before the schedule, after it, and on buffers. */
  readonly stages: { readonly payload: Module; readonly sliced: Module; readonly bufferized: Module };
  readonly wasm: WasmModule;
  readonly instance: WasmInstance;
  /**
   * `initial + conv2d(input, filters)`, in row-major order; without `initial` that is zero. Throws a RangeError for an
   * array of the wrong length.
   */
  run(input: Float32Array, filters: Float32Array, initial?: Float32Array): Float32Array;
}

const functionName = 'convolve';

/**
 * Compiles a convolution of one shape. Throws `DiagnosticError` for an option that there is not, or of another form, and
 * for a shape that has no code, such as one of more than 4 GiB; `CsaError` for a shape that cannot be.
 */
export const compileConvolution = (given: ConvolutionSpec): CompiledConvolution => {
  const spec = checkedSpec(given);
  const { target, edges } = spec;
  const registry = defaultRegistry;
  const { text, output } = payloadOf(spec);
  const payload = unwrap(parseModule(text, { registry, fileName: functionName }));
  const { module: sliced, plans } = unwrap(
    andThen(targetSchedule(payload, target, edges), (schedule) =>
      runObserved(schedule.module, payload, { registry }),
    ),
  );
  const bufferized = unwrap(oneShotBufferize(sliced, { registry, dropEquivalentBufferResults: false }));
  const compiled = unwrap(emitModule(bufferized, { relaxed: target.machine.vector?.fused ?? false }));
  const instance = instantiate(compiled);
  const length = output.reduce((product, size) => product * size, 1);
  return {
    plan: plans[0]!.plan,
    output,
    stages: { payload, sliced, bufferized },
    wasm: compiled,
    instance,
    run: (input, filters, initial = new Float32Array(length)) => {
      const result = initial.slice();
      const [returned] = instance.run(functionName, input, filters, result);
      // The output's buffer is used in place; were it not, the result would be elsewhere.
      if (returned !== result) throw new Error('the result is not in the buffer of the output');
      return result;
    },
  };
};

/** The payload: one named convolution in one function. */
const payloadOf = (
  spec: Required<ConvolutionSpec>,
): { readonly text: string; readonly output: CompiledConvolution['output'] } => {
  const { strides, dilations } = spec;
  const [batch, inputChannels, inputHeight, inputWidth] = spec.input;
  const [filters, , filterHeight, filterWidth] = spec.filters;
  const { outputHeight, outputWidth } = convolution({
    batch,
    inputChannels,
    inputHeight,
    inputWidth,
    filters,
    filterHeight,
    filterWidth,
    strides: { h: strides[0], w: strides[1] },
    dilations: { h: dilations[0], w: dilations[1] },
  });
  const output = [batch, filters, outputHeight, outputWidth] as const;
  const [input, filter, result] = [spec.input, spec.filters, output].map(
    (sizes) => `tensor<${sizes.join('x')}xf32>`,
  );
  const pair = (values: readonly [number, number]) => `dense<[${values.join(', ')}]> : tensor<2xi64>`;
  const text = `func.func @${functionName}(%in: ${input}, %filters: ${filter}, %out: ${result}) -> ${result} {
  %0 = linalg.conv_2d_nchw_fchw {dilations = ${pair(dilations)}, strides = ${pair(strides)}}
    ins(%in, %filters : ${input}, ${filter}) outs(%out : ${result}) -> ${result}
  return %0 : ${result}
}`;
  return { text, output };
};
