/** The library as a side of the benchmark. */
import type { ConvolutionShape } from '@sconv/csa';
import { unwrap } from '@sconv/diagnostics';
import type { PlannedShape } from '@sconv/slicing';
import type { Target } from '@sconv/targets';
import type { CompiledConvolution } from '../compile-convolution.ts';
import { compileConvolutionAsync } from '../compile-convolution.ts';
import { compileModule } from '../compile-module.ts';
import { convolutionPayload, functionNameOf } from '../convolution-payload.ts';
import type { ConvolutionSpec } from '../convolution-spec.ts';
import { version } from '../version.ts';
import { nodeBackends } from '../node-backends.ts';
import { nodeWorkers } from '../node-workers.ts';
import { specOfShape } from '../spec-of-shape.ts';
import { isOfAnalysis } from '../target-schedule.ts';
import type { FilterUse, Implementation, InstructionMix, Prepared } from './implementation.ts';
import type { OursOptions } from './product-call.ts';
import { productCall } from './product-call.ts';
import type { Call } from './in-turns.ts';
import type { Data } from './workload.ts';

/** `WS 16x4 Nc32 K2 4 K3 8`: dataflow, microkernel, and ST's tile sizes; `depthwise` without a plan. */
export const planText = (plan: PlannedShape | undefined): string => {
  if (plan === undefined) return 'depthwise';
  if (!isOfAnalysis(plan)) return 'another plan';
  const { schedule, microkernel, nc, k2, k3 } = plan;
  return `${schedule.toUpperCase()} ${microkernel.windows}x${microkernel.filters} Nc${nc} K2 ${k2} K3 ${k3}`;
};

/** Ours, planned for a target. Input and output are arrays of the artifact, and so are filters passed as arguments. */
export const ours = (
  name: string,
  target: Target,
  { threads = 1, planner, schedule }: OursOptions = {},
): Implementation => ({
  name,
  version: version(),
  // The measured peak is that of one thread.
  mix: threads > 1 ? undefined : mixOf(target),
  prepare: async (shape, use, data): Promise<Prepared> => {
    const compiled = await compiledFor(shape, target, { threads, planner, schedule });
    const { emulator } = compiled.artifact;
    if (emulator !== undefined) {
      compiled.dispose();
      throw new Error(`${emulator} would run it, whose time says nothing`);
    }
    const { call, output } = readyCall(compiled, use, data, threads > 1);
    return {
      call,
      result: async () => {
        await call();
        return output.slice();
      },
      how: schedule === undefined ? planText(compiled.plan) : 'scheduled',
      dispose: () => compiled.dispose(),
    };
  },
  prepareProduct: async (shape, _, data): Promise<Prepared> => {
    const { compiled, call, output } = await productCall(shape, data, target, { threads, planner });
    const [planned] = compiled.plans;
    return {
      call,
      result: async () => {
        await call();
        return output.slice();
      },
      how: planned === undefined ? 'as written' : planText(planned.plan),
      dispose: () => compiled.dispose(),
    };
  },
});

/** A convolution of f32 for one of the Node backends. */
export const specOf = (shape: ConvolutionShape, target: Target): ConvolutionSpec => ({
  ...specOfShape(shape),
  elementType: 'f32',
  // Peers overwrite the output as well.
  accumulate: false,
  target,
  backends: nodeBackends,
});

type Compiled = Pick<CompiledConvolution, 'artifact' | 'functionName' | 'dispose'> & {
  readonly plan: PlannedShape | undefined;
};

const compiledFor = async (
  shape: ConvolutionShape,
  target: Target,
  { threads = 1, planner, schedule }: OursOptions,
): Promise<Compiled> => {
  const spec = specOf(shape, target);
  const parallel = threads > 1 ? { threads, workers: nodeWorkers } : {};
  if (planner === undefined && schedule === undefined)
    return compileConvolutionAsync({ ...spec, ...parallel });
  const options = {
    target,
    backends: nodeBackends,
    ...(planner && { planner }),
    ...(schedule && { schedule }),
    ...parallel,
  };
  const artifact = unwrap(await compileModule(convolutionPayload(spec), options));
  return {
    artifact,
    functionName: functionNameOf(0, 1),
    plan: artifact.plans[0]?.plan,
    dispose: () => artifact.dispose(),
  };
};

/** A call of a convolution on its artifact's arrays, promised or at once, and its output array. */
export const readyCall = (
  { artifact, functionName }: Pick<CompiledConvolution, 'artifact' | 'functionName'>,
  use: FilterUse,
  data: Data,
  isPromised = false,
): { readonly call: Call; readonly output: Float32Array } => {
  const signature = artifact.functions.find(({ name }) => name === functionName);
  const [input, filters, output] = (signature?.parameters ?? []).map((parameter, position) =>
    // Bound filters are the artifact's own copy.
    parameter.kind === 'buffer' && (position !== 1 || use === 'arguments')
      ? artifact.allocate<'f32'>('f32', parameter.length)
      : undefined,
  );
  if (input === undefined || output === undefined) throw new Error('a convolution without buffers');
  input.set(data.input);
  filters?.set(data.filters);
  if (filters === undefined) {
    const bound = artifact.bind(functionName, { 1: data.filters });
    return { call: () => (isPromised ? bound.runAsync(input, output) : bound.run(input, output)), output };
  }
  const values = [input, filters, output];
  const call = () =>
    isPromised ? artifact.runAsync(functionName, ...values) : artifact.run(functionName, ...values);
  return { call, output };
};

/** The instructions that bound the speed of a target's code. */
export const mixOf = ({ machine }: Target): InstructionMix => {
  if (machine.isa !== 'wasm32') return 'native';
  return machine.vector?.fused === true ? 'madd' : 'mul+add';
};
