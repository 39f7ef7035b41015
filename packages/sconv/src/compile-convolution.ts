/** A convolution as a function on typed arrays: its IR is built, sliced, bufferized, compiled and loaded. */
import type { ConvolutionPlan, SlicingPlan } from '@sconv/csa';
import type { Diagnostic } from '@sconv/diagnostics';
import { DiagnosticError, unwrap } from '@sconv/diagnostics';
import { optionProblem } from './check-options.ts';
import { children, walk } from '@sconv/ir';
import type { CompiledModule, CompileOptions } from './compile-module.ts';
import { compileModule, compileModuleSync } from './compile-module.ts';
import type { OutputShape } from './convolution-payload.ts';
import { functionNameOf, payloadOf, payloadOfAll } from './convolution-payload.ts';
import type { CheckedSpec, ConvolutionSpec } from './convolution-spec.ts';
import { checkedSpec } from './convolution-spec.ts';

/** A convolution whose filters stay. */
export interface BoundConvolution {
  /** `initial + conv2d(input, filters)`; without `initial` that is zero, which it is always without `accumulate`. */
  run(input: Float32Array, initial?: Float32Array): Float32Array;
  /** `run` on the threads of the convolution. */
  runAsync(input: Float32Array, initial?: Float32Array): Promise<Float32Array>;
  /** Gives up the filters; a second time does nothing, and `run` throws afterwards. */
  dispose(): void;
}

/** A convolution that is ready to run, any number of times. */
export interface CompiledConvolution {
  /**
   * Of one group of the input with its padding; for several threads that of the part that each of them computes. A depthwise
   * convolution, of one channel and one filter a group, is not sliced and has none.
   */
  readonly plan: ConvolutionPlan | undefined;
  /** What its author should know, such as that there is one thread only (`wasm/single-thread`). */
  readonly warnings: readonly Diagnostic[];
  readonly output: OutputShape;
  /** Its code, and the stages of its IR. */
  readonly artifact: CompiledModule;
  /** Its function there, of input, filters and the output to add to: `convolve`, unless others were compiled with it. */
  readonly functionName: string;
  /**
   * `initial + conv2d(input, filters)`, in row-major order; without `initial` that is zero. Throws a RangeError for an
   * array of the wrong length and for an `initial` of a convolution without `accumulate`, and an Error after `dispose`.
   */
  run(input: Float32Array, filters: Float32Array, initial?: Float32Array): Float32Array;
  /**
   * `run` on the threads of the convolution, without blocking the caller's; on the caller's where there are no others. What
   * `run` throws rejects the promise. Arrays may not be changed until it is settled.
   */
  runAsync(input: Float32Array, filters: Float32Array, initial?: Float32Array): Promise<Float32Array>;
  /** The convolution with these filters, which are copied now, once. */
  bind(filters: Float32Array): BoundConvolution;
  /** Gives up code and memory; a second time does nothing. */
  dispose(): void;
}

/**
 * Compiles a convolution of one shape. Throws `DiagnosticError` for an option that there is not, or of another form, for
 * a target that no backend serves or this engine cannot run, and for a shape that has no code, such as one of more than
 * 4 GiB; `CsaError` for a shape that cannot be.
 */
export const compileConvolution = (spec: ConvolutionSpec): CompiledConvolution => {
  const checked = checkedSpec(spec);
  const { payload, output } = payloadOf(checked);
  const compiled = compileModuleSync(payload, optionsOf(checked));
  return compiledConvolution(checked, output, unwrap(compiled), 0, compiled.diagnostics);
};

/** `compileConvolution` without blocking the thread while the engine compiles: for a page's main thread. */
export const compileConvolutionAsync = async (spec: ConvolutionSpec): Promise<CompiledConvolution> => {
  const [compiled] = await compileConvolutions([spec]);
  return compiled!;
};

/**
 * Compiles convolutions, such as all of a model, as one module: native tools are started once for it. Shapes, `accumulate`
 * and `groups` are each one's own; all other options are the same in all of them. Code and memory are given up when the
 * last one is disposed. Throws as `compileConvolution`, also where only one of them fails.
 */
