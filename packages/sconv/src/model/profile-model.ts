/** Where the time of a model goes: its parts, timed one by one. */
import type { RunValue } from '@sconv/backend';
import { byteLengthOf } from '@sconv/backend';
import type { Diagnosed } from '@sconv/diagnostics';
import { andThen, mapSuccess, success } from '@sconv/diagnostics';
import type { Module } from '@sconv/ir';
import { children, symbolNameOf } from '@sconv/ir';
import type { CompileOptions } from '../compile-module.ts';
import { compileModule } from '../compile-module.ts';
import { defaultRegistry } from '../default-registry.ts';
import { countMultiplyAdds } from '../multiply-adds.ts';
import { measure } from '../run/measure.ts';
import { untilFailure } from '../run/until-failure.ts';
import { partsOf } from './model-parts.ts';
import { runParts } from './run-parts.ts';

/** The time of a part, with its inputs and outputs in memory, not in the caches of what ran before. */
export interface PartTime {
  /** The names of the nodes that it computes. */
  readonly nodes: readonly string[];
  /** Its ops, without the prefix `linalg.`. */
  readonly operations: readonly string[];
  /** Median of the runs. */
  readonly seconds: number;
  /** Undefined for dynamic sizes. */
  readonly multiplyAdds: number | undefined;
  /** Of its inputs and outputs; weights do not count. */
  readonly bytes: number;
}

/** Times the parts of the function `name` of a module. Fails as `compileModule` and the parts do. */
export const profileModel = async (
  module: Module,
  name: string,
  given: readonly RunValue[],
  repeat: number,
  options: Omit<CompileOptions, 'functions'>,
): Promise<Diagnosed<readonly PartTime[]>> => {
  const parts = partsOf(module, name, defaultRegistry);
  const loaded = await compileModule(parts.module, options);
  if (loaded.status !== 'success') return loaded;
  const compiled = loaded.value;
  const { scheduled } = compiled.stages;
  const functions = new Map(children(scheduled.root).map((each) => [symbolNameOf(each), each]));
  const times: PartTime[] = [];
  try {
    const ran = await runParts(compiled, parts, given, async ({ part, signature, call }) => {
      const time = await untilFailure((calling) => measure(calling(call), repeat));
      return mapSuccess(time, ({ seconds }) => {
        const { parameters, results } = signature;
        const counted = countMultiplyAdds(defaultRegistry, functions.get(part.name)!, scheduled);
        const bytes = [...parameters, ...results].reduce((sum, each) => sum + byteLengthOf(each), 0);
        const { nodes, operations } = part;
        times.push({ nodes, operations, seconds, multiplyAdds: counted?.total, bytes });
      });
    });
    return andThen(ran, () => success(times));
  } finally {
    compiled.dispose();
  }
};
