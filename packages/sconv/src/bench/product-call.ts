/** A matrix product as a payload, compiled and ready to be called on arrays of its own. */
import type { ConvolutionShape, KernelChoice } from '@sconv/csa';
import { unwrap } from '@sconv/diagnostics';
import { parseModule } from '@sconv/ir';
import type { Planner } from '@sconv/plans';
import type { Target } from '@sconv/targets';
import type { CompiledModule } from '../compile-module.ts';
import { compileModule } from '../compile-module.ts';
import { defaultRegistry } from '../default-registry.ts';
import { nodeBackends } from '../node-backends.ts';
import { nodeWorkers } from '../node-workers.ts';
import type { Scheduler } from '../scheduler.ts';
import type { Call } from './in-turns.ts';
import type { Data } from './workload.ts';

/** How ours compiles. */
export interface OursOptions {
  /** With several, calls are promised; 1 by default. */
  readonly threads?: number;
  /** Plans in place of the analysis. */
  readonly planner?: Planner<KernelChoice> | undefined;
  /** Schedules convolutions in place of the target's own schedule. */
  readonly schedule?: Scheduler | undefined;
}

const functionName = 'product';

/** The product of filters MxK and input KxN, which overwrites its result, as peers do. */
const payloadOf = ({ filters: m, outputHeight: n, inputChannels: k }: ConvolutionShape): string => {
  const [a, b, c] = [`tensor<${m}x${k}xf32>`, `tensor<${k}x${n}xf32>`, `tensor<${m}x${n}xf32>`];
  return `func.func @${functionName}(%a: ${a}, %b: ${b}, %c: ${c}) -> ${c} {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%c : ${c}) -> ${c}
  %0 = linalg.matmul ins(%a, %b : ${a}, ${b}) outs(%init : ${c}) -> ${c}
  return %0 : ${c}
}`;
};

/** A call of a product, promised for several threads, and its output array; throws where it cannot be compiled. */
export const productCall = async (
  shape: ConvolutionShape,
  data: Data,
  target: Target,
  { threads = 1, planner }: OursOptions,
): Promise<{ readonly compiled: CompiledModule; readonly call: Call; readonly output: Float32Array }> => {
  const payload = unwrap(parseModule(payloadOf(shape), { registry: defaultRegistry }));
  const compiled = unwrap(
    await compileModule(payload, {
      target,
      backends: nodeBackends,
      ...(planner === undefined ? {} : { planner }),
      ...(threads > 1 ? { threads, workers: nodeWorkers } : {}),
    }),
  );
  if (compiled.emulator !== undefined) {
    compiled.dispose();
    throw new Error(`${compiled.emulator} would run it, whose time says nothing`);
  }
  const [a, b] = [data.filters, data.input].map((elements) => {
    const array = compiled.allocate('f32', elements.length);
    array.set(elements);
    return array;
  });
  const output = compiled.allocate('f32', shape.filters * shape.outputHeight);
  const values = [a!, b!, output];
  const call = () =>
    threads > 1 ? compiled.runAsync(functionName, ...values) : compiled.run(functionName, ...values);
  return { compiled, call, output };
};
