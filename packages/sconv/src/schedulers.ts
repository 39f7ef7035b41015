/** The schedulers that commands know by name. */
import { explicitGemm, implicitGemm } from './gemm-schedule.ts';
import { nchwc } from './nchwc-schedule.ts';
import type { Scheduler } from './scheduler.ts';

/** Each by its name. */
const schedulers: ReadonlyMap<string, Scheduler> = new Map([
  ['explicit-gemm', explicitGemm],
  ['implicit-gemm', implicitGemm],
  ['nchwc', nchwc],
]);

/** The names, for help. */
export const schedulerNames: readonly string[] = [...schedulers.keys()];

/** The scheduler of this name; undefined for a file. */
export const schedulerOf = (name: string | undefined): Scheduler | undefined =>
  name === undefined ? undefined : schedulers.get(name);

/** For commander: the option, and what it does. */
export const scheduleOption = [
  '--schedule <file>',
  `a transform script, or a way to compute convolutions: ${schedulerNames.join(', ')}; without one, the plan that ` +
    'suits the target',
] as const;
