/** A convolution as a function on typed arrays: builds its IR, slices, bufferizes, compiles and loads it. */
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

/** A convolution with bound filters. */
export interface BoundConvolution {
  /** `initial + conv2d(input, filters)`; `initial` defaults to zero, and without `accumulate` must be absent. */
  run(input: Float32Array, initial?: Float32Array): Float32Array;
  /** `run` on the convolution's threads. */
  runAsync(input: Float32Array, initial?: Float32Array): Promise<Float32Array>;
  /** Frees the filters; idempotent, and `run` throws afterwards. */
  dispose(): void;
}

/** A convolution ready to run repeatedly. */
export interface CompiledConvolution {
  /**
   * The plan of one group, with a padded input; with several threads, of the part that each computes. A depthwise
   * convolution, with one channel and one filter per group, is not sliced and has none.
   */
  readonly plan: ConvolutionPlan | undefined;
  /** Warnings for the author, e.g. that there is only one thread (`wasm/single-thread`). */
  readonly warnings: readonly Diagnostic[];
  readonly output: OutputShape;
  /** Its code, and the stages of its IR. */
  readonly artifact: CompiledModule;
  /**
   * Its function, which takes input, filters and the output to accumulate into: `convolve`, unless others were compiled
   * with it.
   */
  readonly functionName: string;
  /**
   * `initial + conv2d(input, filters)`, in row-major order; `initial` defaults to zero. Throws a RangeError for an
   * array of the wrong length or an `initial` without `accumulate`, and an Error after `dispose`.
   */
  run(input: Float32Array, filters: Float32Array, initial?: Float32Array): Float32Array;
  /**
   * `run` on the convolution's threads, without blocking the caller's; on the caller's if there are no others. What
   * `run` throws rejects the promise. Arrays must not be changed until it settles.
   */
  runAsync(input: Float32Array, filters: Float32Array, initial?: Float32Array): Promise<Float32Array>;
  /** The convolution with these filters, copied now, once. */
  bind(filters: Float32Array): BoundConvolution;
  /** Frees code and memory; idempotent. */
  dispose(): void;
}

/**
 * Compiles a convolution of one shape. Throws `DiagnosticError` for an unknown or malformed option, for a target that
 * no backend serves or this engine cannot run, and for a shape without code, e.g. of more than 4 GiB; `CsaError` for an
 * impossible shape.
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
 * Compiles convolutions, e.g. all of a model, as one module, which starts native tools only once. Shapes, `accumulate`
 * and `groups` are individual; all other options must be equal. Code and memory are freed when the last one is disposed
 * of. Throws as `compileConvolution`, even if only one of them fails.
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

/** The convolution at this position among those compiled together. */
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
    // The output's buffer is used in place; otherwise the result would be elsewhere.
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

/** The plan that the target's schedule used, which an analysis has found. */
const plannedByAnalysis = (plan: SlicingPlan): ConvolutionPlan => {
  if (!('candidates' in plan)) throw new Error('a plan that the analysis has not made');
  return plan as ConvolutionPlan;
};
