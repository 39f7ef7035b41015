/** Where the time of a model goes: its parts, timed one by one. */
import type { RunValue } from '@sconv/backend';
import type { Diagnosed } from '@sconv/diagnostics';
import { mapSuccess, success } from '@sconv/diagnostics';
import type { Module, Operation } from '@sconv/ir';
import { children, symbolNameOf } from '@sconv/ir';
import { wasm } from '@sconv/targets';
import { inChosenLayouts, withChosenLayouts } from '../choose-layouts.ts';
import type { CompileOptions } from '../compile-module.ts';
import { compileModule } from '../compile-module.ts';
import { defaultRegistry } from '../default-registry.ts';
import { countMultiplyAdds } from '../multiply-adds.ts';
import { measure } from '../run/measure.ts';
import { untilFailure } from '../run/until-failure.ts';
import type { Bound } from './machine-bounds.ts';
import { machineBounds } from './machine-bounds.ts';
import { partsOf } from './model-parts.ts';
import { countFloatOperations, trafficOf } from './part-work.ts';
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
  readonly weightBytes: number;
  /** The least time that it could take on this machine, by one thread. */
  readonly bound: Bound;
}

/** How much of the bound is reached: 1 is all of it. */
export const boundShare = ({ bound, seconds }: Pick<PartTime, 'bound' | 'seconds'>): number =>
  bound.seconds / seconds;

/** The parts that take more than twice their bound. */
export const belowHalf = (parts: readonly PartTime[]): readonly PartTime[] =>
  parts.filter((part) => boundShare(part) < 0.5);

/** The seconds of parts, one after the other. */
export const secondsOf = (parts: readonly Pick<PartTime, 'seconds'>[]): number =>
  parts.reduce((sum, { seconds }) => sum + seconds, 0);

/**
 * Times the parts of the function `name` of a module, and changes of layouts between them where these are chosen. Fails
 * as `compileModule` and the parts do.
 */
export const profileModel = async (
  module: Module,
  name: string,
  given: readonly RunValue[],
  repeat: number,
  { layouts, ...options }: Omit<CompileOptions, 'functions'>,
): Promise<Diagnosed<readonly PartTime[]>> => {
  const isChosen = layouts === 'chosen';
  const laidOut = isChosen
    ? withChosenLayouts(module, options.target ?? wasm, defaultRegistry)
    : success(module);
  if (laidOut.status !== 'success') return laidOut;
  const parts = partsOf(laidOut.value, name, defaultRegistry);
  // Layouts are chosen for the whole, not anew for each part.
  const loaded = await compileModule(parts.module, {
    ...options,
    ...(isChosen ? { schedule: inChosenLayouts } : {}),
  });
  if (loaded.status !== 'success') return loaded;
  const compiled = loaded.value;
  const works = new Map(
    children(parts.module.root).map((each) => [symbolNameOf(each), workOf(each)] as const),
  );
  const times: (() => PartTime)[] = [];
  try {
    const most = Math.max(
      ...[...works.values()].map(({ readBytes, writtenBytes }) => readBytes + writtenBytes),
    );
    const measureBound = await machineBounds(options.target ?? wasm, most);
    const ran = await runParts(compiled, parts, given, async ({ part, call }) => {
      const time = await untilFailure((calling) => measure(calling(call), repeat));
      return mapSuccess(time, ({ seconds }) => {
        const { nodes, operations } = part;
        const { weightBytes, multiplyAdds, ...work } = works.get(part.name)!;
        const bytes = work.readBytes + work.writtenBytes - weightBytes;
        const bound = measureBound(work);
        times.push(() => ({ nodes, operations, seconds, multiplyAdds, bytes, weightBytes, bound: bound() }));
      });
    });
    return mapSuccess(ran, () => times.map((time) => time()));
  } finally {
    compiled.dispose();
  }
};

/** What a part computes and moves. */
const workOf = (definition: Operation) => ({
  multiplyAdds: countMultiplyAdds(defaultRegistry, definition)?.total,
  operations: countFloatOperations(defaultRegistry, definition),
  ...trafficOf(definition),
});
