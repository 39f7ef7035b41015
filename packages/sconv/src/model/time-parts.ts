/** The parts of a model, timed one by one: where its time goes, in Node and in a page. */
import type { RunValue } from '@sconv/backend';
import type { Diagnosed } from '@sconv/diagnostics';
import { mapSuccess } from '@sconv/diagnostics';
import { children, symbolNameOf } from '@sconv/ir';
import { timeCalls } from '../bench/in-turns.ts';
import { spreadOf } from '../bench/statistics.ts';
import type { CompileOptions } from '../compile-module.ts';
import { compileModuleWithPauses } from '../compile-module.ts';
import { defaultRegistry } from '../default-registry.ts';
import { countMultiplyAdds } from '../multiply-adds.ts';
import { untilFailure } from '../run/until-failure.ts';
import type { CompiledModel } from './compile-model.ts';
import { partsOf } from './model-parts.ts';
import { runParts } from './run-parts.ts';
import type { NamedElements } from './runnable-model.ts';
import { mainFunction, valuesOf } from './runnable-model.ts';

/** A part of a model: one loop nest, with what is fused with it. */
export interface TimedPart {
  /** The names of the nodes that it computes, in program order. */
  readonly nodes: readonly string[];
  /** Its ops, without the prefix `linalg.`. */
  readonly operations: readonly string[];
  /** Of a call: the median of the samples. */
  readonly seconds: number;
  /** Undefined for dynamic sizes. */
  readonly multiplyAdds: number | undefined;
}

/** How parts are compiled and timed. */
export interface TimingOptions extends Pick<CompileOptions, 'target' | 'backends' | 'signal' | 'onStep'> {
  /** Timed samples of each part; default 5. */
  readonly samples?: number;
  /**
   * What a sample takes at least, in which calls are repeated; default 0.002. The clock of a page that is not
   * cross-origin isolated ticks every 0.1 ms.
   */
  readonly sampleSeconds?: number;
}

/**
 * Times the parts of a model with these inputs, on one thread, in the order in which they run. Fails as `compileModule`
 * and the parts do; rejects for inputs that do not fit, as `run` does.
 */
export const timeParts = async (
  model: Pick<CompiledModel, 'inputs' | 'compiled'>,
  inputs: NamedElements,
  { samples = 5, sampleSeconds = 0.002, ...options }: TimingOptions = {},
): Promise<Diagnosed<readonly TimedPart[]>> => {
  const given: readonly RunValue[] = valuesOf(model.compiled, model.inputs, inputs);
  const parts = partsOf(model.compiled.stages.payload, mainFunction, defaultRegistry);
  const loaded = await compileModuleWithPauses(parts.module, options);
  if (loaded.status !== 'success') return loaded;
  const compiled = loaded.value;
  const functions = new Map(children(parts.module.root).map((each) => [symbolNameOf(each), each]));
  const times: TimedPart[] = [];
  try {
    const ran = await runParts(
      compiled,
      parts,
      given,
      async ({ part: { name, nodes, operations }, call }) => {
        const timed = await untilFailure(async (calling) => {
          const repeated = calling(call);
          const calls = await callsFor(repeated, sampleSeconds);
          const seconds: number[] = [];
          while (seconds.length < samples) seconds.push(await timeCalls(repeated, calls));
          return spreadOf(seconds).median;
        });
        return mapSuccess(timed, (seconds) => {
          const counted = countMultiplyAdds(defaultRegistry, functions.get(name)!);
          times.push({ nodes, operations, seconds, multiplyAdds: counted?.total });
        });
      },
    );
    return mapSuccess(ran, () => times);
  } finally {
    compiled.dispose();
  }
};

/** The clock may stand still for this many calls, and no more. */
const mostCalls = 2 ** 16;

/** How many calls take this long: a power of two. Twice, as the first ones also pack, and make code. */
const callsFor = async (call: () => unknown, least: number): Promise<number> => {
  for (let calls = 1; ; calls *= 2) {
    const lasts = async (): Promise<boolean> => calls * (await timeCalls(call, calls)) >= least;
    if (calls >= mostCalls || ((await lasts()) && (await lasts()))) return calls;
  }
};