export const compileConvolutions = async (
  specs: readonly ConvolutionSpec[],
): Promise<readonly CompiledConvolution[]> => {
  const checked = specs.map(checkedSpec);
  const [first] = checked;
  if (first === undefined) return [];
  const other = sharedOptions.find((name) => checked.some((spec) => spec[name] !== first[name]));
  if (other !== undefined) {
    const message = `'${other}' is the same in all convolutions that are compiled together`;
    throw new DiagnosticError([optionProblem('compileConvolutions', 'sconv/option', message)]);
  }
  const { payload, outputs } = payloadOfAll(checked);
  const compiled = await compileModule(payload, optionsOf(first));
  const artifact = unwrap(compiled);
  const inUse = new Set(checked.keys());
  return checked.map((spec, i) => {
    const own: CompiledModule = {
      ...artifact,
      dispose: () => {
        if (inUse.delete(i) && inUse.size === 0) artifact.dispose();
      },
    };
    return compiledConvolution(spec, outputs[i]!, own, i, compiled.diagnostics);
  });
};

const sharedOptions = [
  'target',
  'backends',
  'edges',
  'schedule',
  'costModel',
  'threads',
  'workers',
] as const satisfies readonly (keyof CheckedSpec)[];

const optionsOf = ({
  target,
  backends,
  edges,
  schedule,
  costModel,
  threads,
  workers,
}: CheckedSpec): CompileOptions => ({
  target,
  ...(backends === undefined ? {} : { backends }),
  ...(edges === undefined ? {} : { edges }),
  ...(schedule === undefined ? {} : { schedule }),
  ...(costModel === undefined ? {} : { costModel }),
  ...(threads === undefined ? {} : { threads }),
  ...(workers === undefined ? {} : { workers }),
});

/** The convolution at this position of those that were compiled together. */
const compiledConvolution = (
  { accumulate }: CheckedSpec,
  output: OutputShape,
  artifact: CompiledModule,
  position: number,
  warnings: readonly Diagnostic[],
): CompiledConvolution => {
  const functionName = functionNameOf(position, artifact.functions.length);
  const ownIds = new Set([...walk(children(artifact.stages.payload.root)[position]!)].map(({ id }) => id));
  const plan = artifact.plans.find(({ operation }) => ownIds.has(operation.id))?.plan;
  const length = output.reduce((product, size) => product * size, 1);
  /** A copy of the initial output, which becomes the result. */
  const begun = (initial: Float32Array | undefined): Float32Array => {
    if (initial !== undefined && !accumulate)
      throw new RangeError('an initial output, of a convolution that was compiled with accumulate: false');
    return initial?.slice() ?? new Float32Array(length);
  };
  const computed = (result: Float32Array, [returned]: readonly unknown[]): Float32Array => {
    // The output's buffer is used in place; were it not, the result would be elsewhere.
    if (returned !== result) throw new Error('the result is not in the buffer of the output');
    return result;
  };
  return {
    plan: plan && plannedByAnalysis(plan),
    warnings,
    output,
    artifact,
    functionName,
    run: (input, filters, initial) => {
      const result = begun(initial);
      return computed(result, artifact.run(functionName, input, filters, result));
    },
    runAsync: async (input, filters, initial) => {
      const result = begun(initial);
      return computed(result, await artifact.runAsync(functionName, input, filters, result));
    },
    bind: (filters) => {
      const bound = artifact.bind(functionName, { 1: filters });
      return {
        run: (input, initial) => {
          const result = begun(initial);
          return computed(result, bound.run(input, result));
        },
        runAsync: async (input, initial) => {
          const result = begun(initial);
          return computed(result, await bound.runAsync(input, result));
        },
        dispose: () => bound.dispose(),
      };
    },
    dispose: () => artifact.dispose(),
  };
};

/** The plan of what a target's schedule has sliced, which was searched for. */
const plannedByAnalysis = (plan: SlicingPlan): ConvolutionPlan => {
  if (!('candidates' in plan)) throw new Error('a plan that the analysis has not made');
  return plan as ConvolutionPlan;
};
