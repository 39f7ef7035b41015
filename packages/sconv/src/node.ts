/** What only Node has: `sconv/node`. */
export { detectHost } from './host-machine.ts';
export type { Host, HostSystem } from './host-machine.ts';
export { emulatedBackends, nodeBackends } from './node-backends.ts';
export { asWorker, nodeWorkers } from './node-workers.ts';
export type { NodeWorker } from './node-workers.ts';
export type { TunedPlans } from './tuned-plan.ts';
export { readTuned } from './tune/read-tuned.ts';
export { tune } from './tune/tune.ts';
export type { TunedWorkload, TuneOptions, TuneOutcome } from './tune/tune.ts';
