export { openWorkQueues } from './work-queues.ts';
export type { WorkQueuesOptions } from './work-queues.ts';
