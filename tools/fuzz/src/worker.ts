/** Runs shares of a campaign in its own thread, which can be terminated if a payload hangs. */
import { parentPort, workerData } from 'node:worker_threads';
import type { Campaign, CampaignOptions, FoundFault, Share } from './campaign.ts';
import { runShare } from './campaign.ts';
import { runEffectShare } from './fuzz-effects.ts';
import { runFunctions } from './fuzz-function.ts';
import { runNumbers } from './fuzz-numbers.ts';
import { structuredChains } from './structured-chains.ts';

/** Payloads through schedules, functions through cleanup passes, functions with effects or numbers through single steps. */
export type Subjects = 'schedules' | 'functions' | 'effects' | 'numbers';

/** The input of a worker. */
export interface WorkerTask {
  readonly subjects: Subjects;
  readonly share: Share;
  readonly keepTexts: number;
}

/** The messages of a worker. */
export type WorkerMessage =
  | { readonly kind: 'payload'; readonly index: number }
  | { readonly kind: 'fault'; readonly found: FoundFault }
  | { readonly kind: 'done'; readonly campaign: Campaign };

const tell = (message: WorkerMessage): void => parentPort?.postMessage(message);

const { subjects, share, keepTexts } = workerData as WorkerTask;
const options: CampaignOptions = {
  keepTexts,
  onPayload: (index) => tell({ kind: 'payload', index }),
  onFault: (found) => tell({ kind: 'fault', found }),
};
const run = {
  functions: runFunctions,
  effects: runEffectShare,
  numbers: runNumbers,
  schedules: (given: Share) => runShare(structuredChains, given, options),
}[subjects];
tell({ kind: 'done', campaign: run(share, options) });
