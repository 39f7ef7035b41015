/** A convolution as a function on typed arrays: builds its IR, slices, bufferizes, compiles and loads it. */
import type { ConvolutionPlan } from '@sconv/csa';
import type { PlannedShape } from '@sconv/slicing';
import type { Diagnostic } from '@sconv/diagnostics';
import { describeValue, DiagnosticError, unwrap } from '@sconv/diagnostics';
import { optionProblem } from './check-options.ts';
import { children, walk } from '@sconv/ir';
import type { RunValue } from '@sconv/backend';
import type { CompiledModule, CompileOptions } from './compile-payload.ts';
import { compilePayload, compilePayloadSync } from './compile-payload.ts';
import { byName, convolutionArrays } from './convolution-arrays.ts';
import type { ConvolutionElement, OperandArray, ResultArray, SumArray } from './convolution-elements.ts';
import type { OutputShape } from './convolution-payload.ts';
import { functionNameOf, payloadOf, payloadOfAll } from './convolution-payload.ts';
import { convolutionRegistry } from './convolution-registry.ts';
import type { CheckedSpec, ConvolutionSpec } from './convolution-spec.ts';
import { checkedSpec } from './convolution-spec.ts';
import { outlinePayload } from './outline-payload.ts';
import { shareArtifact } from './share-artifact.ts';

/** The arrays of a call besides input and filters; each is used, and possible, only as the convolution was compiled. */
export interface OtherArrays<E extends ConvolutionElement = 'f32'> {
  /** A number per filter, if it was compiled with `bias`. */
  readonly bias?: SumArray<E>;
  /** An array of the output's shape, if it was compiled with `residual`. */
  readonly residual?: SumArray<E>;
  /** What to add the products to, which is not changed; default zero. Not with `accumulate: false`. */
  readonly initial?: SumArray<E>;
}

/** The arrays to bind. */
export interface ConstantArrays<E extends ConvolutionElement = 'f32'> {
  readonly filters: OperandArray<E>;
  /** If it was compiled with `bias`. */
  readonly bias?: SumArray<E>;
}

/** A convolution with bound filters, and bias if it has one. */
export interface BoundConvolution<E extends ConvolutionElement = 'f32'> {
  /** `CompiledConvolution.run`. */
  run(input: OperandArray<E>, others?: Omit<OtherArrays<E>, 'bias'>): ResultArray<E>;
  /** `run` on the convolution's threads. */
  runAsync(input: OperandArray<E>, others?: Omit<OtherArrays<E>, 'bias'>): Promise<ResultArray<E>>;
  /** Frees the filters and the bias; idempotent, and `run` throws afterwards. */
  dispose(): void;
}

/** A convolution ready to run repeatedly. */
export interface CompiledConvolution<E extends ConvolutionElement = 'f32'> {
  /**
   * The plan of one group, with a padded input; with several threads, of the part that each computes. A depthwise
   * convolution, with one channel and one filter per group (in layout `nhwc` any number of filters), is not sliced and
   * has none. Nor has one with a tuned plan, which no analysis has made: `artifact.plans` has that.
   */
  readonly plan: ConvolutionPlan | undefined;
  /** Warnings for the author, e.g. that there is only one thread (`wasm/single-thread`). */
  readonly warnings: readonly Diagnostic[];
  readonly output: OutputShape;
  /** Its code, and the stages of its IR. */
  readonly artifact: CompiledModule;
  /**
   * Its function, which takes input, filters, the bias and the residual that it was compiled with, and the output to
   * accumulate into: `convolve`, unless others were compiled with it.
   */
  readonly functionName: string;
  /**
   * `activation(initial + conv2d(input, filters) + bias + residual)`, floats added in this order; of elements in the
   * order of the layout. Throws a TypeError for an array of another type, a RangeError for one of the wrong length,
   * that is missing, or that the convolution was not compiled for, and an Error after `dispose`.
   */
  run(input: OperandArray<E>, filters: OperandArray<E>, others?: OtherArrays<E>): ResultArray<E>;
  /**
   * `run` on the convolution's threads, without blocking the caller's; on the caller's if there are no others. What
   * `run` throws rejects the promise. Arrays must not be changed until it settles.
   */
  runAsync(
    input: OperandArray<E>,
    filters: OperandArray<E>,
    others?: OtherArrays<E>,
  ): Promise<ResultArray<E>>;
  /**
   * The convolution with these filters, or these and this bias, copied now, once. Throws as `run`, and a RangeError if
   * there is no room (`heapBytes`).
   */
  bind(constants: OperandArray<E> | ConstantArrays<E>): BoundConvolution<E>;
  /** Frees code and memory; idempotent. */
  dispose(): void;
}

/**
 * Compiles a convolution of one shape. Throws `DiagnosticError` for an unknown or malformed option, for a target that
 * no backend serves or this engine cannot run, and for a shape without code, e.g. of more than 4 GiB; `CsaError` for an
 * impossible shape.
 */
export const compileConvolution = <E extends ConvolutionElement = 'f32'>(
  spec: ConvolutionSpec<E>,
): CompiledConvolution<E> => {
  const checked = checkedSpec(spec);
  const { payload, output } = payloadOf(checked);
  const compiled = compilePayloadSync(payload, optionsOf(checked), convolutionRegistry);
  return compiledConvolution(checked, output, unwrap(compiled), 0, compiled.diagnostics);
};

/** `compileConvolution` without blocking the thread while the engine compiles: for a page's main thread. */
export const compileConvolutionAsync = async <E extends ConvolutionElement = 'f32'>(
  spec: ConvolutionSpec<E>,
): Promise<CompiledConvolution<E>> => {
  const [compiled] = await compileAll([spec]);
  return compiled!;
};

/** The elements that options ask for. */
type ElementOf<S> = S extends { readonly elementType?: infer E }
  ? unknown extends E
    ? 'f32'
    : Extract<E, ConvolutionElement>
  : 'f32';

/** The convolutions of these options. */
type CompiledOf<S extends readonly unknown[]> = {
  readonly [K in keyof S]: CompiledConvolution<ElementOf<S[K]>>;
};

/**
 * Compiles convolutions, e.g. all of a model, as one module, which starts native tools only once. Target, backends,
 * threads, signal, heap (of all together), and how to plan must be equal; all other options are individual. Each is
 * disposed of by itself, with its bindings; code and memory are freed with the last one. Throws as
 * `compileConvolution`, even if only one of them fails.
 */
export const compileConvolutions = async <const S extends readonly ConvolutionSpec<ConvolutionElement>[]>(
  specs: S,
): Promise<CompiledOf<S>> =>
  // TypeScript does not follow a tuple's element types through `map`.
  (await compileAll<ConvolutionElement>(specs)) as unknown as CompiledOf<S>;

const compileAll = async <E extends ConvolutionElement>(
  specs: readonly ConvolutionSpec<E>[],
): Promise<readonly CompiledConvolution<E>[]> => {
  // Untyped callers may pass anything.
  const given: unknown = specs;
  if (!Array.isArray(given)) {
    const message = `expected a list of convolutions, not ${describeValue(given)}`;
    throw new DiagnosticError([optionProblem('compileConvolutions', 'sconv/option', message)]);
  }
  const checked = specs.map((spec) => checkedSpec(spec));
  const [first] = checked;
  if (first === undefined) return [];
  const other = sharedOptions.find((name) => checked.some((spec) => spec[name] !== first[name]));
  if (other !== undefined) {
    const message = `'${other}' is the same in all convolutions that are compiled together`;
    throw new DiagnosticError([optionProblem('compileConvolutions', 'sconv/option', message)]);
  }
  const { payload, outputs } = payloadOfAll(checked);
  const compiled = await compilePayload(payload, optionsOf(first), convolutionRegistry, {
    outline: outlinePayload,
  });
  const artifacts = shareArtifact(unwrap(compiled), checked.length);
  return checked.map((spec, i) =>
    compiledConvolution(spec, outputs[i]!, artifacts[i]!, i, compiled.diagnostics),
  );
};

const sharedOptions = [
  'target',
  'backends',
  'edges',
  'schedule',
  'costModel',
  'tuned',
  'threads',
  'workers',
  'signal',
  'heapBytes',
] as const satisfies readonly (keyof CheckedSpec)[];

const optionsOf = ({
  target,
  backends,
  edges,
  schedule,
  costModel,
  tuned,
  threads,
  workers,
  signal,
  heapBytes,
}: CheckedSpec): CompileOptions => ({
  target,
  ...(backends === undefined ? {} : { backends }),
  ...(edges === undefined ? {} : { edges }),
  ...(schedule === undefined ? {} : { schedule }),
  ...(costModel === undefined ? {} : { costModel }),
  ...(tuned === undefined ? {} : { tuned }),
  ...(threads === undefined ? {} : { threads }),
  ...(workers === undefined ? {} : { workers }),
  ...(signal === undefined ? {} : { signal }),
  // The code that schedules make of convolutions stays within its buffers.
  ...(heapBytes === undefined ? { sharesMemory: true } : { heapBytes }),
});

/** The convolution at this position among those compiled together. */
const compiledConvolution = <E extends ConvolutionElement>(
  spec: CheckedSpec<E>,
  output: OutputShape,
  artifact: CompiledModule,
  position: number,
  warnings: readonly Diagnostic[],
): CompiledConvolution<E> => {
  const functionName = functionNameOf(position, artifact.functions.length);
  const ownIds = new Set([...walk(children(artifact.stages.payload.root)[position]!)].map(({ id }) => id));
  const plan = artifact.plans.find(({ operation }) => ownIds.has(operation.id))?.plan;
  const arrays = convolutionArrays(spec, output);
  // The output's buffer is used in place; otherwise the result would be elsewhere.
  const computed = (
    values: readonly [...RunValue[], ResultArray<E>],
    [returned]: readonly RunValue[],
  ): ResultArray<E> => {
    const result = values.at(-1);
    if (returned !== result) throw new Error('the result is not in the buffer of the output');
    return result as ResultArray<E>;
  };
  return {
    plan: plan && plannedByAnalysis(plan),
    warnings,
    output,
    artifact,
    functionName,
    run: (input, filters, others = {}) => {
      const values = arrays.valuesOf({ ...byName(others), input, filters }, []);
      return computed(values, artifact.run(functionName, ...values));
    },
    runAsync: async (input, filters, others = {}) => {
      const values = arrays.valuesOf({ ...byName(others), input, filters }, []);
      return computed(values, await artifact.runAsync(functionName, ...values));
    },
    bind: (constants) => {
      const given = ArrayBuffer.isView(constants) ? { filters: constants } : byName(constants);
      const bound = artifact.bind(functionName, arrays.constantsOf(given));
      const names = ['filters', 'bias'] as const;
      return {
        run: (input, others = {}) => {
          const values = arrays.valuesOf({ ...byName(others), input }, names);
          return computed(values, bound.run(...values));
        },
        runAsync: async (input, others = {}) => {
          const values = arrays.valuesOf({ ...byName(others), input }, names);
          return computed(values, await bound.runAsync(...values));
        },
        dispose: () => bound.dispose(),
      };
    },
    dispose: () => artifact.dispose(),
  };
};

/** The plan that the target's schedule used, if an analysis has found it. */
const plannedByAnalysis = (plan: PlannedShape): ConvolutionPlan | undefined =>
  'candidates' in plan ? (plan as ConvolutionPlan) : undefined;
